"""Params as annotations ask for them: what fits, what it becomes, what a misfit says."""

import __future__

import asyncio
import enum
import functools
import json
import typing
from collections import abc
from dataclasses import InitVar, dataclass, field

import attrs
import msgspec
import pydantic
import pydantic_core
import pytest
import typing_extensions

from rpclab.annotations import Annotations
from rpclab.dispatch import respond
from rpclab.errors import InvalidParams
from rpclab.methods import Methods

if typing.TYPE_CHECKING:
    from somewhere import OnlyForCheckers


class Colour(enum.Enum):
    """An enumeration of a string and a number."""

    RED = "red"
    BLUE = 3


class Size(enum.IntEnum):
    """An enumeration of numbers."""

    SMALL = 1


class Rights(enum.Flag):
    """Flags, which can be combined."""

    READ = 1
    WRITE = 2


class Odd(enum.Enum):
    """An enumeration of what JSON does not have."""

    PAIR = (1, 2)


@dataclass
class Point:
    """A member that is needed, and one that is not."""

    x: int
    y: float = 0.0


@dataclass
class Tree:
    """A dataclass with itself inside, and null as a default."""

    name: str
    children: list["Tree"] = field(default_factory=list)
    note: str = None


@dataclass
class Even:
    """A dataclass that refuses some values itself."""

    number: int
    start: InitVar[int] = 0

    def __post_init__(self, start):
        if self.number % 2:
            raise ValueError("an even number is wanted")
        self.number += start


@dataclass
class Careless:
    """A dataclass with a defect."""

    number: int

    def __post_init__(self):
        len(self.number)


Item = typing.TypeVar("Item")


@dataclass
class Box(typing.Generic[Item]):
    """A generic dataclass."""

    inside: Item


class Options(typing.TypedDict):
    """One member is needed."""

    depth: int
    name: "typing.NotRequired[str]"


class Folder(typing.TypedDict):
    """A typed dict with itself inside."""

    files: "dict[str, Folder]"


class Loose(typing.TypedDict, total=False):
    """One member is needed, though few are."""

    depth: int
    name: "typing.Required[str]"


UserId = typing.NewType("UserId", int)
Nested = typing_extensions.TypeAliasType("Nested", typing.Union[int, list["Nested"]])  # noqa: UP007


def no_name():
    """Fail as code does that names nothing."""
    raise NameError("something is not there")


def take_one(annotation, **settings):
    """Return a table whose method ``take`` returns its one param, which has this annotation."""

    def take(value):
        return value

    take.__annotations__ = {"value": annotation}  # text is evaluated among the names of this file
    methods = Methods(**settings)
    methods.add(take)
    return methods


def refusal(methods, method, params):
    with pytest.raises(InvalidParams) as caught:
        methods(method, params)
    return caught.value.data


# --- what fits, and what the function gets ----------------------------------------


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (int, 1),
        (int, 10**400),
        (float, 1.5),
        (float, 1),
        (str, ""),
        (bool, True),
        (None, None),
        (list, [1, "a"]),
        (typing.List, [1]),  # noqa: UP006  many programs still say so
        (list[int], [1, 2]),
        (abc.Sequence[str], ["a"]),
        (typing.Iterable[str], ["a"]),
        (list[typing.Any], [1, "a", None]),
        (dict, {"a": 1}),
        (dict[str, int], {"a": 1}),
        (abc.Mapping[str, list[int]], {"a": [1]}),
        (int | None, None),
        (typing.Optional[int], 1),  # noqa: UP045
        (int | str, "a"),
        (typing.Literal["a", 1, None], "a"),
        (typing.Literal["a", 1, None], None),
        (typing.Annotated[int, "more than 0"], 1),
        (UserId, 7),
        (Nested, [1, [2]]),
        (list[Nested] | Nested, 1),
        (Folder, {"files": {"a": {"files": {}}}}),
        (Options, {"depth": 1}),
        (Options, {"depth": 1, "name": "a", "other": []}),
        (Loose, {"name": "a"}),
    ],
    ids=str,
)
def test_a_value_that_fits_is_passed_on(annotation, value):
    assert take_one(annotation)("take", [value]) == value


