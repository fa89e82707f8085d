"""A run of ``rpclab conform``: what is refused before it, the run, and what is shown of it.

Whatever would spoil a run is refused in a sentence: a case that does not exist, a
file that cannot be written, a program that does not start or never answers.
"""

import itertools
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from rpclab.cli.progress import AfterEach, Terminated, ended_by_sigterm, shown_progress
from rpclab.cli.report_files import STDOUT, find_unwritable, write_reports
from rpclab.cli.report_view import (
    MOST_BLOCKS,
    exit_status,
    find_shown,
    reading_order,
    show_report,
)
from rpclab.cli.terminal import did_you_mean, make_screen, refuse
from rpclab.conformance.carriers import carry
from rpclab.conformance.cases import Case, Choice, ClientCase, load_cases, load_client_cases
from rpclab.conformance.cases.method_names import renamed_case
from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.expected import (
    compare_expected,
    find_reason,
    load_expected,
    read_expected,
    write_expected,
)
from rpclab.conformance.greetings import greeting as greeting_of
from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import (
    badge,
    junit,
    readable,
    report_data,
    report_page,
    write_json,
)
from rpclab.conformance.run import Interrupted, judge_client, judge_server
from rpclab.conformance.smallest_input import shrink_case
from rpclab.conformance.targets import DEADLINE, NEVER_WORKED, STARTUP
from rpclab.conformance.targets.command import NOT_STARTED, ClientCommand, CommandTarget

_MOST_LINES: Final = 12
"""How much of its output is shown of a program that cannot be judged."""

_MOST_JOBS: Final = 4
"""How many targets are judged side by side, unless told otherwise. They wait most of the time,
so there are two for each processor."""

_CTRL_C: Final = 130
_TERMINATED: Final = 143


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
    save_expected: str = ""
    deadline: float = DEADLINE
    startup: float = STARTUP
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    show_all: bool = False
    exit_first: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    shrink: bool = False
    jobs: int = 0

    @property
    def files(self) -> dict[str, str]:
        """The files that are written, by option."""
        reports = {name: getattr(self, name) for name in ("json", "junit", "html", "badge")}
        written = reports | {"save-expected": self.save_expected}
        return {f"--{name}": file for name, file in written.items()}

    @property
    def side_by_side(self) -> int:
        """How many targets are judged at the same time; one, if a run may end soon."""
        usual = 1 if self.exit_first else min(_MOST_JOBS, 2 * (os.cpu_count() or 1))
        return self.jobs or usual

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
            command,
            options.framing,
            options.deadline,
            greeting,
            startup=options.startup,
            env=options.env,
            cwd=options.cwd,
        )

    def judge(cases: Sequence[Case], after_each: AfterEach) -> Report:
        return judge_server(make, cases, choice, options.names, after_each, options.side_by_side)

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
        command,
        options.framing,
        options.deadline,
        startup=options.startup,
        env=options.env,
        cwd=options.cwd,
    )

    def judge(cases: Sequence[ClientCase], after_each: AfterEach) -> Report:
        return judge_client(client, cases, choice, after_each, options.side_by_side)

    return judge_and_report(load_client_cases(), judge, options)


def judge_and_report(
    known: Sequence[AnyCaseT],
    judge: Callable[[Sequence[AnyCaseT], AfterEach], Report],
    options: ConformOptions,
    shrink: Callable[[Console, Sequence[Verdict]], None] = lambda *_: None,
) -> int:
    """Judge a program, show and write the report, and return the exit status."""
    try:
        entries = load_entries(options)
    except ValueError as error:
        return refuse(str(error))
    ids = [case.id for case in known]
    cases = sorted(known, key=lambda case: reading_order(case.id, case.level))
    count = len(Choice(options.profile, options.cases).of(cases, options.framing))
    if why := find_unknown(options, ids, count) or find_unwritable(options.files):
        return refuse(why)
    found, early = _judge_with_progress(
        count,
        lambda after_each: judge(cases if options.exit_first else known, after_each),
        _stop_at(options, entries),
    )
    report = replace(found, start=options.start)
    if not early and (dead := explain_dead(report)):
        return refuse(dead)
    before = len(entries)
    if why := _write_entries(report, options.save_expected, entries):
        return refuse(why)
    whole = len(report.verdicts) == count and not options.cases
    held = compare_expected(report, entries, ids, whole=whole)
    most = None if options.show_all or options.cases else MOST_BLOCKS
    screen = make_screen(stderr=STDOUT in options.files.values())
    show_report(screen, report, held, most)
    judged = len(report.verdicts)
    if early:
        screen.print(Text(f"interrupted: {judged} of {count} cases were judged", "bold red"))
    elif judged < count:
        left = count - judged
        screen.print(Text(f"Stopped at the first broken MUST: {left} cases were not run.", "bold"))
    if new := len(entries) - before:
        say = f"New entries in {options.save_expected}: {new}. Fill in the reasons."
        screen.print(Text(say, "bold"))
    if why := _write_files(report, options, held.reasons):
        return refuse(why)
    if early:
        return early
    if options.shrink:
        shrink(screen, find_shown(report, held, most))
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


