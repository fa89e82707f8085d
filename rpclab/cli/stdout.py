"""Stdout of a command: in a pipe, it goes on when nobody reads it any more.

``rpclab matrix --list | head -1`` closes the pipe while the command writes. What
is left is dropped, and the exit status is what it would have been.
"""

import errno
import io
import os
import sys
from typing import Any


class Pipe(io.FileIO):
    """A file or a pipe that takes everything, also after its reader has gone."""

    def write(self, data: Any, /) -> int:
        """Write all bytes, or drop them if nobody reads them.

        Raises:
            SystemExit: they cannot be written for another reason, such as a full disk.
        """
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[super().write(rest) :]
        except OSError as error:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.fileno())
            os.close(null)
            nobody_reads = (errno.EPIPE, errno.EINVAL) if os.name == "nt" else (errno.EPIPE,)
            if error.errno not in nobody_reads:
                raise SystemExit(f"Cannot write to stdout: {error.strerror}") from error
        return len(data)


def prepare_stdout() -> None:
    """Make stdout show every character as well as it can, and outlive its reader."""
    old = sys.stdout
    if not isinstance(old, io.TextIOWrapper):
        return
    if old.isatty():
        old.reconfigure(errors="backslashreplace")  # the terminal may not be able to show é
        return
    old.flush()
    # Without a BufferedWriter: it would write its bytes twice if a signal ends the first time.
    pipe = Pipe(old.fileno(), "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(pipe, encoding=old.encoding, errors="backslashreplace")
