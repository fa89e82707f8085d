"""A conformance report in a terminal: each fault, with its bytes, and the counts.

What to repair first is shown first: a MUST before a SHOULD, and of those the fault
that keeps the most cases from being judged. A fault is shown once, by one case.
"""

from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rpclab.cli.terminal import prose, show_indented
from rpclab.conformance.expected import Expectations
from rpclab.conformance.judging import Fault, Report, Verdict
from rpclab.conformance.reports import (
    again,
    count_faults,
    details,
    find_evidence,
    find_source,
    printable,
)
from rpclab.spec import clause, ruling, source

MOST_BLOCKS: Final = 5
"""How many faults are shown with their bytes, if not all were asked for."""

_STYLES: Final = {"kept": "green", "broken": "bold red", "free": "yellow", "not judged": "dim"}
_EXAMPLES: Final = "examples."
_MOST_LINES: Final = 12
_MOST_BYTES: Final = 600


def exit_status(report: Report, held: Expectations) -> int:
    """Return 0 if every MUST is kept or broken as expected, 1 if not, 2 if nothing ran."""
    if not report.ran or report.never_worked:
        return 2
    unexpected = not report.keeps_every_must and not report.count("broken", "must")
    return 0 if held.hold and not unexpected else 1


def reading_order(case: str, level: str) -> tuple[bool, bool]:
    """Return what cases are sorted by, for those who read or run them one after another.

    >>> reading_order("examples.mixed-batch", "must") < reading_order("id.null", "must")
    True
    """
    return level != "must", not case.startswith(_EXAMPLES)


def find_faults(report: Report, held: Expectations) -> list[tuple[Fault, list[Verdict]]]:
    """Return the faults in reading order, each with its broken cases in that order.

    What was expected to be broken is at the end.
    """

    def by_case(one: Verdict) -> tuple[bool, ...]:
        return (one.case in held.reasons, *reading_order(one.case, one.level))

    def by_fault(pair: tuple[Fault, list[Verdict]]) -> tuple[bool, bool, int, bool]:
        fault, (first, *_) = pair
        expected, is_should, no_example = by_case(first)
        return expected, is_should, -len(fault.blocked), no_example

    pairs = [(one, sorted(find_evidence(report, one), key=by_case)) for one in report.faults()]
    return sorted(pairs, key=by_fault)


def find_shown(report: Report, held: Expectations, most: int | None) -> list[Verdict]:
    """Return the broken cases that are shown with their bytes: one a fault, or all."""
    faults = find_faults(report, held)[:most]
    return [one for _, cases in faults for one in (cases if most is None else cases[:1])]


def show_report(
    screen: Console, report: Report, held: Expectations, most: int | None = None
) -> None:
    """Show a report: a table, the faults, what is left open, and the counts."""
    screen.print(Text(f"Conformance of {printable(report.target)}", "bold"))
    screen.print(_table(report))
    faults = find_faults(report, held)
    for pair in faults[:most]:
        _show_fault(screen, report, pair, held, most)
    if more := len(faults) - len(faults[:most]):
        are = "fault. --all shows it." if more == 1 else "faults. --all shows them."
        screen.print(Text(f"\n{more} more {are}", "bold"))
    screen.print()
    _show_choices(screen, report, most)
    _show_rest(screen, report, held)
    screen.print(_counts(report))


def _table(report: Report) -> Table:
    table = Table()
    table.add_column("source")
    for found, style in _STYLES.items():
        table.add_column(found, style=style, justify="right", no_wrap=True)
    groups: dict[tuple[str, str], list[str]] = {}
    for verdict in report.verdicts:
        rule = clause(verdict.clause)
        section = rule.section.split(".")[0] if rule.source == "jsonrpc" else ""
        groups.setdefault((rule.source, section), []).append(verdict.found)
    for (origin, section), found_here in sorted(groups.items(), key=_by_section):
        title = source(origin).title.split(":")[0].removesuffix(" Specification")
        name = title + (f", section {section}" if section else "")
        table.add_row(name, *(str(found_here.count(found) or "") for found in _STYLES))
    return table


