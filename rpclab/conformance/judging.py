"""From what was observed to a verdict: kept, broken or free."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from rpclab.conformance import strings
from rpclab.conformance.cases import Case
from rpclab.conformance.matching import NotJson, all_came, differing, is_call, read_payload
from rpclab.conformance.outcomes import PAUSE, Outcome
from rpclab.conformance.targets import UNASKED, Came, Observation
from rpclab.conformance.verdicts import OTHER, Finding, Verdict
from rpclab.messages import Json


class Judged(Protocol):
    """What every case has, of a server or of a client."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def clause(self) -> str:
        """The clause that it judges."""

    @property
    def level(self) -> str:
        """What the clause demands."""

    @property
    def ruling(self) -> str:
        """The ruling that its readings belong to."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The ways that it may end."""

    @property
    def compare(self) -> tuple[str, ...]:
        """What counts besides."""

    @property
    def ordered(self) -> bool:
        """Whether the order counts."""


def judge(case: Case, delivery: str, seen: Observation) -> Verdict:
    """Give the verdict of one case in one delivery.

    >>> from rpclab.conformance.cases import load_cases
    >>> [case] = [case for case in load_cases() if case.id == "id.null"]
    >>> judge(case, "whole", Observation(state="alive")).why
    'it takes the reading notification, which breaks the clause'
    """
    outcome = find_outcome(case, seen)
    why = _fault(case, outcome, seen)
    if is_unasked(case, seen):
        return verdict(case, "not judged", why, seen)
    found: Finding = "free" if case.level == "free" else "broken" if why else "kept"
    reading = find_reading(case, outcome, seen)
    return replace(verdict(case, found, why, seen), delivery=delivery, reading=reading)


def is_unasked(case: Judged, seen: Observation) -> bool:
    """Tell whether nothing was found: a target that never worked breaks every MUST, no more."""
    return seen.state == "spent" or (seen.state in UNASKED and case.level == "free")


def find_reading(case: Judged, outcome: Outcome | None, seen: Observation) -> str:
    """Give the reading that a target takes; none where it never worked."""
    if not case.ruling or seen.state in UNASKED:
        return ""
    return outcome.reading if outcome else OTHER


def verdict(case: Judged, found: Finding, why: str, seen: Observation) -> Verdict:
    """Put a verdict together."""
    return Verdict(
        case=case.id,
        clause=case.clause,
        level=case.level,
        found=found,
        why=why,
        sent=seen.sent,
        came=tuple(show(payload) for payload in seen.came),
        wanted=tuple(outcome.lines for outcome in case.outcomes if outcome.keeps),
        ruling=case.ruling,
        state=seen.state,
        status=seen.status,
        stderr=seen.stderr,
    )


def show(payload: Came) -> bytes:
    """Give a payload, or what stands in its place, as bytes."""
    return payload if isinstance(payload, bytes) else f"({payload})".encode()


def find_outcome(case: Judged, seen: Observation) -> Outcome | None:
    """Give the outcome of a case that was observed."""
    values = _what_counts(case, seen)
    for outcome in case.outcomes:
        if outcome.state == seen.state and (
            seen.state != "alive"
            or all_came(wanted(outcome), values, ordered=case.ordered, compare=case.compare)
        ):
            return outcome
    return None


def may_be_all(case: Judged, sent: bytes, came: Sequence[Came]) -> bool:
    """Tell whether what came keeps the case, and no reply can be still to come.

    A server that runs calls at once may answer the good request first. So silence
    is not enough where it is one of several readings.
    """
    outcome = find_outcome(case, Observation(state="alive", came=tuple(came), sent=sent))
    if outcome is None or not outcome.keeps:
        return False
    return _count(outcome) > 0 or not any(_count(other) for other in case.outcomes)


def _count(outcome: Outcome) -> int:
    return len([line for line in outcome.lines if line != PAUSE])


def wanted(outcome: Outcome) -> list[Json]:
    """Give the values of an outcome."""
    return [read_payload(line) for line in outcome.lines]


def _what_counts(case: Judged, seen: Observation) -> list[Json]:
    """Give the values that came, without the target's own calls where none is wanted."""
    pairs = [(payload, read_payload(payload)) for payload in seen.came]
    if any(is_call(value) for outcome in case.outcomes for value in wanted(outcome)):
        return [value for _, value in pairs]
    return [value for payload, value in pairs if not is_call(value) or _is_sent(payload, seen)]


def _is_sent(payload: Came, seen: Observation) -> bool:
    return isinstance(payload, bytes) and payload in seen.sent


def _fault(case: Case, outcome: Outcome | None, seen: Observation) -> str:
    """Say why a case is broken, or nothing."""
    if outcome is None:
        return _mismatch(case, seen)
    if not outcome.keeps:
        return strings.READING.format(reading=outcome.reading)
    if case.lacks and re.search(case.lacks.encode(), seen.raw):
        return strings.FOUND.format(pattern=ascii(case.lacks))
    if case.matches and not re.search(case.matches.encode(), seen.raw):
        return strings.NOT_FOUND.format(pattern=ascii(case.matches))
    if case.stderr_lacks and re.search(case.stderr_lacks, seen.stderr):
        return strings.STDERR_FOUND.format(pattern=ascii(case.stderr_lacks))
    if case.status is not None and seen.status not in (None, case.status):
        return strings.STATUS.format(status=seen.status, wanted=case.status)
    return ""


def _mismatch(case: Case, seen: Observation) -> str:
    if seen.note:
        return seen.note
    if seen.state == "hangs" and case.end:
        return strings.STATES["lives-on"]
    if seen.state != "alive":
        return strings.STATES[seen.state].format(status=seen.status)
    values = [value for value in _what_counts(case, seen) if value != PAUSE]
    counts = [_count(outcome) for outcome in case.outcomes if outcome.keeps]
    if any(isinstance(value, NotJson) for value in values):
        return strings.NOT_JSON
    if not values:
        return strings.SILENT
    if not max(counts, default=0):
        return strings.NOT_SILENT
    if len(values) == max(counts):
        return _difference(case, values)
    return strings.MISSING if len(values) < min(counts) else strings.TOO_MUCH


def _difference(case: Case, values: Sequence[Json]) -> str:
    """Name the members that differ, where one message is due and one came."""
    due = [wanted(outcome) for outcome in case.outcomes if outcome.keeps]
    match due, values:
        case [[dict(one)]], [dict(other)]:
            return strings.DIFFERS.format(names=", ".join(differing(one, other, case.compare)))
    return strings.OTHER
