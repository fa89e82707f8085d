"""A run of ``rpclab conform``: what is refused before it, the run, and what is shown of it.

Whatever would spoil a run is refused in a sentence: a case that does not exist, a
file that cannot be written, a program that does not start or never answers.
"""

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from rpclab.cli.report_files import STDOUT, find_unwritable, write_reports
from rpclab.cli.report_view import (
    MOST_BLOCKS,
    exit_status,
    find_broken,
    reading_order,
    show_report,
)
from rpclab.cli.terminal import did_you_mean, make_screen, refuse
from rpclab.conformance.carriers import carry
from rpclab.conformance.cases import Case, Choice, ClientCase, load_cases, load_client_cases
from rpclab.conformance.cases.method_names import renamed_case
from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.greetings import greeting as greeting_of
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
from rpclab.conformance.run import judge_client, judge_server
from rpclab.conformance.smallest_input import shrink_case
from rpclab.conformance.targets import NEVER_WORKED
from rpclab.conformance.targets.command import NOT_STARTED, ClientCommand, CommandTarget

_MOST_LINES: Final = 12
"""How much of its output is shown of a program that cannot be judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformOptions:
    """How a program is started and judged, and the files that the report is written to."""

    profile: str = "core"
    framing: str = "newline"
    cases: tuple[str, ...] = ()
    json: str = ""
    junit: str = ""
    html: str = ""
    badge: str = ""
    expected: str = ""
    deadline: float = 5.0
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    show_all: bool = False
    exit_first: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    shrink: bool = False

    @property
    def files(self) -> dict[str, str]:
        """The files of the report, by option."""
        return {f"--{name}": getattr(self, name) for name in ("json", "junit", "html", "badge")}

    @property
    def start(self) -> tuple[str, ...]:
        """The options that say how the program is started, without secrets."""
        env = (word for name in self.env for word in ("--env", f"{name}=..."))
        return (*env, *(("--cwd", self.cwd) if self.cwd else ()))


def conform(command: Sequence[str], options: ConformOptions) -> int:
    """Judge a server, and return the exit status."""
    choice = Choice(options.profile, options.cases)

    def make() -> CommandTarget:
        greeting = greeting_of(options.profile)
        return CommandTarget(
            command, options.framing, options.deadline, greeting, env=options.env, cwd=options.cwd
        )

    def judge(cases: Sequence[Case], after_each: AfterEach) -> Report:
        return judge_server(make(), cases, choice, options.names, after_each)

    def shrink(screen: Console, broken: Sequence[Verdict]) -> None:
        by_id = {case.id: case for case in load_cases()}
        cases = [
            carry(by_id[verdict.case], verdict.carrier)
            if verdict.carrier
            else renamed_case(by_id[verdict.case], options.names)
            for verdict in broken
        ]
        _show_shrunk(screen, make, cases)

    return judge_and_report(load_cases(), judge, options, shrink)


def _show_shrunk(screen: Console, make: Callable[[], CommandTarget], cases: Sequence[Case]) -> None:
    for case in cases:
        target = make()
        try:
            lines = shrink_case(target, case)
        finally:
            target.close()
        if lines:
            says = f"{case.id} is broken in the same way by no more than:"
            screen.print(Text(f"\n{says}", "dim"))
            for line in lines:
                screen.print(Text(readable(line)), soft_wrap=True)


def conform_client(command: Sequence[str], options: ConformOptions) -> int:
    """Judge a client, and return the exit status."""
    choice = Choice(options.profile, options.cases)
    client = ClientCommand(
        command, options.framing, options.deadline, env=options.env, cwd=options.cwd
    )

    def judge(cases: Sequence[ClientCase], after_each: AfterEach) -> Report:
        return judge_client(client, cases, choice, after_each)

    return judge_and_report(load_client_cases(), judge, options)


AfterEach: TypeAlias = Callable[[Verdict], bool]
"""Is called with each verdict, and returns whether the run ends there."""


def judge_and_report(
    known: Sequence[AnyCaseT],
    judge: Callable[[Sequence[AnyCaseT], AfterEach], Report],
    options: ConformOptions,
    shrink: Callable[[Console, Sequence[Verdict]], None] = lambda *_: None,
) -> int:
    """Judge a program, show and write the report, and return the exit status."""
    try:
        reasons = load_expected(Path(options.expected)) if options.expected else {}
    except (OSError, ValueError) as error:
        return refuse(f"Cannot use {options.expected}: {error}")
    ids = [case.id for case in known]
    cases = sorted(known, key=lambda case: reading_order(case.id, case.level))
    count = len(Choice(options.profile, options.cases).of(cases, options.framing))
    if why := find_unknown(options, ids, count) or find_unwritable(options.files):
        return refuse(why)
    found = _judge_with_progress(
        count,
        lambda after_each: judge(cases if options.exit_first else known, after_each),
        _stop_at(options, reasons),
    )
    report = replace(found, start=options.start)
    if dead := explain_dead(report, chosen=bool(options.cases)):
        return refuse(dead)
    held = compare_expected(report, reasons, ids)
    most = None if options.show_all or options.cases else MOST_BLOCKS
    screen = make_screen(stderr=STDOUT in options.files.values())
    show_report(screen, report, held, most)
    if len(report.verdicts) < count:
        left = count - len(report.verdicts)
        screen.print(Text(f"Stopped at the first broken MUST: {left} cases were not run.", "bold"))
    if why := _write_files(report, options, reasons):
        return refuse(why)
    if options.shrink:
        shrink(screen, find_broken(report, held)[:most])
    return exit_status(report, held)


def find_unknown(options: ConformOptions, known: Collection[str], count: int) -> str:
    """Say which case does not exist, or that none can be run, or return ""."""
    for case in options.cases:
        if case not in known:
            return f"There is no case {case}.{did_you_mean(case, known)}"
    if not count:
        which = ", ".join(options.cases) or "no case"
        where = f"under the profile {options.profile} with {options.framing} framing"
        return f"No case was judged: {which} does not hold {where}."
    return ""


def _stop_at(options: ConformOptions, reasons: Mapping[str, str]) -> AfterEach:
    """Return what ends a run: a program that is dead from the start, or as -x asks."""
    places = itertools.count()

    def stop(verdict: Verdict) -> bool:
        broken = verdict.found == "broken" and verdict.level == "must"
        if options.exit_first and broken and verdict.case not in reasons:
            return True
        return next(places) == 0 and verdict.state in NEVER_WORKED

    return stop


def explain_dead(report: Report, *, chosen: bool) -> str:
    """Say why a program cannot be judged, if the first case shows that it never worked.

    Of a whole run, the first case of a client is a plain call. A client that neither
    calls nor says anything is dead then; in a chosen case it may have reason to.
    """
    first = report.verdicts[0]
    is_server = report.command == "conform"
    if first.state == "absent":
        return f"Cannot start {report.target}. {first.why.removeprefix(NOT_STARTED)}"
    if first.state == "mute":
        why = first.why
    elif is_server or chosen or first.came or first.wrote:
        return ""
    else:
        end = "it goes on" if first.status is None else f"it ended (exit status {first.status})"
        why = f"{end}, and it neither called its server nor said anything"
    lines = [f"Cannot judge {report.target}: {why}."]
    printed = [readable(payload) for payload in first.came]
    for title, texts in (("stdout", printed), ("stderr", first.stderr.splitlines())):
        if texts:
            lines += [f"The end of its {title}:", *(f"  {text}" for text in texts[-_MOST_LINES:])]
    if is_server and first.state == "mute":
        framing = f"--framing {report.framing} " if report.framing != "newline" else ""
        lines.append(f"To try it by hand: rpclab send {framing}-- {report.target}")
    return "\n".join(lines)


def _judge_with_progress(
    count: int, judge: Callable[[AfterEach], Report], stop: AfterEach
) -> Report:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    errors = make_screen(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("judging", total=count)

        def after_each(verdict: Verdict) -> bool:
            bar.update(task, advance=1, description=verdict.case[:32])
            return stop(verdict)

        return judge(after_each)


def _write_files(report: Report, options: ConformOptions, reasons: Mapping[str, str]) -> str:
    return write_reports(
        [
            (options.json, lambda: write_json(report_data(report, reasons))),
            (options.junit, lambda: junit(report, reasons)),
            (options.html, lambda: report_page(report, reasons)),
            (options.badge, lambda: badge(report)),
        ]
    )
