"""A program that we started: its pipes, the last lines of its stderr, its end.

Without care a child hangs, or lives on after us. Its stderr is read all the
time, because a full pipe would stop it. It runs in a process group of its own,
so that everything it started ends with it.

Interface:
  - a context manager: leaving it closes the child's stdin, gives it ``grace``
    seconds to end by itself, and then ends the whole group
  - ``stdin`` and ``stdout`` are byte streams for a transport
"""

import io
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

_TAIL_LINES: Final = 50
_LINE_LIMIT: Final = 4096

if sys.platform == "win32":
    OWN_GROUP: Final[dict[str, Any]] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    OWN_GROUP: Final[dict[str, Any]] = {"start_new_session": True}
"""What ``Popen`` needs so that a child and all that it starts can be ended together."""


class Child:
    """A running program with three pipes.

    Args:
        command: the program and its arguments.
        grace: how many seconds it may take to end once its stdin is closed.
        env: its environment, ours if left out.
        cwd: the folder that it runs in, ours if left out.
        on_stderr: called with each line of its stderr, in a thread.

    Raises:
        OSError: the program cannot be started; the text says why.
    """

    stdin: io.BufferedWriter
    stdout: io.BufferedReader

    def __init__(
        self,
        command: Sequence[str],
        grace: float = 2.0,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        on_stderr: Callable[[bytes], object] | None = None,
    ) -> None:
        self._grace = grace
        self._on_stderr = on_stderr
        self._tail: deque[bytes] = deque(maxlen=_TAIL_LINES)
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=cwd, **OWN_GROUP
        )
        self.stdin, self.stdout, stderr = _three_pipes(self.process)
        self._drain = threading.Thread(target=self._keep_tail, args=[stderr], daemon=True)
        self._drain.start()

    def _keep_tail(self, stderr: io.BufferedReader) -> None:
        with stderr:
            while line := stderr.readline(_LINE_LIMIT):
                self._tail.append(line)
                if self._on_stderr:
                    self._on_stderr(line)

    @property
    def stderr_tail(self) -> str:
        """The last lines of what the child wrote to stderr."""
        return b"".join(self._tail).decode(errors="replace")

    def wait(self, seconds: float) -> int | None:
        """Wait for the child's end, and return its exit status, if it ends in time."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
            self._drain.join(seconds)  # its last words
        return self.process.returncode

    def stop(self) -> int:
        """End the child and all that it started, and return its exit status."""
        hanging_up = threading.Thread(target=self._hang_up, daemon=True)
        hanging_up.start()  # it waits for a thread that still writes
        hanging_up.join(self._grace)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(self._grace)
        end_group(self.process)
        status = self.process.wait()
        closing = threading.Thread(target=self.stdout.close, daemon=True)
        closing.start()  # it waits for a thread that still reads
        for thread in (self._drain, hanging_up, closing):
            thread.join(self._grace)  # a program that left the group may hold a pipe open for ever
        return status

    def _hang_up(self) -> None:
        with suppress(OSError):  # the child may have ended with our bytes unread
            self.stdin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _three_pipes(
    process: subprocess.Popen[bytes],
) -> tuple[io.BufferedWriter, io.BufferedReader, io.BufferedReader]:
    assert isinstance(process.stdin, io.BufferedWriter)
    assert isinstance(process.stdout, io.BufferedReader)
    assert isinstance(process.stderr, io.BufferedReader)
    return process.stdin, process.stdout, process.stderr


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End the child, if it still runs, and everything that it started."""
    if sys.platform == "win32":
        command = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(command, capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
