"""A method table that is a handler: names, and params bound before the call."""

import asyncio
import functools
import subprocess
import sys

import pytest

from rpclab.dispatch import respond
from rpclab.errors import InvalidParams, JsonRpcError, MethodNotFound
from rpclab.methods import Methods
from rpclab.peer import Peer, memory_pair


def subtract(minuend, subtrahend=1):
    return minuend - subtrahend


def collect(*args, **kwargs):
    return [list(args), kwargs]


def test_an_array_is_bound_by_position():
    methods = Methods()
    methods.add(subtract)
    assert methods("subtract", [42, 23]) == 19


def test_an_object_is_bound_by_name():
    methods = Methods()
    methods.add(subtract)
    assert methods("subtract", {"subtrahend": 23, "minuend": 42}) == 19


def test_a_param_with_a_default_may_be_left_out():
    methods = Methods()
    methods.add(subtract)
    assert methods("subtract", [42]) == 41


def test_no_params_call_a_function_without_any():
    methods = Methods()
    methods.add(lambda: "hi", "hello")
    assert methods("hello", None) == "hi"


@pytest.mark.parametrize("params", [[], {}], ids=["array", "object"])
def test_empty_params_are_as_good_as_none(params):
    methods = Methods()
    methods.add(lambda: "hi", "hello")
    assert methods("hello", params) == "hi"


def test_a_name_that_is_not_in_the_table_is_a_method_not_found():
    with pytest.raises(MethodNotFound) as caught:
        Methods()("foobar", None)
    assert caught.value.data == {"method": "foobar"}


def test_method_names_are_case_sensitive():
    methods = Methods()
    methods.add(subtract)
    with pytest.raises(MethodNotFound):
        methods("Subtract", [1])


@pytest.mark.parametrize(
    "params",
    [None, [], [1, 2, 3], {}, {"minuend": 1, "more": 2}, {"Minuend": 1}],
    ids=["none", "too few", "too many", "missing name", "unknown name", "wrong case"],
)
def test_params_that_do_not_fit_are_invalid_params(params):
    methods = Methods()
    methods.add(subtract)
    with pytest.raises(InvalidParams):
        methods("subtract", params)


def test_a_misfit_says_what_is_missing():
    methods = Methods()
    methods.add(subtract)
    with pytest.raises(InvalidParams) as caught:
        methods("subtract", [])
    assert caught.value.data == "missing a required argument: 'minuend'"


def test_a_type_error_inside_a_function_is_no_misfit():
    methods = Methods()
    methods.add(lambda: len(5), "typeerr")
    with pytest.raises(TypeError):
        methods("typeerr", None)


def test_a_key_error_inside_a_function_is_no_missing_method():
    methods = Methods()
    methods.add(lambda: {}["key"], "keyerr")
    with pytest.raises(KeyError):
        methods("keyerr", None)


def test_meta_goes_not_to_a_function_that_does_not_name_it():
    methods = Methods()
    methods.add(subtract)
    assert methods("subtract", {"minuend": 3, "_meta": {"progressToken": 1}}) == 2


def test_meta_goes_to_a_function_that_names_it():
    methods = Methods()
    methods.add(lambda _meta: _meta, "meta")
    assert methods("meta", {"_meta": {"progressToken": 1}}) == {"progressToken": 1}


@pytest.mark.parametrize("name", ["self", "signature", "method", "name", "cls"])
def test_no_name_of_a_param_gets_in_the_way(name):
    methods = Methods()
    methods.add(collect)
    assert methods("collect", {name: 1}) == [[], {name: 1}]


def test_a_name_of_its_own_hides_the_name_of_the_function():
    methods = Methods()
    methods.add(subtract, "minus")
    assert methods("minus", [2]) == 1
    with pytest.raises(MethodNotFound):
        methods("subtract", [2])


def test_add_gives_the_function_back_so_that_it_decorates():
    assert Methods().add(subtract) is subtract


@pytest.mark.parametrize(
    "decorate",
    [
        lambda methods: methods.add("tools/list"),
        lambda methods: methods.add(name="tools/list"),
        lambda methods: functools.partial(methods.add, name="tools/list"),
    ],
    ids=["name", "name=", "with the function"],
)
def test_add_may_be_told_the_name(decorate):
    methods = Methods()

    @decorate(methods)
    def list_tools(cursor="first"):
        return cursor

    assert methods("tools/list", ["next"]) == "next"
    assert list_tools() == "first"
    with pytest.raises(MethodNotFound):
        methods("list_tools", None)


def test_add_with_empty_brackets_takes_the_name_of_the_function():
    methods = Methods()
    assert methods.add()(subtract) is subtract
    assert methods("subtract", [2]) == 1


def test_a_decorator_may_add_an_extension():
    methods = Methods()
    methods.add("rpc.discover", extension=True)(lambda: "found")
    assert methods("rpc.discover", None) == "found"
    with pytest.raises(ValueError, match=r"rpc\.other: names that begin with rpc\."):
        methods.add("rpc.other")(subtract)


