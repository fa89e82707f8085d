"""Exercise 31: your server. This file is one; run it, and type a line."""

import json
import sys
from pathlib import Path
from typing import Any

# It is enough to look at the four members before anything is called: whether they are
# there, and of which type. A bool is not an id, and a missing id is not null. Then one table
# has the methods, and one ``except`` makes an error of whatever they raise.
command: list[str] | str = [sys.executable, str(Path(__file__))]


def subtract(minuend: float, subtrahend: float) -> float:
    """Return a difference."""
    return minuend - subtrahend


METHODS: dict[str, Any] = {
    "echo": lambda *args, **kwargs: kwargs or list(args),
    "subtract": subtract,
    "get_data": lambda: ["hello", 5],
    "boom": lambda: 1 // 0,
    "update": lambda *_, **__: None,
}


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


def call(method: str, params: Any) -> dict:
    """Call a method, and return the part of a response with its result or error."""
    if method not in METHODS:
        return fail(-32601, "Method not found")
    function = METHODS[method]
    try:
        return {"result": function(**params) if isinstance(params, dict) else function(*params)}
    except Exception as error:  # noqa: BLE001  whatever a method raises is answered
        return fail(-32603, type(error).__name__)


def answer(line: bytes) -> dict | None:
    """Return the response to a line, or None."""
    try:
        value = json.loads(line)
    except ValueError:
        return {"jsonrpc": "2.0", **fail(-32700, "Parse error"), "id": None}
    if is_call(value):
        said = call(value["method"], value.get("params", []))
        return {"jsonrpc": "2.0", **said, "id": value["id"]} if "id" in value else None
    id = value.get("id") if isinstance(value, dict) else None
    readable = id if type(id) in (str, int, float) else None
    return {"jsonrpc": "2.0", **fail(-32600, "Invalid Request"), "id": readable}


def main() -> None:
    """Answer line after line."""
    for line in sys.stdin.buffer:
        if line.strip() and (reply := answer(line)) is not None:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
