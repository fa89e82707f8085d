"""The command ``rpclab classroom``: ``make`` an assignment, and ``grade`` what is handed in.

``rpclab classroom FOLDER`` is short for ``rpclab classroom grade FOLDER``.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from rpclab.classroom.assignment import make_assignment
from rpclab.classroom.grading import Class, grade
from rpclab.classroom.handins import Handin
from rpclab.classroom.page import render_csv, render_page, show_mark, tell_most_missed
from rpclab.classroom.privileges import Limits, describe_limits
from rpclab.classroom.runner import Unable
from rpclab.cli import terminal
from rpclab.cli.exercises import explain_name, find_name
from rpclab.cli.options import completed_by
from rpclab.cli.report_files import find_unwritable, write_reports
from rpclab.cli.terminal import printable, refuse, say
from rpclab.course.catalogue import course


class GradesByDefault(TyperGroup):
    """A group of commands that takes any other word for a folder to grade."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``grade`` before a first word that is not a command."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["grade", *args]
        return super().parse_args(ctx, args)


_WIDEST: Final = 200
"""How many columns the table of marks may have in a pipe."""

app = typer.Typer()
classroom = typer.Typer(cls=GradesByDefault, no_args_is_help=True)
app.add_typer(
    classroom,
    name="classroom",
    help="Make an assignment for a class, and grade what is handed in.",
)

GRADE_HELP: Final = """Grade a folder of hand-ins, and show what the class missed.

A hand-in is a notebook, a Python file, a progress file, or a folder of those; it is named \
after its learner. Each one runs in a process of its own, with limits.

Try: rpclab classroom grade handins --html class.html --csv class.csv

Exit status: 0 if the class was graded, whatever the marks are; 2 if it could not be.
"""


@classroom.command("make", help="Make an nbgrader course folder from some exercises.")
def make_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the assignment.")],
    exercises: Annotated[
        list[str],
        typer.Argument(
            metavar="EXERCISE...",
            help="The exercises; the beginning of a name will do: ex04.",
            autocompletion=completed_by(course),
        ),
    ],
    to: Annotated[
        Path,
        typer.Option(
            "--to", metavar="FOLDER", help="The course folder. It is made if it is not there."
        ),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that are there already.")
    ] = False,
) -> None:
    """Make an assignment."""
    raise typer.Exit(make(name, exercises, to, force=force))


@classroom.command("grade", help=GRADE_HELP)
def grade_command(
    handins: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder with a file or a folder for each learner."
        ),
    ],
    html: Annotated[
        str,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write a heat map of the clauses as a page to this file.",
        ),
    ] = "",
    csv: Annotated[
        str,
        typer.Option(
            "--csv",
            metavar="FILE",
            help="Write the marks and the clauses as a table to this file.",
        ),
    ] = "",
    exercise: Annotated[
        list[str] | None,
        typer.Option(
            "--exercise",
            metavar="NAME",
            help="Judge only this exercise. May be repeated.",
            autocompletion=completed_by(course),
        ),
    ] = None,
    deadline: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="How long one hand-in may take.", min=1, max=3600),
    ] = 60.0,
) -> None:
    """Grade a folder of hand-ins."""
    raise typer.Exit(grade_class(handins, exercise or [], deadline, html=html, csv=csv))


def make(name: str, names: Sequence[str], folder: Path, *, force: bool) -> int:
    """Make an nbgrader course folder, and return the exit status."""
    chosen = find_names(names)
    if chosen is None:
        return 2
    try:
        for path in make_assignment(name, chosen, folder, force=force):
            say(f"{path} was written.")
    except ValueError as error:
        return refuse(f"Cannot use {name}: {error}")
    except OSError as error:
        return refuse(f"Cannot use {error.filename}: {error.strerror}")
    say(f"In {folder}: nbgrader generate_assignment {name}")
    return 0


def find_names(names: Sequence[str]) -> list[str] | None:
    """Return the exercises with these names, or say which is unknown and return None."""
    chosen = []
    for name in names:
        if not (known := find_name(name)):
            refuse(explain_name(name, "rpclab classroom make"))
            return None
        chosen.append(known)
    return list(dict.fromkeys(chosen))


def grade_class(folder: Path, names: Sequence[str], seconds: float, *, html: str, csv: str) -> int:
    """Grade a folder of hand-ins, show the marks, and return the exit status."""
    only = find_names(names)
    if only is None:
        return 2
    if why := find_unwritable({"--html": html, "--csv": csv}):
        return refuse(why)
    limits = Limits(seconds=seconds, cell=min(Limits().cell, seconds / 2))
    try:
        group = grade(folder, only, limits, _tell)
        if not group.learners:
            return refuse(f"There is no hand-in in {folder}.")
        show(group)
        say(describe_limits(limits))
    except Unable as error:
        return refuse(str(error))
    except OSError as error:
        return refuse(f"Cannot use {error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        return terminal.stopped()
    page = partial(render_page, group, describe_limits(limits))
    if why := write_reports([(html, page), (csv, partial(render_csv, group))]):
        return refuse(why)
    for file in (html, csv):
        if file:
            say(f"{file} was written.")
    return 0


def _tell(handin: Handin, verdict: str) -> None:
    """Show the verdict on a hand-in as soon as it is known."""
    terminal.show_note(printable(f"{handin.learner}: {handin.file}: {verdict}"))


def show(group: Class) -> None:
    """Show the marks, then the remarks, then the clauses missed most."""
    screen, table = terminal.screen, make_table(group)
    width = screen.measure(table, options=screen.options.update_width(_WIDEST)).maximum
    if screen.is_terminal and width > screen.width:
        show_marks(group)
    else:
        screen.print(table, width=width, soft_wrap=False)
    for one in group.learners:
        for remark in one.remarks:
            say(f"{one.name}: {remark}")
    for sentence in tell_most_missed(group):
        say(f"Most missed: {sentence}")


def make_table(group: Class) -> Table:
    """Return the marks as a table, with a row for each learner."""
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
    return rows


def show_marks(group: Class) -> None:
    """Show the marks as paragraphs, in a terminal that is too narrow for the table."""
    for one in group.learners:
        say(f"{one.name}: {one.verdict}, {one.earned} of {group.total}")
        for name in group.exercises:
            say(f"  {name}: {show_mark(one, name)}")
