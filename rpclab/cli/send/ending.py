"""How a session with a server ends: whether that is right, and the sentences for it.

A server may end when its stdin ends, or after LSP's notification ``exit``: with
status 0 if ``shutdown`` was called before, and 1 if not. Any other end is a fault.
Source: Language Server Protocol 3.17, "Exit Notification".
"""

import re
import signal
from collections.abc import Sequence
from typing import Final, NamedTuple

from rpclab.dispatch import unpack
from rpclab.messages import Notification, Request


class Ending(NamedTuple):
    """What is said about the end of a server, and whether it is as it should be."""

    says: str
    is_right: bool


class Farewell:
    """Whether the server was told to end, as LSP does it.

    >>> farewell = Farewell()
    >>> farewell.note(b'{"jsonrpc":"2.0","method":"exit"}')
    >>> farewell.exit, farewell.shutdown
    (True, False)
    """

    def __init__(self) -> None:
        self.shutdown = self.exit = False

    def note(self, line: bytes) -> None:
        """Note a line that was sent."""
        match unpack(line):
            case Request(method="shutdown"):
                self.shutdown = True
            case Notification(method="exit"):
                self.exit = True


def judge_end(status: int | None, due: Sequence[object], farewell: Farewell) -> Ending:
    """Judge a server that ended, or closed its stdout, before its stdin was closed.

    >>> judge_end(3, ["sum (id 1)"], Farewell()).says
    'The server ended (exit status 3) before it answered sum (id 1).'

    Args:
        status: its exit status, or None if it still runs.
        due: what it has not answered.
        farewell: whether it was told to end.
    """
    how = "closed its stdout and still runs" if status is None else f"ended ({_name(status)})"
    if due:
        return Ending(f"The server {how} before it answered {list_names(due)}.", is_right=False)
    if not farewell.exit or status is None:
        return Ending(f"The server {how}.", is_right=status == 0)
    wanted = 0 if farewell.shutdown else 1
    before = "after shutdown and exit" if farewell.shutdown else "after exit without shutdown"
    if status == wanted:
        return Ending(f"The server {how}, as LSP asks {before}.", is_right=True)
    says = f"The server {how}. LSP asks for exit status {wanted} {before}."
    return Ending(says, is_right=status == 0)


def judge_hang_up(status: int | None, grace: float, farewell: Farewell) -> Ending:
    """Judge what a server did when its stdin was closed. There is nothing to say if it ended."""
    if status == 0:
        return Ending("", is_right=True)
    if status is not None:
        says = f"The server ended ({_name(status)}) when its stdin was closed."
        return Ending(says, is_right=False)
    told = "exit and " if farewell.exit else ""
    says = f"The server still ran {grace:g} s after {told}the end of its stdin. It was stopped."
    return Ending(says, is_right=not farewell.exit)


def _name(status: int) -> str:
    """Name an exit status. Below 0 it is the number of a signal."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


def list_names(due: Sequence[object]) -> str:
    """Join the first names, and count the rest.

    >>> list_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    names = ", ".join(str(one) for one in due[:3])
    return f"{names} and {len(due) - 3} more" if len(due) > 3 else names


_ADDRESS: Final = re.compile(r"""\b(?:https?|wss?)://[^\s"'<>)\]]+|\bport:? \d{2,5}\b""")
_LISTENING: Final = re.compile(
    r"\b(?:listening|running|serving|started|ready|available)\b|//(?:localhost|127\.|0\.0\.0\.0|\[::)",
    re.IGNORECASE,
)


def find_address(stderr: str) -> str:
    """Return the address that a server says it listens on, or "".

    >>> find_address("INFO: Uvicorn running on http://127.0.0.1:8080 (Press CTRL+C to quit)")
    'http://127.0.0.1:8080'
    >>> find_address("See https://example.com/docs")
    ''
    """
    for line in reversed(stderr.splitlines()):
        if _LISTENING.search(line) and (found := _ADDRESS.search(line)):
            return found[0].rstrip(".,;")
    return ""