def load_entries(options: ConformOptions) -> dict[str, str]:
    """Read what is expected to be broken, from one file or two.

    Raises:
        ValueError: a file cannot be read; the text says which, and why.
    """
    there = options.save_expected if Path(options.save_expected).is_file() else ""
    entries: dict[str, str] = {}
    for file in dict.fromkeys((options.expected, there)):
        try:
            entries |= load_expected(Path(file)) if file else {}
        except (OSError, ValueError) as error:
            raise ValueError(f"Cannot use {file}: {error}") from error
    return entries


def _write_entries(report: Report, file: str, entries: dict[str, str]) -> str:
    """Add what is broken to a file and to the entries. Say why that failed, or return ""."""
    if not file:
        return ""
    path = Path(file)
    there = path.read_bytes().decode() if path.is_file() else ""  # its ends of lines stay
    text = write_expected(report, there)
    entries |= read_expected(text)
    return write_reports([(file, lambda: text)])


def _stop_at(options: ConformOptions, entries: Mapping[str, str]) -> AfterEach:
    """Return what ends a run: a program that is dead from the start, or as -x asks."""
    places = itertools.count()

    def stop(verdict: Verdict) -> bool:
        broken = verdict.found == "broken" and verdict.level == "must"
        if options.exit_first and broken and find_reason(entries, verdict) is None:
            return True
        return next(places) == 0 and verdict.state in NEVER_WORKED

    return stop


def explain_dead(report: Report) -> str:
    """Say why a program cannot be judged, if it never worked."""
    first = report.verdicts[0]
    is_server = report.command == "conform"
    if report.never_worked and first.state == "absent":
        return f"Cannot start {report.target}. {first.why.removeprefix(NOT_STARTED)}"
    if not report.never_worked:
        return ""
    lines = [f"Cannot judge {report.target}: {first.why}."]
    printed = [readable(payload) for payload in first.came]
    for title, texts in (("stdout", printed), ("stderr", first.stderr.splitlines())):
        if texts:
            lines += [f"The end of its {title}:", *(f"  {text}" for text in texts[-_MOST_LINES:])]
    if is_server:
        if first.status is None:
            lines.append("If it needs longer to start, say so with --startup SECONDS.")
        framing = f"--framing {report.framing} " if report.framing != "newline" else ""
        lines.append(f"To try it by hand: rpclab send {framing}-- {report.target}")
    return "\n".join(lines)


def _judge_with_progress(
    count: int, judge: Callable[[AfterEach], Report], stop: AfterEach
) -> tuple[Report, int]:
    """Judge, and return the report with the exit status of an early end, or 0."""
    try:
        with ended_by_sigterm(), shown_progress(count, stop) as after_each:
            return judge(after_each), 0
    except Interrupted as early:
        return early.report, _TERMINATED if isinstance(early.__cause__, Terminated) else _CTRL_C


def _write_files(report: Report, options: ConformOptions, reasons: Mapping[str, str]) -> str:
    return write_reports(
        [
            (options.json, lambda: write_json(report_data(report, reasons))),
            (options.junit, lambda: junit(report, reasons)),
            (options.html, lambda: report_page(report, reasons)),
            (options.badge, lambda: badge(report)),
        ]
    )