def _by_section(group: tuple[tuple[str, str], list[str]]) -> tuple[bool, str]:
    """Put the sections of JSON-RPC first, by number, and leave the others in their order."""
    (_, section), _ = group
    return not section, section


def _show_fault(
    screen: Console,
    report: Report,
    pair: tuple[Fault, list[Verdict]],
    held: Expectations,
    most: int | None,
) -> None:
    """Show a fault: its clause, the case that shows it, and the names of those that it blocks."""
    fault, cases = pair
    rule = clause(fault.clause)
    screen.print()
    name = Text.assemble(("broken ", _STYLES["broken"]), (rule.id, "bold"), ": ")
    show_indented(screen, name.append_text(prose(rule.says)), 2)
    screen.print(Text(f"  {find_source(rule.id)}", "dim"), soft_wrap=True)
    shown = cases if most is None else cases[:1]
    for verdict in shown:
        _show_case(screen, report, verdict, held.reasons.get(verdict.case, ""))
    others = [one.case for one in cases[len(shown) :]]
    for words, names in (("also shown by", others), ("blocks", fault.blocked)):
        if names:
            some = ", ".join(names if most is None else names[:most])
            more = f" and {len(names) - most} more" if most and len(names) > most else ""
            show_indented(screen, Text(f"  {words} {len(names)}: {some}{more}", "yellow"))


def _show_case(screen: Console, report: Report, verdict: Verdict, reason: str) -> None:
    """Show one broken case: sentences are wrapped between words, bytes are never cut."""
    why = f" ({verdict.level}): {printable(verdict.why)}"
    show_indented(screen, Text.assemble("  ", (verdict.case, "bold"), why))
    if reason:
        show_indented(screen, Text(f"  {printable(reason)}"))
    for name, body in details(verdict, _MOST_BYTES):
        lines = body.splitlines()[-_MOST_LINES:]
        text = Text.assemble((f"  {name:<7}", "dim"), f"\n{' ' * 9}".join(lines))
        screen.print(text, soft_wrap=True)
    screen.print(Text(f"  {again(report, verdict.case)}", "cyan"), soft_wrap=True)


def _show_choices(screen: Console, report: Report, most: int | None) -> None:
    """Show where the text leaves a choice, and the target took another than our rulings."""
    differs = [(id, vote) for id, vote in report.votes().items() if vote != ruling(id).reading]
    if differs:
        screen.print(Text("Where the text leaves it open, its choice is not our ruling:", "yellow"))
    for id, vote in differs[:most]:
        line = Text("  ").append_text(prose(ruling(id).point)).append(f": {vote} (ruling {id})")
        show_indented(screen, line)
    if more := len(differs) - len(differs[:most]):
        screen.print(Text(f"  and {more} more; --all shows them", "dim"))


def _show_rest(screen: Console, report: Report, held: Expectations) -> None:
    if report.missing:
        names = ", ".join(report.missing)
        why = "the cases that need them were not judged. --methods maps names."
        screen.print(Text(f"It has no method {names}: {why}", "yellow"))
    stale = dict.fromkeys(held.stale, "and is not: take it out of the file.")
    stale |= dict.fromkeys(held.unknown, "and there is no such case or clause.")
    for entry, why in stale.items():
        text = Text(printable(f"{entry} was expected to be broken, {why}"), "bold red")
        show_indented(screen, text)


def _counts(report: Report) -> Text:
    if not report.ran:
        return Text("No case was judged.", "bold red")
    counts = [
        f"{level.upper()}: {report.count('kept', level)} kept,"
        f" {report.count('broken', level)} broken."
        for level in ("must", "should")
    ]
    counts += [f"Free: {report.count('free')}.", f"Not judged: {report.count('not judged')}."]
    said = " ".join([count_faults(report), *counts])
    return Text(said, "bold green" if report.keeps_every_must else "bold red")
