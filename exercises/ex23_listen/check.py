"""What exercise 23 must do."""

from collections.abc import Callable

from rpclab.course import expect

Listen = Callable[[list[dict], str | int], tuple[dict | None, list[dict]]]
ONE = {"jsonrpc": "2.0", "method": "progress", "params": {"done": 1}}
TWO = {"jsonrpc": "2.0", "method": "progress", "params": {"done": 2}}
REPLY = {"jsonrpc": "2.0", "result": None, "id": 7}
FAILED = {"jsonrpc": "2.0", "error": {"code": 1001, "message": "sold out"}, "id": 7}


def check_a_response_alone(listen: Listen) -> None:
    """The response is returned, whether a success or an error."""
    expect(listen, [REPLY], 7).gives(REPLY, [])
    expect(listen, [FAILED], 7).gives(FAILED, [])


def check_notifications_come_first(listen: Listen) -> None:
    """What comes before it is kept, in order."""
    expect(listen, [ONE, TWO, REPLY], 7).gives(REPLY, [ONE, TWO])


def check_it_stops_at_the_response(listen: Listen) -> None:
    """What comes after it is left alone."""
    expect(listen, [ONE, REPLY, TWO], 7).gives(REPLY, [ONE])


def check_other_ids_are_passed_over(listen: Listen) -> None:
    """A response to another call is passed over, and so is an id of another type."""
    for id in (6, "7", None):
        other = {"jsonrpc": "2.0", "result": 1, "id": id}
        expect(listen, [other, ONE, REPLY], 7).gives(REPLY, [ONE])


def check_a_request_with_the_same_id(listen: Listen) -> None:
    """The server's own request is not a response, even with the same id."""
    request = {"jsonrpc": "2.0", "method": "ask_user", "id": 7}
    expect(listen, [request, ONE, REPLY], 7).gives(REPLY, [ONE])


def check_no_response_comes(listen: Listen) -> None:
    """If the stream ends first, there is no response."""
    expect(listen, [ONE, TWO], 7).gives(None, [ONE, TWO])
    expect(listen, [], 7).gives(None, [])
