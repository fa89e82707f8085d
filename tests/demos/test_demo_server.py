"""The demo server's methods: the conformance lab relies on them."""

import io
import json

import pytest

from rpclab.demos.demo_server import demo_handler
from rpclab.dispatch import respond
from rpclab.errors import (
    ERR_INTERNAL,
    ERR_INVALID_PARAMS,
    ERR_METHOD_NOT_FOUND,
    MethodNotFound,
)
from rpclab.server import serve
from rpclab.transport import StdioTransport


def ask(line):
    """Return everything that the demo server writes because of one line."""
    out = io.BytesIO()
    wire = StdioTransport(io.BytesIO(line.encode()), out)
    serve(demo_handler(wire), wire)
    return [json.loads(reply) for reply in out.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ('"method":"subtract","params":[42,23]', 19),
        ('"method":"subtract","params":{"subtrahend":23,"minuend":42}', 19),
        ('"method":"subtract","params":[0.5,1]', -0.5),
        ('"method":"sum","params":[1,2,4]', 7),
        ('"method":"sum","params":[]', 0),
        ('"method":"sum"', 0),
        ('"method":"add","params":[1,2]', 3),
        ('"method":"echo","params":["hi"]', ["hi"]),
        ('"method":"echo","params":{"a":1,"_meta":{}}', {"a": 1, "_meta": {}}),
        ('"method":"echo"', []),
        ('"method":"echo","params":[]', []),
        ('"method":"echo","params":{}', {}),
        ('"method":"get_data"', ["hello", 5]),
        ('"method":"update","params":[1,2,3]', None),
        ('"method":"notify_hello","params":{"name":"you"}', None),
        ('"method":"notify_sum","params":[1,2,4]', None),
    ],
)
def test_a_method_gives_its_result(call, result):
    assert ask(f'{{"jsonrpc":"2.0",{call},"id":1}}') == [
        {"jsonrpc": "2.0", "result": result, "id": 1}
    ]


@pytest.mark.parametrize(
    "call",
    [
        '"method":"add","params":["one",2]',
        '"method":"add","params":[1]',
        '"method":"add","params":[1,2,3]',
        '"method":"add","params":[true,1]',
        '"method":"add","params":[null,1]',
        '"method":"add"',
        '"method":"subtract","params":["42",23]',
        '"method":"subtract","params":{"minuend":1}',
        '"method":"sum","params":[1,"2"]',
        '"method":"sum","params":{"a":1}',
        '"method":"get_data","params":[1]',
        '"method":"slow","params":{"seconds":"1"}',
        '"method":"slow","params":{"seconds":-1}',
        '"method":"slow","params":{"seconds":61}',
        '"method":"slow","params":{"steps":0}',
        '"method":"slow","params":{"steps":1.5}',
        '"method":"slow","params":{"steps":1001}',
        '"method":"slow","params":{"steps":true}',
        '"method":"slow","params":{"speed":1}',
        '"method":"remember","params":{"value":"one"}',
        '"method":"remember","params":{"value":1,"seconds":-1}',
        '"method":"remember","params":{"value":1,"seconds":61}',
        '"method":"recall","params":[1]',
    ],
)
def test_params_that_a_method_cannot_take_are_invalid_params(call):
    (reply,) = ask(f'{{"jsonrpc":"2.0",{call},"id":1}}')
    assert (reply["error"]["code"], reply["id"]) == (ERR_INVALID_PARAMS, 1)


@pytest.mark.parametrize(
    ("method", "exception"),
    [("boom", "ValueError"), ("typeerr", "TypeError"), ("keyerr", "KeyError")],
)
def test_a_method_that_fails_names_its_exception(method, exception):
    (reply,) = ask(f'{{"jsonrpc":"2.0","method":"{method}","id":1}}')
    assert reply["error"] == {
        "code": ERR_INTERNAL,
        "message": "Internal error",
        "data": {"exception": exception},
    }


def test_a_result_that_is_a_set_is_an_internal_error():
    (reply,) = ask('{"jsonrpc":"2.0","method":"badresult","id":1}')
    assert reply["error"]["code"] == ERR_INTERNAL


