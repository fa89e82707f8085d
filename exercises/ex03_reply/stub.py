"""Exercise 3: make the reply to a call."""

from typing import Any


def make_reply(call: dict, result: Any) -> dict | None:
    """Return the success response to a call, or None where none is due."""
    # TODO (about three lines): who is not answered, and what is in the answer?
    raise NotImplementedError
