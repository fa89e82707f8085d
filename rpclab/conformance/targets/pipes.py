"""The three pipes of a program under test. Nothing that it does can stop us.

It may never read, or write without end. So reading and writing go on at the same
time, nothing waits for longer than it is told, and only a limited amount is kept.
There are two ways, and the same tests run over both: one loop that waits for all
pipes, and, on Windows, where a pipe cannot be waited for, a thread for each.

Interface:
  - ``step`` waits for a limited time, and reads and writes what it can
  - ``read`` is what came on stdout since it was last taken
  - ``close`` comes after the program has ended, or it may leave a thread behind
"""

import os
import selectors
import sys
import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from typing import IO, Final

TAIL: Final = 8192
"""How many bytes of stderr are kept."""

_CHUNK: Final = 1 << 16
_POLL: Final = 0.05
_MOST_CHUNKS: Final = 16
"""How many chunks a thread reads ahead. When so many wait, the pipe fills, as it should."""

_LAST_STEP: Final = 1.0
"""How many seconds to wait for a thread whose pipe should have ended."""


class Pipes(ABC):
    """Three pipes, and what came through them."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.read = bytearray()
        self.tail = bytearray()  # the end of what came on stderr
        self.stdout_open = True
        self.gone = False  # True once we have closed the pipe that it writes to
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        self._stdin_open = True
        self._open = {stdout, stderr}

    @property
    def is_open(self) -> bool:
        """Whether something can still come."""
        return bool(self._open)

    @abstractmethod
    def step(self, data: bytes | memoryview = b"", wait: float = _POLL) -> int:
        """Wait until something can be read or written, and return how much was written.

        What cannot be written because nobody reads it any more counts as written.
        """

    @abstractmethod
    def close_stdin(self) -> None:
        """Close its stdin, which ends its input."""

    @abstractmethod
    def close_stdout(self) -> None:
        """Close our end of its stdout: the pipe breaks when it writes."""

    @abstractmethod
    def close(self) -> None:
        """Close all pipes."""

    def _take(self, source: IO[bytes], chunk: bytes) -> None:
        """Keep what came; an empty chunk is the end."""
        if not chunk:
            self._open.discard(source)
            self.stdout_open = self.stdout_open and source is not self._stdout
        elif source is self._stdout:
            self.read += chunk
        else:
            self.tail += chunk
            del self.tail[:-TAIL]


class SelectorPipes(Pipes):
    """Pipes that one loop waits for."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        super().__init__(stdin, stdout, stderr)
        self._selector = selectors.DefaultSelector()
        for stream in (stdin, stdout, stderr):
            os.set_blocking(stream.fileno(), False)
        for stream in (stdout, stderr):
            self._selector.register(stream, selectors.EVENT_READ)

    def step(self, data: bytes | memoryview = b"", wait: float = _POLL) -> int:
        """Wait until a pipe is ready, read or write, and return how much was written."""
        writing = bool(data) and self._stdin_open
        if writing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        written = 0
        for key, _ in self._selector.select(max(0.0, min(wait, _POLL))):
            if key.fileobj is self._stdin:
                written = self._write(data)
            else:
                self._read(self._stdout if key.fileobj is self._stdout else self._stderr)
        if writing and self._stdin_open:
            self._selector.unregister(self._stdin)
        return written if self._stdin_open else len(data)

    def _write(self, data: bytes | memoryview) -> int:
        try:
            return os.write(self._stdin.fileno(), data[:_CHUNK])
        except BlockingIOError:
            return 0
        except OSError:  # nobody reads it; what became of the target is found out later
            self._selector.unregister(self._stdin)
            self.close_stdin()
            return 0

    def _read(self, source: IO[bytes]) -> None:
        try:
            chunk = os.read(source.fileno(), _CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            self._selector.unregister(source)
        self._take(source, chunk)

    def close_stdin(self) -> None:
        """Close its stdin, which ends its input."""
        self._stdin_open = False
        with suppress(OSError):
            self._stdin.close()

    def close_stdout(self) -> None:
        """Close our end of its stdout: the pipe breaks when it writes."""
        if self.stdout_open:
            self._selector.unregister(self._stdout)
        self.gone = True
        self._take(self._stdout, b"")
        self._stdout.close()

    def close(self) -> None:
        """Close all pipes."""
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                stream.close()


class ThreadPipes(Pipes):
    """Pipes with a thread for each, which waits so that we need not.

    A pipe that a thread waits for cannot be closed on every system, so each thread
    closes its own, and begins only when its pipe is used.
    """

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        super().__init__(stdin, stdout, stderr)
        self._came: Queue[tuple[IO[bytes], bytes]] = Queue(_MOST_CHUNKS)
        self._to_write: SimpleQueue[bytes] = SimpleQueue()
        self._is_writing = False
        self._closing = False
        self._threads: list[threading.Thread] = []

    def step(self, data: bytes | memoryview = b"", wait: float = _POLL) -> int:
        """Wait until something came or was written, and return how much was handed over."""
        self._begin()
        written = 0
        if data and self._stdin_open and not self._is_writing:
            part = bytes(data[:_CHUNK])
            self._is_writing = True
            self._to_write.put(part)
            written = len(part)
        with suppress(Empty):
            self._take(*self._came.get(timeout=max(0.001, min(wait, _POLL))))
            for _ in range(_MOST_CHUNKS):
                self._take(*self._came.get_nowait())
        return written if self._stdin_open else len(data)

    def _begin(self) -> None:
        if self._threads:
            return
        sources = [source for source in (self._stdout, self._stderr) if source in self._open]
        self._threads = [threading.Thread(target=self._write_all, daemon=True)]
        self._threads += [
            threading.Thread(target=self._read_all, args=(source,), daemon=True)
            for source in sources
        ]
        for thread in self._threads:
            thread.start()

    def _write_all(self) -> None:
        """Write what is handed over, one piece after another; an empty piece is the end."""
        with suppress(OSError), self._stdin:
            while data := memoryview(self._to_write.get()):
                while data:
                    data = data[self._stdin.write(data) :]
                self._is_writing = False
                with suppress(Full):  # whoever waits may hand over the next piece
                    self._came.put_nowait((self._stdin, b""))
        self._stdin_open = False

    def _read_all(self, source: IO[bytes]) -> None:
        """Read until the pipe ends, or nobody wants what comes."""
        chunk = b"more"
        with source:
            while chunk and not self._closing and not (self.gone and source is self._stdout):
                try:
                    chunk = source.read(_CHUNK)
                except OSError:
                    chunk = b""
                self._came.put((source, chunk))

    def close_stdin(self) -> None:
        """Let the thread close its stdin when it has written what it was handed."""
        self._begin()
        self._stdin_open = False
        self._to_write.put(b"")

    def close_stdout(self) -> None:
        """Close our end of its stdout; if it is being read, when the next chunk has come."""
        self.gone = True
        self._take(self._stdout, b"")
        if not self._threads:
            self._stdout.close()

    def close(self) -> None:
        """End the threads, which close the pipes."""
        self._closing = True
        self.close_stdin()
        until = time.monotonic() + _LAST_STEP
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < until:
            with suppress(Empty):
                self._came.get(timeout=0.01)


PIPES: type[Pipes] = ThreadPipes if sys.platform == "win32" else SelectorPipes
"""The pipes of this platform."""
