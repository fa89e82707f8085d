"""Line to reply, as a function of values."""

import asyncio
import json
import logging
import math

import pytest

from rpclab.dispatch import Received, answer, answer_failure, blame, pack, respond, unpack
from rpclab.errors import (
    ABSENT,
    ERR_INTERNAL,
    ERR_INVALID_PARAMS,
    ERR_INVALID_REQUEST,
    ERR_METHOD_NOT_FOUND,
    ERR_PARSE,
    FramingError,
    InvalidParams,
    InvalidRequest,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)
from rpclab.messages import ErrorResponse, Notification, Request


def echo(method, params):
    return params


def refuse(method, params):
    raise InvalidParams("these params will not do")


def fail(method, params):
    raise ValueError("a secret")


def exit_now(method, params):
    raise SystemExit(3)


def interrupt(method, params):
    raise KeyboardInterrupt


# --- unpack -----------------------------------------------------------------------


def test_a_request_is_unpacked():
    line = '{"jsonrpc":"2.0","method":"echo","params":[1],"id":7}'
    assert unpack(line) == Request("echo", [1], 7)


def test_a_notification_is_unpacked():
    assert unpack(b'{"jsonrpc":"2.0","method":"update"}') == Notification("update", None)


def test_a_line_that_is_not_json_has_earned_a_parse_error():
    error, id = unpack("{")
    assert (type(error), id) == (ParseError, None)


def test_dropped_bytes_have_earned_a_parse_error_that_says_which():
    error, id = unpack(FramingError("a line of more than 8 bytes was dropped"))
    assert (type(error), error.data, id) == (
        ParseError,
        "a line of more than 8 bytes was dropped",
        None,
    )


def test_a_broken_request_has_earned_an_invalid_request_with_its_id():
    error, id = unpack('{"jsonrpc":"2.0","method":1,"id":31}')
    assert (type(error), id) == (InvalidRequest, 31)


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","result":1,"id":1}',
        '{"jsonrpc":"2.0","error":{"code":1,"message":"no"},"id":1}',
        '{"result":1,"error":2}',
    ],
)
def test_what_was_meant_as_a_response_is_received(line):
    assert unpack(line) == Received(json.loads(line))


def test_a_batch_is_unpacked_member_by_member():
    line = '[{"jsonrpc":"2.0","method":"echo","id":1},{"jsonrpc":"2.0","method":"echo"}]'
    assert unpack(line) == [Request("echo", None, 1), Notification("echo", None)]


def test_a_bad_member_has_earned_its_own_error():
    error, id = unpack('[{"jsonrpc":"2.0","method":"echo","id":1},{"foo":1,"id":2}]')[1]
    assert (type(error), id) == (InvalidRequest, 2)


def test_a_response_in_a_batch_is_received():
    assert unpack('[{"jsonrpc":"2.0","result":1,"id":1}]') == [
        Received({"jsonrpc": "2.0", "result": 1, "id": 1})
    ]


def test_a_batch_in_a_batch_is_one_bad_member():
    ((error, id),) = unpack('[[{"jsonrpc":"2.0","method":"echo","id":1}]]')
    assert (type(error), id) == (InvalidRequest, None)


def test_an_empty_array_is_no_batch():
    error, id = unpack("[]")
    assert (type(error), id) == (InvalidRequest, None)


# --- answer -----------------------------------------------------------------------


def test_a_request_is_answered_with_the_result_of_its_handler():
    reply = answer(Request("echo", [1, "a"], 7), echo)
    assert reply == '{"jsonrpc":"2.0","result":[1,"a"],"id":7}'


def test_an_error_that_was_earned_is_written_down():
    reply = answer(ErrorResponse(ParseError(), None), echo)
    assert reply == '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'


def test_a_response_is_never_answered():
    assert answer(Received({"result": 1}), fail) is None


