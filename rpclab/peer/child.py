"""A program that we started: its pipes, the last lines of its stderr, its end.

Without care a child hangs, or lives on after us. Its stderr is read all the
time, because a full pipe would stop it. It runs in a process group of its own,
so that everything it started ends with it. What is still running when Python
ends is stopped then.

Interface:
  - a context manager: leaving it closes the child's stdin, gives it ``grace``
    seconds to end by itself, and then ends the whole group
  - ``stdin`` and ``stdout`` are byte streams for a transport; ``stdout`` ends
    with the child, also if a program that it started holds the pipe open
"""

import atexit
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self
from weakref import WeakSet

from rpclab.peer.child_output import ChildOutput, decode_output
from rpclab.peer.program import Environment, Folder, start_program

EXIT_GRACE: Final = 1.0
"""How many seconds a child may take when Python ends: Jupyter ends a kernel after 2.5."""

_TAIL_LINES: Final = 50
_LINE_LIMIT: Final = 4096
_LAST_STEP: Final = 1.0  # seconds for a thread whose pipe should have ended

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
        env: variables that are added to ours; None as a value takes one away.
        cwd: the folder that it starts in; ours, unless told otherwise.
        on_stderr: called with each line of its stderr as it comes, in a thread.

    Raises:
        OSError: the program cannot be started; the text is a sentence that says why.
    """

    stdin: io.BufferedWriter
    stdout: io.BufferedReader

    def __init__(
        self,
        command: Sequence[str],
        grace: float = 2.0,
        *,
        env: Environment | None = None,
        cwd: Folder | None = None,
        on_stderr: Callable[[bytes], object] | None = None,
    ) -> None:
        self.grace = grace
        self._owner = os.getpid()  # after a fork, the copy of us must not stop it
        self._until = float("inf")  # when its time to end by itself is over
        self._is_group_empty = False
        self._on_stderr = on_stderr
        self._tail: deque[bytes] = deque(maxlen=_TAIL_LINES)
        self._leaving, self._ended = threading.Event(), threading.Event()
        pipe = subprocess.PIPE
        pipes = {"stdin": pipe, "stdout": pipe, "stderr": pipe}
        self.process = start_program(command, env, cwd, **pipes, **OWN_GROUP)
        _running.add(self)
        self.stdin, stdout, stderr = _three_pipes(self.process)
        self._outputs = ChildOutput(stdout), ChildOutput(stderr)
        self.stdout = io.BufferedReader(self._outputs[0])
        self._stderr = io.BufferedReader(self._outputs[1])
        # All threads begin now: when Python ends, no more can be made.
        self._drain = _begin(self._keep_tail)
        self._threads = [_begin(self._watch), self._drain, _begin(self._close_stdin)]

    def _watch(self) -> None:
        self.process.wait()
        self._is_group_empty = is_group_empty(self.process)
        for output in self._outputs:
            output.end_soon()
        self._ended.set()

    def _keep_tail(self) -> None:
        with self._stderr:
            while line := self._stderr.readline(_LINE_LIMIT):
                self._tail.append(line)
                if self._on_stderr:
                    self._on_stderr(line)

    def _close_stdin(self) -> None:
        self._leaving.wait()
        with suppress(OSError):  # the child may have ended with our bytes unread
            self.stdin.close()  # waits for a thread that still writes

    @property
    def stderr_tail(self) -> str:
        """The last lines of what the child wrote to stderr."""
        return decode_output(b"".join(self._tail))

    def wait(self, seconds: float) -> int | None:
        """Wait for the child's end, and return its exit status, if it ends in time."""
        if self._ended.wait(seconds):
            self._drain.join(seconds)  # its last words
        return self.process.returncode

    def hang_up(self, grace: float | None = None) -> None:
        """Close the child's stdin, and do not wait. It has ``grace`` seconds from now on."""
        grace = self.grace if grace is None else grace
        self._until = min(self._until, time.monotonic() + grace)
        self._leaving.set()

    def stop(self, grace: float | None = None) -> int:
        """End the child and all that it started, and return its exit status.

        Args:
            grace: how many seconds it may take to end by itself, if not as it was made.
        """
        if self in _running and self._owner == os.getpid():
            self.hang_up(grace)
            self._ended.wait(max(0.0, self._until - time.monotonic()))
            if not self._is_group_empty:  # or its number may be that of another group by now
                end_group(self.process)
            self._ended.wait()
            for thread in self._threads:
                thread.join(_LAST_STEP)  # a program that left the group may hold stdin for ever
            self.stdout.close()
            _running.discard(self)
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


_running: Final[WeakSet[Child]] = WeakSet()


@atexit.register
def stop_all() -> None:
    """Stop every child, all at the same time. Python calls it at its orderly end."""
    children = [*_running]
    for child in children:
        child.hang_up(min(child.grace, EXIT_GRACE))
    for child in children:
        child.stop()


def _begin(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name=f"rpclab child {work.__name__}", daemon=True)
    thread.start()
    return thread


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
        null = subprocess.DEVNULL
        subprocess.run(command, stdin=null, stdout=null, stderr=null, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):  # macOS: only zombies are left
            os.killpg(process.pid, signal.SIGKILL)


def is_group_empty(process: subprocess.Popen[bytes]) -> bool:
    """Return whether nothing that a child started is left, once the child has ended."""
    if sys.platform == "win32":
        return False  # one cannot know; but the number stays taken as long as we hold the child
    try:
        os.killpg(process.pid, 0)
    except OSError:
        return True
    return False
