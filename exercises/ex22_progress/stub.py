"""Exercise 22: report while you work."""

from typing import Any

from rpclab.transport import FramedTransport


def copy_files(params: dict[str, Any], transport: FramedTransport) -> dict[str, Any]:
    """Copy the files, and report after each if the caller asked for it."""
    # TODO (about eight lines): find the token, report after each file, return the number.
    raise NotImplementedError
