"""Params as the annotations of a function ask for them.

A signature says which params a function has. An annotation says what a param
may be. It is looked at when the function is added, so a call only compares. The
lesson does without this module: a method table loads it for the first function
that has annotations.

The rules:
  - ``bool`` is not an ``int``; an ``int`` fits a ``float``; 1.0 is an integer, as
    in JSON Schema, and the function gets 1
  - ``list`` and ``Sequence`` are an array, and ``tuple`` is made of one; ``dict``
    and ``Mapping`` are an object
  - ``Literal`` and ``Enum`` are compared by value
  - a dataclass is made of an object, by name; a ``TypedDict`` may have more members
  - of a union, the first member that fits
  - null also fits a parameter whose default is None
  - any other annotation, or one that cannot be resolved, is not checked
"""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
)
from enum import Enum, Flag
from functools import partial
from inspect import Parameter, Signature, signature
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    ForwardRef,
    Literal,
    NotRequired,
    Required,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from rpclab.codec import encode
from rpclab.errors import ABSENT, InvalidParams
from rpclab.messages import Json

Reader: TypeAlias = Callable[[Json], Any]
"""Takes a value as it came, and returns what the function is called with."""

ReaderOf: TypeAlias = Callable[[Any], Reader | None]
"""Takes an annotation, and returns its reader, or None to leave it to us."""

ReadAll: TypeAlias = Callable[[dict[str, Any]], None]
"""Reads all arguments of a call, and puts what it read in their place."""

_KINDS: Final = {
    NoneType: "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    type(ABSENT): "nothing",
}


class Misfit(ValueError):
    """A value does not fit an annotation. ``path`` leads to it, from outside in."""

    def __init__(self, wanted: str, value: Json, reason: str = "") -> None:
        super().__init__(wanted)
        self.path: list[str | int] = []
        self.wanted = wanted
        self.came = _KINDS.get(type(value), type(value).__name__)
        self.reason = reason

    def as_data(self, where: list[str]) -> dict[str, str]:
        """Return what the caller is told. The value itself is never in it."""
        steps = [f"[{at}]" if isinstance(at, int) else f".{at}" for at in (*where, *self.path)]
        data = {"param": "".join(steps)[1:], "wanted": self.wanted, "came": self.came}
        return data | {"reason": self.reason} if self.reason else data


def read_as_annotated(
    function: Callable[..., Any], bound: Signature, bind: ReaderOf | None
) -> ReadAll | None:
    """Return what reads the arguments of a function, or None if nothing is checked.

    Args:
        function: its annotations count.
        bound: its signature.
        bind: is asked first for the reader of each annotation.
    """
    hints, annotations = resolve(_written_at(function)), Annotations(bind)
    readers: dict[str, Reader] = {}
    others = ""  # the parameter that takes all other names
    for name, parameter in bound.parameters.items():
        read = annotations.reader_of(hints.get(name, parameter.annotation))
        if read is _anything:
            continue
        if parameter.kind is Parameter.VAR_POSITIONAL:
            read = partial(_read_array, read)
        if parameter.kind is Parameter.VAR_KEYWORD:
            read, others = partial(_read_object, read), name
        readers[name] = _or_default(read, parameter.default)

    def read_all(arguments: dict[str, Any]) -> None:
        for name, value in arguments.items():
            if name in readers:
                try:
                    arguments[name] = readers[name](value)
                except (Misfit, RecursionError) as error:
                    misfit = error if isinstance(error, Misfit) else Misfit("less nesting", value)
                    where = [] if name == others else [name]
                    raise InvalidParams(data=misfit.as_data(where)) from error

    return read_all if readers else None


def _written_at(function: Any) -> Any:
    """Return what has the annotations of something that can be called."""
    while isinstance(function, partial):
        function = function.func
    return function if hasattr(function, "__globals__") else type(function).__call__


def resolve(owner: Any) -> dict[str, Any]:
    """Return the annotations of a function or a class, with their text evaluated.

    A name that is not there, such as one imported for type checkers alone, may
    be anything.
    """
    missing: dict[str, Any] = {}
    while True:
        try:
            return get_type_hints(owner, localns=missing or None, include_extras=True)
        except NameError as error:
            if error.name is None or error.name in missing:
                return {}
            missing[error.name] = Any
        except (TypeError, SyntaxError, AttributeError):  # no annotation, but a remark
            return {}


