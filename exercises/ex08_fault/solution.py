"""Exercise 8: find the fault in a call."""

from typing import Any


def find_fault(value: Any) -> str | None:
    """Return "object", "jsonrpc", "method" or "params", or None for a good call.

    It is enough to ask four questions in order. ``get`` may be used for a missing member
    where null is a fault too. It may not for ``params``, which may be missing and may
    not be null.
    """
    if not isinstance(value, dict):
        return "object"
    if value.get("jsonrpc") != "2.0":
        return "jsonrpc"
    if not isinstance(value.get("method"), str):
        return "method"
    if "params" in value and not isinstance(value["params"], list | dict):
        return "params"
    return None
