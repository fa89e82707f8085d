"""Cases that are known to be broken, each with the reason; and those that no longer are."""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from rpclab.conformance.verdicts import Report, Verdict


@dataclass(frozen=True, slots=True)
class Expectations:
    """What was expected of a run, against what it found."""

    reasons: Mapping[str, str]
    stale: tuple[str, ...]
    unknown: tuple[str, ...]
    surprises: tuple[Verdict, ...]

    @property
    def hold(self) -> bool:
        """Whether nothing has to be looked at."""
        return not (self.stale or self.unknown or self.surprises)


def load_expected(path: Path) -> dict[str, str]:
    """Read the reasons by case.

    Raises:
        ValueError: the file is not what it should be; the text says why.
    """
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("expected", [])
    for row in rows:
        if not isinstance(row, dict) or row.keys() != {"case", "why"}:
            raise ValueError("each [[expected]] has a case and a why, and nothing else")
    return {row["case"]: row["why"] for row in rows}


def compare_expected(
    report: Report, reasons: Mapping[str, str], known: Collection[str]
) -> Expectations:
    """Compare a report with what was expected. ``known`` are the ids of all cases.

    >>> from rpclab.conformance.verdicts import Verdict
    >>> kept = Verdict(case="a", clause="c", level="must", found="kept")
    >>> report = Report(target="t", profile="core", framing="newline", verdicts=(kept,))
    >>> compare_expected(report, {"a": "issue 1"}, ["a"]).stale
    ('a',)
    """
    found = {verdict.case: verdict.found for verdict in report.verdicts}
    return Expectations(
        reasons=reasons,
        stale=tuple(case for case in reasons if found.get(case) in ("kept", "free")),
        unknown=tuple(case for case in reasons if case not in known),
        surprises=tuple(
            verdict
            for verdict in report.verdicts
            if verdict.found == "broken" and verdict.level == "must" and verdict.case not in reasons
        ),
    )