@pytest.mark.parametrize("handler", [echo, refuse, fail, exit_now])
def test_a_notification_is_never_answered_even_when_it_fails(handler):
    assert answer(Notification("echo", [1]), handler) is None


def test_a_notification_whose_result_json_cannot_hold_is_not_answered():
    assert answer(Notification("echo", None), lambda method, params: {1}) is None


def test_an_error_of_ours_goes_out_as_it_was_raised():
    reply = answer(Request("echo", None, 7), refuse)
    assert reply == (
        '{"jsonrpc":"2.0","error":{"code":-32602,"message":"these params will not do"},"id":7}'
    )


def test_any_other_exception_is_an_internal_error_with_its_class_name():
    reply = answer(Request("echo", None, 7), fail)
    assert reply == (
        '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error",'
        '"data":{"exception":"ValueError"}},"id":7}'
    )


def test_the_text_of_an_exception_stays_in_the_log(caplog):
    with caplog.at_level(logging.ERROR, "rpclab"):
        reply = answer(Request("echo", None, 7), fail)
    assert ("a secret" in caplog.text, "a secret" in reply) == (True, False)


def test_the_log_names_the_method_and_not_its_params(caplog):
    with caplog.at_level(logging.ERROR, "rpclab"):
        answer(Request("echo", ["private"], 7), fail)
    assert caplog.messages == ["the handler of 'echo' failed"]


def test_a_pipe_that_nobody_reads_is_one_line_in_the_log(caplog):
    def write(method, params):
        raise BrokenPipeError

    with caplog.at_level(logging.ERROR, "rpclab"):
        reply = json.loads(answer(Request("slow", None, 7), write))
    assert [(r.getMessage(), r.exc_info) for r in caplog.records] == [
        ("the handler of 'slow' failed", None)
    ]
    assert reply["error"]["data"] == {"exception": "BrokenPipeError"}


def test_an_error_of_ours_is_not_logged(caplog):
    with caplog.at_level(logging.DEBUG, "rpclab"):
        answer(Request("echo", None, 7), refuse)
    assert caplog.messages == []


def test_system_exit_does_not_end_the_server():
    reply = json.loads(answer(Request("echo", None, 7), exit_now))
    assert reply["error"]["data"] == {"exception": "SystemExit"}


def test_a_keyboard_interrupt_goes_through():
    with pytest.raises(KeyboardInterrupt):
        answer(Request("echo", None, 7), interrupt)


@pytest.mark.parametrize("result", [{1}, object(), math.nan, b"x"], ids=type)
def test_a_result_that_json_cannot_hold_is_an_internal_error(result):
    reply = json.loads(answer(Request("echo", None, 7), lambda method, params: result))
    assert (reply["error"]["code"], reply["id"]) == (ERR_INTERNAL, 7)


def test_a_cycle_is_an_internal_error():
    cycle = {}
    cycle["self"] = cycle
    reply = json.loads(answer(Request("echo", None, 7), lambda method, params: cycle))
    assert reply["error"]["data"] == {"exception": "ValueError"}


def test_a_handler_without_end_is_an_internal_error():
    def deeper(method, params):
        return deeper(method, params)

    reply = json.loads(answer(Request("echo", None, 7), deeper))
    assert reply["error"]["data"] == {"exception": "RecursionError"}


def test_an_exception_that_cannot_be_printed_is_an_internal_error():
    class Unprintable(Exception):
        def __str__(self):
            raise RuntimeError("no text")

        __repr__ = __str__

    def raise_it(method, params):
        raise Unprintable

    reply = json.loads(answer(Request("echo", None, 7), raise_it))
    assert reply["error"]["data"] == {"exception": "Unprintable"}


# --- answer_failure ---------------------------------------------------------------


def test_a_request_that_failed_is_answered_with_what_was_raised():
    reply = answer_failure(Request("echo", None, 7), ValueError("a secret"))
    assert json.loads(reply)["error"]["data"] == {"exception": "ValueError"}
    assert json.loads(reply)["id"] == 7