@pytest.mark.parametrize(
    ("thing", "kind"), [(None, "NoneType"), (5, "int"), ([], "list"), (property(), "property")]
)
def test_what_is_neither_a_function_nor_a_name_is_refused(thing, kind):
    sentence = f"^add takes a function, or a name, not {kind}$"
    with pytest.raises(TypeError, match=sentence):
        Methods().add(thing)
    with pytest.raises(TypeError, match=sentence):
        Methods().add("name")(thing)


def test_two_names_are_refused():
    with pytest.raises(TypeError, match=r"^add takes a function, or a name, not str$"):
        Methods().add("one", "two")


@pytest.mark.parametrize("name", [5, ["a"]], ids=["number", "list"])
def test_a_name_that_is_not_a_string_is_refused(name):
    with pytest.raises(TypeError, match=r"^the name of a method is a string"):
        Methods().add(subtract, name)


def test_a_function_without_a_name_must_be_given_one():
    half = functools.partial(subtract, 42)
    with pytest.raises(TypeError, match=r"add\(function, 'name'\)"):
        Methods().add(half)
    methods = Methods()
    methods.add(half, "half")
    assert methods("half", [23]) == 19


def test_the_last_function_of_a_name_wins():
    methods = Methods()
    methods.add(lambda: 1, "one")
    methods.add(lambda: 2, "one")
    assert methods("one", None) == 2


def test_a_name_that_begins_with_rpc_is_refused():
    with pytest.raises(ValueError, match=r"rpc\.discover: names that begin with rpc\."):
        Methods().add(subtract, "rpc.discover")


def test_an_extension_may_have_a_name_that_begins_with_rpc():
    methods = Methods()
    methods.add(lambda: "found", "rpc.discover", extension=True)
    assert methods("rpc.discover", None) == "found"


def test_a_name_that_begins_almost_with_rpc_is_nothing_special():
    methods = Methods()
    methods.add(lambda: "ok", "rpcx")
    assert methods("rpcx", None) == "ok"


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (
            '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}',
            b'{"jsonrpc":"2.0","result":19,"id":1}',
        ),
        (
            '{"jsonrpc":"2.0","method":"rpc.discover","id":1}',
            b'{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found",'
            b'"data":{"method":"rpc.discover"}},"id":1}',
        ),
        (
            '{"jsonrpc":"2.0","method":"subtract","id":1}',
            b'{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params",'
            b'"data":"missing a required argument: \'minuend\'"},"id":1}',
        ),
    ],
    ids=["result", "method", "params"],
)
def test_a_table_is_a_handler(line, reply):
    methods = Methods()
    methods.add(subtract)
    assert respond(line, methods) == reply


# --- annotations; the rules are in test_annotations.py ----------------------------


def test_a_function_is_not_called_with_a_param_of_the_wrong_type():
    called = []
    methods = Methods()

    @methods.add
    def take(number: int):
        called.append(number)

    methods("take", [1])
    with pytest.raises(InvalidParams) as caught:
        methods("take", ["x"])
    assert caught.value.data == {"param": "number", "wanted": "integer", "came": "string"}
    assert called == [1]


def test_bind_makes_the_readers_and_dump_the_results():
    methods = Methods(bind=lambda kind: kind, dump=lambda result: {"sum": result})

    @methods.add
    def add(first: int, second: int):
        return first + second

    assert methods("add", ["1", 2.5]) == {"sum": 3}
    with pytest.raises(InvalidParams):
        methods("add", ["x", 1])


async def wait():
    return 19


class Waits:
    """Is called like an async function."""

    async def __call__(self):
        """Return a number."""
        return 19


@pytest.mark.parametrize("function", [wait, functools.partial(wait), Waits()], ids=type)
def test_the_result_of_an_async_function_is_dumped_once_it_is_there(function):
    methods = Methods(dump=str)
    methods.add(function, "wait")
    assert asyncio.run(methods("wait", None)) == "19"


def test_an_async_function_that_serve_cannot_wait_for_was_never_begun(caplog):
    methods = Methods(dump=str)
    methods.add(wait)
    assert b"-32603" in respond('{"jsonrpc":"2.0","method":"wait","id":1}', methods)
    assert "use Peer" in caplog.text  # and pytest fails on "never awaited"


def test_a_table_without_annotations_loads_nothing_that_reads_them():
    code = """if True:
        import sys
        from typing import Any
        from rpclab import Methods
        methods = Methods()
        methods.add(lambda x: x, "untyped")
        @methods.add
        def anything(x: Any) -> int: return x
        assert "rpclab.annotations" not in sys.modules
        @methods.add
        def typed(x: int): return x
        assert "rpclab.annotations" in sys.modules
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_async_method_works_under_a_peer():
    methods = Methods()

    @methods.add("double")
    async def later(number: int):
        await asyncio.sleep(0)
        return 2 * number

    async def main():
        here, there = memory_pair()
        async with Peer(there, methods), Peer(here) as peer:
            with pytest.raises(JsonRpcError) as caught:
                await peer.call("double", ["x"])
            return await peer.call("double", [21]), caught.value.code

    assert asyncio.run(main()) == (42, -32602)
