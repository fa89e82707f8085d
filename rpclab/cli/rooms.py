"""The words of ``rpclab classroom``: ``make`` and ``grade``; a folder alone is graded."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rpclab.cli import strings


class GradesByDefault(TyperGroup):
    """A group of commands that takes any other word for a folder to grade."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``grade`` before what is no command."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["grade", *args]
        return super().parse_args(ctx, args)


classroom = typer.Typer(cls=GradesByDefault, no_args_is_help=True)

Force = Annotated[bool, typer.Option("--force", help=strings.CLASSROOM_FORCE)]
Only = Annotated[list[str] | None, typer.Option("--exercise", help=strings.CLASSROOM_ONLY)]
Deadline = Annotated[float, typer.Option(help=strings.CLASSROOM_DEADLINE, min=1, max=3600)]


@classroom.command("make", help=strings.CLASSROOM_MAKE)
def make_command(
    name: Annotated[str, typer.Argument(help=strings.CLASSROOM_NAME)],
    exercises: Annotated[list[str], typer.Argument(help=strings.CLASSROOM_EXERCISES)],
    to: Annotated[Path, typer.Option("--to", help=strings.CLASSROOM_TO)],
    force: Force = False,
) -> None:
    """Make an assignment."""
    from rpclab.cli.classing import make  # noqa: PLC0415

    raise typer.Exit(make(name, exercises, to, force=force))


@classroom.command("grade", help=strings.CLASSROOM_GRADE)
def grade_command(
    handins: Annotated[Path, typer.Argument(help=strings.CLASSROOM_HANDINS)],
    html: Annotated[str, typer.Option("--html", help=strings.CLASSROOM_HTML)] = "",
    csv: Annotated[str, typer.Option("--csv", help=strings.CLASSROOM_CSV)] = "",
    exercise: Only = None,
    deadline: Deadline = 60.0,
) -> None:
    """Grade a folder of hand-ins."""
    from rpclab.cli.classing import grade_class  # noqa: PLC0415

    raise typer.Exit(grade_class(handins, exercise or [], deadline, html=html, csv=csv))