@pytest.mark.parametrize("method", ["foobar", "foo.get", "rpc.discover", "total", "ignore", ""])
def test_the_demo_server_has_no_such_method(method):
    (reply,) = ask(f'{{"jsonrpc":"2.0","method":"{method}","id":1}}')
    assert reply["error"]["code"] == ERR_METHOD_NOT_FOUND


def test_slow_sends_a_note_after_each_step_and_then_its_result():
    line = '{"jsonrpc":"2.0","method":"slow","params":{"seconds":0,"steps":3},"id":1}'
    assert ask(line) == [
        {"jsonrpc": "2.0", "method": "progress", "params": {"done": 1, "total": 3}},
        {"jsonrpc": "2.0", "method": "progress", "params": {"done": 2, "total": 3}},
        {"jsonrpc": "2.0", "method": "progress", "params": {"done": 3, "total": 3}},
        {"jsonrpc": "2.0", "result": {"steps": 3}, "id": 1},
    ]


def test_slow_takes_two_steps_unless_told_otherwise():
    line = '{"jsonrpc":"2.0","method":"slow","params":{"seconds":0},"id":1}'
    assert [message.get("params") for message in ask(line)] == [
        {"done": 1, "total": 2},
        {"done": 2, "total": 2},
        None,
    ]


def test_slow_takes_its_params_by_position_too():
    line = '{"jsonrpc":"2.0","method":"slow","params":[0,1],"id":1}'
    assert ask(line)[-1]["result"] == {"steps": 1}


@pytest.mark.parametrize("token", ['"abc"', "7", "0", '""'])
def test_slow_sends_back_the_token_of_its_caller(token):
    line = (
        '{"jsonrpc":"2.0","method":"slow",'
        f'"params":{{"seconds":0,"steps":1,"_meta":{{"progressToken":{token}}}}},"id":1}}'
    )
    assert ask(line)[0]["params"] == {"done": 1, "total": 1, "progressToken": json.loads(token)}


@pytest.mark.parametrize("meta", ["{}", "[]", '"abc"', "null", '{"progressToken":null}'])
def test_slow_sends_no_token_where_there_is_none(meta):
    line = (
        '{"jsonrpc":"2.0","method":"slow",'
        f'"params":{{"seconds":0,"steps":1,"_meta":{meta}}},"id":1}}'
    )
    assert ask(line)[0]["params"] == {"done": 1, "total": 1}


def test_slow_sends_its_notes_for_a_notification_too():
    line = '{"jsonrpc":"2.0","method":"slow","params":{"seconds":0,"steps":1}}'
    assert [message["method"] for message in ask(line)] == ["progress"]


def test_the_handler_is_a_handler():
    handler = demo_handler(StdioTransport(io.BytesIO(), io.BytesIO()))
    assert respond('{"jsonrpc":"2.0","method":"get_data","id":1}', handler) == (
        b'{"jsonrpc":"2.0","result":["hello",5],"id":1}'
    )


def test_the_handler_raises_what_a_handler_raises():
    handler = demo_handler(StdioTransport(io.BytesIO(), io.BytesIO()))
    with pytest.raises(MethodNotFound):
        handler("foobar", None)


def test_what_is_remembered_is_recalled_once_in_the_order_in_which_it_came():
    lines = (
        '{"jsonrpc":"2.0","method":"remember","params":{"value":1,"seconds":0.001}}\n'
        '{"jsonrpc":"2.0","method":"remember"}\n'
        '{"jsonrpc":"2.0","method":"remember","params":[2]}\n'
        '{"jsonrpc":"2.0","method":"recall","id":1}\n'
        '{"jsonrpc":"2.0","method":"recall","id":2}\n'
    )
    assert [reply["result"] for reply in ask(lines)] == [[1, 2], []]


def test_the_oldest_numbers_are_forgotten_so_that_memory_is_bounded():
    note = '{"jsonrpc":"2.0","method":"remember","params":[%d]}\n'
    lines = "".join(note % number for number in range(1001))
    [reply] = ask(lines + '{"jsonrpc":"2.0","method":"recall","id":1}')
    assert reply["result"] == [*range(1, 1001)]
