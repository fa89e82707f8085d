"""Why a call got no reply: exceptions that carry all that is known.

Nobody can look into the stream afterwards. So each of them has the strays: what
came and settles no call, such as an error with a null id. ``Client`` adds the
exit status of its server and the end of what it wrote to stderr.
"""

from collections.abc import Sequence
from typing import Final

from rpclab.peer.pending import Stray, escape

_SHOWN: Final = 2000


def _describe(reason: str, strays: Sequence[Stray], stderr_tail: str) -> str:
    """Write what is known: for each stray a line, and the end of stderr."""
    lines: list[str] = []
    if strays:
        lines += ["what came and settles no call:"]
        lines += [f"  {why}: {value}" if value else f"  {why}" for why, value in strays]
    if stderr_tail:
        lines += ["the end of its stderr:"]
        lines += map(escape, stderr_tail[-_SHOWN:].splitlines())
    return "; ".join(filter(None, [reason, "\n".join(lines)]))


class CallTimeout(TimeoutError):
    """The time of a call is over, and no reply has come.

    ``strays`` may say why; ``status`` is the exit status of the server, or None
    if it runs or is not known; ``stderr_tail`` is the end of its stderr.
    """

    def __init__(
        self,
        reason: str,
        strays: Sequence[Stray] = (),
        status: int | None = None,
        stderr_tail: str = "",
    ) -> None:
        ended = "" if status is None else f"; the server has ended with exit status {status}"
        super().__init__(_describe(reason + ended, strays, stderr_tail))
        self.reason = reason
        self.strays = tuple(strays)
        self.status = status
        self.stderr_tail = stderr_tail


class PeerGone(ConnectionError):
    """The stream has ended, so no reply can come any more.

    ``strays``, ``status`` and ``stderr_tail`` are as in ``CallTimeout``.
    """

    def __init__(
        self,
        reason: str = "the stream from the peer has ended",
        strays: Sequence[Stray] = (),
        status: int | None = None,
        stderr_tail: str = "",
    ) -> None:
        super().__init__(_describe(reason, strays, stderr_tail))
        self.strays = tuple(strays)
        self.status = status
        self.stderr_tail = stderr_tail


class ServerGone(PeerGone):
    """The server that we started has ended, or nothing can come from it any more.

    Args:
        status: its exit status, or None if it still runs.
        stderr_tail: the end of what it wrote to stderr.
        strays: what came and settles no call.
        how: what happened, if it still runs.
    """

    def __init__(
        self,
        status: int | None,
        stderr_tail: str,
        strays: Sequence[Stray] = (),
        how: str = "the server closed its stdout",
    ) -> None:
        reason = how if status is None else f"the server ended with exit status {status}"
        super().__init__(reason, strays, status, stderr_tail)