@pytest.mark.parametrize(
    ("annotation", "value", "made"),
    [
        (int, 1.0, 1),
        (int, -0.0, 0),
        (int | float, 2.0, 2),
        (float | int, 2.0, 2.0),
        (tuple, [1, "a"], (1, "a")),
        (tuple[int, ...], [1, 2.0], (1, 2)),
        (tuple[int, str], [1.0, "a"], (1, "a")),
        (Colour, "red", Colour.RED),
        (Colour, 3.0, Colour.BLUE),
        (Size, 1, Size.SMALL),
        (typing.Literal[Colour.RED], "red", Colour.RED),
        (typing.Literal[1, True], True, True),
        (Point, {"x": 1}, Point(1, 0.0)),
        (Point, {"y": 2, "x": 1.0}, Point(1, 2)),
        (Box[int], {"inside": [1]}, Box([1])),
        (Even, {"number": 2, "start": 4}, Even(2, 4)),
        (Tree, {"name": "a", "note": None}, Tree("a")),
        (list[Point], [{"x": 1}], [Point(1)]),
        (dict[str, Point], {"a": {"x": 1}}, {"a": Point(1)}),
        (Point | None, {"x": 1}, Point(1)),
        (Point | Tree, {"name": "a"}, Tree("a")),
        (bytes | Point, {"x": 1}, Point(1)),
        (bytes | Point, "as it is", "as it is"),
    ],
    ids=str,
)
def test_a_value_becomes_what_the_annotation_names(annotation, value, made):
    got = take_one(annotation)("take", {"value": value})
    assert (got, type(got)) == (made, type(made))


def test_a_dataclass_may_have_itself_inside():
    trees = take_one(Tree)("take", [{"name": "a", "children": [{"name": "b"}]}])
    assert trees == Tree("a", [Tree("b")])


# --- what does not fit, and what is said of it ------------------------------------


@pytest.mark.parametrize(
    ("annotation", "value", "where", "wanted", "came"),
    [
        (int, "x", "", "integer", "string"),
        (int, True, "", "integer", "boolean"),
        (int, 1.5, "", "integer", "number"),
        (int, None, "", "integer", "null"),
        (float, "1", "", "number", "string"),
        (float, False, "", "number", "boolean"),
        (str, 1, "", "string", "number"),
        (bool, 0, "", "boolean", "number"),
        (None, 0, "", "null", "number"),
        (list, {}, "", "array", "object"),
        (list[int], [1, "x"], "[1]", "integer", "string"),
        (abc.Sequence[str], "abc", "", "array", "string"),
        (tuple[int, str], [1], "", "array of 2", "array"),
        (tuple[int, str], ["x", "a"], "[0]", "integer", "string"),
        (tuple[int, ...], [1, []], "[1]", "integer", "array"),
        (dict, [], "", "object", "array"),
        (dict[str, int], {"a": {}}, ".a", "integer", "object"),
        (int | None, "x", "", "integer or null", "string"),
        (int | list[int], ["x"], "[0]", "integer", "string"),
        (typing.Literal["a", 1], "b", "", '"a" or 1', "string"),
        (typing.Literal[1], True, "", "1", "boolean"),
        (typing.Literal["a"], ["a"], "", '"a"', "array"),
        (Colour, "green", "", '"red" or 3', "string"),
        (UserId, "x", "", "integer", "string"),
        (Nested, "x", "", "integer or array", "string"),
        (typing.Annotated[int, "more than 0"], "x", "", "integer", "string"),
        (Folder, {"files": {"a": {"files": 1}}}, ".files.a.files", "object", "number"),
        (Options, {}, ".depth", "a value", "nothing"),
        (Options, {"depth": 1, "name": 2}, ".name", "string", "number"),
        (Options, [], "", "object", "array"),
        (Loose, {"depth": 1}, ".name", "a value", "nothing"),
        (Point, {"y": 1}, ".x", "a value", "nothing"),
        (Point, {"x": 1, "z": ""}, ".z", "nothing", "string"),
        (Point, [1, 2], "", "object", "array"),
        (Tree, {"name": "a", "children": [{"name": 1}]}, ".children[0].name", "string", "number"),
        (Point | None, {"x": "a"}, ".x", "integer", "string"),
        (Box[int], {}, ".inside", "a value", "nothing"),
        (Even, {"number": 2, "start": "a"}, ".start", "integer", "string"),
    ],
    ids=str,
)
def test_a_misfit_says_where_what_was_wanted_and_what_came(annotation, value, where, wanted, came):
    data = refusal(take_one(annotation), "take", [value])
    assert data == {"param": f"value{where}", "wanted": wanted, "came": came}