def test_a_notification_that_failed_is_logged_and_not_answered(caplog):
    assert answer_failure(Notification("echo", None), ValueError("a secret")) is None
    assert "the handler of 'echo' failed" in caplog.text


def test_an_interrupt_is_no_failure_of_the_call_and_is_raised_again():
    with pytest.raises(KeyboardInterrupt):
        answer_failure(Request("echo", None, 7), KeyboardInterrupt())


# --- blame ------------------------------------------------------------------------


def test_an_error_of_ours_is_blamed_as_it_is():
    error = MethodNotFound()
    assert blame(error, "echo") is error


def test_an_error_code_may_be_an_enum_of_integers():
    error = JsonRpcError("no", code=logging.WARNING)
    assert blame(error, "echo") is error


class NoCode(JsonRpcError):
    """Has a code that is a word."""

    code = "busy"


class Forgetful(JsonRpcError):
    """Forgets to call what makes an error."""

    def __init__(self):
        pass


@pytest.mark.parametrize(
    "error",
    [
        NoCode(),
        Forgetful(),
        JsonRpcError(code=True),
        JsonRpcError(code=1.5),
        JsonRpcError(code=object()),
        JsonRpcError(code=10**5000),
    ],
    ids=["word", "forgetful", "true", "fraction", "object", "many digits"],
)
def test_an_error_that_makes_no_error_object_is_an_internal_error(error):
    failure = blame(error, "echo")
    assert (failure.code, failure.data) == (ERR_INTERNAL, {"exception": type(error).__name__})


def test_an_error_without_text_for_a_message_is_an_internal_error():
    error = JsonRpcError()
    error.message = None
    assert blame(error, "echo").data == {"exception": "JsonRpcError"}


def test_an_internal_error_has_data_and_an_error_of_ours_need_not():
    assert blame(MethodNotFound(), "echo").data is ABSENT


# --- pack -------------------------------------------------------------------------


def test_one_reply_to_a_batch_is_still_an_array():
    assert pack(['{"id":1}']) == '[{"id":1}]'


def test_no_replies_are_silence_and_no_empty_array():
    assert pack([]) is None


# --- respond ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "id"),
    [
        ("{", ERR_PARSE, None),
        (b"\xff\xfe", ERR_PARSE, None),
        ('[{"jsonrpc":"2.0","method":"echo","id":1},', ERR_PARSE, None),
        ("[]", ERR_INVALID_REQUEST, None),
        ("1", ERR_INVALID_REQUEST, None),
        ("{}", ERR_INVALID_REQUEST, None),
        ('{"jsonrpc":"2.0","method":"echo","params":null,"id":1}', ERR_INVALID_REQUEST, 1),
        ('{"jsonrpc":"2.0","method":"echo","params":1}', ERR_INVALID_REQUEST, None),
        ('{"id":31,"method":"echo"}', ERR_INVALID_REQUEST, 31),
        ('{"jsonrpc":"2.0","method":"echo","id":true}', ERR_INVALID_REQUEST, None),
        ('{"jsonrpc":"2.0","method":"echo","id":{}}', ERR_INVALID_REQUEST, None),
        ('{"jsonrpc":"2.0","method":"echo","id":[1]}', ERR_INVALID_REQUEST, None),
        ('{"jsonrpc":"2.0","method":"echo","id":0}', ERR_INVALID_PARAMS, 0),
        ('{"jsonrpc":"2.0","method":"echo","id":null}', ERR_INVALID_PARAMS, None),
    ],
)
def test_a_line_that_fails_is_answered_with_one_code_and_one_id(line, code, id):
    reply = json.loads(respond(line, refuse))
    assert (reply["error"]["code"], reply["id"]) == (code, id)


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","method":"update"}',
        '[{"jsonrpc":"2.0","method":"update"},{"jsonrpc":"2.0","method":"update"}]',
        '{"jsonrpc":"2.0","result":1,"id":1}',
        '{"jsonrpc":"2.0","error":"broken","id":1}',
        '[{"jsonrpc":"2.0","result":1,"id":1}]',
    ],
    ids=["notification", "notifications", "response", "broken response", "responses"],
)
@pytest.mark.parametrize("handler", [echo, refuse, fail])
def test_where_silence_is_due_nothing_is_written(line, handler):
    assert respond(line, handler) is None


