"""What a child writes: a stream that ends when the child ends, and bytes as text.

The end of a pipe is not enough: a program that the child started may hold the
pipe open for ever. So the end of the child is watched too. All that the child
itself wrote is in the pipe by then, and is still read. After that there is a
moment for programs behind the child, such as ``tee``.

Interface:
  - ``ChildOutput`` is a raw stream over our end of a pipe, made for this system
  - call ``end_soon`` when the child has ended; any thread may do that
"""

import io
import locale
import os
import select
import sys
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final

MOMENT: Final = 0.2
"""How many seconds after the end of a child its output ends, if nothing comes."""

_CAPACITY: Final = 1 << 20  # bytes: no pipe holds more
_CHUNK: Final = 1 << 16
_AHEAD: Final = 16  # how many chunks a thread reads before they are taken


class PolledOutput(io.RawIOBase):
    """The output of a child, where a thread can wait for two things at once."""

    def __init__(self, pipe: io.BufferedReader) -> None:
        self._pipe = pipe
        told, tell = os.pipe()
        self._told, self._tell = os.fdopen(told, "rb", 0), os.fdopen(tell, "wb", 0)
        self._bytes, self._bytes_or_end = select.poll(), select.poll()
        self._bytes.register(pipe, select.POLLIN)
        self._bytes_or_end.register(pipe, select.POLLIN)
        self._bytes_or_end.register(self._told, select.POLLIN)
        self._left = _CAPACITY  # how much of it may be in the pipe when the child has ended
        self._until: float | None = None  # when to stop listening to others

    def end_soon(self) -> None:
        """Say that the child has ended."""
        self._tell.close()

    def readable(self) -> bool:
        """Return True: it can be read."""
        return True

    def fileno(self) -> int:
        """Return the number of the pipe, for an event loop that reads it by itself."""
        return self._pipe.fileno()

    def readinto(self, buffer: Any, /) -> int | None:
        """Read bytes, and return how many. 0 is the end."""
        if not self._wait():
            return 0
        size = self._pipe.raw.readinto(buffer)
        if size and self._tell.closed:
            self._left -= size
        return size

    def _wait(self) -> bool:
        """Wait for bytes, and return False if the child can have written no more."""
        ready = {file for file, _ in self._bytes_or_end.poll()}
        if self._told.fileno() not in ready:
            return True
        if self._until is None:
            if self._pipe.fileno() in ready and self._left > 0:
                return True
            self._until = time.monotonic() + MOMENT
        left = self._until - time.monotonic()
        return left > 0 and bool(self._bytes.poll(left * 1000))

    def close(self) -> None:
        """Close our end of the pipe."""
        for file in (self._pipe, self._told, self._tell):
            file.close()
        super().close()


class PumpedOutput(io.RawIOBase):
    """The output of a child, where a pipe can only be read, and not be waited for.

    A thread reads it. That thread lives as long as somebody holds the pipe.
    """

    def __init__(self, pipe: io.BufferedReader) -> None:
        self._pipe = pipe
        self._chunks: SimpleQueue[bytes | None] = SimpleQueue()  # None: the child has ended
        self._room = threading.Semaphore(_AHEAD)
        self._rest = b""
        self._has_ended = False
        self._until: float | None = None  # when to stop listening to others
        threading.Thread(target=self._pump, name="rpclab pump", daemon=True).start()

    def _pump(self) -> None:
        with self._pipe:
            while self._room.acquire() and not self.closed:
                chunk = self._pipe.read1(_CHUNK)
                self._chunks.put(chunk)
                if not chunk:
                    return

    def end_soon(self) -> None:
        """Say that the child has ended."""
        self._chunks.put(None)

    def readable(self) -> bool:
        """Return True: it can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        """Read bytes, and return how many. 0 is the end."""
        while not self._rest:
            try:
                chunk = self._chunks.get(timeout=self._patience())
            except Empty:
                return 0
            if chunk is None:
                self._has_ended = True
            elif not chunk:
                self._chunks.put(chunk)  # the end stays the end
                return 0
            else:
                self._room.release()
                self._rest = chunk
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def _patience(self) -> float | None:
        """Return how many seconds to wait for a chunk."""
        if not self._has_ended:
            return None
        if self._until is None and self._chunks.empty():
            self._until = time.monotonic() + MOMENT
        return MOMENT if self._until is None else max(0.0, self._until - time.monotonic())

    def close(self) -> None:
        """Let the thread read no more than what it is waiting for."""
        super().close()
        self._room.release()


if sys.platform == "win32":
    ChildOutput = PumpedOutput
else:
    ChildOutput = PolledOutput


def decode_output(data: bytes) -> str:
    r"""Return what a program wrote as text, whatever its encoding is.

    Each line is UTF-8, or else in the code page of this machine, or else its
    bytes are shown as escapes. No byte is lost.

    >>> decode_output(b"caf\xc3\xa9\n") == "caf\u00e9\n"
    True
    """
    if data[1::2].count(0) > len(data) // 4:  # UTF-16: programs of Windows itself, such as wsl
        return data.decode("utf-16-le", "backslashreplace").removeprefix("\ufeff")
    text = "".join(_decode_line(line) for line in data.splitlines(keepends=True))
    return text.replace("\ufffd", r"\ufffd")  # the program itself lost something there


def _decode_line(line: bytes) -> str:
    for encoding in ("utf-8", locale.getencoding()):
        with suppress(UnicodeDecodeError, LookupError):
            return line.decode(encoding)
    return line.decode("ascii", "backslashreplace")
