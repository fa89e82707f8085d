"""What exercise 12 must do."""

from collections.abc import Callable

from rpclab.course import expect
from rpclab.errors import InvalidParams, JsonRpcError, MethodNotFound

MakeError = Callable[[Exception], dict]


def check_an_error_for_the_caller_goes_out(make_error: MakeError) -> None:
    """A JsonRpcError keeps its code and its message, and has no data if none was given."""
    expect(make_error, JsonRpcError("sold out", code=7)).gives({"code": 7, "message": "sold out"})


def check_the_fixed_codes_go_out(make_error: MakeError) -> None:
    """MethodNotFound and InvalidParams are such errors too."""
    expect(make_error, MethodNotFound()).gives({"code": -32601, "message": "Method not found"})
    expect(make_error, InvalidParams("two numbers")).gives(
        {"code": -32602, "message": "two numbers"}
    )


def check_data_goes_along(make_error: MakeError) -> None:
    """Data goes along, and null and false are data."""
    for data in ({"left": 0}, None, False):
        error = JsonRpcError("sold out", code=7, data=data)
        expect(make_error, error).gives({"code": 7, "message": "sold out", "data": data})


def check_others_are_internal(make_error: MakeError) -> None:
    """Any other exception is -32603, with the name of its class."""
    expect(make_error, ValueError("secret")).gives(
        {"code": -32603, "message": "Internal error", "data": {"exception": "ValueError"}}
    )


def check_no_class_is_taken_for_a_misfit(make_error: MakeError) -> None:
    """A TypeError does not mean invalid params, and a KeyError does not mean a missing method."""
    for error in (TypeError("x"), KeyError("sum")):
        expect(make_error, error).gives(
            {
                "code": -32603,
                "message": "Internal error",
                "data": {"exception": type(error).__name__},
            }
        )
