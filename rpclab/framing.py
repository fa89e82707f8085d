"""Where one message ends and the next begins.

A byte stream has no messages in it. A framing puts marks between them, and
finds the marks again however the stream is cut into chunks. Two are in use:
a newline after each message, and a ``Content-Length`` header before it (the
base protocol of the Language Server Protocol).

Interface:
  - make one framing per stream and direction: it remembers half a frame
  - ``feed`` returns the payloads that a chunk completes: none, one or many
  - ``feed(b"")`` says that the stream has ended
  - where bytes had to be dropped, a ``FramingError`` takes their place;
    ``feed`` goes on at the next mark
"""

import re
from collections.abc import Callable, Generator
from typing import Final, Protocol, TypeAlias

from rpclab.errors import FramingError

LIMIT: Final = 16 * 1024 * 1024
"""The longest payload, in bytes, unless a framing is told otherwise."""

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""Nobody may send it, a reader may skip it (RFC 8259, section 8.1)."""

Payload: TypeAlias = bytes | FramingError


class Framing(Protocol):
    """What every framing can do."""

    def wrap(self, payload: bytes) -> bytes:
        """Put the marks around one payload."""

    def feed(self, chunk: bytes) -> list[Payload]:
        """Return the payloads that this chunk completes, in order."""


class NewlineFraming:
    r"""One message a line. Only the byte 0x0A ends a line.

    A line of white space is skipped. A line of more than ``limit`` bytes is
    reported once and dropped. The end of the stream ends the last line.

    >>> framing = NewlineFraming()
    >>> framing.feed(b'{"id":1}\r\n{"id"')
    [b'{"id":1}']
    >>> framing.feed(b':2}'), framing.feed(b'')
    ([], [b'{"id":2}'])
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._rest: bytearray | None = bytearray()  # None while a long line is dropped
        self._at_start = True

    def wrap(self, payload: bytes) -> bytes:
        """Put a newline after one payload, which must not hold one."""
        return payload + b"\n"

    def feed(self, chunk: bytes) -> list[Payload]:
        """Return the lines that this chunk completes, in order."""
        if not chunk:
            chunk = b"\n"  # the end of the stream ends the last line
        *lines, rest = chunk.split(b"\n")
        if lines:
            self._complete(lines)
        payloads: list[Payload] = [
            line if len(raw) <= self._limit else self._too_long()
            for raw in lines
            if (line := raw.strip(b" \t\r")) or len(raw) > self._limit
        ]
        if rest and self._rest is not None:
            self._rest += rest
            # A byte order mark is not counted, and may still be part of the rest.
            uncounted = len(BYTE_ORDER_MARK) if self._at_start else 0
            if len(self._rest) > self._limit + uncounted:
                self._rest = None
                self._at_start = False
                payloads.append(self._too_long())
        return payloads

    def _complete(self, lines: list[bytes]) -> None:
        """Join the first line to what was kept of it, or let it go with the rest."""
        if self._rest is None:
            self._rest = bytearray()
            del lines[0]
            return
        if self._rest:
            lines[0] = bytes(self._rest + lines[0])
            self._rest.clear()
        if self._at_start:
            lines[0] = lines[0].removeprefix(BYTE_ORDER_MARK)
            self._at_start = False

    def _too_long(self) -> FramingError:
        return FramingError(f"a line of more than {self._limit} bytes was dropped")


# RFC 9110, section 5.1, has the characters of a field name.
_FIELD: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*(\r?)\n")
_LENGTH: Final = re.compile(rb"\d{1,15}")
# A length at the end of a line that began as something else, as after a wrong length.
_BURIED_LENGTH: Final = re.compile(rb"content-length:[ \t]*(\d{1,15})[ \t]*\r?\n\Z", re.IGNORECASE)
_CHARSET: Final = re.compile(rb";[ \t]*charset[ \t]*=[ \t]*\"?([^\s;\"]+)", re.IGNORECASE)
_UTF8: Final = (b"utf-8", b"utf8")  # the second is not a name, but early versions of LSP used it
_WINDOW: Final = 64  # how many bytes of such a line are kept to look for it
_LINE_LIMIT: Final = 8192  # the longest header line

Wait: TypeAlias = Generator[None, None, None]
"""A reader that yields whenever it needs more bytes."""


