"""What exercise 3 must do."""

from collections.abc import Callable
from typing import Any

from rpclab.course import expect

Reply = Callable[[dict, Any], dict | None]


def check_a_request_gets_three_members(make_reply: Reply) -> None:
    """A request is answered with jsonrpc, the result and its id."""
    call = {"jsonrpc": "2.0", "method": "sum", "params": [1, 2], "id": 7}
    expect(make_reply, call, 3).gives({"jsonrpc": "2.0", "result": 3, "id": 7})


def check_an_id_is_not_changed(make_reply: Reply) -> None:
    """The id comes back as it was sent, a string too."""
    call = {"jsonrpc": "2.0", "method": "sum", "id": "7"}
    expect(make_reply, call, 0).gives({"jsonrpc": "2.0", "result": 0, "id": "7"})


def check_a_notification_gets_none(make_reply: Reply) -> None:
    """A notification is not answered, whatever its method gave."""
    expect(make_reply, {"jsonrpc": "2.0", "method": "sum"}, 3).gives(None)


def check_null_is_an_id(make_reply: Reply) -> None:
    """An id of null or 0 is answered."""
    for id in (None, 0):
        call = {"jsonrpc": "2.0", "method": "sum", "id": id}
        expect(make_reply, call, 3).gives({"jsonrpc": "2.0", "result": 3, "id": id})


def check_nothing_is_a_result(make_reply: Reply) -> None:
    """A method that returned None, False or an empty list still has a result."""
    empty: list = []
    for result in (None, False, empty):
        call = {"jsonrpc": "2.0", "method": "update", "id": 1}
        expect(make_reply, call, result).gives({"jsonrpc": "2.0", "result": result, "id": 1})
