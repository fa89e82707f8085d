"""One call of ours while it waits: for its reply, for progress, for its time to be over."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from rpclab.errors import InvalidResponse
from rpclab.messages import Call, ErrorResponse, Json, Notification, Params, Request, Response
from rpclab.peer.meta import put

Hear: TypeAlias = Callable[[Json], object]
"""What hears the progress of a call."""

Asked: TypeAlias = tuple[str, Params] | Notification
"""One member of a batch: a method with its params, or a notification."""

Ending: TypeAlias = Response | InvalidResponse
Endings: TypeAlias = list[Ending]


class PeerGone(ConnectionError):
    """The stream has ended, and with it the hope of a reply."""


class Waiting:
    """A call that awaits its reply."""

    __slots__ = ("_future", "hear", "hint")

    def __init__(self, hear: Hear | None = None) -> None:
        self._future: asyncio.Future[Ending | PeerGone]
        self._future = asyncio.get_running_loop().create_future()
        self.hear = hear
        self.hint = ""

    def settle(self, ending: Ending | PeerGone) -> None:
        """End the call, unless its caller was cancelled a moment ago."""
        if not self._future.done():
            self._future.set_result(ending)

    async def end(self) -> Ending:
        """Wait for the end."""
        ending = await self._future
        if isinstance(ending, PeerGone):
            raise ending
        return ending


def get_result(ending: Ending) -> Json:
    """Give the result, or raise what came instead."""
    if isinstance(ending, ErrorResponse):
        raise ending.error
    if isinstance(ending, InvalidResponse):
        raise ending
    return ending.result


def number(
    calls: Sequence[Asked], entries: Mapping[int, Waiting], token_path: tuple[str, ...]
) -> Iterator[Call]:
    """Make messages of what is asked: with an id, and a token where progress is heard."""
    numbered = iter(entries.items())
    for asked in calls:
        if isinstance(asked, Notification):
            yield asked
            continue
        method, params = asked
        id, entry = next(numbered)
        yield Request(method, put(params, token_path, id) if entry.hear else params, id)


async def in_time(
    asked: Coroutine[None, None, Endings], waiting: Waiting, timeout: float, extend: bool
) -> Endings:
    """Wait for a call, but not for ever."""
    try:
        async with asyncio.timeout(timeout) as clock:
            if extend:
                waiting.hear = partial(_extend, clock, timeout, waiting.hear)
            return await asked
    except TimeoutError as error:
        raise TimeoutError(f"no reply in time{waiting.hint}") from error


def _extend(clock: asyncio.Timeout, timeout: float, on_progress: Hear | None, value: Json) -> None:
    """Begin the time of a call anew, and pass its progress on."""
    if not clock.expired():
        clock.reschedule(asyncio.get_running_loop().time() + timeout)
    if on_progress:
        on_progress(value)
