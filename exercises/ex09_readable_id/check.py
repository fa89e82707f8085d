"""What exercise 9 must do."""

from collections.abc import Callable
from typing import Any

from rpclab.course import expect

ReadId = Callable[[Any], str | int | float | None]


def check_an_id_is_read_from_a_broken_call(readable_id: ReadId) -> None:
    """A number and a string can be read, whatever else is wrong."""
    expect(readable_id, {"jsonrpc": "2.0", "method": 1, "id": 31}).gives(31)
    expect(readable_id, {"method": None, "id": "a"}).gives("a")


def check_falsy_ids_are_ids(readable_id: ReadId) -> None:
    """Zero and the empty string are ids."""
    expect(readable_id, {"method": 1, "id": 0}).gives(0)
    expect(readable_id, {"method": 1, "id": ""}).gives("")
    expect(readable_id, {"method": 1, "id": 1.5}).gives(1.5)


def check_without_an_id_it_is_none(readable_id: ReadId) -> None:
    """An object without an id has no id to read, and neither does one with null."""
    expect(readable_id, {"jsonrpc": "2.0", "method": 1}).gives(None)
    expect(readable_id, {"jsonrpc": "2.0", "method": 1, "id": None}).gives(None)


def check_what_is_no_object_has_none(readable_id: ReadId) -> None:
    """A number, a string, null and an array have no id."""
    for value in (1, "id", None, [{"id": 1}]):
        expect(readable_id, value).gives(None)


def check_other_types_are_not_echoed(readable_id: ReadId) -> None:
    """An array and an object are not ids."""
    expect(readable_id, {"method": 1, "id": [31]}).gives(None)
    expect(readable_id, {"method": 1, "id": {"id": 31}}).gives(None)


def check_true_is_no_number(readable_id: ReadId) -> None:
    """True and false are not ids, though Python counts them as integers."""
    expect(readable_id, {"method": 1, "id": True}).gives(None)
    expect(readable_id, {"method": 1, "id": False}).gives(None)
