"""The lines that a person typed, kept in a file that only this person can read.

Lines may hold secrets, such as a token for a server. The file is in the user's
state folder, and stays small: the oldest lines go first.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from platformdirs import user_state_path
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

LONGEST: Final = 10_000
"""How many characters a line may have to be kept."""

MOST: Final = 1024 * 1024
"""How many bytes the file may have at the start of a session."""


def open_history() -> History:
    """Return the history of the user, or one in memory if there can be no file."""
    file = user_state_path("rpclab", appauthor=False) / "send_history"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(0o600)
        file.chmod(0o600)
        cut_history(file)
    except OSError:
        return InMemoryHistory()
    return ShortLines(str(file))


class ShortLines(FileHistory):
    """A file of lines that leaves out what is very long."""

    def store_string(self, string: str) -> None:
        """Add a line to the file, unless it is too long or the disk is full."""
        if len(string) <= LONGEST:
            with suppress(OSError):
                super().store_string(string)


def cut_history(file: Path, most: int = MOST) -> None:
    """Leave only the newest lines in a file that has grown too large."""
    kept = file.read_bytes()
    if len(kept) > most:
        newest = kept[-most // 2 :]
        file.write_bytes(newest[newest.find(b"\n# ") :])  # a line begins with the time
