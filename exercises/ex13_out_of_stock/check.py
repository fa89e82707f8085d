"""What exercise 13 must look like."""

from collections.abc import Callable, Iterator
from typing import Any

from rpclab.course import demand, expect

Design = Callable[[str, int, int], dict]
CASES = (("apple", 5, 3), ("pear", 12, 0))


def designs(out_of_stock: Design) -> Iterator[tuple[str, dict]]:
    """Return the call, and the error object that came."""
    for item, wanted, left in CASES:
        called = f"out_of_stock({item!r}, {wanted}, {left})"
        error = expect(out_of_stock, item, wanted, left).result("an error object")
        demand(isinstance(error, dict), called, error, "an object with code, message and data")
        yield called, error


def check_it_is_an_error_object(out_of_stock: Design) -> None:
    """It has a code, a message and data, and nothing else."""
    for called, error in designs(out_of_stock):
        wanted = "exactly these members: code, message, data"
        demand(error.keys() == {"code", "message", "data"}, called, error, wanted)


def check_the_code_is_the_applications(out_of_stock: Design) -> None:
    """The code is a whole number that belongs to applications."""
    for called, error in designs(out_of_stock):
        code = error["code"]
        demand(type(code) is int, called, code, "an integer")
        demand(not -32768 <= code <= -32000, called, code, "a code outside the reserved range")


def check_the_code_tells_it_apart(out_of_stock: Design) -> None:
    """The code is the same for every item, and is not 0, which says success elsewhere."""
    codes = [error["code"] for _, error in designs(out_of_stock)]
    demand(len(set(codes)) == 1, "out_of_stock, twice", codes, "one code")
    demand(codes[0] != 0, "out_of_stock", codes[0], "a code that nobody takes for success")


def check_the_message_is_one_short_sentence(out_of_stock: Design) -> None:
    """The message is one short line of words."""
    for called, error in designs(out_of_stock):
        message = error["message"]
        is_short = isinstance(message, str) and 3 <= len(message.strip()) <= 80
        demand(is_short, called, message, "a string of 3 to 80 characters")
        demand("\n" not in message and " " in message, called, message, "one line with words in it")


def check_the_values_are_in_data(out_of_stock: Design) -> None:
    """The item and both numbers are in data, as values."""
    for (item, wanted, left), (called, error) in zip(CASES, designs(out_of_stock), strict=True):
        data = error["data"]
        demand(isinstance(data, dict), called, data, "an object, whose members have names")
        found = [value for value in data.values() if has_any(value, (item, wanted, left))]
        demand(len(found) >= 3, called, data, f"members with {item!r}, {wanted} and {left} in them")


def has_any(value: Any, wanted: tuple) -> bool:
    """Tell whether a value is one of those, and of the same type."""
    return any(type(value) is type(one) and value == one for one in wanted)
