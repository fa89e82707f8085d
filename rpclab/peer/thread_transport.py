"""Any pair of byte streams as a peer's transport: one thread reads, one writes.

It works where the loop itself cannot wait for a stream: on Windows, for files
and terminals. It needs threads, so it does not run in Pyodide.

Interface:
  - as in ``transports``; like ``rpclab.transport`` it does not close the byte
    streams
  - the reading thread ends with its stream, so close that at the other end
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final

from rpclab.framing import Payload
from rpclab.peer.transports import HIGH, LAST_WORDS
from rpclab.transport import FramedTransport

_AHEAD: Final = 100  # how many payloads are read before the peer takes them


class ThreadTransport:
    """A ``FramedTransport`` for a peer. Make it in the peer's loop."""

    def __init__(self, wire: FramedTransport) -> None:
        self._wire = wire
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[Payload | None] = deque()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._size = 0
        self._arrived, self._taken = asyncio.Event(), asyncio.Event()
        self._room = threading.Semaphore(_AHEAD)
        self._ended = self._done = self._closed = False
        self._threads = [
            threading.Thread(target=work, name=f"rpclab {work.__name__}", daemon=True)
            for work in (self._read_all, self._write_all)
        ]
        for thread in self._threads:
            thread.start()

    def _call_in_loop(self, what: Callable[..., None], *args: Any) -> None:
        """Let the loop call something, unless it is closed."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *args)

    def _read_all(self) -> None:
        with suppress(OSError, ValueError):  # ValueError: somebody closed the stream
            for payload in self._wire:
                self._room.acquire()
                if self._closed:
                    return
                self._call_in_loop(self._arrive, payload)
        self._call_in_loop(self._arrive, None)

    def _arrive(self, payload: Payload | None) -> None:
        self._inbox.append(payload)
        self._arrived.set()

    def _write_all(self) -> None:
        last_words = 0.0
        try:
            while (payload := self._outbox.get()) is not None:
                self._wire.write(payload)
                self._call_in_loop(self._take, len(payload))
        except (OSError, ValueError):
            last_words = LAST_WORDS
        self._call_in_loop(self._stop, last_words)

    def _take(self, size: int) -> None:
        self._size -= size
        if self._size <= HIGH // 2:
            self._taken.set()

    def _stop(self, last_words: float) -> None:
        """End the writing. For the peer the stream ends too, once its last words are heard."""
        self._done = True
        self._taken.set()
        self._loop.call_later(last_words, self._arrive, None)

    async def read(self) -> list[Payload]:
        """Wait for payloads, and return them. An empty list is the end."""
        payloads: list[Payload] = []
        while not (payloads or self._ended):
            self._arrived.clear()
            if not self._inbox:
                await self._arrived.wait()
            while self._inbox and not self._ended:
                payload = self._inbox.popleft()
                if payload is None:
                    self._ended = True
                else:
                    payloads.append(payload)
                    self._room.release()
        return payloads

    def write(self, payload: bytes) -> None:
        """Send one payload soon."""
        self._size += len(payload)
        self._outbox.put(payload)

    @property
    def full(self) -> bool:
        """Whether the peer has left too much untaken."""
        return self._size > HIGH and not self._done

    async def drain(self) -> None:
        """Wait until it is not full, or lost."""
        while self.full:
            self._taken.clear()
            await self._taken.wait()

    def end(self) -> None:
        """Let both threads end: write nothing more, and read nothing ahead. Does not wait."""
        self._closed = True
        self._room.release()
        self._outbox.put(None)

    async def close(self) -> None:
        """Send what was written, and write nothing more."""
        self.end()
        while not self._done:
            self._taken.clear()
            await self._taken.wait()

    def join(self, seconds: float) -> None:
        """Wait for the end of both threads, once their streams have ended."""
        for thread in self._threads:
            thread.join(seconds)
