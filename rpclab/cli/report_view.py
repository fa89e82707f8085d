"""A conformance report in a terminal: what is broken, with its bytes, and the counts.

What to repair first is shown first: a MUST before a SHOULD, and the specification's
own examples before the rest.
"""

from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rpclab.cli.terminal import prose, show_indented
from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import Expectations, again, details, printable
from rpclab.spec import clause, ruling, source

MOST_BLOCKS: Final = 5
"""How many broken cases are shown with their bytes, if not all were asked for."""

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


def find_broken(report: Report, held: Expectations) -> list[Verdict]:
    """Return what is broken in reading order; what was expected to be is at the end."""
    broken = [verdict for verdict in report.verdicts if verdict.found == "broken"]
    return sorted(
        broken, key=lambda one: (one.case in held.reasons, *reading_order(one.case, one.level))
    )


def show_report(
    screen: Console, report: Report, held: Expectations, most: int | None = None
) -> None:
    """Show a report: a table, what is broken, what is left open, and the counts."""
    screen.print(Text(f"Conformance of {printable(report.target)}", "bold"))
    screen.print(_table(report))
    broken = find_broken(report, held)
    if len({verdict.why for verdict in broken}) == 1 and len(broken) == report.ran > 1:
        _show_broken(screen, report, broken[0], "and so is every other case")
        broken = []
    for verdict in broken[:most]:
        _show_broken(screen, report, verdict, held.reasons.get(verdict.case, ""))
    if more := len(broken) - len(broken[:most]):
        is_are = "is" if more == 1 else "are"
        screen.print(Text(f"\n{more} more {is_are} broken. --all shows every one.", "bold"))
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


def _show_broken(screen: Console, report: Report, verdict: Verdict, reason: str) -> None:
    """Show one broken case: sentences are wrapped between words, bytes are never cut."""
    rule = clause(verdict.clause)
    screen.print()
    screen.print(
        Text.assemble(
            ("broken ", _STYLES["broken"]),
            (verdict.case, "bold"),
            f" ({verdict.level}): {verdict.why}",
        )
    )
    show_indented(screen, Text(f"  {rule.id}: ").append_text(prose(rule.says)))
    if reason:
        show_indented(screen, Text(f"  {reason}"))
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
