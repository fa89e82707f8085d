"""What exercise 16 must do."""

from collections.abc import Callable
from typing import Any

from rpclab.course import expect
from rpclab.errors import InvalidParams

CallFitted = Callable[[Callable, Any], Any]


def subtract(minuend: int, subtrahend: int = 0) -> int:
    """Return a difference. A string makes it fail with a TypeError of its own."""
    return minuend - subtrahend


def check_params_that_fit(call_fitted: CallFitted) -> None:
    """Params that fit are given, by position or by name."""
    expect(call_fitted, subtract, [42, 23]).gives(19)
    expect(call_fitted, subtract, {"subtrahend": 23, "minuend": 42}).gives(19)


def check_a_default_may_be_missing(call_fitted: CallFitted) -> None:
    """A param with a default may be left out."""
    expect(call_fitted, subtract, {"minuend": 42}).gives(42)
    expect(call_fitted, list, None).gives([])


def check_a_misfit_is_the_callers(call_fitted: CallFitted) -> None:
    """Too few, too many and unknown names are the caller's fault."""
    for params in ([], None, [1, 2, 3], {"minuend": 1, "other": 2}):
        expect(call_fitted, subtract, params).raises(InvalidParams)


def check_a_type_error_inside_is_not(call_fitted: CallFitted) -> None:
    """A TypeError from inside the function goes on as it is."""
    expect(call_fitted, subtract, ["a", "b"]).raises(TypeError)
    expect(call_fitted, subtract, {"minuend": None}).raises(TypeError)


def check_other_errors_go_on_too(call_fitted: CallFitted) -> None:
    """So does any other exception."""
    expect(call_fitted, int, ["x"]).raises(ValueError)
