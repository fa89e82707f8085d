"""Exercise 20: predict the replies to five arrays."""

import json

from rpclab.course import numbers

N = numbers("ex20_batch_replies")


def result(value: object, id: object) -> dict:
    """Return a success response."""
    return {"jsonrpc": "2.0", "result": value, "id": id}


def error(code: int, id: object) -> dict:
    """Return an error response. Its message is not compared."""
    return {"jsonrpc": "2.0", "error": {"code": code, "message": "error"}, "id": id}


# It is enough to judge each member alone. What it gets is in the array, in any
# order, and there is nothing for a notification, known or not. Line 4 is not JSON, so it
# has no members, and one error is all that can be said.
replies: list = [
    json.dumps([result(N["a"] + N["id"], 1), result(N["b"] - N["a"], 2)]),
    json.dumps([error(-32600, None)]),
    None,
    json.dumps(error(-32700, None)),
    json.dumps([result(["hello", 5], str(N["id"])), error(-32600, None), error(-32601, N["a"])]),
]
