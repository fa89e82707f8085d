"""Exercise 19: answer a batch."""

from collections.abc import Callable
from typing import Any

INVALID = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}

Answer = Callable[[Any], dict | None]


def answer_batch(batch: list, answer_one: Answer) -> list | dict | None:
    """Return the reply to a batch, or None where nothing is sent."""
    # TODO (about four lines): the empty array, the replies that there are, silence.
    raise NotImplementedError
