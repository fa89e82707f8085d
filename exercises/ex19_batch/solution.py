"""Exercise 19: answer a batch."""

from collections.abc import Callable
from typing import Any

INVALID = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}

Answer = Callable[[Any], dict | None]


def answer_batch(batch: list, answer_one: Answer) -> list | dict | None:
    """Return the reply to a batch, or None where nothing is sent.

    It is enough to treat two empty lists apart. An empty batch is not a batch, and gets one
    error. An empty list of replies is nothing to send, and ``or`` makes it None. All
    else is one member at a time, as if it had come alone.
    """
    if not batch:
        return INVALID
    replies = [answer_one(member) for member in batch]
    return [reply for reply in replies if reply is not None] or None
