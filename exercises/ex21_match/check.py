"""What exercise 21 must do."""

from collections.abc import Callable

from rpclab.course import expect

Match = Callable[[list, list[dict]], list[dict | None]]
ONE = {"jsonrpc": "2.0", "result": "one", "id": 1}
TWO = {"jsonrpc": "2.0", "result": None, "id": 2}
TEXT = {"jsonrpc": "2.0", "result": "text", "id": "1"}
LOST = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}


def check_in_the_same_order(match_replies: Match) -> None:
    """Responses in the order asked are given as they came."""
    expect(match_replies, [1, 2], [ONE, TWO]).gives([ONE, TWO])


def check_in_any_order(match_replies: Match) -> None:
    """Responses in another order are put into the order asked."""
    expect(match_replies, [1, 2], [TWO, ONE]).gives([ONE, TWO])


def check_a_missing_one(match_replies: Match) -> None:
    """A request without a response has None in its place."""
    expect(match_replies, [1, 2], [TWO]).gives([None, TWO])
    expect(match_replies, [1], []).gives([None])


def check_types_of_ids(match_replies: Match) -> None:
    """The number 1 and the string 1 are two ids."""
    expect(match_replies, ["1", 1], [ONE, TEXT]).gives([TEXT, ONE])
    expect(match_replies, ["1"], [ONE]).gives([None])


def check_what_nobody_asked_for(match_replies: Match) -> None:
    """A response that belongs to no request is left aside."""
    expect(match_replies, [2], [LOST, ONE, TWO]).gives([TWO])