def test_a_misfit_never_repeats_the_value():
    line = '{"jsonrpc":"2.0","method":"take","params":["secret"],"id":1}'
    for annotation in (int, Colour, Options, list[int], Point | None, typing.Literal["a"]):
        assert b"secret" not in respond(line, take_one(annotation))


def test_on_the_wire_a_misfit_is_invalid_params():
    methods = Methods()

    @methods.add
    def add(first: int, second: int) -> int:
        return first + second

    assert respond('{"jsonrpc":"2.0","method":"add","params":["x",1],"id":1}', methods) == (
        b'{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params",'
        b'"data":{"param":"first","wanted":"integer","came":"string"}},"id":1}'
    )
    assert respond('{"jsonrpc":"2.0","method":"add","params":[2.0,1],"id":1}', methods) == (
        b'{"jsonrpc":"2.0","result":3,"id":1}'
    )


def test_a_value_error_in_a_dataclass_is_a_misfit_with_its_reason():
    assert refusal(take_one(Even), "take", [{"number": 3}]) == {
        "param": "value",
        "wanted": "Even",
        "came": "object",
        "reason": "an even number is wanted",
    }


def test_a_type_error_in_a_dataclass_is_a_fault_of_the_server():
    with pytest.raises(TypeError):
        take_one(Careless)("take", [{"number": 3}])


def test_what_a_library_of_python_objects_passes_is_named_by_its_type():
    assert refusal(take_one(int), "take", [b"x"])["came"] == "bytes"


def test_a_value_that_is_nested_too_deeply_for_its_class_is_a_misfit():
    tree = {"name": "leaf"}
    for _ in range(400):
        tree = {"name": "branch", "children": [tree]}
    assert refusal(take_one(Tree), "take", [tree]) == {
        "param": "value",
        "wanted": "less nesting",
        "came": "object",
    }


# --- what is not checked ----------------------------------------------------------


@pytest.mark.parametrize(
    "annotation",
    [
        typing.Any,
        object,
        bytes,
        complex,
        set[int],
        dict[int, str],
        Rights,
        Odd,
        typing.Literal[b"a"],
        typing.Callable[[int], str],
        Item,
        5,
        [1, 2],
        "the first number",
        "5",
        "NoSuchName",
        "no_such.Name",
        "OnlyForCheckers | int",
        "no_name()",
    ],
    ids=str,
)
@pytest.mark.parametrize("value", ["a", [1], {"a": None}], ids=["string", "array", "object"])
def test_an_annotation_that_means_nothing_on_a_wire_is_not_checked(annotation, value):
    assert take_one(annotation)("take", [value]) == value


def test_a_name_that_is_not_there_is_no_reason_to_check_nothing():
    def take(names: "list[OnlyForCheckers]", number: "int") -> "OnlyForCheckers":
        return [names, number]

    methods = Methods()
    methods.add(take)
    assert methods("take", [["a"], 1]) == [["a"], 1]
    assert refusal(methods, "take", ["a", 1])["wanted"] == "array"
    assert refusal(methods, "take", [[], "a"])["wanted"] == "integer"


def test_annotations_that_are_evaluated_later_are_read():
    source = "def take(value: int, other: Missing = None): return value"
    names = {}
    flags = __future__.annotations.compiler_flag
    exec(compile(source, "later.py", "exec", flags), names)
    assert names["take"].__annotations__["value"] == "int"
    methods = Methods()
    methods.add(names["take"])
    assert methods("take", [1, "anything"]) == 1
    assert refusal(methods, "take", ["x"])["param"] == "value"