class ContentLengthFraming:
    r"""A header block with the payload's length in bytes, a blank line, the payload.

    What is not a header, and a block without a usable length, is reported once
    and dropped. A payload of more than ``limit`` bytes is skipped unread, and so
    is one whose ``Content-Type`` names another charset than UTF-8.

    >>> framing = ContentLengthFraming()
    >>> framing.feed(b'Content-Length: 2\r\n\r\n{}Content-Le')
    [b'{}']
    >>> framing.wrap(b'[]')
    b'Content-Length: 2\r\n\r\n[]'
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._payloads: list[Payload] = []
        self._inside = False  # a frame has begun and is not complete
        self._lost = False  # stray bytes were reported; the next good block ends that
        self._frames = self._read_frames()

    def wrap(self, payload: bytes) -> bytes:
        """Put a header before one payload. It counts bytes, not characters."""
        return b"Content-Length: %d\r\n\r\n%b" % (len(payload), payload)

    def feed(self, chunk: bytes) -> list[Payload]:
        """Return the payloads that this chunk completes, in order."""
        self._payloads = []
        self._buffer += chunk
        next(self._frames)
        if not chunk and (self._inside or (self._buffer.strip(b"\r\n") and not self._lost)):
            self._report("the stream ended inside a frame", self._buffer)
        return self._payloads

    def _report(self, fault: str, dropped: bytes | bytearray = b"") -> None:
        seen = f": {bytes(dropped[:40])!r}" if dropped else ""
        self._payloads.append(FramingError(f"{fault}{seen}"))

    def _report_stray(self, dropped: bytes | bytearray) -> None:
        if not self._lost:
            self._report("not a header", dropped)
        self._lost = True

    def _read_frames(self) -> Wait:
        while len(self._buffer) < 3 and BYTE_ORDER_MARK.startswith(self._buffer):
            yield
        if self._buffer.startswith(BYTE_ORDER_MARK):
            self._take(len(BYTE_ORDER_MARK))
        while True:
            length, fault, seen = yield from self._read_block()
            if not fault:
                while len(self._buffer) < length:
                    yield
                self._payloads.append(self._take(length))
            self._inside = False
            if fault:
                self._report(fault, seen)
                yield from self._skip(length)

    def _read_block(self) -> Generator[None, None, tuple[int, str, bytes]]:
        """Read one header block; return the length, and why to skip the payload."""
        first, length, charset = b"", None, _UTF8[0]
        while True:
            line = yield from self._read_line()
            if line in (b"\n", b"\r\n"):
                if first:
                    break
                continue  # a line end between two frames does no harm
            name, value = self._read_field(line)
            first = first or (line if name else b"")
            if name == b"content-length":
                length = value if length in (None, value) else b"two lengths"
            if name == b"content-type" and (named := _CHARSET.search(value)):
                charset = named[1]
        if length is None or not _LENGTH.fullmatch(length):
            return 0, "a header block without a usable length", first
        self._lost = False
        if int(length) > self._limit:
            return int(length), f"a payload of more than {self._limit} bytes was skipped", b""
        if charset.lower() not in _UTF8:
            return int(length), "a payload in another charset than UTF-8 was skipped", charset
        return int(length), "", b""

    def _read_field(self, line: bytes) -> tuple[bytes, bytes]:
        """Return a header's name, in lower case, and its value, or two empty strings."""
        field = _FIELD.fullmatch(line)
        # A line that ends in a bare newline is usually text printed into the stream.
        if field and (field[3] or field[1].lower().startswith(b"content-")):
            self._inside = True
            return field[1].lower(), field[2]
        self._report_stray(line)
        buried = _BURIED_LENGTH.search(line[-_WINDOW:])
        self._inside = self._inside or bool(buried)
        return (b"content-length", buried[1]) if buried else (b"", b"")

    def _read_line(self) -> Generator[None, None, bytes]:
        """Read up to a newline. Of a line past the limit, only the end is kept."""
        too_long = False
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > _LINE_LIMIT:
                self._report_stray(self._buffer)
                del self._buffer[:-_WINDOW]
                too_long = True
            yield
        line = self._take(end + 1)
        if len(line) <= _LINE_LIMIT + 1 and not too_long:
            return line
        self._report_stray(line)
        return b" " + line[-_WINDOW:]  # the space keeps it from being a field

    def _skip(self, length: int) -> Wait:
        while length > len(self._buffer):
            length -= len(self._buffer)
            self._buffer.clear()
            yield
        self._take(length)

    def _take(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken


FRAMINGS: Final[dict[str, Callable[..., Framing]]] = {
    "newline": NewlineFraming,
    "content-length": ContentLengthFraming,
}
"""Each framing by the name that commands and cases use."""
