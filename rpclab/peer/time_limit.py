"""How long a call may take, on an event loop: until its reply, writing included.

Progress may start the time again, but never beyond a maximum, so that a peer
that reports progress for ever does not keep its caller for ever. Source: Model
Context Protocol, lifecycle, timeouts.
"""

import asyncio
from collections.abc import Callable
from math import inf
from typing import Final

from rpclab.messages import Json

_BLOCKED: Final = "the peer does not take what is written"


class TimeLimit:
    """The time of one call.

    Args:
        timeout: how many seconds it may take, or None.
        extend: ``timeout`` starts again at each progress notification.
        max_timeout: how many seconds it may take whatever progress comes, or None.
    """

    def __init__(
        self, timeout: float | None, extend: bool = False, max_timeout: float | None = None
    ) -> None:
        self._timeout = inf if timeout is None else timeout
        self._most = inf if max_timeout is None else max_timeout
        self.extends = extend and timeout is not None
        self.sent = False  # whether the call was written
        self._began = 0.0
        self._clock = asyncio.timeout(None)

    def start(self) -> asyncio.Timeout:
        """Start the time, and return the block that it limits."""
        self._began = asyncio.get_running_loop().time()
        self._clock = asyncio.timeout_at(self._next_end())
        return self._clock

    def _next_end(self) -> float | None:
        now = asyncio.get_running_loop().time()
        end = min(now + self._timeout, self._began + self._most)
        return None if end == inf else end

    def extend(self, on_progress: Callable[[Json], object] | None, value: Json) -> None:
        """Start ``timeout`` again, and pass the progress on."""
        if not self._clock.expired():
            self._clock.reschedule(self._next_end())
        if on_progress:
            on_progress(value)

    def describe(self, what: str, is_full: bool) -> str:
        """Say what did not happen in time. ``is_full``: too much waits to be taken."""
        is_over = asyncio.get_running_loop().time() >= self._began + self._most
        time = f"{self._most:g} s at most" if is_over else f"{self._timeout:g} s"
        if self.sent:
            blocked = f"; {_BLOCKED}" if is_full else ""
            return f"no reply to {what} in time ({time}){blocked}"
        why = _BLOCKED if is_full else "too many calls are in progress"
        return f"{what} could not be sent in time ({time}): {why}"