# --- kinds of parameters, and of functions ----------------------------------------


def test_each_of_any_number_of_params_is_checked():
    def total(first: str, *numbers: int, **named: int):
        return [first, *numbers, named]

    methods = Methods()
    methods.add(total)
    assert methods("total", ["a", 1, 2.0]) == ["a", 1, 2, {}]
    assert methods("total", {"first": "a", "b": 1}) == ["a", {"b": 1}]
    assert refusal(methods, "total", ["a", 1, "x"])["param"] == "numbers[1]"
    assert refusal(methods, "total", {"first": "a", "b": "x"})["param"] == "b"


def test_a_default_need_not_fit_and_null_fits_where_it_is_the_default():
    def find(text: str, limit: int = None, start: int = "none"):  # noqa: RUF013
        return [text, limit, start]

    methods = Methods()
    methods.add(find)
    assert methods("find", ["a"]) == ["a", None, "none"]
    assert methods("find", ["a", None]) == ["a", None, "none"]
    assert refusal(methods, "find", ["a", "x"])["wanted"] == "integer"
    assert refusal(methods, "find", ["a", 1, None])["param"] == "start"


def test_params_without_an_annotation_are_passed_on():
    def take(a, b: int, *more, **named):
        return [a, b, *more, named]

    methods = Methods()
    methods.add(take)
    assert methods("take", ["x", 1, "y"]) == ["x", 1, "y", {}]


class Server:
    """Has methods of all kinds."""

    limit: str  # not what __call__ takes

    def plain(self, limit: "int"):
        """Return the limit."""
        return limit

    @classmethod
    def of_class(cls, limit: int):
        """Return the limit."""
        return limit

    @staticmethod
    def static(limit: int):
        """Return the limit."""
        return limit

    def __call__(self, limit: "int"):
        """Return the limit."""
        return limit


@functools.wraps(Server.static)
def wrapped(*args, **kwargs):
    return Server.static(*args, **kwargs)


@pytest.mark.parametrize(
    "function",
    [
        Server().plain,
        Server.of_class,
        Server.static,
        Server(),
        wrapped,
        functools.partial(lambda other, limit: limit, "other"),
    ],
    ids=["method", "of the class", "static", "instance", "wrapped", "partial"],
)
def test_whatever_can_be_called_has_its_annotations_read(function):
    if isinstance(function, functools.partial):
        function.func.__annotations__ = {"limit": int}
    methods = Methods()
    methods.add(function, "run")
    assert methods("run", [1]) == 1
    assert refusal(methods, "run", ["x"])["wanted"] == "integer"


def test_an_async_function_is_not_begun_with_params_that_do_not_fit():
    methods = Methods()

    @methods.add
    async def double(number: int):
        return 2 * number

    assert asyncio.run(methods("double", [2.0])) == 4
    assert refusal(methods, "double", ["x"])["param"] == "number"


def test_a_reader_can_be_asked_for_alone():
    assert Annotations().reader_of(list[int])([1.0]) == [1]


# --- models of other libraries ----------------------------------------------------


class PydanticUser(pydantic.BaseModel):
    """A model of pydantic."""

    name: str
    age: int
    friend: "PydanticUser | None" = None


class MsgspecUser(msgspec.Struct):
    """A model of msgspec."""

    name: str
    age: int


@attrs.define
class AttrsUser:
    """A model of attrs."""

    name: str = attrs.field(validator=attrs.validators.instance_of(str))
    age: int = 0


PYDANTIC = {
    "bind": lambda kind: pydantic.TypeAdapter(kind).validate_python,
    "dump": pydantic_core.to_jsonable_python,
}
MSGSPEC = {
    "bind": lambda kind: functools.partial(msgspec.convert, type=kind),
    "dump": msgspec.to_builtins,
}
ATTRS = {
    "bind": lambda kind: (lambda value: kind(**value)) if attrs.has(kind) else None,
    "dump": lambda result: attrs.asdict(result) if attrs.has(type(result)) else result,
}
LIBRARIES = pytest.mark.parametrize(
    ("user", "settings"),
    [(PydanticUser, PYDANTIC), (MsgspecUser, MSGSPEC), (AttrsUser, ATTRS)],
    ids=["pydantic", "msgspec", "attrs"],
)


