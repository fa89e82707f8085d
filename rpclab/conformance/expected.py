"""What is expected to be broken: a file of cases and clauses, compared with a report.

An entry is by case or by clause, and may be a pattern: ``lsp.*``. It says why.

One rule: an entry lives as long as something that it covers is broken. One that
covers nothing, or that is kept now, is reported.

Interface:
  - an entry is written as ``load_expected`` returns it: ``batch.empty`` is a case,
    ``clause 5.reply`` is a clause, and either may be a pattern
  - ``write_expected`` adds to a text and changes nothing that is in it
"""

import json
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import printable
from rpclab.spec import clauses

_CLAUSE: Final = "clause "
_FORM: Final = "each [[expected]] has a case or a clause, and a why, and nothing else"
_HEAD: Final = "# What is known to be broken, and why.\n"


@dataclass(frozen=True, slots=True)
class Expectations:
    """What a run was expected to find, compared with what it found.

    ``reasons`` are by case, for the cases that are broken as expected.
    """

    reasons: Mapping[str, str]
    stale: tuple[str, ...]
    unknown: tuple[str, ...]
    surprises: tuple[Verdict, ...]

    @property
    def hold(self) -> bool:
        """Whether everything was as expected."""
        return not (self.stale or self.unknown or self.surprises)


def load_expected(path: Path) -> dict[str, str]:
    """Read a file of what is known to be broken; return the reason of each entry.

    Raises:
        ValueError: the file has another form; the text says why.
    """
    return read_expected(path.read_text(encoding="utf-8"))


def read_expected(text: str) -> dict[str, str]:
    r"""Read the text of such a file.

    >>> read_expected('[[expected]]\nclause = "5.*"\nwhy = "issue 12"')
    {'clause 5.*': 'issue 12'}

    Raises:
        ValueError: the text has another form.
    """
    entries = {}
    rows = tomllib.loads(text).get("expected", [])
    if not isinstance(rows, list):
        raise ValueError(_FORM)
    for row in rows:
        match row:
            case {"case": str(case), "why": str(why), **rest} if not rest:
                entries[case] = why
            case {"clause": str(clause), "why": str(why), **rest} if not rest:
                entries[_CLAUSE + clause] = why
            case _:
                raise ValueError(_FORM)
    return entries


def covers(entry: str, verdict: Verdict) -> bool:
    """Tell whether an entry is about a verdict.

    >>> verdict = Verdict(case="reply.null", clause="5.reply", level="must", found="broken")
    >>> covers("reply.*", verdict), covers("clause 5.*", verdict), covers("5.*", verdict)
    (True, True, False)
    """
    pattern = entry.removeprefix(_CLAUSE)
    return fnmatchcase(verdict.clause if pattern != entry else verdict.case, pattern)


def find_reason(entries: Mapping[str, str], verdict: Verdict) -> str | None:
    """Return why a case is known to be broken, or None if no entry is about it."""
    return next((why for entry, why in entries.items() if covers(entry, verdict)), None)


def compare_expected(
    report: Report, entries: Mapping[str, str], known: Collection[str], *, whole: bool = True
) -> Expectations:
    """Compare a report with what was expected.

    Args:
        report: what was found.
        entries: what was expected, from ``load_expected``.
        known: the ids of all cases.
        whole: whether every case that fits was run. If not, an entry for several
            cases is never stale, because one of the others may be broken.

    >>> kept = Verdict(case="a", clause="5.reply", level="must", found="kept")
    >>> report = Report(target="t", profile="core", framing="newline", verdicts=(kept,))
    >>> compare_expected(report, {"a": "issue 1"}, ["a"]).stale
    ('a',)
    """
    broken = [verdict for verdict in report.verdicts if verdict.found == "broken"]
    reasons = {verdict.case: find_reason(entries, verdict) for verdict in broken}
    return Expectations(
        reasons={case: why for case, why in reasons.items() if why is not None},
        stale=tuple(
            entry for entry in entries if (whole or entry in known) and _is_kept(entry, report)
        ),
        unknown=tuple(entry for entry in entries if not _is_known(entry, known)),
        surprises=tuple(
            verdict
            for verdict in broken
            if verdict.level == "must" and reasons[verdict.case] is None
        ),
    )


def _is_kept(entry: str, report: Report) -> bool:
    """Tell whether what an entry covers was judged, and nothing of it is broken."""
    found = {verdict.found for verdict in report.verdicts if covers(entry, verdict)}
    return "broken" not in found and bool(found & {"kept", "free"})


def _is_known(entry: str, known: Collection[str]) -> bool:
    pattern = entry.removeprefix(_CLAUSE)
    ids = [one.id for one in clauses()] if pattern != entry else known
    return any(fnmatchcase(id, pattern) for id in ids)


def write_expected(report: Report, text: str = "") -> str:
    """Return the text of a file, with an entry more for each fault that it does not cover.

    Only a broken MUST needs an entry. The new reasons are to be filled in.
    """
    entries = read_expected(text)
    text = text or _HEAD
    for fault in report.faults():
        new = [
            verdict
            for verdict in report.verdicts
            if verdict.case in fault.cases
            and verdict.level == "must"
            and find_reason(entries, verdict) is None
        ]
        if new:
            text += _entry(fault.clause, new)
    return text


def _entry(clause: str, broken: Sequence[Verdict]) -> str:
    cases = broken[0].case
    if len(broken) > 1:
        cases = f"{len(broken)} cases, such as {cases}"
    why = printable(f"to be filled in ({cases}): {broken[0].why}")
    return f'\n[[expected]]\nclause = "{clause}"\nwhy = {json.dumps(why, ensure_ascii=False)}\n'
