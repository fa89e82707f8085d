"""What exercise 15 must do."""

from collections.abc import Callable
from typing import Any

from rpclab.course import expect
from rpclab.errors import MethodNotFound

CallMethod = Callable[[dict, str, Any], Any]


def subtract(minuend: int, subtrahend: int) -> int:
    """Return a difference."""
    return minuend - subtrahend


def zero() -> int:
    """Return 0."""
    return 0


def lose_a_key() -> None:
    """Fail with a KeyError of its own."""
    raise KeyError("lost")


TABLE = {
    "subtract": subtract,
    "zero": zero,
    "lose_a_key": lose_a_key,
    "count": lambda *all: len(all),
}


def check_params_by_position(call_method: CallMethod) -> None:
    """An array is given by position."""
    expect(call_method, TABLE, "subtract", [42, 23]).gives(19)


def check_params_by_name(call_method: CallMethod) -> None:
    """An object is given by name, in any order."""
    expect(call_method, TABLE, "subtract", {"subtrahend": 23, "minuend": 42}).gives(19)


def check_no_params(call_method: CallMethod) -> None:
    """Without params the function gets nothing, and neither with empty ones."""
    expect(call_method, TABLE, "zero", None).gives(0)
    expect(call_method, TABLE, "zero", []).gives(0)
    expect(call_method, TABLE, "zero", {}).gives(0)
    expect(call_method, TABLE, "count", [None]).gives(1)


def check_an_unknown_method(call_method: CallMethod) -> None:
    """A name that is not in the table raises MethodNotFound; case counts."""
    expect(call_method, TABLE, "foobar", []).raises(MethodNotFound)
    expect(call_method, TABLE, "Subtract", [42, 23]).raises(MethodNotFound)


def check_a_failure_is_passed_on(call_method: CallMethod) -> None:
    """A KeyError inside the function does not mean a missing method."""
    expect(call_method, TABLE, "lose_a_key", None).raises(KeyError)
