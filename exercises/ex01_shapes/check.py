"""What exercise 1 must do."""

from collections.abc import Callable

from rpclab.course import expect

Shape = Callable[[dict], str]


def check_a_method_and_an_id_make_a_request(name_shape: Shape) -> None:
    """A call with an id is a request."""
    expect(name_shape, {"jsonrpc": "2.0", "method": "sum", "id": 1}).gives("request")


def check_without_an_id_it_is_a_notification(name_shape: Shape) -> None:
    """A call without an id is a notification."""
    expect(name_shape, {"jsonrpc": "2.0", "method": "sum"}).gives("notification")


def check_the_two_responses(name_shape: Shape) -> None:
    """A result makes a success response, an error an error response."""
    expect(name_shape, {"jsonrpc": "2.0", "result": 19, "id": 1}).gives("success")
    error = {"code": -32601, "message": "Method not found"}
    expect(name_shape, {"jsonrpc": "2.0", "error": error, "id": 1}).gives("error")


def check_falsy_values_are_there_too(name_shape: Shape) -> None:
    """An id of null or 0 is an id, and a result of null or false is a result."""
    expect(name_shape, {"jsonrpc": "2.0", "method": "sum", "id": None}).gives("request")
    expect(name_shape, {"jsonrpc": "2.0", "method": "sum", "id": 0}).gives("request")
    expect(name_shape, {"jsonrpc": "2.0", "result": None, "id": 1}).gives("success")
    expect(name_shape, {"jsonrpc": "2.0", "result": False, "id": 1}).gives("success")


def check_method_decides_first(name_shape: Shape) -> None:
    """With a method it is a call, even with a result beside it."""
    expect(name_shape, {"jsonrpc": "2.0", "method": "sum", "result": 1, "id": 1}).gives("request")


def check_neither_is_invalid(name_shape: Shape) -> None:
    """Without method, result and error it is not a message."""
    expect(name_shape, {"jsonrpc": "2.0", "id": 1}).gives("invalid")
    expect(name_shape, {}).gives("invalid")
