"""The command ``rpclab classroom``: assignments for a class, and their marks."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from rpclab.classroom.assignment import make_assignment
from rpclab.classroom.grading import Class, grade
from rpclab.classroom.handins import Handin
from rpclab.classroom.page import render_csv, render_page, show_mark, tell_most_missed
from rpclab.classroom.privileges import Limits, describe_limits
from rpclab.classroom.runner import Unable
from rpclab.cli import look, strings
from rpclab.cli.exercising import find_name, say
from rpclab.cli.look import printable
from rpclab.course import exercises


def make(name: str, names: Sequence[str], folder: Path, *, force: bool) -> int:
    """Make an nbgrader course folder, and give the exit status."""
    chosen = find_names(names)
    if chosen is None:
        return 2
    try:
        for path in make_assignment(name, chosen, folder, force=force):
            say(strings.CLASSROOM_WROTE.format(file=path))
    except ValueError as error:
        say(strings.CLASSROOM_CANNOT.format(file=name, why=error))
        return 2
    except OSError as error:
        say(strings.CLASSROOM_CANNOT.format(file=error.filename, why=error.strerror))
        return 2
    say(strings.CLASSROOM_NEXT.format(folder=folder, name=name))
    return 0


def find_names(names: Sequence[str]) -> list[str] | None:
    """Give the exercises with these names, or say which there is not and give None."""
    chosen = []
    for name in names:
        if not (known := find_name(name)):
            say(exercises.explain_unknown(name))
            return None
        chosen.append(known)
    return list(dict.fromkeys(chosen))


def grade_class(folder: Path, names: Sequence[str], seconds: float, *, html: str, csv: str) -> int:
    """Grade a folder of hand-ins, show the marks, and give the exit status."""
    only = find_names(names)
    if only is None:
        return 2
    limits = Limits(seconds=seconds, cell=min(Limits().cell, seconds / 2))
    try:
        group = grade(folder, only, limits, _tell)
        if not group.learners:
            say(strings.CLASSROOM_EMPTY.format(folder=folder))
            return 2
        show(group)
        say(describe_limits(limits))
        _write(html, lambda: render_page(group, describe_limits(limits)))
        _write(csv, lambda: render_csv(group))
    except Unable as error:
        say(str(error))
        return 2
    except OSError as error:
        say(strings.CLASSROOM_CANNOT.format(file=error.filename, why=error.strerror))
        return 2
    except KeyboardInterrupt:
        look.show_note(strings.INTERRUPTED)
        return 130
    return 0


def _tell(handin: Handin, verdict: str) -> None:
    """Say of each hand-in what became of it, as soon as it is known."""
    look.show_note(printable(f"{handin.learner}: {handin.file}: {verdict}"))


def _write(file: str, make_text: Callable[[], str]) -> None:
    if file:
        Path(file).write_text(make_text(), encoding="utf-8", newline="")
        say(strings.CLASSROOM_WROTE.format(file=file))


def show(group: Class) -> None:
    """Show the marks as a table, then what there is to say, and what was missed most."""
    rows = Table(
        title="Marks by learner, and what there is to say of each hand-in.", title_justify="left"
    )
    total = f"All, of {group.total}"
    for name in ("Learner", "Verdict", *group.exercises, total):
        rows.add_column(name, overflow="fold")
    for one in group.learners:
        marks = [show_mark(one, name) for name in group.exercises]
        cells = [one.name, one.verdict, *marks, str(one.earned)]
        rows.add_row(*(Text(printable(cell)) for cell in cells))
    look.screen.print(rows, soft_wrap=False)
    for one in group.learners:
        for remark in one.remarks:
            say(f"{one.name}: {remark}")
    for sentence in tell_most_missed(group):
        say(f"Most missed: {sentence}")