@LIBRARIES
def test_a_model_is_made_of_an_object_and_written_as_one(user, settings):
    methods = Methods(**settings)

    @methods.add
    def birthday(who: user, years: int = 1) -> user:
        return user(name=who.name, age=who.age + years)

    line = '{"jsonrpc":"2.0","method":"birthday","params":[{"name":"Ada","age":36}],"id":1}'
    reply = json.loads(respond(line, methods))
    expected = {"name": "Ada", "age": 37}
    assert {name: reply["result"][name] for name in expected} == expected


@LIBRARIES
def test_what_does_not_fit_a_model_is_invalid_params(user, settings):
    methods = take_one(user, **settings)
    data = refusal(methods, "take", [{"name": 5, "age": 36}])
    assert (data["param"], data["wanted"], data["came"]) == ("value", user.__name__, "object")
    assert "name" in data["reason"]
    assert refusal(methods, "take", ["Ada"])["came"] == "string"
    assert refusal(methods, "take", [{"age": 36}])["wanted"] == user.__name__


def test_the_reason_of_pydantic_says_where_and_never_repeats_the_value():
    methods = take_one(PydanticUser, **PYDANTIC)
    friend = {"name": "b", "age": "secret"}
    data = refusal(methods, "take", [{"name": "a", "age": 1, "friend": friend}])
    assert data["reason"].startswith("friend.age: Input should be a valid integer")
    assert "secret" not in json.dumps(data)
    assert refusal(methods, "take", ["secret"])["reason"].startswith("Input should be a valid")


def test_pydantic_reads_what_it_adds_to_an_annotation():
    methods = take_one(typing.Annotated[int, pydantic.Field(gt=0)], **PYDANTIC)
    assert methods("take", [1]) == 1
    assert refusal(methods, "take", [0])["reason"] == "Input should be greater than 0"


def test_a_container_of_models_may_be_left_to_the_standard_rules():
    methods = take_one(dict[str, list[AttrsUser | None]], **ATTRS)
    assert methods("take", [{"a": [{"name": "b"}, None]}]) == {"a": [AttrsUser("b"), None]}
    data = refusal(methods, "take", [{"a": [{"name": "b"}, 5]}])
    assert (data["param"], data["wanted"]) == ("value.a[1]", "AttrsUser or null")
    assert "mapping" in data["reason"]


def test_bind_may_say_more_with_invalid_params_of_its_own():
    def refuse(value):
        raise InvalidParams(data=["name", "age"])

    assert refusal(take_one(int, bind=lambda kind: refuse), "take", [1]) == ["name", "age"]


def test_bind_is_not_asked_for_what_has_no_annotation():
    asked = []

    def take(a, b: typing.Any, c: "NoSuchName", d: int):  # noqa: F821
        return [a, b, c, d]

    methods = Methods(bind=asked.append)
    methods.add(take)
    assert asked == [int]
    assert methods("take", [1, 2, 3, 4]) == [1, 2, 3, 4]


def test_the_result_of_an_async_function_is_dumped_when_it_is_there():
    methods = Methods(**MSGSPEC)

    @methods.add
    async def find(name: str):
        return [MsgspecUser(name, 36)]

    assert asyncio.run(methods("find", ["Ada"])) == [{"name": "Ada", "age": 36}]


def test_dataclasses_in_a_result_are_written_as_objects():
    methods = Methods()

    @methods.add
    def find(point: Point, colour: Colour):
        return {"points": [point, Point(3)], "tree": Tree("a", [Tree("b")]), "colour": colour}

    line = '{"jsonrpc":"2.0","method":"find","params":[{"x":1,"y":2.5},"red"],"id":1}'
    assert json.loads(respond(line, methods))["result"] == {
        "points": [{"x": 1, "y": 2.5}, {"x": 3, "y": 0.0}],
        "tree": {
            "name": "a",
            "children": [{"name": "b", "children": [], "note": None}],
            "note": None,
        },
        "colour": "red",
    }
