"""The command ``rpclab``.

Each command is a module of its own and is imported when it is called: a
server should not wait for the colours of another command.
"""

import io
import sys
from enum import StrEnum
from typing import Annotated

import typer

from rpclab.cli import strings
from rpclab.cli.rooms import classroom

app = typer.Typer(
    help=strings.APP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


class FramingName(StrEnum):
    """The framings that a command can speak."""

    NEWLINE = "newline"
    CONTENT_LENGTH = "content-length"


Framing = Annotated[FramingName, typer.Option("--framing", help=strings.FRAMING)]
app.add_typer(classroom, name="classroom", help=strings.CLASSROOM)


@app.callback()
def rpclab() -> None:
    """Hold the commands together."""


@app.command("serve", help=strings.SERVE)
def serve_command(framing: Framing = FramingName.NEWLINE) -> None:
    """Serve the demo methods on stdin and stdout."""
    from rpclab.cli.serving import serve_demo  # noqa: PLC0415

    serve_demo(framing.value)


@app.command("demo", help=strings.DEMO)
def demo_command() -> None:
    """Play the lesson."""
    from rpclab.cli.lesson import play  # noqa: PLC0415

    play()


@app.command(
    "send",
    help=strings.SEND,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
def send_command(
    command: Annotated[list[str] | None, typer.Argument(help=strings.SEND_COMMAND)] = None,
    framing: Framing = FramingName.NEWLINE,
    wait: Annotated[float, typer.Option(help=strings.SEND_WAIT, min=0.01, max=3600)] = 5.0,
) -> None:
    """Send lines to a server."""
    from rpclab.cli.sending import send_lines  # noqa: PLC0415

    raise typer.Exit(send_lines(command or [], framing.value, wait))


_OWN_WORDS = {"ignore_unknown_options": True, "allow_interspersed_args": False}
JudgedCommand = Annotated[list[str] | None, typer.Argument(help=strings.CONFORM_COMMAND)]
ProfileName = Annotated[str, typer.Option("--profile", help=strings.CONFORM_PROFILE)]
AnyFraming = Annotated[FramingName | None, typer.Option("--framing", help=strings.CONFORM_FRAMING)]
CaseIds = Annotated[list[str] | None, typer.Option("--case", help=strings.CONFORM_CASE)]
JsonFile = Annotated[str, typer.Option("--json", help=strings.CONFORM_JSON)]
JunitFile = Annotated[str, typer.Option("--junit", help=strings.CONFORM_JUNIT)]
HtmlFile = Annotated[str, typer.Option("--html", help=strings.CONFORM_HTML)]
BadgeFile = Annotated[str, typer.Option("--badge", help=strings.CONFORM_BADGE)]
ExpectedFile = Annotated[str, typer.Option("--expected", help=strings.CONFORM_EXPECTED_FILE)]
Deadline = Annotated[float, typer.Option(help=strings.CONFORM_DEADLINE, min=0.1, max=600)]


@app.command("conform", help=strings.CONFORM, context_settings=_OWN_WORDS)
def conform_command(  # noqa: PLR0913, PLR0917  one for each option
    command: JudgedCommand = None,
    profile: ProfileName = "core",
    framing: AnyFraming = None,
    case: CaseIds = None,
    json: JsonFile = "",
    junit: JunitFile = "",
    html: HtmlFile = "",
    badge: BadgeFile = "",
    expected: ExpectedFile = "",
    methods: Annotated[list[str] | None, typer.Option(help=strings.CONFORM_METHODS)] = None,
    deadline: Deadline = 5.0,
    shrink: Annotated[bool, typer.Option("--shrink", help=strings.CONFORM_SHRINK)] = False,
) -> None:
    """Judge a server."""
    from rpclab.cli.conforming import conform, judge_command  # noqa: PLC0415

    files = {"json": json, "junit": junit, "html": html, "badge": badge, "expected": expected}
    rest = {"deadline": deadline, "shrink": shrink, "cases": tuple(case or ())}
    way = framing.value if framing else ""
    raise typer.Exit(
        judge_command(conform, command or [], profile, way, methods or [], **files, **rest)
    )


@app.command("conform-client", help=strings.CONFORM_CLIENT, context_settings=_OWN_WORDS)
def conform_client_command(  # noqa: PLR0913, PLR0917  one for each option
    command: JudgedCommand = None,
    profile: ProfileName = "core",
    framing: AnyFraming = None,
    case: CaseIds = None,
    json: JsonFile = "",
    junit: JunitFile = "",
    html: HtmlFile = "",
    badge: BadgeFile = "",
    expected: ExpectedFile = "",
    deadline: Deadline = 5.0,
) -> None:
    """Judge a client."""
    from rpclab.cli.conforming import conform_client, judge_command  # noqa: PLC0415

    files = {"json": json, "junit": junit, "html": html, "badge": badge, "expected": expected}
    rest = {"deadline": deadline, "cases": tuple(case or ())}
    way = framing.value if framing else ""
    raise typer.Exit(
        judge_command(conform_client, command or [], profile, way, [], **files, **rest)
    )


@app.command("explain", help=strings.EXPLAIN)
def explain_command(
    line: Annotated[str | None, typer.Argument(help=strings.EXPLAIN_LINE)] = None,
    profile: Annotated[str, typer.Option(help=strings.EXPLAIN_PROFILE)] = "core",
    as_json: Annotated[bool, typer.Option("--json", help=strings.EXPLAIN_JSON)] = False,
) -> None:
    """Explain a line."""
    from rpclab.cli.explaining import explain_line  # noqa: PLC0415

    raise typer.Exit(explain_line(line, profile, as_json=as_json))


@app.command("matrix", help=strings.MATRIX)
def matrix_command(  # noqa: PLR0913, PLR0917  one for each option
    names: Annotated[list[str] | None, typer.Argument(help=strings.MATRIX_NAMES)] = None,
    case: Annotated[list[str] | None, typer.Option("--case", help=strings.MATRIX_CASE)] = None,
    json: Annotated[str, typer.Option("--json", help=strings.MATRIX_JSON)] = "",
    markdown: Annotated[str, typer.Option("--markdown", help=strings.MATRIX_MARKDOWN)] = "",
    html: Annotated[str, typer.Option("--html", help=strings.MATRIX_HTML)] = "",
    cache: Annotated[str, typer.Option("--cache", help=strings.MATRIX_CACHE)] = "",
    listed: Annotated[bool, typer.Option("--list", help=strings.MATRIX_LIST)] = False,
) -> None:
    """Judge other people's implementations."""
    from rpclab.cli.matrixing import matrix  # noqa: PLC0415

    files = {"json": json, "markdown": markdown, "html": html, "cache": cache}
    raise typer.Exit(matrix(tuple(names or ()), tuple(case or ()), listed=listed, **files))


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


@app.command("exercises", help=strings.EXERCISES)
def exercises_command(
    action: Annotated[Action, typer.Argument(help=strings.EXERCISES_ACTION)] = Action.LIST,
    name: Annotated[str, typer.Argument(help=strings.EXERCISES_NAME)] = "",
    file: Annotated[str, typer.Argument(help=strings.EXERCISES_FILE)] = "",
    anyway: Annotated[bool, typer.Option("--anyway", help=strings.EXERCISES_ANYWAY)] = False,
) -> None:
    """Work on the exercises."""
    from rpclab.cli.exercising import run_action  # noqa: PLC0415

    raise typer.Exit(run_action(action.value, name, file, anyway=anyway))


@app.command("specimen")
def specimen_command(
    name: Annotated[str, typer.Argument(help="Its id. All are listed if left out.")] = "",
    diff: Annotated[bool, typer.Option("--diff", help="Show its change to its base.")] = False,
) -> None:
    """Read a specimen: a server or client with one defect, which the cases must catch."""
    from rpclab.cli.specimen import show_specimen  # noqa: PLC0415

    raise typer.Exit(show_specimen(name, diff=diff))


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # where é has no place in a terminal
    app()
