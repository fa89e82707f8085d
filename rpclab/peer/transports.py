"""What carries a peer's payloads on an event loop: memory, or asyncio's streams.

Interface:
  - ``write`` never waits and never raises: if you write much, check ``full``
  - what is written in one turn of the loop goes out together, at its end
  - ``close`` waits until everything was taken; if that is cancelled, the rest
    is dropped
"""

import asyncio
from collections import deque
from typing import IO, Final, Protocol

from rpclab.framing import Framing, NewlineFraming, Payload

HIGH: Final = 64 * 1024
"""A transport is full when more bytes than this wait to be taken."""
_CHUNK: Final = 64 * 1024
LAST_WORDS: Final = 1.0
"""For how many seconds a peer that does not read any more is still listened to."""
_END: Final = b""


class AsyncTransport(Protocol):
    """What carries payloads for a peer."""

    async def read(self) -> list[Payload]:
        """Wait for payloads, and return them. An empty list is the end."""

    def write(self, payload: bytes) -> None:
        """Send one payload soon, without waiting. Never raises."""

    @property
    def full(self) -> bool:
        """Whether so much waits to be taken that no more should be written."""

    async def drain(self) -> None:
        """Wait until it is not full, or lost. Never raises."""

    async def close(self) -> None:
        """Send what was written, then end the stream that is written."""


class MemoryTransport:
    """One end of a wire in memory. ``memory_pair`` makes both ends."""

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._other = self
        self._in_transit: deque[bytes] = deque()  # timers of one time fire in any order
        self._inbox: list[bytes] = []
        self._size = 0
        self._arrived, self._taken = asyncio.Event(), asyncio.Event()
        self._closed = self._ended = False

    async def read(self) -> list[Payload]:
        """Wait for payloads, and return them. An empty list is the end."""
        while not self._inbox and not self._ended:
            self._arrived.clear()
            await self._arrived.wait()
        payloads, self._inbox = self._inbox, []
        self._size -= sum(map(len, payloads))
        if self._size <= HIGH // 2:  # room for many, or each new message would wake every writer
            self._other._taken.set()
        return [*payloads]

    def write(self, payload: bytes) -> None:
        """Send one payload, to arrive after the latency."""
        other = self._other
        if self._closed or other._closed:
            return
        other._in_transit.append(payload)
        other._size += len(payload)
        if self._latency:
            asyncio.get_running_loop().call_later(self._latency, other._arrive)
        else:
            other._arrive()

    def _arrive(self) -> None:
        payload = self._in_transit.popleft()
        if payload == _END:
            self._ended = True
        else:
            self._inbox.append(payload)
        self._arrived.set()

    @property
    def full(self) -> bool:
        """Whether the other end has left too much untaken."""
        return self._other._size > HIGH and not (self._closed or self._other._closed)

    async def drain(self) -> None:
        """Wait until it is not full."""
        while self.full:
            self._taken.clear()
            await self._taken.wait()

    async def close(self) -> None:
        """End the stream that is written, and take nothing more."""
        self.write(_END)
        self._closed = True
        self._taken.set()
        self._other._taken.set()


def memory_pair(latency: float = 0) -> tuple[MemoryTransport, MemoryTransport]:
    """Make the two ends of a wire in memory.

    Args:
        latency: how many seconds a payload is on its way.
    """
    one, two = MemoryTransport(latency), MemoryTransport(latency)
    one._other, two._other = two, one
    return one, two


class StreamTransport:
    """Payloads over asyncio's streams: of a socket, of a subprocess, of ``open_pipes``."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        framing: Framing | None = None,
        incoming: asyncio.BaseTransport | None = None,  # to be closed too
    ) -> None:
        self._reader, self._writer, self._incoming = reader, writer, incoming
        self._framing = framing or NewlineFraming()
        self._loop = asyncio.get_running_loop()
        self._most = writer.transport.get_write_buffer_limits()[1]  # below it, drain does not wait
        self._frames: list[bytes] = []
        self._size = 0
        self._ended = self._gathering = False
        self._losing: asyncio.TimerHandle | None = None

    async def read(self) -> list[Payload]:
        """Wait for payloads, and return them. An empty list is the end."""
        payloads: list[Payload] = []
        self._gathering = False
        while not payloads and not self._ended:
            try:
                chunk = await self._reader.read(_CHUNK)
            except OSError:
                chunk = _END
            self._ended = not chunk
            payloads = self._framing.feed(chunk)
        self._gathering = len(payloads) > 1
        return payloads

    def write(self, payload: bytes) -> None:
        """Send one payload. The replies to one chunk go out together."""
        frame = self._framing.wrap(payload)
        if not self._frames and self._gathering:
            self._loop.call_soon(self._flush)
        self._frames.append(frame)
        self._size += len(frame)
        if not self._gathering:
            self._flush()

    def _flush(self) -> None:
        frames, self._frames, self._size = self._frames, [], 0
        if frames and not self._writer.transport.is_closing():
            self._writer.write(b"".join(frames))
        if self._writer.transport.is_closing():
            self._lose()

    def _lose(self) -> None:
        """Nobody reads any more. The peer is gone once ``LAST_WORDS`` have passed."""
        if not self._losing:
            self._losing = self._loop.call_later(
                LAST_WORDS, self._reader.set_exception, BrokenPipeError()
            )

    @property
    def full(self) -> bool:
        """Whether the peer has left too much untaken."""
        return self._size + self._writer.transport.get_write_buffer_size() > self._most

    async def drain(self) -> None:
        """Wait until it is not full, or lost."""
        self._flush()
        try:
            await self._writer.drain()
        except ConnectionError:
            self._lose()

    async def close(self) -> None:
        """Send what was written, then end the stream."""
        self._flush()
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except ConnectionError:
            return  # the peer did not want the rest
        except asyncio.CancelledError:
            self._writer.transport.abort()
            raise
        finally:
            if self._losing:
                self._losing.cancel()
            if self._incoming:
                self._incoming.close()


async def open_pipes(
    reader: IO[bytes], writer: IO[bytes], framing: Framing | None = None
) -> StreamTransport:
    """Let the loop itself read and write two pipes. Not on Windows, not in Pyodide."""
    loop = asyncio.get_running_loop()
    incoming, unread = asyncio.StreamReader(), asyncio.StreamReader()
    receiving, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(incoming), reader
    )
    sending, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(unread), writer
    )
    outgoing = asyncio.StreamWriter(sending, protocol, unread, loop)
    return StreamTransport(incoming, outgoing, framing, receiving)