def _read_plain(wanted: str, types: tuple[type, ...], value: Json) -> Any:
    if type(value) in types:  # exactly: True is an int in Python, and not in JSON
        return value
    raise Misfit(wanted, value)


def _read_integer(value: Json) -> int:
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    raise Misfit("integer", value)


def _anything(value: Json) -> Any:
    return value


def _or_default(read: Reader, default: Any) -> Reader:
    """Let null through where the default is None: many write ``limit: int = None``."""
    if default is not None:
        return read
    return lambda value: None if value is None else read(value)


def _read_at(place: str | int, read: Reader, value: Json) -> Any:
    """Read a member or an element; a misfit says where it is."""
    try:
        return read(value)
    except Misfit as misfit:
        misfit.path.insert(0, place)
        raise


def _read_array(read: Reader, value: Json) -> list[Any]:
    if type(value) not in (list, tuple):  # a tuple is what *args are
        raise Misfit("array", value)
    return [_read_at(index, read, element) for index, element in enumerate(value)]


def _read_row(readers: list[Reader], value: Json) -> tuple[Any, ...]:
    """Read an array that has one reader for each element."""
    if type(value) is not list or len(value) != len(readers):
        raise Misfit(f"array of {len(readers)}", value)
    return tuple(_read_at(i, readers[i], element) for i, element in enumerate(value))


def _read_object(read: Reader, value: Json) -> dict[str, Any]:
    """Read an object whose members may have any name."""
    if type(value) is not dict:
        raise Misfit("object", value)
    return {name: _read_at(name, read, member) for name, member in value.items()}


def _read_members(
    fields: dict[str, Reader], required: list[str], other: Reader, value: Json
) -> dict[str, Any]:
    """Read an object whose members have names of their own."""
    if type(value) is not dict:
        raise Misfit("object", value)
    for name in required:
        if name not in value:
            _read_at(name, partial(_refuse, "a value"), ABSENT)
    return {name: _read_at(name, fields.get(name, other), each) for name, each in value.items()}


def _refuse(wanted: str, value: Json) -> Any:
    raise Misfit(wanted, value)


def _make(kind: type, members: Reader, value: Json) -> Any:
    """Make a dataclass instance. A ``ValueError`` in it means that the members do not fit."""
    named = members(value)
    try:
        return kind(**named)
    except ValueError as error:
        raise Misfit(kind.__name__, value, _reason(error)) from error


def _read_own(annotation: Any, read: Reader, value: Json) -> Any:
    """Read with what ``bind`` returned for an annotation."""
    try:
        return read(value)
    except (ValueError, TypeError) as error:
        name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        raise Misfit(name, value, _reason(error)) from error


def _reason(error: Exception) -> str:
    """Say what a library found. Pydantic's own text would repeat the value."""
    if not hasattr(error, "errors"):
        return str(error)
    faults = [(".".join(map(str, fault["loc"])), fault["msg"]) for fault in error.errors()]
    return "; ".join(f"{where}: {what}" if where else what for where, what in faults)


def _read_first(readers: list[Reader], value: Json) -> Any:
    """Read with the first reader that can. Of all misfits, the deepest says most."""
    misfits: list[Misfit] = []
    for read in readers:
        try:
            return read(value)
        except Misfit as misfit:
            misfits.append(misfit)
    deepest = max(misfits, key=lambda misfit: len(misfit.path))
    if deepest.path:
        raise deepest
    reason = "; ".join(misfit.reason for misfit in misfits if misfit.reason)
    raise Misfit(" or ".join(misfit.wanted for misfit in misfits), value, reason)


def _one_of(members: tuple[Any, ...]) -> Reader:
    """Return what reads one of some values, or the member of an enumeration by its value."""
    values = [member.value if isinstance(member, Enum) else member for member in members]
    if not all(type(value) in _PLAIN for value in values):
        return _anything  # JSON cannot hold one of them
    wanted = " or ".join(map(encode, values))
    found = {
        (type(value) is bool, value): member for value, member in zip(values, members, strict=True)
    }

    def read(value: Json) -> Any:
        if type(value) in _PLAIN and (type(value) is bool, value) in found:
            return found[type(value) is bool, value]
        raise Misfit(wanted, value)

    return read


