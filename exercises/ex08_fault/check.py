"""What exercise 8 must do."""

from collections.abc import Callable
from typing import Any

from rpclab.course import expect

Fault = Callable[[Any], str | None]


def check_a_good_call_has_none(find_fault: Fault) -> None:
    """A call with all members in order has no fault, with params or without."""
    expect(find_fault, {"jsonrpc": "2.0", "method": "sum", "params": [1], "id": 1}).gives(None)
    expect(find_fault, {"jsonrpc": "2.0", "method": "sum", "params": {}}).gives(None)
    expect(find_fault, {"jsonrpc": "2.0", "method": "sum"}).gives(None)


def check_it_must_be_an_object(find_fault: Fault) -> None:
    """A number, a string and null are not objects."""
    for value in (1, "sum", None):
        expect(find_fault, value).gives("object")


def check_the_version_is_exact(find_fault: Fault) -> None:
    """The version is the string 2.0: not missing, not a number, not 2."""
    expect(find_fault, {"method": "sum", "id": 1}).gives("jsonrpc")
    for version in (2.0, "2", None):
        expect(find_fault, {"jsonrpc": version, "method": "sum", "id": 1}).gives("jsonrpc")


def check_the_method_is_a_string(find_fault: Fault) -> None:
    """A method that is missing, a number or null is a fault; an empty name is not."""
    expect(find_fault, {"jsonrpc": "2.0", "id": 1}).gives("method")
    for method in (1, None, ["sum"]):
        expect(find_fault, {"jsonrpc": "2.0", "method": method, "id": 1}).gives("method")
    expect(find_fault, {"jsonrpc": "2.0", "method": "", "id": 1}).gives(None)


def check_params_are_structured(find_fault: Fault) -> None:
    """Params are an array or an object: no string, no number, and not null."""
    for params in ("hi", 1, True, None):
        call = {"jsonrpc": "2.0", "method": "sum", "params": params, "id": 1}
        expect(find_fault, call).gives("params")


def check_the_first_fault_is_named(find_fault: Fault) -> None:
    """Of several faults the first is named, in the order of the task."""
    expect(find_fault, {"method": 1, "params": "hi"}).gives("jsonrpc")
    expect(find_fault, {"jsonrpc": "2.0", "method": 1, "params": "hi"}).gives("method")
