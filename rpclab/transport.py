"""Payloads over a pair of byte streams: the only I/O of the lesson.

A transport knows no methods. It reads payloads until the stream ends, and
sends each message with one write and one flush.

Interface:
  - one loop reads; any thread may write
  - the streams are arguments: pipes, the files of a socket, ``io.BytesIO``
  - a transport does not close its streams
"""

import io
import os
import sys
import threading
from collections.abc import Iterator
from typing import Final, Protocol

from rpclab.errors import ABSENT, JsonRpcError
from rpclab.framing import LIMIT, Framing, NewlineFraming, Payload
from rpclab.messages import Id, Json, Notification, Params
from rpclab.rendering import render, render_error, render_result

_CHUNK: Final = 64 * 1024


class Reader(Protocol):
    """The byte stream that is read, as Python's buffered streams are."""

    def read1(self, size: int, /) -> bytes:
        """Wait for bytes, then give what is there. ``b""`` is the end."""


class Writer(Protocol):
    """The byte stream that is written, as Python's buffered streams are."""

    def write(self, data: bytes, /) -> object:
        """Take all of the bytes."""

    def flush(self) -> object:
        """Hand them on now."""


class FramedTransport:
    """Payloads over two byte streams, in any framing."""

    def __init__(self, reader: Reader, writer: Writer, framing: Framing) -> None:
        self._reader = reader
        self._writer = writer
        self._feed = framing.feed
        self._wrap = framing.wrap
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Payload]:
        """Give payload after payload until the stream ends."""
        while chunk := self._reader.read1(_CHUNK):
            yield from self._feed(chunk)
        yield from self._feed(b"")

    def write(self, payload: bytes) -> None:
        """Send one payload: one write, one flush, under one lock."""
        frame = self._wrap(payload)
        with self._lock:
            self._writer.write(frame)
            self._writer.flush()


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
    """Send an error response. ``id`` is None when nobody can say whose call it was."""
    transport.write(render_error(JsonRpcError(message, code=code, data=data), id).encode())


def write_notification(transport: FramedTransport, method: str, params: Params = None) -> None:
    r"""Send a notification. A handler may do so while its request is in flight.

    >>> import io
    >>> out = io.BytesIO()
    >>> write_notification(StdioTransport(io.BytesIO(), out), "progress", {"done": 1})
    >>> out.getvalue()
    b'{"jsonrpc":"2.0","method":"progress","params":{"done":1}}\n'

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold ``params``.
    """
    transport.write(render(Notification(method, params)).encode())


def claim_stdio() -> tuple[io.BufferedReader, io.BufferedWriter]:
    """Take this process's stdin and stdout for the protocol alone.

    Gives private copies of both. After it, ``print`` goes to stderr, and a
    program that a handler starts inherits an empty stdin and stderr as its
    stdout, so neither can touch the protocol.
    """
    sys.stdout.flush()
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return reader, writer
