"""Exercise 29: ask, and wait for the answer."""

from collections.abc import Callable
from typing import BinaryIO

from rpclab.messages import Json, Request

Report = Callable[[bytes], object]


def ask(reader: BinaryIO, writer: BinaryIO, request: Request, report: Report) -> Json:
    """Send a request, and return the result of its response."""
    # TODO (about fourteen lines): write, flush, then read until it is there.
    raise NotImplementedError
