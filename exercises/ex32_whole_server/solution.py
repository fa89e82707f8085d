"""Exercise 32: the whole server. This file is one; run it, and type a line."""

import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

# It is enough to put three things around the server of exercise 31. A reader that is as
# strict as the grammar: no NaN, one value, UTF-8, and depth is an error like any other.
# A batch, which is that server once for each member. And an end: of the input, or of
# whoever reads the output.
command: list[str] | str = [sys.executable, str(Path(__file__))]

LIMIT = 16 * 1024 * 1024


class Misfit(Exception):
    """The params do not fit the method."""


def subtract(minuend: float, subtrahend: float) -> float:
    """Return a difference."""
    if not {type(minuend), type(subtrahend)} <= {int, float}:
        raise Misfit
    return minuend - subtrahend


METHODS: dict[str, Any] = {
    "subtract": subtract,
    "get_data": lambda: ["hello", 5],
    "boom": lambda: 1 // 0,
    "update": lambda *_, **__: None,
}


def refuse(text: str) -> Any:
    """Refuse a number that is not a number in JSON."""
    raise ValueError(text)


def finite(text: str) -> float:
    """Read a number, if it fits."""
    return float(text) if abs(float(text)) != float("inf") else refuse(text)


def is_call(value: Any) -> bool:
    """Tell whether a value is a valid request or notification."""
    return (
        isinstance(value, dict)
        and value.get("jsonrpc") == "2.0"
        and isinstance(value.get("method"), str)
        and isinstance(value.get("params", []), list | dict)
        and type(value.get("id")) in (str, int, float, type(None))
    )


def fail(code: int, message: str) -> dict:
    """Return the part of a response that says what is wrong."""
    return {"error": {"code": code, "message": message}}


def bind(function: Any, params: Any) -> inspect.BoundArguments:
    """Fit params to a function."""
    try:
        signature = inspect.signature(function)
        return signature.bind(**params) if isinstance(params, dict) else signature.bind(*params)
    except TypeError as error:
        raise Misfit from error


def call(method: str, params: Any) -> dict:
    """Call a method, and return the part of a response with its result or error."""
    if method == "echo":
        return {"result": params}
    if method not in METHODS:
        return fail(-32601, "Method not found")
    try:
        bound = bind(METHODS[method], params)
        return {"result": METHODS[method](*bound.args, **bound.kwargs)}
    except Misfit:
        return fail(-32602, "Invalid params")
    except Exception as error:  # noqa: BLE001  whatever a method raises is answered
        return fail(-32603, f"Internal error: {type(error).__name__}")


def answer(value: Any) -> dict | None:
    """Return the response to one value, or None."""
    if is_call(value):
        said = call(value["method"], value.get("params", []))
        return {"jsonrpc": "2.0", **said, "id": value["id"]} if "id" in value else None
    if isinstance(value, dict) and "method" not in value and value.keys() & {"result", "error"}:
        return None  # a response
    id = value.get("id") if isinstance(value, dict) else None
    readable = id if type(id) in (str, int, float) else None
    return {"jsonrpc": "2.0", **fail(-32600, "Invalid Request"), "id": readable}


def respond(line: bytes) -> Any:
    """Return the answer to a line, or None."""
    try:
        if len(line) > LIMIT:
            raise ValueError
        value = json.loads(line.decode(), parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return {"jsonrpc": "2.0", **fail(-32700, "Parse error"), "id": None}
    if isinstance(value, list) and value:
        return [reply for member in value if (reply := answer(member)) is not None] or None
    return answer(value)


def main() -> None:
    """Answer line after line, until the input ends or nobody reads."""
    mark = b"\xef\xbb\xbf"
    try:
        for line in sys.stdin.buffer:
            line, mark = line.removeprefix(mark) if mark else line, b""
            if line.strip(b" \t\r\n") and (reply := respond(line)) is not None:
                sys.stdout.write(json.dumps(reply) + "\n")
                sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)  # what is still in the buffer cannot be sent


if __name__ == "__main__":
    main()
