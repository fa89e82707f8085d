"""What exercise 17 must do."""

import json
from collections.abc import Callable
from typing import Any

from rpclab.course import demand, expect, same
from rpclab.errors import JsonRpcError
from rpclab.messages import Call, Handler, Json, Notification, Params, Request

AnswerCall = Callable[[Call, Handler], str | None]


def gives_the_line(answer_call: AnswerCall, call: Call, handler: Handler, wanted: Json) -> None:
    """Demand that the answer is a line with this message in it."""
    line = expect(answer_call, call, handler).result(json.dumps(wanted))
    called = f"answer_call({call}, {handler.__name__})"
    demand(isinstance(line, str) and "\n" not in line, called, line, json.dumps(wanted))
    demand(same(json.loads(line), wanted), called, line, json.dumps(wanted))


def total(_: str, params: Params) -> Json:
    """Return a sum."""
    return sum(params or [])


def sold_out(_: str, __: Params) -> Json:
    """Fail with an error for the caller."""
    raise JsonRpcError("sold out", code=1001, data={"left": 0})


def divide_by_zero(_: str, __: Params) -> Json:
    """Fail with an error of its own."""
    return 1 // 0


def a_set(_: str, __: Params) -> Json:
    """Return what JSON cannot hold."""
    return {1, 2}


def failure(kind: str, id: Any) -> Json:
    """Return the error response for an exception of that name."""
    error = {"code": -32603, "message": "Internal error", "data": {"exception": kind}}
    return {"jsonrpc": "2.0", "error": error, "id": id}


def check_a_result_is_sent(answer_call: AnswerCall) -> None:
    """A request is answered with what its handler gave, null and 0 too."""
    wanted: Json = {"jsonrpc": "2.0", "result": 3, "id": 7}
    gives_the_line(answer_call, Request("sum", [1, 2], 7), total, wanted)
    wanted = {"jsonrpc": "2.0", "result": 0, "id": None}
    gives_the_line(answer_call, Request("sum", None, None), total, wanted)


def check_an_error_for_the_caller_is_sent(answer_call: AnswerCall) -> None:
    """A JsonRpcError is sent as it is."""
    error = {"code": 1001, "message": "sold out", "data": {"left": 0}}
    wanted = {"jsonrpc": "2.0", "error": error, "id": 8}
    gives_the_line(answer_call, Request("order", None, 8), sold_out, wanted)


def check_a_failure_is_sent(answer_call: AnswerCall) -> None:
    """Any other exception is an internal error with the name of its class."""
    call = Request("divide", [1, 0], "a")
    gives_the_line(answer_call, call, divide_by_zero, failure("ZeroDivisionError", "a"))


def check_a_result_may_be_no_json(answer_call: AnswerCall) -> None:
    """A result that JSON cannot hold is a failure too."""
    gives_the_line(answer_call, Request("set", None, 9), a_set, failure("TypeError", 9))


def check_a_notification_runs_and_is_not_answered(answer_call: AnswerCall) -> None:
    """A notification runs its handler, and is not answered."""
    ran: list = []
    call = Notification("update", [1])
    expect(answer_call, call, lambda method, params: ran.append(method)).gives(None)
    demand(ran == ["update"], f"answer_call({call}, handler)", ran, "the handler run once")


def check_not_even_when_it_fails(answer_call: AnswerCall) -> None:
    """A notification that fails is not answered either, and nothing is raised."""
    for handler in (divide_by_zero, sold_out, a_set):
        expect(answer_call, Notification("divide", None), handler).gives(None)
