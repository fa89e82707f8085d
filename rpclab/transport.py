"""Payloads over a pair of byte streams: the only I/O of the lesson.

A transport does not know any methods. It reads payloads until the stream
ends, and sends each message with one write and one flush.

Interface:
  - one loop reads; any thread may write
  - the streams are arguments: pipes, the files of a socket, ``io.BytesIO``
  - a transport does not close its streams, unless it is told to give up
"""

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Protocol

from rpclab.errors import ABSENT, JsonRpcError
from rpclab.framing import LIMIT, Framing, NewlineFraming, Payload
from rpclab.messages import Id, Json, Notification, Params
from rpclab.rendering import render, render_error, render_result

_CHUNK: Final = 64 * 1024


class Reader(Protocol):
    """The byte stream that is read, as Python's buffered streams are."""

    def read1(self, size: int, /) -> bytes:
        """Wait for bytes, then return what is there. ``b""`` is the end."""


class Writer(Protocol):
    """The byte stream that is written, as Python's buffered streams are."""

    def write(self, data: bytes, /) -> object:
        """Take all of the bytes."""

    def flush(self) -> object:
        """Pass them on now."""

    def close(self) -> object:
        """Take no more."""


class FramedTransport:
    """Payloads over two byte streams, in any framing."""

    def __init__(self, reader: Reader, writer: Writer, framing: Framing) -> None:
        self._reader = reader
        self._writer = writer
        self._feed = framing.feed
        self._wrap = framing.wrap
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Payload]:
        """Yield payload after payload until the stream ends."""
        while chunk := self._reader.read1(_CHUNK):
            yield from self._feed(chunk)
        yield from self._feed(b"")

    def write(self, payload: bytes) -> None:
        """Send one payload: one write, one flush, under one lock."""
        frame = self._wrap(payload)
        self._lock.acquire()  # "with" does the same, and costs more than a write to memory
        try:
            self._writer.write(frame)
            self._writer.flush()
        finally:
            self._lock.release()

    def give_up(self) -> None:
        """Close the writer: nobody reads any more.

        What it still holds cannot be sent. If it stayed open, it would try
        again when Python exits, and print a traceback.
        """
        with suppress(ConnectionError):
            self._writer.close()


class StdioTransport(FramedTransport):
    r"""One message a line.

    >>> import io
    >>> wire = StdioTransport(io.BytesIO(b'{"id":1}\n{"id":2}\n'), io.BytesIO())
    >>> list(wire)
    [b'{"id":1}', b'{"id":2}']
    """

    def __init__(self, reader: Reader, writer: Writer, limit: int = LIMIT) -> None:
        super().__init__(reader, writer, NewlineFraming(limit))


def write_response(transport: FramedTransport, id: Id, result: Json) -> None:
    """Send a success response.

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold ``result``.
    """
    transport.write(render_result(result, id).encode())


def write_error(
    transport: FramedTransport, id: Id, code: int, message: str, data: Json = ABSENT
) -> None:
    """Send an error response. ``id`` is None if the id of the call is unknown."""
    transport.write(render_error(JsonRpcError(message, code=code, data=data), id).encode())


def write_notification(transport: FramedTransport, method: str, params: Params = None) -> None:
    r"""Send a notification. A handler may do so while its request is in progress.

    >>> import io
    >>> out = io.BytesIO()
    >>> write_notification(StdioTransport(io.BytesIO(), out), "progress", {"done": 1})
    >>> out.getvalue()
    b'{"jsonrpc":"2.0","method":"progress","params":{"done":1}}\n'

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold ``params``.
    """
    transport.write(render(Notification(method, params)).encode())


class Unbuffered(io.FileIO):
    """One end of a pipe, where each read and each write is one system call.

    Python's own buffers would only copy the bytes: a framing keeps what is left
    of a read, and a message is written whole.
    """

    read1 = io.FileIO.read

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Write all of the bytes. A pipe takes only some if a signal comes in between."""
        done = super().write(data)
        while done < len(data):
            done += super().write(data[done:])
        return done


def claim_stdio() -> tuple[Unbuffered, Unbuffered]:
    """Take this process's stdin and stdout for the protocol alone.

    Returns private copies of both. Afterwards ``print`` goes to stderr, and a
    program that a handler starts inherits an empty stdin, and stderr as its
    stdout. So neither can disturb the protocol.
    """
    if sys.stdout is not None:
        sys.stdout.flush()
    while (null := os.open(os.devnull, os.O_RDWR)) < 3:
        pass  # one of the three was closed when we were started: now it is the null device
    reader, writer = Unbuffered(os.dup(0), "rb"), Unbuffered(os.dup(1), "wb")
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return reader, writer
