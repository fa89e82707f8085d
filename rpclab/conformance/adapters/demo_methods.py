# mypy: ignore-errors
"""The demo methods as plain functions, for the adapters in Python.

They are what a user of the library would write: nothing here reads or writes
a message. ``refuse`` makes the exception that the library wants for invalid params.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any


def lines() -> Iterator[str]:
    """Yield each line of stdin as text: text-in, text-out libraries leave this loop to us."""
    for line in sys.stdin.buffer:
        yield line.decode()


def write(reply: str) -> None:
    """Write one line."""
    sys.stdout.write(reply + "\n")
    sys.stdout.flush()


def demo_methods(refuse: Callable[[str], Exception]) -> dict[str, Callable[..., Any]]:
    """Return each demo method by its name."""

    def numbers(*values: Any) -> None:
        if not all(type(value) in (int, float) for value in values):
            raise refuse("every param must be a number")

    def subtract(minuend: Any, subtrahend: Any) -> Any:
        numbers(minuend, subtrahend)
        return minuend - subtrahend

    def add(first: Any, second: Any) -> Any:
        numbers(first, second)
        return first + second

    def total(*values: Any) -> Any:
        numbers(*values)
        return sum(values)

    plain = {"subtract": subtract, "add": add, "sum": total, "echo": echo, "get_data": get_data}
    failing = {"boom": boom, "typeerr": typeerr, "keyerr": keyerr, "badresult": badresult}
    return plain | failing | dict.fromkeys(["update", "notify_hello", "notify_sum"], ignore)


def echo(*args: Any, **kwargs: Any) -> Any:
    """Return the params. A library that unpacks them makes no difference of ``{}`` and ``[]``."""
    return kwargs or list(args)


def get_data() -> Any:
    """Return an array of two types."""
    return ["hello", 5]


def boom() -> None:
    """Fail with a ValueError."""
    raise ValueError("boom")


def typeerr() -> Any:
    """Fail with a TypeError of its own."""
    return len(5)


def keyerr() -> Any:
    """Fail with a KeyError of its own."""
    return {}["key"]


def badresult() -> Any:
    """Return what JSON cannot hold."""
    return {1, 2, 3}


def ignore(*_: Any, **__: Any) -> None:
    """Take anything and do nothing."""
