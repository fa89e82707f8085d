"""A conformance report in a terminal: what is broken, with its bytes, and the counts."""

from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import Expectations, again, details, printable
from rpclab.spec import clause, ruling, source

_STYLES: Final = {"kept": "green", "broken": "bold red", "free": "yellow", "not judged": "dim"}
_MOST_LINES: Final = 12
_MOST_BYTES: Final = 600


def exit_status(report: Report, held: Expectations) -> int:
    """Return 0 if every MUST is kept or broken as expected, 1 if not, 2 if nothing ran."""
    if not report.ran or report.never_worked:
        return 2
    unexpected = not report.keeps_every_must and not report.count("broken", "must")
    return 0 if held.hold and not unexpected else 1


def show_report(screen: Console, report: Report, held: Expectations) -> None:
    """Show a report: a table, what is broken, what is left open, and the counts."""
    screen.print(Text(f"Conformance of {printable(report.target)}", "bold"))
    screen.print(_table(report))
    broken = [verdict for verdict in report.verdicts if verdict.found == "broken"]
    if len({verdict.why for verdict in broken}) == 1 and len(broken) == report.ran > 1:
        screen.print(_broken(report, broken[0], "and so is every other case"))
        broken = []
    for verdict in broken:
        screen.print(_broken(report, verdict, held.reasons.get(verdict.case, "")))
    _show_rest(screen, report, held)
    screen.print(_counts(report))


def _table(report: Report) -> Table:
    table = Table()
    table.add_column("source")
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
        screen.print(Text(f"{ruling(id).point}: {vote} (ruling {id})", "yellow"))
    if report.missing:
        names = ", ".join(report.missing)
        why = "the cases that need them were not judged. --methods maps names."
        screen.print(Text(f"It has no method {names}: {why}", "yellow"))
    stale = dict.fromkeys(held.stale, "and is not: take it out of the file.")
    stale |= dict.fromkeys(held.unknown, "and there is no such case.")
    for case, why in stale.items():
        screen.print(Text(f"{case} was expected to be broken, {why}", "bold red"))


def _counts(report: Report) -> Text:
    if not report.ran:
        return Text("No case was judged.", "bold red")
    counts = [
        f"{level.upper()}: {report.count('kept', level)} kept,"
        f" {report.count('broken', level)} broken."
        for level in ("must", "should")
    ]
    counts += [f"Free: {report.count('free')}.", f"Not judged: {report.count('not judged')}."]
    return Text(" ".join(counts), "bold green" if report.keeps_every_must else "bold red")
