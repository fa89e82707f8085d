"""The matrix: the suite over other people's implementations, one after another.

An adapter's part is not the library's: the cases of clauses that the adapter
answers for are not judged. An implementation that cannot be judged is a row
that says so.

Interface:
  - ``judge_adapter``: one row; never raises because of an implementation
  - ``matrix_data``: all rows as one JSON value, from which each page is printed
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rpclab.conformance.cases import Case
from rpclab.conformance.choosing import Choice
from rpclab.conformance.command import CommandTarget
from rpclab.conformance.environments import Adapter, CannotInstall, Environment, prepare
from rpclab.conformance.judging import verdict
from rpclab.conformance.running import GREETINGS, judge_server
from rpclab.conformance.targets import UNASKED, Observation
from rpclab.conformance.verdicts import OTHER, Report, Verdict
from rpclab.messages import Json
from rpclab.spec import clause, ruling

STOPPED: Final = "it hung, or took too long: {asked} of {all} cases were put to it"
MOST_SECONDS: Final = 900.0
"""How long the cases of one implementation may take in all."""

_NAMES: Final = (
    "2 text,3 versions,4 request,4.1 notification,4.2 params,5 response,5.1 error,6 batch,"
    "7 examples"
)
_SECTIONS: Final = {name.split()[0]: name for name in f"{_NAMES},8 extensions".split(",")}
_SOURCES: Final = {
    "json": "JSON",
    "newline": "lines",
    "lsp": "LSP",
    "lsp-base": "LSP",
    "mcp": "MCP",
}
NOTHING: Final = Report(target="", profile="", framing="", verdicts=())
_FOUND: Final = ("kept", "broken", "free", "not judged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one implementation: a report, or why there is none."""

    adapter: Adapter
    report: Report | None = None
    why: str = ""
    packages: dict[str, str] = field(default_factory=dict)


class _TooLong(Exception):
    """The cases of an implementation take too long in all."""


def judge_adapter(
    adapter: Adapter,
    cases: Sequence[Case],
    cache: Path,
    only: tuple[str, ...] = (),
    say: Callable[[str], object] = lambda _: None,
) -> Row:
    """Install an implementation, unless it is there, and judge it.

    Args:
        adapter: the implementation.
        cases: all that there are.
        cache: where environments are kept.
        only: ids of cases; all, if there are none.
        say: is told what is done now.
    """
    try:
        place = prepare(adapter, cache, say)
    except CannotInstall as error:
        return Row(adapter=adapter, why=str(error))
    chosen = Choice(adapter.profile, only).of(cases, adapter.framing)
    aside = {case.id: adapter.why_not((case.clause, case.id)) for case in chosen}
    theirs = [case for case in chosen if not aside[case.id]]
    report, why = _judge(adapter, place, theirs, say)
    if report.verdicts and all(one.state in UNASKED for one in report.verdicts):
        return Row(adapter=adapter, why=f"it never worked: {report.verdicts[0].why}")
    nothing = Observation(state="alive")
    rest = [verdict(c, "not judged", aside[c.id], nothing) for c in chosen if aside[c.id]]
    report = replace(report, verdicts=(*report.verdicts, *rest))
    return Row(adapter=adapter, report=report, why=why, packages=place.packages)


def _judge(
    adapter: Adapter, place: Environment, cases: Sequence[Case], say: Callable[[str], object]
) -> tuple[Report, str]:
    """Judge it, and say what stayed unasked because it hung or took too long."""
    until = time.monotonic() + MOST_SECONDS
    done: list[Verdict] = []

    def after_each(one: Verdict) -> None:
        done.append(one)
        say(f"{adapter.id}: {len(done)} of {len(cases)}")
        if time.monotonic() > until:
            raise _TooLong

    greeting = GREETINGS.get(adapter.profile, ())
    target = CommandTarget(place.command, adapter.framing, greeting=greeting)
    choice = Choice(adapter.profile)
    try:
        report = judge_server(target, cases, choice, after_each=after_each)
    except _TooLong:
        report = replace(NOTHING, target=target.name, verdicts=tuple(done))
    asked = sum(one.state != "spent" for one in done)
    return report, "" if asked == len(cases) else STOPPED.format(asked=asked, all=len(cases))


def section_of(clause_id: str) -> str:
    """Give the column of a clause: its section of JSON-RPC, or the text that it is from.

    >>> section_of("4.1.no-reply"), section_of("json.utf8")
    ('4.1 notification', 'JSON')
    """
    rule = clause(clause_id)
    if rule.source == "jsonrpc":
        return _SECTIONS.get(rule.section, rule.section)
    return _SOURCES.get(rule.source, rule.source)


def matrix_data(rows: Iterable[Row], made: str, command: str) -> dict[str, Json]:
    """Give all rows as one JSON value. ``made`` is the date, ``command`` what made it."""
    rows = list(rows)
    return {
        "made": made,
        "command": command,
        "rows": [_row_data(row) for row in rows],
        "rulings": _rulings_data(rows),
    }


def _row_data(row: Row) -> dict[str, Json]:
    adapter = row.adapter
    names = ("id", "version", "ecosystem", "kind", "profile", "framing", "note", "home")
    data: dict[str, Json] = {name: getattr(adapter, name) for name in names}
    data |= {"why": row.why, "packages": row.packages, "judged": row.report is not None}
    if row.report is None:
        return data | {"must": {}, "sections": {}, "clauses": {}, "broken": [], "votes": {}}
    found = row.report.clauses()
    sections: dict[str, dict[str, int]] = {}
    for id, word in found.items():
        sections.setdefault(section_of(id), dict.fromkeys(_FOUND, 0))[word] += 1
    must = [word for id, word in found.items() if clause(id).level.startswith("MUST")]
    return data | {
        "must": {word: must.count(word) for word in _FOUND},
        "sections": sections,
        "clauses": found,
        "broken": [_broken_data(adapter, v) for v in row.report.verdicts if v.found == "broken"],
        "votes": row.report.votes(),
        "missing": list(row.report.missing),
    }


def _broken_data(adapter: Adapter, one: Verdict) -> dict[str, Json]:
    data = {name: getattr(one, name) for name in ("case", "clause", "level", "why")}
    section = section_of(one.clause)
    return data | {"section": section, "command": f"rpclab matrix {adapter.id} --case {one.case}"}


def _rulings_data(rows: Sequence[Row]) -> list[Json]:
    votes: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        for id, reading in row.report.votes().items() if row.report else ():
            votes.setdefault(id, {}).setdefault(reading, []).append(row.adapter.id)
    return [
        {"id": id, "point": ruling(id).point, "default": ruling(id).reading}
        | {"votes": readings, "alone": alone(readings)}
        for id, readings in sorted(votes.items())
    ]


def alone(readings: dict[str, list[str]]) -> list[str]:
    """Give who is alone in a reading where at least two others share one.

    Who wavers between readings, or takes none that is known, is not alone in one.

    >>> alone({"request": ["a", "b"], "notification": ["c"], "other": ["d"]})
    ['c']
    """
    clear = {name: ids for name, ids in readings.items() if OTHER not in name and "," not in name}
    shared = any(len(ids) > 1 for ids in clear.values())
    return [ids[0] for ids in clear.values() if len(ids) == 1] if shared else []
