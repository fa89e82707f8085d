"""A minimal JSON-RPC server on newline stdio, to start from.

Try: rpclab conform --expected expected.toml -- python3 server.py

What it still breaks is in ../README.md. Make the list shorter.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

METHODS: dict[str, Callable[..., Any]] = {
    "echo": lambda *args, **kwargs: kwargs or list(args),
    "subtract": lambda minuend, subtrahend: minuend - subtrahend,
    "add": lambda first, second: first + second,
    "sum": lambda *numbers: sum(numbers),
    "get_data": lambda: ["hello", 5],
    "boom": lambda: 1 // 0,
    "update": lambda *_, **__: None,
    "notify_hello": lambda *_, **__: None,
    "notify_sum": lambda *_, **__: None,
}


def call(request: Any) -> dict[str, Any]:
    """Call the method that a request names: give its result, or an error."""
    method = METHODS.get(request["method"])
    if method is None:
        return {"error": {"code": -32601, "message": "Method not found"}}
    params = request.get("params", [])
    try:
        result = method(**params) if isinstance(params, dict) else method(*params)
    except Exception as error:  # noqa: BLE001  whatever a method raises is its caller's error
        return {"error": {"code": -32603, "message": str(error)}}
    return {"result": result}


def main() -> None:
    """Answer each line of stdin on stdout, until stdin ends."""
    for line in sys.stdin:
        try:
            request = json.loads(line)
        except ValueError:
            reply = {"error": {"code": -32700, "message": "Parse error"}}
            request = {"id": None}
        else:
            reply = call(request)
        if "id" in request:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **reply, "id": request["id"]}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
