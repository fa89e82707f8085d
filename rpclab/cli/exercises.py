"""The command ``rpclab exercises``: work on the exercises in an editor of your own."""

import time
import traceback
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.markdown import Markdown
from rich.text import Text

from rpclab.cli import terminal
from rpclab.cli.options import completed_by
from rpclab.cli.terminal import did_you_mean, refuse, say
from rpclab.course import catalogue, exercises
from rpclab.course.overview import overview
from rpclab.course.progress import read_progress
from rpclab.course.time_limit import SECONDS, TooSlow, time_limit

_STYLES: Final = {"done": "green", "skipped": "dim", "next": "bold cyan", "tried": "yellow"}
_BETWEEN_LOOKS: Final = 0.3  # seconds
_TO_LOAD: Final = 5 * SECONDS

HELP: Final = """Work on the exercises in an editor of your own.

list: every exercise and its state
task NAME: what it asks for
run NAME: write NAME.py to begin with, and then judge what is in it
watch NAME: judge it whenever it is saved; if it is right, go on to the next
hint NAME: the next of three hints
solution NAME: the solution, once yours is right
skip NAME: leave it out
reset NAME: forget what you did

The beginning of a name is enough: rpclab exercises watch ex04

Exit status: 0 if the answer is right or the action was done, 1 if the answer is not right \
yet, 2 if there is no such exercise or file.
"""
app = typer.Typer()

_NOT_WRITTEN: Final = "Nothing is written yet: fill in the TODO, and save the file."


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
    action: Annotated[
        str,
        typer.Argument(
            metavar="ACTION", help="What to do.", autocompletion=completed_by(lambda: Action)
        ),
    ] = Action.LIST,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The exercise.", autocompletion=completed_by(catalogue.course)
        ),
    ] = "",
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where the answer is. NAME.py if left out.")
    ] = "",
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Show the solution, though the answer is not right yet."),
    ] = False,
) -> None:
    """Do one thing with an exercise, then exit with 0 if the answer is right."""
    raise typer.Exit(run_action(action, name, file, anyway=anyway))


def run_action(action: str, name: str, file: str, *, anyway: bool) -> int:
    """Do what was asked for, and return the exit status."""
    try:
        if action not in set(Action):
            return refuse(f"There is no action {action}. There are: {', '.join(Action)}.")
        if action == Action.LIST:
            return list_all()
        if not (known := find_name(name)):
            return refuse(explain_name(name, f"rpclab exercises {action}"))
        path = Path(file or f"{known}.py")
        match action:
            case Action.RUN:
                return run(known, path)
            case Action.WATCH:
                return watch(known, path, go_on=not file)
            case Action.TASK:
                show_task(known)
            case Action.HINT:
                show_hint(known)
            case Action.SOLUTION:
                show_solution(known, anyway=anyway)
            case _:
                say(exercises.skip(known) if action == Action.SKIP else exercises.reset(known))
    except KeyboardInterrupt:
        return terminal.stopped()
    except OSError as error:
        return refuse(f"Cannot use {error.filename}: {error.strerror}")
    return 0


# --- names ------------------------------------------------------------------------


def find_name(start: str) -> str:
    """Return the one exercise whose name begins so, or "" if there is not one.

    >>> find_name("ex04")
    'ex04_split'
    >>> find_name("ex0")
    ''
    """
    found = _names_from(start)
    return found[0] if len(found) == 1 else ""


def _names_from(start: str) -> list[str]:
    return [name for name in catalogue.course() if start and name.startswith(start)]


def explain_name(start: str, command: str) -> str:
    """Say why no exercise is meant by a word, and what to type.

    >>> explain_name("ex3", "rpclab exercises run")
    'ex3 is the beginning of several names: ex30_which_clause, ex31_your_server, ex32_whole_server.'
    """
    if found := _names_from(start):
        return f"{start} is the beginning of several names: {', '.join(found)}."
    if start:
        near = did_you_mean(start, catalogue.course())
        return f"There is no exercise {start}.{near} rpclab exercises lists them all."
    ahead = overview().next or next(iter(catalogue.course().values()))
    return f"Which exercise? For the next one: {command} {ahead.name}"


# --- what can be done -------------------------------------------------------------


def list_all() -> int:
    """Show every exercise with its state, and which exercise is next."""
    seen = overview()
    for row in seen.rows:
        terminal.screen.print(Text(str(row), _STYLES.get(row.state, "")))
    terminal.screen.print()
    for sentence in seen.sentences():
        say(sentence)
    return 0


def show_task(name: str) -> None:
    """Show what an exercise asks for: as Markdown in a pipe, and laid out in a terminal."""
    text = catalogue.read_task(name).rstrip()
    if terminal.screen.is_terminal:
        terminal.screen.print(Markdown(terminal.printable_lines(text), code_theme="ansi_dark"))
    else:
        say(text)


def show_hint(name: str) -> None:
    """Show the next hint, or all of them once they have been seen."""
    hints = catalogue.course()[name].hints
    if read_progress().record(name).hints < len(hints):
        say(exercises.hint(name))
        return
    say(f"You have had all {len(hints)} hints:")
    for number, hint in enumerate(hints, start=1):
        say(f"  {number}. {hint}")


def show_solution(name: str, *, anyway: bool) -> None:
    """Show the solution, or say when it is shown."""
    if anyway or read_progress().record(name).kept:
        say(exercises.solution(name, anyway=anyway))
    else:
        say("The solution is shown once your answer is right.")
        say(f"To see it anyway: rpclab exercises solution {name} --anyway")


def begin(name: str, path: Path) -> None:
    """Write a file to begin with, and show what it is for."""
    stub = catalogue.exercises_folder() / name / "stub.py"
    path.write_text(stub.read_text("utf-8"), encoding="utf-8")
    show_task(name)
    say(f"{path} was written. Fill in its TODO.")


def run(name: str, path: Path) -> int:
    """Judge the answer in a file. If there is no file yet, write one to begin with."""
    row = catalogue.course()[name]
    if not path.exists():
        begin(name, path)
        say(f"Then: rpclab exercises run {name}")
        return 1
    answer = load_answer(path, row.answer)
    if isinstance(answer, _NoAnswer):
        say(answer.why)
        return 1
    report = exercises.check_answer(name, answer)
    if report.refusal:
        say(f"{row.answer} in {path} is not what the task asks for: rpclab exercises task {name}")
        return 1
    say(repr(report).replace(exercises.NOT_WRITTEN, _NOT_WRITTEN))
    return 0 if report.kept else 1


def watch(name: str, path: Path, *, go_on: bool) -> int:
    """Judge the answer now and whenever its file changes, until it is right.

    With ``go_on`` the next exercise is begun then, in a file of its own.
    """
    while True:
        if not path.exists():
            begin(name, path)
            wait_until_saved(path)
        while run(name, path):
            wait_until_saved(path)
        if not go_on or not (ahead := find_next(name)):
            return 0
        name, path = ahead, Path(f"{ahead}.py")
        terminal.show_note(f"\nNext: {name}", "bold")


def wait_until_saved(path: Path) -> None:
    """Wait until a file changes."""
    terminal.show_note(f"Waiting until {path} is saved. Ctrl-C ends it.")
    before = _stamp(path)
    while _stamp(path) == before:
        time.sleep(_BETWEEN_LOOKS)


def find_next(name: str) -> str:
    """Return the exercise to do after this one, or "" if all are done or skipped."""
    rows = overview().rows
    place = [row.exercise.name for row in rows].index(name)
    left = [row for row in rows[place:] + rows[:place] if row.state not in ("done", "skipped")]
    return left[0].exercise.name if left else ""


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
