"""The matrix: the suite over other people's implementations, one after another.

One rule: a library is not judged for what its adapter does, so the cases of
clauses that the adapter answers for are "not judged". An implementation that
cannot be judged becomes a row that says why.

Interface:
  - ``judge_adapter``: one row; it never raises because of an implementation
  - ``matrix_data``: all rows as one JSON value, from which each page is printed
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rpclab.conformance.cases import Case, Choice
from rpclab.conformance.greetings import greeting as greeting_of
from rpclab.conformance.judging import OTHER_READING, Report, Verdict, not_judged
from rpclab.conformance.matrix.environments import Adapter, CannotInstall, Environment, prepare
from rpclab.conformance.run import judge_server
from rpclab.conformance.targets import UNASKED
from rpclab.conformance.targets.command import CommandTarget
from rpclab.messages import Json
from rpclab.spec import clause, ruling

STOPPED: Final = "it hung, or took too long: {asked} of {all} cases were put to it"
MOST_SECONDS: Final = 900.0
"""How many seconds all cases of one implementation may take together."""

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
_EMPTY: Final = Report(target="", profile="", framing="", verdicts=())
_FOUND: Final = ("kept", "broken", "free", "not judged")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """The result for one implementation: a report, or why there is none."""

    adapter: Adapter
    report: Report | None = None
    why: str = ""
    packages: dict[str, str] = field(default_factory=dict)


class _TooLong(Exception):
    """The cases of an implementation take too long together."""


def judge_adapter(
    adapter: Adapter,
    cases: Sequence[Case],
    cache: Path,
    only: tuple[str, ...] = (),
    say: Callable[[str], object] = lambda _: None,
) -> MatrixRow:
    """Install an implementation, unless it is installed already, and judge it.

    Args:
        adapter: the implementation.
        cases: every case of the suite.
        cache: the folder in which environments are kept.
        only: the ids of the wanted cases; without any, all are wanted.
        say: is called with each step.
    """
    try:
        place = prepare(adapter, cache, say)
    except CannotInstall as error:
        return MatrixRow(adapter=adapter, why=str(error))
    chosen = Choice(adapter.profile, only).of(cases, adapter.framing)
    aside = {case.id: adapter.why_not((case.clause, case.id)) for case in chosen}
    theirs = [case for case in chosen if not aside[case.id]]
    report, why = _judge(adapter, place, theirs, say)
    if report.verdicts and all(one.state in UNASKED for one in report.verdicts):
        return MatrixRow(adapter=adapter, why=f"it never worked: {report.verdicts[0].why}")
    rest = [not_judged(case, aside[case.id]) for case in chosen if aside[case.id]]
    report = replace(report, verdicts=(*report.verdicts, *rest))
    return MatrixRow(adapter=adapter, report=report, why=why, packages=place.packages)


def _judge(
    adapter: Adapter, place: Environment, cases: Sequence[Case], say: Callable[[str], object]
) -> tuple[Report, str]:
    """Judge it, and return with the report why it was not put to every case, if it was not."""
    until = time.monotonic() + MOST_SECONDS
    done: list[Verdict] = []

    def after_each(one: Verdict) -> None:
        done.append(one)
        say(f"{adapter.id}: {len(done)} of {len(cases)}")
        if time.monotonic() > until:
            raise _TooLong

    greeting = greeting_of(adapter.profile)
    target = CommandTarget(place.command, adapter.framing, greeting=greeting)
    choice = Choice(adapter.profile)
    try:
        report = judge_server(target, cases, choice, after_each=after_each)
    except _TooLong:
        report = replace(_EMPTY, target=target.name, verdicts=tuple(done))
    asked = sum(one.state != "spent" for one in done)
    return report, "" if asked == len(cases) else STOPPED.format(asked=asked, all=len(cases))


def section_of(clause_id: str) -> str:
    """Return the column of a clause: its section of JSON-RPC, or the name of its source.

    >>> section_of("4.1.no-reply"), section_of("json.utf8")
    ('4.1 notification', 'JSON')
    """
    rule = clause(clause_id)
    if rule.source == "jsonrpc":
        return _SECTIONS.get(rule.section, rule.section)
    return _SOURCES.get(rule.source, rule.source)


def matrix_data(rows: Iterable[MatrixRow], made: str, command: str) -> dict[str, Json]:
    """Return all rows as one JSON value. ``made`` is the date, ``command`` what made it."""
    rows = list(rows)
    return {
        "made": made,
        "command": command,
        "rows": [_row_data(row) for row in rows],
        "rulings": _rulings_data(rows),
    }


def _row_data(row: MatrixRow) -> dict[str, Json]:
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


def _rulings_data(rows: Sequence[MatrixRow]) -> list[Json]:
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
    """Return those who are alone in a reading, if at least two others share one.

    An implementation with several readings, or an unknown one, is not counted.

    >>> alone({"request": ["a", "b"], "notification": ["c"], "other": ["d"]})
    ['c']
    """
    clear = {
        name: ids for name, ids in readings.items() if OTHER_READING not in name and "," not in name
    }
    shared = any(len(ids) > 1 for ids in clear.values())
    return [ids[0] for ids in clear.values() if len(ids) == 1] if shared else []
