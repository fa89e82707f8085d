"""A learner's progress: one file, which is written whole or not at all.

The variable ``RPCLAB_PROGRESS`` names the file; if it is ``off``, nothing is
read or written. The same holds where solutions are checked (``RPCLAB_ANSWERS``).
Without the variable the file is in the user's data folder.

Interface:
  - ``read_progress`` returns what is known; ``change_progress`` notes something
  - each change reads the file again, so two notebooks may be open at once
  - a file that cannot be read is set aside, and ``take_notices`` says so
"""

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

ANSWERS: Final = "RPCLAB_ANSWERS"
"""With ``solution`` in this variable, ``check`` checks the solution instead."""

PROGRESS: Final = "RPCLAB_PROGRESS"
OFF: Final = "off"
VERSION: Final = 1


@dataclass(slots=True)
class ExerciseRecord:
    """What is known of one exercise. Times are of the first try and first success."""

    tries: int = 0
    kept: bool = False
    hints: int = 0
    shown: bool = False  # the solution was shown before the answer was right
    skipped: bool = False
    failed: str = ""  # the check that failed last
    began: str = ""
    ended: str = ""


@dataclass(slots=True)
class Progress:
    """Everything that is known of one learner."""

    seed: str = ""
    records: dict[str, ExerciseRecord] = field(default_factory=dict)

    def record(self, exercise: str) -> ExerciseRecord:
        """Return the record of an exercise, a new one if there is none yet."""
        return self.records.setdefault(exercise, ExerciseRecord())


class _Memory:
    """What this process remembers if the file cannot be used, and its notices."""

    progress = Progress()
    notices: list[str] = []  # noqa: RUF012  one for the whole process is wanted
    unwritable = ""


def progress_file() -> Path | None:
    """Return the file, or None where progress is off."""
    named = os.environ.get(PROGRESS, "")
    if named == OFF or os.environ.get(ANSWERS) == "solution":
        return None
    return Path(named) if named else user_data() / "progress.json"


def user_data() -> Path:
    """Return rpclab's folder among this user's data."""
    from platformdirs import user_data_path  # noqa: PLC0415  a grader's worker never needs it

    return user_data_path("rpclab", appauthor=False)


def read_progress() -> Progress:
    """Return everything that is known of the learner."""
    path = progress_file()
    if path is None or str(path) == _Memory.unwritable:
        return _Memory.progress
    try:
        return parse_progress(path.read_text("utf-8"))
    except FileNotFoundError:
        return Progress()
    except OSError as error:
        return _use_memory(path, error)
    except (ValueError, TypeError) as error:
        return _set_aside(path, error)


def parse_progress(text: str) -> Progress:
    """Read the text of a progress file.

    >>> parse_progress('{"version":1,"seed":"7","exercises":{}}')
    Progress(seed='7', records={})

    Raises:
        ValueError, TypeError: the text has another form.
    """
    match json.loads(text):
        case {"version": 1, "seed": str(seed), "exercises": dict(rows)}:
            return Progress(seed, {name: _parse_record(row) for name, row in rows.items()})
        case _:
            raise ValueError("it is not a progress file")


def _parse_record(row: dict[str, Any]) -> ExerciseRecord:
    record = ExerciseRecord(**row)
    for one in fields(ExerciseRecord):
        if type(getattr(record, one.name)) is not one.type:
            raise TypeError(one.name)
    return record


def change_progress(act: Callable[[Progress], object]) -> None:
    """Read the progress again, let ``act`` change it, and write it in one step."""
    progress = read_progress()
    act(progress)
    path = progress_file()
    if path is None or str(path) == _Memory.unwritable:
        return
    try:
        _write(path, progress)
    except OSError as error:
        _use_memory(path, error)
        _Memory.progress = progress


def _write(path: Path, progress: Progress) -> None:
    rows = {name: asdict(record) for name, record in sorted(progress.records.items())}
    text = json.dumps({"version": VERSION, "seed": progress.seed, "exercises": rows}, indent=1)
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


def _set_aside(path: Path, error: Exception) -> Progress:
    """Rename a file that cannot be read, and begin a new one."""
    names = (path.with_name(f"{path.stem}.broken-{number}.json") for number in count(1))
    aside = next(name for name in names if not name.exists())
    try:
        path.rename(aside)
    except OSError as why:
        return _use_memory(path, why)
    _Memory.notices.append(
        f"Your progress in {path} could not be read ({error}). "
        f"It was set aside as {aside}, and a new file was begun."
    )
    return Progress()


def _use_memory(path: Path, error: OSError) -> Progress:
    """Keep progress in memory from now on, because the file cannot be used."""
    _Memory.unwritable, _Memory.progress = str(path), Progress()
    _Memory.notices.append(
        f"Progress is not saved, because {path} is out of reach: {error.strerror}."
    )
    return _Memory.progress


def forget() -> None:
    """Forget what this process remembers. For tests."""
    _Memory.progress, _Memory.notices, _Memory.unwritable = Progress(), [], ""


def take_notices() -> list[str]:
    """Return the notices about the file; each is returned once."""
    taken, _Memory.notices = _Memory.notices, []
    return taken


def now() -> str:
    """Return the time, as it is written into the file."""
    return datetime.now(UTC).isoformat(timespec="seconds")
