"""A program under test: its start in a group of its own, and its end.

``Child`` trusts its program to end. A program under test may leave other processes
behind, which hold its pipes or have left its group. One rule: when it is closed,
nothing that it started goes on.
"""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import psutil

from rpclab.conformance.targets import pipes
from rpclab.peer.child import OWN_GROUP
from rpclab.peer.child_output import decode_output
from rpclab.peer.program import Environment, Folder, start_program

_MARK: Final = "RPCLAB_TARGET"
"""An environment variable that all descendants of a target inherit."""


_LAST_WORDS: Final = 0.2
"""How many seconds to read on after it has ended."""


class Process:
    """A running program. What it reads and writes goes through its ``pipes``.

    Raises:
        OSError: it cannot be started; the text is a sentence that says why.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> None:
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
            **OWN_GROUP,
        )
        three = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        stdin, stdout, stderr = (stream for stream in three if stream is not None)
        self.pipes = pipes.PIPES(stdin, stdout, stderr)

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to stderr."""
        return decode_output(bytes(self.pipes.tail))

    @property
    def status(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self._popen.poll()

    def interrupt(self) -> None:
        """Send it what Ctrl-C sends; on Windows Ctrl-Break, which a group of its own can get."""
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._popen.send_signal(signal.CTRL_BREAK_EVENT)
            else:
                os.killpg(self._popen.pid, signal.SIGINT)

    def wait(self, seconds: float) -> int | None:
        """Read until it has ended, and return its exit status, or None if it goes on."""
        until = time.monotonic() + seconds
        while self.status is None and (left := until - time.monotonic()) > 0:
            if self.pipes.is_open:
                self.pipes.step(wait=left)
            else:
                time.sleep(min(left, 0.01))
        if self.status is not None:
            self._read_rest()
        return self.status

    def _read_rest(self) -> None:
        """Read what still lies in its pipes. A process that it left behind may hold them open."""
        until = time.monotonic() + _LAST_WORDS
        while self.pipes.is_open and (left := until - time.monotonic()) > 0:
            self.pipes.step(wait=left)

    def close(self) -> None:
        """End it, and everything that it started."""
        self._kill_group()
        self._popen.wait()
        for process in psutil.process_iter():  # some may have left the group
            with suppress(psutil.Error):
                if process.environ().get(_MARK) == self._mark:
                    process.kill()
        self.pipes.close()

    def _kill_group(self) -> None:
        if sys.platform == "win32":  # nothing kills a group there: its members are looked up
            with suppress(psutil.Error):
                for child in psutil.Process(self._popen.pid).children(recursive=True):
                    with suppress(psutil.Error):
                        child.kill()
            self._popen.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
