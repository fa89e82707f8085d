"""What both judging commands share: progress, a summary, files, an exit status."""

import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from rpclab.cli import strings
from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import (
    Expectations,
    again,
    badge,
    compare_expected,
    details,
    junit,
    load_expected,
    printable,
    report_data,
    report_page,
    write_json,
)
from rpclab.spec import clause, ruling, source

_STYLES: Final = {"kept": "green", "broken": "bold red", "free": "yellow", "not judged": "dim"}
_MOST_LINES: Final = 12
_MOST_BYTES: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is wanted of a run, beside its verdicts."""

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


Judge = Callable[[Callable[[Verdict], object]], Report]


def judge_and_report(count: int, judge: Judge, wanted: Wanted, known: Collection[str]) -> int:
    """Judge, show and write what was found, and give the exit status."""
    screen = Console(highlight=False, soft_wrap=True, stderr=wanted.json == "-")
    try:
        reasons = load_expected(Path(wanted.expected)) if wanted.expected else {}
    except (OSError, ValueError) as error:
        return refuse(strings.CONFORM_NO_EXPECTED.format(file=wanted.expected, why=error))
    if unknown := sorted(set(wanted.cases) - set(known)):
        return refuse(strings.CONFORM_NO_CASE.format(case=unknown[0]))
    report = _judge(count, judge)
    held = compare_expected(report, reasons, known)
    show(screen, report, held)
    try:
        _write_files(report, wanted, reasons)
    except OSError as error:
        return refuse(strings.CONFORM_CANNOT_WRITE.format(file=error.filename, why=error.strerror))
    return exit_status(report, held)


def _judge(count: int, judge: Judge) -> Report:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(strings.CONFORM_PROGRESS, total=count)

        def after_each(verdict: Verdict) -> None:
            bar.update(task, advance=1, description=verdict.case[:32])

        return judge(after_each)


def refuse(sentence: str) -> int:
    """Say why nothing was judged, and give the exit status for it."""
    with suppress(OSError):
        sys.stderr.write(printable(sentence) + "\n")
    return 2


def exit_status(report: Report, held: Expectations) -> int:
    """Give 0 only where every MUST is kept, or broken as expected; 2 where nothing ran."""
    if not report.ran or report.never_worked:
        return 2
    unasked = not report.keeps_every_must and not report.count("broken", "must")
    return 0 if held.hold and not unasked else 1


def show(screen: Console, report: Report, held: Expectations) -> None:
    """Show a report: a table, what is broken, what is left open, and the end."""
    screen.print(Text(strings.CONFORM_TITLE.format(name=printable(report.target)), "bold"))
    screen.print(_table(report))
    broken = [verdict for verdict in report.verdicts if verdict.found == "broken"]
    if len({verdict.why for verdict in broken}) == 1 and len(broken) == report.ran > 1:
        screen.print(_broken(report, broken[0], strings.CONFORM_ALL_BROKEN))
        broken = []
    for verdict in broken:
        screen.print(_broken(report, verdict, held.reasons.get(verdict.case, "")))
    _show_rest(screen, report, held)
    screen.print(_end(report))


def _table(report: Report) -> Table:
    table = Table()
    table.add_column(strings.CONFORM_SOURCE)
    for found, style in _STYLES.items():
        table.add_column(found, style=style, justify="right")
    groups: dict[tuple[str, str], list[str]] = {}
    for verdict in report.verdicts:
        rule = clause(verdict.clause)
        section = rule.section.split(".")[0] if rule.source == "jsonrpc" else ""
        groups.setdefault((rule.source, section), []).append(verdict.found)
    for (origin, section), found_here in groups.items():
        name = source(origin).title.split(":")[0] + (f", section {section}" if section else "")
        table.add_row(name, *(str(found_here.count(found) or "") for found in _STYLES))
    return table


def _broken(report: Report, verdict: Verdict, reason: str) -> Text:
    rule = clause(verdict.clause)
    text = Text.assemble(
        ("\nbroken ", _STYLES["broken"]),
        (verdict.case, "bold"),
        f" ({verdict.level}): {verdict.why}",
    )
    text.append(f"\n  {rule.id}: {rule.says}")
    if reason:
        text.append(f"\n  {reason}")
    for name, body in details(verdict, _MOST_BYTES):
        lines = body.splitlines()[-_MOST_LINES:]
        text.append(f"\n  {name:<7}", "dim").append(f"\n{' ' * 9}".join(lines))
    return text.append(f"\n  {again(report, verdict.case)}", "cyan")


def _show_rest(screen: Console, report: Report, held: Expectations) -> None:
    differs = {id: vote for id, vote in report.votes().items() if vote != ruling(id).reading}
    for id, vote in differs.items():
        note = strings.CONFORM_VOTE.format(point=ruling(id).point, vote=vote, ruling=id)
        screen.print(Text(note, "yellow"))
    if report.missing:
        names = ", ".join(report.missing)
        screen.print(Text(strings.CONFORM_MISSING.format(names=names), "yellow"))
    for case in held.stale:
        screen.print(Text(strings.CONFORM_STALE.format(case=case), "bold red"))
    for case in held.unknown:
        screen.print(Text(strings.CONFORM_STALE_UNKNOWN.format(case=case), "bold red"))


def _end(report: Report) -> Text:
    if not report.ran:
        return Text(strings.CONFORM_NOTHING, "bold red")
    counts = {
        f"{found}_{level}": report.count(found, level)
        for found in ("kept", "broken")
        for level in ("must", "should")
    }
    words = strings.CONFORM_END.format(
        **counts, free=report.count("free"), rest=report.count("not judged")
    )
    return Text(words, "bold green" if report.keeps_every_must else "bold red")


def _write_files(report: Report, wanted: Wanted, reasons: Mapping[str, str]) -> None:
    if wanted.json == "-":
        sys.stdout.write(write_json(report_data(report, reasons)))
    elif wanted.json:
        _write(wanted.json, write_json(report_data(report, reasons)))
    if wanted.junit:
        _write(wanted.junit, junit(report, reasons))
    if wanted.html:
        _write(wanted.html, report_page(report, reasons))
    if wanted.badge:
        _write(wanted.badge, badge(report))


def _write(file: str, text: str) -> None:
    Path(file).write_text(text, encoding="utf-8")
