"""A learner's progress: one file, which is written whole or not at all.

The variable ``RPCLAB_PROGRESS`` names the file; with ``off`` in it nothing is
read or written, and neither where solutions are judged (``RPCLAB_ANSWERS``).
Without it the file lies among this user's data.

Interface:
  - ``read_book`` gives what is known; ``change`` notes something
  - each change reads the file again, so two notebooks may be open at once
  - a file that cannot be read is set aside, and ``take_notices`` says so
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from rpclab.course import strings

ANSWERS: Final = "RPCLAB_ANSWERS"
"""With ``solution`` in this variable, ``check`` judges the solution instead."""

PROGRESS: Final = "RPCLAB_PROGRESS"
OFF: Final = "off"
VERSION: Final = 1


@dataclass(slots=True)
class Mark:
    """What is known of one exercise. Times are of the first try, and of the first success."""

    tries: int = 0
    kept: bool = False
    hints: int = 0
    shown: bool = False  # the solution was shown before the answer was right
    skipped: bool = False
    failed: str = ""  # the check that failed last
    began: str = ""
    ended: str = ""


@dataclass(slots=True)
class Book:
    """All that is known of one learner."""

    seed: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)

    def mark(self, exercise: str) -> Mark:
        """Give what is known of an exercise: nothing yet, at first."""
        return self.marks.setdefault(exercise, Mark())


class _Kept:
    """What this process remembers where no file can, and what it has to say."""

    book = Book()
    notices: list[str] = []  # noqa: RUF012  one a process is what is wanted
    unwritable = ""


def progress_file() -> Path | None:
    """Give the file, or None where progress is off."""
    named = os.environ.get(PROGRESS, "")
    if named == OFF or os.environ.get(ANSWERS) == "solution":
        return None
    return Path(named) if named else user_data() / "progress.json"


def user_data() -> Path:
    """Give the folder of this user's data that is ours."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "rpclab"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rpclab"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "rpclab"


def read_book() -> Book:
    """Give all that is known of the learner."""
    path = progress_file()
    if path is None or str(path) == _Kept.unwritable:
        return _Kept.book
    try:
        return load_book(path.read_text("utf-8"))
    except FileNotFoundError:
        return Book()
    except OSError as error:
        return _remember(path, error)
    except (ValueError, TypeError) as error:
        return _set_aside(path, error)


def load_book(text: str) -> Book:
    """Read the text of a file.

    >>> load_book('{"version":1,"seed":"7","exercises":{}}')
    Book(seed='7', marks={})

    Raises:
        ValueError, TypeError: it is not what we wrote.
    """
    match json.loads(text):
        case {"version": 1, "seed": str(seed), "exercises": dict(rows)}:
            return Book(seed, {name: _load_mark(row) for name, row in rows.items()})
        case _:
            raise ValueError(strings.NO_PROGRESS)


def _load_mark(row: dict[str, Any]) -> Mark:
    mark = Mark(**row)
    for one in fields(Mark):
        if type(getattr(mark, one.name)) is not one.type:
            raise TypeError(one.name)
    return mark


def change(act: Callable[[Book], object]) -> None:
    """Read the book again, let ``act`` change it, and write it in one step."""
    book = read_book()
    act(book)
    path = progress_file()
    if path is None or str(path) == _Kept.unwritable:
        return
    try:
        _write(path, book)
    except OSError as error:
        _remember(path, error)
        _Kept.book = book


def _write(path: Path, book: Book) -> None:
    rows = {name: asdict(mark) for name, mark in sorted(book.marks.items())}
    text = json.dumps({"version": VERSION, "seed": book.seed, "exercises": rows}, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".new")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _set_aside(path: Path, error: Exception) -> Book:
    """Keep a file that cannot be read, under another name, and begin anew."""
    names = (path.with_name(f"{path.stem}.broken-{number}.json") for number in count(1))
    aside = next(name for name in names if not name.exists())
    try:
        path.rename(aside)
    except OSError as why:
        return _remember(path, why)
    _Kept.notices.append(strings.SET_ASIDE.format(file=path, aside=aside, why=error))
    return Book()


def _remember(path: Path, error: OSError) -> Book:
    """Keep progress in memory from here on: the file is out of reach."""
    _Kept.unwritable, _Kept.book = str(path), Book()
    _Kept.notices.append(strings.UNWRITABLE.format(file=path, why=error.strerror))
    return _Kept.book


def forget() -> None:
    """Forget what this process remembers. For tests."""
    _Kept.book, _Kept.notices, _Kept.unwritable = Book(), [], ""


def take_notices() -> list[str]:
    """Give what has to be said about the file, once."""
    taken, _Kept.notices = _Kept.notices, []
    return taken


def now() -> str:
    """Give the time, as it is written into the file."""
    return datetime.now(UTC).isoformat(timespec="seconds")
