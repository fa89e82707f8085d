"""The command ``rpclab exercises``: the exercises, for those who prefer an editor."""

import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from rpclab.cli import look, strings
from rpclab.course import catalogue, exercises
from rpclab.course.overview import overview
from rpclab.course.time_limit import SECONDS, TooSlow, time_limit

_STYLES: Final = {"done": "green", "skipped": "dim", "next": "bold cyan", "tried": "yellow"}
_MOMENT: Final = 0.3  # between two looks at a file
_TO_LOAD: Final = 5 * SECONDS


def run_action(action: str, name: str, file: str, *, anyway: bool) -> int:
    """Do what was asked for, and give the exit status."""
    try:
        if action == "list":
            return list_all()
        if not (known := find_name(name)):
            say(exercises.explain_unknown(name))
            return 2
        if action == "solution":
            say(exercises.solution(known, anyway=anyway))
        elif action in _SENTENCES:
            say(_SENTENCES[action](known))
        else:
            path = Path(file or f"{known}.py")
            return watch(known, path) if action == "watch" else run(known, path)
    except KeyboardInterrupt:
        look.show_note(strings.INTERRUPTED)
        return 130
    except OSError as error:
        say(strings.EXERCISES_NO_FILE.format(file=error.filename, why=error.strerror))
        return 2
    return 0


_SENTENCES: Final[Mapping[str, Callable[[str], object]]] = {
    "task": exercises.task,
    "hint": exercises.hint,
    "reset": exercises.reset,
    "skip": exercises.skip,
}


def find_name(start: str) -> str:
    """Give the exercise whose name begins so, or nothing if there is not one.

    >>> find_name("ex04")
    'ex04_split'
    >>> find_name("ex0")
    ''
    """
    found = [name for name in catalogue.course() if start and name.startswith(start)]
    return found[0] if len(found) == 1 else ""


def say(what: object) -> None:
    """Show text line by line; no answer may steer the terminal."""
    for line in repr(what).splitlines() if not isinstance(what, str) else what.splitlines():
        look.screen.print(Text(look.printable(line)))


def list_all() -> int:
    """Show every exercise, how far it is, and what is next."""
    seen = overview()
    for row in seen.rows:
        look.screen.print(Text(str(row), _STYLES.get(row.state, "")))
    look.screen.print()
    for sentence in seen.sentences():
        say(sentence)
    return 0


def run(name: str, path: Path) -> int:
    """Judge the answer in a file; where there is none yet, write one to begin with."""
    if not path.exists():
        stub = catalogue.exercises_folder() / name / "stub.py"
        path.write_text(stub.read_text("utf-8"), encoding="utf-8")
        say(exercises.task(name))
        say(strings.EXERCISES_BEGUN.format(file=path, name=name))
        return 1
    answer = load_answer(path, catalogue.course()[name].answer)
    if isinstance(answer, _Fault):
        say(answer.says)
        return 1
    report = exercises.check_answer(name, answer)
    say(report)
    return 0 if report.kept else 1


def watch(name: str, path: Path) -> int:
    """Judge the answer now, and again whenever its file changes, until all is kept."""
    while status := run(name, path):
        look.show_note(strings.EXERCISES_WATCHING.format(file=path))
        before = _stamp(path)
        while _stamp(path) == before:
            time.sleep(_MOMENT)
    return status


def _stamp(path: Path) -> tuple[int, int]:
    """Give what changes when a file is saved. An editor may replace it meanwhile."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


class _Fault:
    """Why a file gives no answer."""

    def __init__(self, says: str) -> None:
        self.says = says


def load_answer(path: Path, name: str) -> Any:
    """Run a learner's file, and give what it calls by this name, or a fault."""
    space: dict[str, Any] = {"__name__": "answer", "__file__": str(path)}
    text = path.read_bytes()
    try:
        with time_limit(_TO_LOAD):
            exec(compile(text, path, "exec"), space)
    except SyntaxError as error:
        return _Fault(strings.EXERCISES_SYNTAX.format(file=path, line=error.lineno, why=error.msg))
    except (Exception, SystemExit, TooSlow) as error:  # noqa: BLE001  whatever a learner's file raises
        frames = traceback.extract_tb(error.__traceback__)
        line = max(
            (frame.lineno or 0 for frame in frames if frame.filename == str(path)), default=0
        )
        kind = type(error).__name__
        return _Fault(strings.EXERCISES_RAISED.format(file=path, line=line, kind=kind, why=error))
    if name not in space:
        return _Fault(strings.EXERCISES_NO_NAME.format(file=path, name=name))
    return space[name]
