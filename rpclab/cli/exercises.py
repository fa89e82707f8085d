"""The command ``rpclab exercises``: work on the exercises in an editor of your own."""

import time
import traceback
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from rpclab.cli import terminal
from rpclab.cli.terminal import say
from rpclab.course import catalogue, exercises
from rpclab.course.overview import overview
from rpclab.course.time_limit import SECONDS, TooSlow, time_limit

_STYLES: Final = {"done": "green", "skipped": "dim", "next": "bold cyan", "tried": "yellow"}
_BETWEEN_LOOKS: Final = 0.3  # seconds
_TO_LOAD: Final = 5 * SECONDS

HELP: Final = """Work on the exercises in an editor of your own.

run writes NAME.py to begin with, and then judges what is in it; watch judges it again
whenever it is saved. The beginning of a name will do: ex04.

Try: rpclab exercises watch ex04
"""
app = typer.Typer()


class Action(StrEnum):
    """What can be done with an exercise in a terminal."""

    LIST = "list"
    TASK = "task"
    RUN = "run"
    WATCH = "watch"
    HINT = "hint"
    SOLUTION = "solution"
    SKIP = "skip"
    RESET = "reset"


@app.command("exercises", help=HELP)
def exercises_command(
    action: Annotated[Action, typer.Argument(help="What to do.")] = Action.LIST,
    name: Annotated[str, typer.Argument(help="The exercise.")] = "",
    file: Annotated[str, typer.Argument(help="Where the answer is. NAME.py if left out.")] = "",
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Show the solution, though the answer is not right yet."),
    ] = False,
) -> None:
    """Do one thing with an exercise, then exit with 0 if the answer is right."""
    raise typer.Exit(run_action(action.value, name, file, anyway=anyway))


def run_action(action: str, name: str, file: str, *, anyway: bool) -> int:
    """Do what was asked for, and return the exit status."""
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
        return terminal.stopped()
    except OSError as error:
        say(f"Cannot use {error.filename}: {error.strerror}")
        return 2
    return 0


_SENTENCES: Final[Mapping[str, Callable[[str], object]]] = {
    "task": exercises.task,
    "hint": exercises.hint,
    "reset": exercises.reset,
    "skip": exercises.skip,
}


def find_name(start: str) -> str:
    """Return the one exercise whose name begins so, or "" if there is not one.

    >>> find_name("ex04")
    'ex04_split'
    >>> find_name("ex0")
    ''
    """
    found = [name for name in catalogue.course() if start and name.startswith(start)]
    return found[0] if len(found) == 1 else ""


def list_all() -> int:
    """Show every exercise with its state, and which exercise is next."""
    seen = overview()
    for row in seen.rows:
        terminal.screen.print(Text(str(row), _STYLES.get(row.state, "")))
    terminal.screen.print()
    for sentence in seen.sentences():
        say(sentence)
    return 0


def run(name: str, path: Path) -> int:
    """Judge the answer in a file. If there is no file yet, write one to begin with."""
    if not path.exists():
        stub = catalogue.exercises_folder() / name / "stub.py"
        path.write_text(stub.read_text("utf-8"), encoding="utf-8")
        say(exercises.task(name))
        say(f"{path} was written. Fill in its TODO, then: rpclab exercises run {name}")
        return 1
    answer = load_answer(path, catalogue.course()[name].answer)
    if isinstance(answer, _NoAnswer):
        say(answer.why)
        return 1
    report = exercises.check_answer(name, answer)
    say(report)
    return 0 if report.kept else 1


def watch(name: str, path: Path) -> int:
    """Judge the answer now and whenever its file changes, until it is right."""
    while status := run(name, path):
        terminal.show_note(f"Waiting until {path} is saved. Ctrl-C ends it.")
        before = _stamp(path)
        while _stamp(path) == before:
            time.sleep(_BETWEEN_LOOKS)
    return status


def _stamp(path: Path) -> tuple[int, int]:
    """Return what changes when a file is saved.

    An editor may remove the file for a moment while it saves.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


class _NoAnswer:
    """Why a file has no answer."""

    def __init__(self, why: str) -> None:
        self.why = why


def load_answer(path: Path, name: str) -> Any:
    """Run a learner's file and return what it defines by this name, or why it does not."""
    space: dict[str, Any] = {"__name__": "answer", "__file__": str(path)}
    text = path.read_bytes()
    try:
        with time_limit(_TO_LOAD):
            exec(compile(text, path, "exec"), space)
    except SyntaxError as error:
        return _NoAnswer(f"{path}, line {error.lineno}: {error.msg}")
    except (Exception, SystemExit, TooSlow) as error:  # noqa: BLE001  whatever a learner's file raises
        frames = traceback.extract_tb(error.__traceback__)
        line = max(
            (frame.lineno or 0 for frame in frames if frame.filename == str(path)), default=0
        )
        return _NoAnswer(f"{path}, line {line}: {type(error).__name__}: {error}")
    if name not in space:
        return _NoAnswer(f"There is no {name} in {path}.")
    return space[name]
