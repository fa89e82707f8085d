"""What exercise 19 must do."""

from collections.abc import Callable
from typing import Any

from rpclab.course import demand, expect

Batch = Callable[[list, Callable[[Any], dict | None]], list | dict | None]
INVALID = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}


def answer_one(value: Any) -> dict | None:
    """Answer a request with its own method's name, and refuse anything that is not a call."""
    if not isinstance(value, dict) or "method" not in value:
        return INVALID
    if "id" not in value:
        return None
    return {"jsonrpc": "2.0", "result": value["method"], "id": value["id"]}


def reply(method: str, id: int) -> dict:
    """Return the response of ``answer_one``."""
    return {"jsonrpc": "2.0", "result": method, "id": id}


def check_every_request_is_answered(answer_batch: Batch) -> None:
    """Two requests get an array of two responses."""
    batch = [{"method": "a", "id": 1}, {"method": "b", "id": 2}]
    expect(answer_batch, batch, answer_one).gives([reply("a", 1), reply("b", 2)])


def check_one_response_is_an_array_too(answer_batch: Batch) -> None:
    """One response is in an array of one, and a notification adds nothing to it."""
    batch = [{"method": "a"}, {"method": "b", "id": 2}, {"method": "c"}]
    expect(answer_batch, batch, answer_one).gives([reply("b", 2)])


def check_only_notifications_are_silence(answer_batch: Batch) -> None:
    """For notifications alone nothing is sent, and not an empty array."""
    expect(answer_batch, [{"method": "a"}, {"method": "b"}], answer_one).gives(None)


def check_the_empty_array_is_no_batch(answer_batch: Batch) -> None:
    """The empty array gets one error, and no array."""
    expect(answer_batch, [], answer_one).gives(INVALID)


def check_bad_members_are_answered_each(answer_batch: Batch) -> None:
    """Each bad member gets its own error, in the array."""
    expect(answer_batch, [1], answer_one).gives([INVALID])
    expect(answer_batch, [1, {"method": "a", "id": 1}, []], answer_one).gives(
        [INVALID, reply("a", 1), INVALID]
    )


def check_each_member_is_run_once(answer_batch: Batch) -> None:
    """Each member is run once, a notification too."""
    ran: list = []

    def count(value: Any) -> dict | None:
        ran.append(value)
        return answer_one(value)

    batch = [{"method": "a"}, {"method": "b", "id": 2}]
    expect(answer_batch, batch, count).gives([reply("b", 2)])
    demand(ran == batch, f"answer_batch({batch}, answer_one)", ran, "each member, once")
