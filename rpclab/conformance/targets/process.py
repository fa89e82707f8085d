"""A program under test on three pipes. Nothing that it does can stop us.

``Child`` trusts its program to read. A program under test may never read, write
without end, or leave other processes behind that hold its pipes. So every pipe
is read and written in one loop that never blocks, and only a limited amount is
kept. POSIX only: on Windows a pipe cannot be waited for.

Interface:
  - ``step`` waits for a limited time, and reads and writes what it can
  - ``read`` is what came on stdout since it was last taken
  - ``close`` ends the program and everything that it started, at once
"""

import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final

import psutil

from rpclab.peer.child_output import decode_output
from rpclab.peer.program import Environment, Folder, start_program

TAIL: Final = 8192
"""How many bytes of stderr are kept."""

_CHUNK: Final = 1 << 16
_MARK: Final = "RPCLAB_TARGET"
"""An environment variable that all descendants of a target inherit."""

_POLL: Final = 0.05


class Process:
    """A running program and its three pipes.

    Raises:
        OSError: it cannot be started; the text is a sentence that says why.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> None:
        if sys.platform == "win32":
            raise OSError(
                "A command cannot be judged on Windows, where a pipe cannot be waited for:"
                " use Linux, macOS or WSL."
            )
        self._mark = secrets.token_hex(8)
        pipe = subprocess.PIPE
        self._popen = start_program(
            command,
            {**(env or {}), _MARK: self._mark},
            cwd,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            start_new_session=True,
        )
        self._selector = selectors.DefaultSelector()
        for stream in (self._popen.stdout, self._popen.stderr):
            self._watch(stream, selectors.EVENT_READ)
        assert self._popen.stdin is not None
        os.set_blocking(self._popen.stdin.fileno(), False)
        self._stdin_open = self.stdout_open = True
        self.gone = False  # True once we have closed the pipe that it writes to
        self._tail = bytearray()
        self.read = bytearray()

    def _watch(self, stream: IO[bytes] | None, events: int) -> None:
        assert stream is not None
        os.set_blocking(stream.fileno(), False)
        self._selector.register(stream, events)

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr."""
        return decode_output(bytes(self._tail))

    @property
    def status(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self._popen.poll()

    def step(self, data: bytes | memoryview = b"", wait: float = _POLL) -> int:
        """Wait until a pipe is ready, read or write, and return how much was written."""
        assert self._popen.stdin is not None
        writing = bool(data) and self._stdin_open
        if writing:
            self._selector.register(self._popen.stdin, selectors.EVENT_WRITE)
        written = 0
        for key, _ in self._selector.select(max(0.0, min(wait, _POLL))):
            if key.fileobj is self._popen.stdin:
                written = self._write(data)
            else:
                self._read(key.fileobj)
        if writing and self._stdin_open:
            self._selector.unregister(self._popen.stdin)
        return written if self._stdin_open else len(data)

    def _write(self, data: bytes | memoryview) -> int:
        assert self._popen.stdin is not None
        try:
            return os.write(self._popen.stdin.fileno(), data[:_CHUNK])
        except BlockingIOError:
            return 0
        except OSError:  # nobody reads it; what became of the target is found out later
            self._selector.unregister(self._popen.stdin)
            self.close_stdin()
            return 0

    def _read(self, stream: object) -> None:
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
        """Close its stdin, which ends its input."""
        assert self._popen.stdin is not None
        self._stdin_open = False
        with suppress(OSError):
            self._popen.stdin.close()

    def close_stdout(self) -> None:
        """Close our end of its stdout: the pipe breaks when it writes."""
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
        """Read until it has ended, and return its exit status, or None if it goes on."""
        until = time.monotonic() + seconds
        while self.status is None and (left := until - time.monotonic()) > 0:
            if self._selector.get_map():
                self.step(wait=left)
            else:
                time.sleep(min(left, 0.01))
        return self.status

    def close(self) -> None:
        """End it, and everything that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        for process in psutil.process_iter():  # some may have left the group
            with suppress(psutil.Error):
                if process.environ().get(_MARK) == self._mark:
                    process.kill()
        self._selector.close()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()
