"""A method table that is a handler.

The transport does not know any methods. The table does: it has a function for
each method name. Params are bound to the function before it is called, so only
params that do not fit are -32602, and a ``TypeError`` inside the function is not. Source:
JSON-RPC 2.0, sections 4.2, 4.3 and 8.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from rpclab.errors import InvalidParams, MethodNotFound
from rpclab.messages import META, Json, Params

if TYPE_CHECKING:
    from inspect import BoundArguments, Signature

    from rpclab.annotations import ReadAll, ReaderOf

Function = TypeVar("Function", bound=Callable[..., Any])


class Methods:
    """Functions by method name. Call it as ``handler(method, params)``.

    A function's annotations say what its params may be; ``rpclab.annotations``
    has the rules. The function is called only if the params fit.

    >>> methods = Methods()
    >>> @methods.add
    ... def subtract(minuend: int, subtrahend: int):
    ...     return minuend - subtrahend
    >>> methods("subtract", [42, 23])
    19
    >>> methods("subtract", {"subtrahend": 23, "minuend": 42})
    19
    >>> try:
    ...     methods("subtract", [42, "x"])
    ... except InvalidParams as error:
    ...     print(error.data)
    {'param': 'subtrahend', 'wanted': 'integer', 'came': 'string'}

    Args:
        bind: takes an annotation and returns its reader, or None where our rules
            are to hold. A reader takes a param as it came, and returns what the
            function is called with. A ``ValueError`` or ``TypeError`` in it is -32602.
        dump: takes what a function returned, and returns a JSON value. Without
            it results may have dataclasses in them, which are written as objects.
    """

    def __init__(
        self, *, bind: "ReaderOf | None" = None, dump: Callable[[Any], Json] | None = None
    ) -> None:
        self._reader_of, self._dump = bind, dump
        self._table: dict[str, tuple[Callable[..., Any], Signature, ReadAll | None]] = {}

    @overload
    def add(self, function: Function, name: str = "", *, extension: bool = False) -> Function: ...
    @overload
    def add(self, name: str, /, *, extension: bool = False) -> Callable[[Function], Function]: ...
    @overload
    def add(self, *, name: str = "", extension: bool = False) -> Callable[[Function], Function]: ...
    def add(self, function: Any = "", name: str = "", *, extension: bool = False) -> Any:
        """Put a function into the table, and return it.

        It is a decorator too: ``@methods.add`` or ``@methods.add("tools/list")``.

        Args:
            function: its parameters are the method's params.
            name: the method's name; the function's own if left out.
            extension: allows a name that begins with ``rpc.`` (section 8).

        Raises:
            TypeError: it is not a function, or there is no name for it.
            ValueError: the name is reserved.
        """
        if isinstance(function, str) and not (function and name):
            return lambda decorated: self._put(decorated, function or name, extension)
        return self._put(function, name, extension)

    def _put(self, function: Function, name: str, extension: bool) -> Function:
        from inspect import signature  # noqa: PLC0415  takes longer to import than all of rpclab

        if not callable(function):
            raise TypeError(f"add takes a function, or a name, not {type(function).__name__}")
        name = name or getattr(function, "__name__", "")
        if not isinstance(name, str) or not name:
            raise TypeError("the name of a method is a string: add(function, 'name')")
        if name.startswith("rpc.") and not extension:
            raise ValueError(f"{name}: names that begin with rpc. are for extensions")
        parameters = signature(function)
        called = _dumped(function, self._dump) if self._dump else function
        self._table[name] = called, parameters, self._read_all(function, parameters)
        return function

    def _read_all(self, function: Function, signature: "Signature") -> "ReadAll | None":
        """Return what reads the arguments of a function, or None if nothing is to be read."""
        if all(each.annotation in (each.empty, Any) for each in signature.parameters.values()):
            return None
        from rpclab.annotations import read_as_annotated  # noqa: PLC0415  only if there is one

        return read_as_annotated(function, signature, self._reader_of)

    def __call__(self, method: str, params: Params) -> Json:
        """Call the function of that name.

        Raises:
            MethodNotFound: the table has no such name.
            InvalidParams: the params do not fit the function.
        """
        if method not in self._table:
            raise MethodNotFound(data={"method": method})
        function, signature, read_all = self._table[method]
        bound = bind(signature, params)
        if read_all:
            read_all(bound.arguments)
        return function(*bound.args, **bound.kwargs)


def _dumped(function: Callable[..., Any], dump: Callable[[Any], Json]) -> Callable[..., Json]:
    """Return a function that returns what ``dump`` makes of another one's result."""
    from inspect import iscoroutinefunction  # noqa: PLC0415  loaded by ``add`` already

    async def wait(*args: Any, **kwargs: Any) -> Json:
        return dump(await function(*args, **kwargs))

    is_async = iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)
    return wait if is_async else lambda *args, **kwargs: dump(function(*args, **kwargs))


def bind(signature: "Signature", params: Params) -> "BoundArguments":
    """Bind params to a signature: an array by position, an object by name.

    ``_meta`` is passed only to a function with a parameter of that name.

    Raises:
        InvalidParams: ``data`` says what is missing or too much.
    """
    # ``bind`` compares without calling the function, so a TypeError can only mean
    # that the params do not fit.
    try:
        if not isinstance(params, dict):
            return signature.bind(*(params or []))
        known = signature.parameters
        return signature.bind(**{k: v for k, v in params.items() if k != META or META in known})
    except TypeError as error:
        raise InvalidParams(data=str(error)) from error
