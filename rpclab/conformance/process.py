"""A program under test: nothing that it does can stop us.

``Child`` (floor 4) trusts its program to read. A target may not: it may never
read, write for ever, or leave others behind that hold its pipes. So every
pipe is read and written in one loop that never blocks, and what is kept is
bounded. POSIX only: pipes cannot be waited for elsewhere.

Interface:
  - ``step`` waits for at most so long, and does what can be done
  - ``read`` is what came on stdout since it was last taken
  - ``close`` ends the program and all that it started, at once
"""

import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from rpclab.conformance import strings

TAIL: Final = 8192
"""How many bytes of stderr are kept."""

_CHUNK: Final = 1 << 16
_MARK: Final = "RPCLAB_TARGET"
"""A variable that a target's children inherit, wherever they go."""

_POLL: Final = 0.05


class Process:
    """A running program and its three pipes.

    Raises:
        OSError: it cannot be started; the text says why.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        if sys.platform == "win32":
            raise OSError(strings.NOT_ON_WINDOWS)
        self._mark = secrets.token_hex(8)
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, **(env or {}), _MARK: self._mark},
        )
        self._selector = selectors.DefaultSelector()
        for stream in (self._popen.stdout, self._popen.stderr):
            self._watch(stream, selectors.EVENT_READ)
        assert self._popen.stdin is not None
        os.set_blocking(self._popen.stdin.fileno(), False)
        self._stdin_open = self.stdout_open = True
        self.gone = False  # we closed the pipe that it writes to
        self._tail = bytearray()
        self.read = bytearray()

    def _watch(self, stream: IO[bytes] | None, events: int) -> None:
        assert stream is not None
        os.set_blocking(stream.fileno(), False)
        self._selector.register(stream, events)

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr."""
        return self._tail.decode(errors="replace")

    @property
    def status(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self._popen.poll()

    def step(self, data: bytes | memoryview = b"", wait: float = _POLL) -> int:
        """Wait until something can be done, do it, and give how much was written."""
        assert self._popen.stdin is not None
        writing = bool(data) and self._stdin_open
        if writing:
            self._selector.register(self._popen.stdin, selectors.EVENT_WRITE)
        written = 0
        for key, _ in self._selector.select(max(0.0, min(wait, _POLL))):
            if key.fileobj is self._popen.stdin:
                written = self._write(data)
            else:
                self._take(key.fileobj)
        if writing and self._stdin_open:
            self._selector.unregister(self._popen.stdin)
        return written if self._stdin_open else len(data)

    def _write(self, data: bytes | memoryview) -> int:
        assert self._popen.stdin is not None
        try:
            return os.write(self._popen.stdin.fileno(), data[:_CHUNK])
        except BlockingIOError:
            return 0
        except OSError:  # nobody reads: what becomes of the target tells the rest
            self._selector.unregister(self._popen.stdin)
            self.close_stdin()
            return 0

    def _take(self, stream: object) -> None:
        assert self._popen.stdout is not None
        source = self._popen.stdout if stream is self._popen.stdout else self._popen.stderr
        assert source is not None
        try:
            chunk = os.read(source.fileno(), _CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            self._selector.unregister(source)
            self.stdout_open = self.stdout_open and source is not self._popen.stdout
        elif source is self._popen.stdout:
            self.read += chunk
        else:
            self._tail += chunk
            del self._tail[:-TAIL]

    def close_stdin(self) -> None:
        """Close its stdin: the end of its input."""
        assert self._popen.stdin is not None
        self._stdin_open = False
        with suppress(OSError):
            self._popen.stdin.close()

    def close_stdout(self) -> None:
        """Read no more: the pipe breaks under it."""
        assert self._popen.stdout is not None
        if self.stdout_open:
            self._selector.unregister(self._popen.stdout)
        self.stdout_open, self.gone = False, True
        self._popen.stdout.close()

    def interrupt(self) -> None:
        """Send SIGINT, as Ctrl-C does."""
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGINT)

    def wait(self, seconds: float) -> int | None:
        """Read on until it has ended, and give its exit status, or None if it lives on."""
        until = time.monotonic() + seconds
        while self.status is None and (left := until - time.monotonic()) > 0:
            if self._selector.get_map():
                self.step(wait=left)
            else:
                time.sleep(min(left, 0.01))
        return self.status

    def close(self) -> None:
        """End it and all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        for process in _marked(self._mark):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        self._selector.close()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()


def _marked(mark: str) -> list[int]:
    """Give the processes that inherited the mark: those that left the group, too."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