def test_a_batch_is_answered_with_one_array_in_order():
    line = (
        '[{"jsonrpc":"2.0","method":"echo","params":["a"],"id":1},'
        '{"jsonrpc":"2.0","method":"echo"},1,'
        '{"jsonrpc":"2.0","method":"echo","params":["b"],"id":2}]'
    )
    assert [reply["id"] for reply in json.loads(respond(line, echo))] == [1, None, 2]


def test_a_bad_result_in_a_batch_does_not_harm_its_neighbours():
    line = (
        '[{"jsonrpc":"2.0","method":"bad","id":1},'
        '{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":2}]'
    )
    first, second = json.loads(
        respond(line, lambda method, params: {1} if method == "bad" else params)
    )
    assert (first["error"]["code"], second["result"]) == (ERR_INTERNAL, ["still here"])


def test_an_error_whose_data_json_cannot_hold_keeps_its_code():
    def refuse_with_a_set(method, params):
        raise MethodNotFound(data={1})

    reply = respond('{"jsonrpc":"2.0","method":"echo","id":1}', refuse_with_a_set)
    assert json.loads(reply)["error"] == {
        "code": ERR_METHOD_NOT_FOUND,
        "message": "Method not found",
    }


def test_a_reply_is_ascii_whatever_is_in_it():
    reply = respond('{"jsonrpc":"2.0","method":"echo","params":["é\u2028"],"id":"ü"}', echo)
    assert reply == b'{"jsonrpc":"2.0","result":["\\u00e9\\u2028"],"id":"\\u00fc"}'


# --- an async handler -------------------------------------------------------------


async def wait(method, params):
    return params


class Later:
    """What can be awaited, and is not a coroutine."""

    def __await__(self):
        """Take no time."""
        yield from ()


@pytest.mark.parametrize("handler", [wait, lambda method, params: Later()], ids=["async", "other"])
def test_an_async_handler_is_answered_and_the_log_says_what_to_use(handler, caplog):
    reply = respond('{"jsonrpc":"2.0","method":"wait","params":[1],"id":7}', handler)
    assert json.loads(reply) == {
        "jsonrpc": "2.0",
        "error": {
            "code": ERR_INTERNAL,
            "message": "Internal error",
            "data": {"exception": "TypeError"},
        },
        "id": 7,
    }
    (record,) = caplog.records
    assert record.getMessage() == (
        "the handler of 'wait' is async, and serve cannot wait: use Peer"
    )
    assert record.exc_info is None


def test_an_async_handler_of_a_notification_is_not_lost_without_a_word(caplog):
    assert respond('{"jsonrpc":"2.0","method":"wait"}', wait) is None
    assert "use Peer" in caplog.text


def test_in_a_batch_only_the_async_handler_fails(caplog):
    def handler(method, params):
        return wait(method, params) if method == "wait" else "here"

    line = '[{"jsonrpc":"2.0","method":"wait","id":1},{"jsonrpc":"2.0","method":"x","id":2}]'
    first, second = json.loads(respond(line, handler))
    assert (first["error"]["code"], second["result"]) == (ERR_INTERNAL, "here")


def test_a_task_that_runs_already_is_left_to_its_loop():
    async def main():
        task = asyncio.ensure_future(wait("wait", [1]))
        respond('{"jsonrpc":"2.0","method":"wait","id":1}', lambda method, params: task)
        return await task

    assert asyncio.run(main()) == [1]
