"""The commands ``rpclab conform`` and ``rpclab conform-client``: judge a program.

The exit status is 0 if every MUST is kept or is broken as expected, 1 if not, and
2 if nothing could be judged.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from rpclab.cli import terminal
from rpclab.cli.options import AFTER_DASHES, FramingName
from rpclab.cli.report_view import exit_status, show_report
from rpclab.cli.terminal import refuse
from rpclab.conformance.cases import Case, Choice, load_cases, load_client_cases
from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import (
    badge,
    compare_expected,
    junit,
    load_expected,
    readable,
    report_data,
    report_page,
    write_json,
)
from rpclab.conformance.run import GREETINGS, judge_client, judge_server, renamed_case
from rpclab.conformance.smallest_input import shrink_case
from rpclab.conformance.targets.command import ClientCommand, CommandTarget
from rpclab.spec import profile as find_profile

_MOST_SHRUNK: Final = 10

# --- the command line -------------------------------------------------------------

SERVER_HELP: Final = """Judge a server: is every MUST of JSON-RPC 2.0 kept?

The server is any command after two dashes: rpclab conform -- ./my-server --its-option
"""
CLIENT_HELP: Final = """Judge a client against a server that misbehaves.

The client is any command after two dashes; the command of its server is put after it.
docs/conformance.md says what such a client is told and what it says.
"""
app = typer.Typer()

JudgedCommand = Annotated[list[str] | None, typer.Argument(help="The command to judge.")]
Profile = Annotated[
    str, typer.Option("--profile", help="The protocol above JSON-RPC: core, mcp, lsp, acp.")
]
AnyFraming = Annotated[
    FramingName | None,
    typer.Option("--framing", help="How messages are set apart; the profile's way if left out."),
]
CaseIds = Annotated[
    list[str] | None,
    typer.Option("--case", help="Run this case alone. May be given more than once."),
]
JsonFile = Annotated[
    str, typer.Option("--json", help="Write a report in JSON to this file; - is stdout.")
]
JunitFile = Annotated[
    str, typer.Option("--junit", help="Write a report in JUnit's XML to this file.")
]
HtmlFile = Annotated[str, typer.Option("--html", help="Write a report as a page to this file.")]
BadgeFile = Annotated[str, typer.Option("--badge", help="Write a badge, as SVG, to this file.")]
ExpectedFile = Annotated[
    str, typer.Option("--expected", help="Cases that are known to be broken, in TOML.")
]
Deadline = Annotated[
    float, typer.Option(help="How many seconds one case may take.", min=0.1, max=600)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformOptions:
    """How a program is judged, and the files that the report is written to."""

    profile: str = "core"
    framing: str = "newline"
    cases: tuple[str, ...] = ()
    json: str = ""
    junit: str = ""
    html: str = ""
    badge: str = ""
    expected: str = ""
    deadline: float = 5.0
    names: Mapping[str, str] = field(default_factory=dict)
    shrink: bool = False


@app.command("conform", help=SERVER_HELP, context_settings=AFTER_DASHES)
def conform_command(  # noqa: PLR0913, PLR0917  one for each option
    command: JudgedCommand = None,
    profile: Profile = "core",
    framing: AnyFraming = None,
    case: CaseIds = None,
    json: JsonFile = "",
    junit: JunitFile = "",
    html: HtmlFile = "",
    badge: BadgeFile = "",
    expected: ExpectedFile = "",
    methods: Annotated[
        list[str] | None,
        typer.Option(help="The server's own name of a demo method: echo=its/echo."),
    ] = None,
    deadline: Deadline = 5.0,
    shrink: Annotated[
        bool,
        typer.Option("--shrink", help="Show the smallest lines that still break the server."),
    ] = False,
) -> None:
    """Judge a server."""

    def options() -> ConformOptions:
        return ConformOptions(
            profile=profile,
            framing=choose_framing(profile, framing or ""),
            cases=tuple(case or ()),
            json=json,
            junit=junit,
            html=html,
            badge=badge,
            expected=expected,
            deadline=deadline,
            names=read_names(methods or []),
            shrink=shrink,
        )

    raise typer.Exit(_judge_command(conform, command, options))


@app.command("conform-client", help=CLIENT_HELP, context_settings=AFTER_DASHES)
def conform_client_command(  # noqa: PLR0913, PLR0917  one for each option
    command: JudgedCommand = None,
    profile: Profile = "core",
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

    def options() -> ConformOptions:
        return ConformOptions(
            profile=profile,
            framing=choose_framing(profile, framing or ""),
            cases=tuple(case or ()),
            json=json,
            junit=junit,
            html=html,
            badge=badge,
            expected=expected,
            deadline=deadline,
        )

    raise typer.Exit(_judge_command(conform_client, command, options))


def _judge_command(
    judge: Callable[[Sequence[str], ConformOptions], int],
    command: Sequence[str] | None,
    make_options: Callable[[], ConformOptions],
) -> int:
    """Judge a command, or say in a sentence what is wrong with the options."""
    if not command:
        return refuse("Give a command after two dashes: rpclab conform -- ./my-server")
    try:
        options = make_options()
    except (LookupError, ValueError) as error:
        return refuse(str(error.args[0]))
    try:
        return judge(command, options)
    except KeyboardInterrupt:
        return terminal.stopped()


def choose_framing(profile: str, framing: str) -> str:
    """Return the framing that was asked for, or else the profile's.

    >>> choose_framing("lsp", ""), choose_framing("core", "")
    ('content-length', 'newline')

    Raises:
        LookupError: there is no such profile.
    """
    usual = find_profile(profile).framing
    return str(framing) or (usual if usual in ("newline", "content-length") else "newline")


def read_names(pairs: Sequence[str]) -> dict[str, str]:
    """Read the values of ``--methods``.

    >>> read_names(["echo=its/echo"])
    {'echo': 'its/echo'}

    Raises:
        ValueError: a value is not two names with ``=`` between them.
    """
    split = [pair.partition("=") for pair in pairs]
    for name, _, theirs in split:
        if not (name and theirs):
            raise ValueError("--methods takes a demo method and its other name: echo=its/echo")
    return {name: theirs for name, _, theirs in split}


# --- judging ----------------------------------------------------------------------


def conform(command: Sequence[str], options: ConformOptions) -> int:
    """Judge a server, and return the exit status."""
    cases, choice = load_cases(), Choice(options.profile, options.cases)
    reports: list[Report] = []

    def make() -> CommandTarget:
        greeting = GREETINGS.get(options.profile, ())
        return CommandTarget(command, options.framing, options.deadline, greeting)

    def judge(after_each: Callable[[Verdict], object]) -> Report:
        found = judge_server(make(), cases, choice, options.names, after_each)
        reports.append(found)
        return found

    chosen = choice.of(cases, options.framing)
    status = judge_and_report(len(chosen), judge, options, [case.id for case in cases])
    if options.shrink and reports:
        _show_shrunk(make, reports[0], chosen, options)
    return status


def _show_shrunk(
    make: Callable[[], CommandTarget],
    report: Report,
    cases: Sequence[Case],
    options: ConformOptions,
) -> None:
    broken = {verdict.case for verdict in report.verdicts if verdict.found == "broken"}
    for case in [case for case in cases if case.id in broken][:_MOST_SHRUNK]:
        target = make()
        try:
            lines = shrink_case(target, renamed_case(case, options.names))
        finally:
            target.close()
        if lines:
            terminal.show_note(f"\n{case.id} is broken in the same way by no more than:")
            for line in lines:
                terminal.show_note(readable(line))


def conform_client(command: Sequence[str], options: ConformOptions) -> int:
    """Judge a client, and return the exit status."""
    cases, choice = load_client_cases(), Choice(options.profile, options.cases)

    def judge(after_each: Callable[[Verdict], object]) -> Report:
        client = ClientCommand(command, options.framing, options.deadline)
        return judge_client(client, cases, choice, after_each)

    chosen = choice.of(cases, options.framing)
    return judge_and_report(len(chosen), judge, options, [case.id for case in cases])


Judge = Callable[[Callable[[Verdict], object]], Report]


def judge_and_report(
    count: int, judge: Judge, options: ConformOptions, known: Collection[str]
) -> int:
    """Judge a program, show and write the report, and return the exit status."""
    screen = Console(highlight=False, soft_wrap=True, stderr=options.json == "-")
    try:
        reasons = load_expected(Path(options.expected)) if options.expected else {}
    except (OSError, ValueError) as error:
        return refuse(f"Cannot use {options.expected}: {error}")
    if unknown := sorted(set(options.cases) - set(known)):
        return refuse(f"There is no case {unknown[0]}.")
    report = _judge_with_progress(count, judge)
    held = compare_expected(report, reasons, known)
    show_report(screen, report, held)
    try:
        _write_files(report, options, reasons)
    except OSError as error:
        return refuse(f"Cannot write {error.filename}: {error.strerror}")
    return exit_status(report, held)


def _judge_with_progress(count: int, judge: Judge) -> Report:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("judging", total=count)

        def after_each(verdict: Verdict) -> None:
            bar.update(task, advance=1, description=verdict.case[:32])

        return judge(after_each)


def _write_files(report: Report, options: ConformOptions, reasons: Mapping[str, str]) -> None:
    if options.json == "-":
        sys.stdout.write(write_json(report_data(report, reasons)))
    elif options.json:
        _write(options.json, write_json(report_data(report, reasons)))
    if options.junit:
        _write(options.junit, junit(report, reasons))
    if options.html:
        _write(options.html, report_page(report, reasons))
    if options.badge:
        _write(options.badge, badge(report))


def _write(file: str, text: str) -> None:
    Path(file).write_text(text, encoding="utf-8")
