"""When a peer may write, and when another call may begin.

A peer that does not read must not fill our memory. So a call of our own waits
until there is room. A reply does not wait, but it is counted: while too many
wait to be taken, no more calls are begun. Progress that would have to wait
behind as many replies is dropped.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from rpclab.peer.call_context import in_call
from rpclab.peer.failures import PeerGone
from rpclab.peer.transports import AsyncTransport

LIMIT: Final = 1000
"""How many calls may be in progress each way, unless a peer is told otherwise."""

_DEPTH: Final = 10

WAITING: Final = LIMIT * _DEPTH
"""How many notifications may wait for those before them. They take no more than memory."""

GRACE: Final = 2.0
"""How many seconds a peer has to take what is written when we leave."""


class Flow:
    """The gate of one peer: everything that is written or begun passes it.

    Args:
        transport: takes the payloads.
        limit: how many calls may be in progress each way. Of more, ours wait
            for their turn, and the peer's are not begun. While handlers wait
            for replies, ten times as many are begun: the reply that a handler
            waits for comes behind them.
    """

    def __init__(self, transport: AsyncTransport, limit: int) -> None:
        self._transport = transport
        self._limit = limit
        self._turns = asyncio.Semaphore(limit)  # for our own calls
        self._nested = 0  # our own calls that handlers wait for
        self._in_progress = 0  # calls of the peer
        self._waiting = 0  # calls of the peer whose turn has not come
        self._untaken = 0  # replies that were written while the transport was full
        self._changed = asyncio.Event()  # it may be that a call of the peer can begin
        self._room = asyncio.Event()  # it may be that a call of our own can be written
        self._draining: asyncio.Task[None] | None = None
        self._lost: Callable[[], PeerGone] | None = None  # why no reply can come any more

    async def begin_outgoing(self) -> bool:
        """Wait for the turn of one of our calls, and return whether it is nested.

        A call that a handler makes is nested, and does not wait: the call that
        has the turn may be waiting for it.
        """
        nested = in_call()
        if nested:
            self._nested += 1
            self._changed.set()
        else:
            await self._turns.acquire()
        return nested

    def end_outgoing(self, nested: bool) -> None:
        """Pass the turn of one of our calls to the next."""
        if nested:
            self._nested -= 1
        else:
            self._turns.release()

    def is_busy(self) -> bool:
        """Return whether no more calls of the peer may begin now."""
        most = self._limit * (_DEPTH if self._nested else 1)
        return self._in_progress + self._untaken >= most or self._waiting >= WAITING

    async def wait_until_free(self) -> None:
        """Wait until another call of the peer may begin."""
        while self.is_busy():
            self._changed.clear()
            await self._changed.wait()

    def begin_incoming(self) -> None:
        """Count a call of the peer that is in progress."""
        self._in_progress += 1

    def end_incoming(self) -> None:
        """Count it no more."""
        self._in_progress -= 1
        self._changed.set()

    def begin_waiting(self) -> None:
        """Count a call of the peer that waits for those before it."""
        self._waiting += 1

    def end_waiting(self) -> None:
        """Count it no more."""
        self._waiting -= 1
        self._changed.set()

    async def wait_for_room(self) -> None:
        """Wait until there is room for a message.

        Raises:
            PeerGone: the stream has ended.
        """
        while self._transport.full and self._lost is None:
            self._begin_draining()
            self._room.clear()
            await self._room.wait()
        if self._lost:
            raise self._lost()

    @property
    def full(self) -> bool:
        """Whether the peer has left too much untaken."""
        return self._transport.full

    def write(self, text: str) -> None:
        """Send a message, whether there is room or not."""
        self._transport.write(text.encode())

    def send_reply(self, text: str | None) -> None:
        """Send a reply, if one is due, and count it if it has to wait."""
        if text is None:
            return
        self.write(text)
        if self._transport.full:
            self._untaken += 1
            self._begin_draining()

    def send_progress(self, text: str) -> None:
        """Send progress, unless too much waits to be taken."""
        if self._untaken < self._limit:
            self.send_reply(text)

    def _begin_draining(self) -> None:
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        await self._transport.drain()
        self._untaken, self._draining = 0, None
        self._changed.set()
        self._room.set()

    def lose(self, failure: Callable[[], PeerGone]) -> None:
        """Let no more calls wait for room: each fails with what ``failure`` makes."""
        self._lost = failure
        self._room.set()

    async def close(self) -> None:
        """Send what was written, if the peer takes it soon, and end the stream."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._transport.close()
        if self._draining:
            self._draining.cancel()
            await asyncio.wait([self._draining])
