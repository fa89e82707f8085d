"""What a peer sends, and how much of it waits to be taken.

A peer that does not read must not fill our memory. So who asks waits for
room. A reply does not wait, but it is counted: with many of them stuck, no
more calls are begun. Progress that would be stuck behind as many is dropped.
"""

import asyncio
from contextlib import suppress
from typing import Final, Protocol

from rpclab.framing import Payload
from rpclab.peer.reply_future import PeerGone

_GRACE: Final = 2.0  # seconds for a peer to take what is written when we leave


class AsyncTransport(Protocol):
    """What carries payloads for a peer."""

    async def read(self) -> list[Payload]:
        """Wait for payloads, and give them. None at all is the end."""

    def write(self, payload: bytes) -> None:
        """Send one payload soon, without waiting. Never raises."""

    @property
    def full(self) -> bool:
        """Whether so much waits to be taken that no more should be written."""

    async def drain(self) -> None:
        """Wait until it is not full, or lost. Never raises."""

    async def close(self) -> None:
        """Send what was written, then end the stream that is written."""


class Sending:
    """The outgoing side of a transport.

    Args:
        transport: takes the payloads.
        limit: so many messages may be stuck before progress is dropped.
        moved: is set when none is stuck any more.
    """

    def __init__(self, transport: AsyncTransport, limit: int, moved: asyncio.Event) -> None:
        self._transport = transport
        self._limit = limit
        self._moved = moved
        self._draining: asyncio.Task[None] | None = None
        self.stuck = 0
        self.gone = ""  # why nobody can answer any more

    def write(self, text: str) -> None:
        """Send a message, whether there is room or not."""
        self._transport.write(text.encode())

    async def find_room(self) -> None:
        """Wait until there is room for a message.

        Raises:
            PeerGone: the stream has ended.
        """
        while self._transport.full and not self.gone:
            await self._transport.drain()
        if self.gone:
            raise PeerGone(self.gone)

    def reply(self, text: str | None) -> None:
        """Send a reply, if one is due, and count it if it is stuck."""
        if text is None:
            return
        self.write(text)
        if self._transport.full:
            self.stuck += 1
            if self._draining is None:
                self._draining = asyncio.create_task(self._drain())

    def report(self, text: str) -> None:
        """Send progress, unless nobody reads."""
        if self.stuck < self._limit:
            self.reply(text)

    async def _drain(self) -> None:
        await self._transport.drain()
        self.stuck, self._draining = 0, None
        self._moved.set()

    async def close(self) -> None:
        """Send what was written, if the peer takes it soon, and end the stream."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await self._transport.close()
        if self._draining:
            self._draining.cancel()
            await asyncio.wait([self._draining])