_PLAIN: Final[dict[type, Reader]] = {
    NoneType: partial(_read_plain, "null", (NoneType,)),
    bool: partial(_read_plain, "boolean", (bool,)),
    int: _read_integer,
    float: partial(_read_plain, "number", (int, float)),
    str: partial(_read_plain, "string", (str,)),
}
_ARRAYS: Final = (list, Sequence, MutableSequence, Collection, Iterable)
_OBJECTS: Final = (dict, Mapping, MutableMapping)


class Annotations:
    """The readers of the annotations of one function.

    Args:
        bind: is asked first; what it leaves to us is read by the rules above.
    """

    def __init__(self, bind: ReaderOf | None = None) -> None:
        self._bind = bind
        self._named: dict[Any, Reader] = {}  # of what may have itself inside

    def reader_of(self, annotation: Any) -> Reader:
        """Return what reads a value of this annotation.

        >>> Annotations().reader_of(tuple[int, str])([1.0, "a"])
        (1, 'a')
        """
        if annotation in (Any, object, Parameter.empty):
            return _anything
        if isinstance(annotation, str | ForwardRef):
            return _anything  # it could not be resolved
        own = self._bind(annotation) if self._bind else None
        if own:
            return partial(_read_own, annotation, own)
        kind, parts = get_origin(annotation) or annotation, get_args(annotation)
        if kind in (Union, UnionType):
            readers = [self.reader_of(part) for part in parts]
            return partial(_read_first, sorted(readers, key=lambda read: read is _anything))
        if kind in (Annotated, Required, NotRequired):
            return self.reader_of(parts[0])
        if kind is Literal:
            return _one_of(parts)
        if hasattr(kind, "__supertype__"):  # a NewType
            return self.reader_of(kind.__supertype__)
        if hasattr(kind, "__value__"):  # a name that ``type`` gave
            return self._alias(kind)
        return self._class(kind, parts) if isinstance(kind, type) else _anything

    def _class(self, kind: type, parts: tuple[Any, ...]) -> Reader:
        if kind in _PLAIN:
            return _PLAIN[kind]
        if kind in _ARRAYS:
            return partial(_read_array, self.reader_of(*parts or [Any]))
        if kind is tuple:
            return self._tuple(parts)
        if kind in _OBJECTS:
            name, member = parts or (str, Any)
            return partial(_read_object, self.reader_of(member)) if name is str else _anything
        if issubclass(kind, dict) and hasattr(kind, "__required_keys__"):
            return self._typed_dict(kind)
        if hasattr(kind, "__dataclass_fields__"):
            return self._dataclass(kind)
        if issubclass(kind, Enum) and not issubclass(kind, Flag):
            return _one_of(tuple(kind))
        return _anything

    def _tuple(self, parts: tuple[Any, ...]) -> Reader:
        if parts and parts[-1] is not Ellipsis:
            return partial(_read_row, [self.reader_of(part) for part in parts])
        array = partial(_read_array, self.reader_of(parts[0] if parts else Any))
        return lambda value: tuple(array(value))

    def _alias(self, kind: Any) -> Reader:
        if kind not in self._named:
            self._named[kind] = _anything  # what it has of itself inside is not checked
            self._named[kind] = self.reader_of(kind.__value__)
        return self._named[kind]

    def _typed_dict(self, kind: Any) -> Reader:
        if kind not in self._named:
            fields: dict[str, Reader] = {}
            hints = resolve(kind)
            # An annotation that was text hides NotRequired from the class itself.
            required = [
                name
                for name, hint in hints.items()
                if get_origin(hint) is not NotRequired
                and (get_origin(hint) is Required or name in kind.__required_keys__)
            ]
            self._named[kind] = partial(_read_members, fields, required, _anything)
            fields.update((name, self.reader_of(hint)) for name, hint in hints.items())
        return self._named[kind]

    def _dataclass(self, kind: type) -> Reader:
        from dataclasses import InitVar  # noqa: PLC0415  whoever made the class has loaded it

        if kind not in self._named:
            fields: dict[str, Reader] = {}
            parameters = signature(kind).parameters.values()
            required = [each.name for each in parameters if each.default is each.empty]
            members = partial(_read_members, fields, required, partial(_refuse, "nothing"))
            self._named[kind] = partial(_make, kind, members)
            hints = resolve(kind)
            for each in parameters:
                hint = hints.get(each.name, each.annotation)
                read = self.reader_of(hint.type if isinstance(hint, InitVar) else hint)
                fields[each.name] = _or_default(read, each.default)
        return self._named[kind]
