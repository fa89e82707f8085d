"""From what was observed to a verdict: kept, broken, free or not judged.

One rule: a verdict is a function of a case and an observation. Nothing here
sends, waits or remembers.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from rpclab.conformance.cases import PAUSE, AnyCase, Case, ClientCase, Outcome
from rpclab.conformance.comparison import (
    NotJson,
    all_came,
    differing,
    is_call,
    message_fits,
    pair_up,
    read_payload,
)
from rpclab.conformance.targets import (
    NEVER_WORKED,
    UNASKED,
    Came,
    ClientObservation,
    Observation,
    State,
)
from rpclab.conformance.targets.scripted_server import is_own
from rpclab.messages import Json

Found: TypeAlias = Literal["kept", "broken", "free", "not judged"]
"""What a case found out about its clause. ``free``: the text leaves it open."""

OTHER_READING: Final = "other"
"""The vote of a target that takes none of the known readings of a ruling."""

NOTHING_CAME: Final = "nothing came whose form could be judged"
NOT_WRITTEN: Final = "the messages that it wrote are not those that are due"
SILENT: Final = "nothing came, where something is due"
OTHER: Final = "something else came than is due"
STATES: Final = {
    "ends": "it ended (exit status {status}) instead of going on",
    "hangs": "no reply came to the good request after it, within the deadline",
    "floods": "it wrote without end",
    "absent": "it never worked",
    "spent": "it hung so often that it was not asked",
    "lives-on": "it did not end by itself, within the deadline",
}
_READING_BREAKS: Final = "it takes the reading {reading}, which breaks the clause"
_HAS: Final = "the bytes that came have what they must not have: {!a}"
_LACKS: Final = "the bytes that came lack what they must have: {!a}"
_ID: Final = re.compile(r'"<id (\d+)>"')

LineT = TypeVar("LineT", Came, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a case found, and the bytes that show it."""

    case: str
    clause: str
    level: str
    found: Found
    why: str = ""
    delivery: str = ""
    sent: bytes = b""
    came: tuple[bytes, ...] = ()
    wanted: tuple[tuple[str, ...], ...] = ()
    ruling: str = ""
    reading: str = ""
    state: State = "alive"
    status: int | None = None
    stderr: str = ""
    wrote: tuple[bytes, ...] = ()
    blocked_by: str = ""
    carrier: str = ""


class Fault(NamedTuple):
    """A broken clause: the cases that show it, and those that could not be judged for it."""

    clause: str
    cases: tuple[str, ...]
    blocked: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The verdicts of one run."""

    target: str
    profile: str
    framing: str
    verdicts: tuple[Verdict, ...]
    missing: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    command: str = "conform"
    revision: str = ""  # the one that was asked for, or that the handshake agreed on
    start: tuple[str, ...] = ()  # options that say how the target was started
    unfinished: int = 0  # how many cases were not judged because the run was interrupted

    def count(self, found: Found, level: str = "") -> int:
        """Count the verdicts of one kind."""
        return sum(v.found == found and level in ("", v.level) for v in self.verdicts)

    @property
    def ran(self) -> int:
        """How many cases were judged."""
        return len(self.verdicts) - self.count("not judged")

    @property
    def keeps_every_must(self) -> bool:
        """Whether no MUST is broken, and the run put the target through every case."""
        left_out = any(verdict.state in UNASKED for verdict in self.verdicts)
        return not (self.count("broken", "must") or left_out or self.unfinished)

    @property
    def never_worked(self) -> bool:
        """Whether the target never got going."""
        return bool(self.verdicts) and all(v.state in NEVER_WORKED for v in self.verdicts)

    def clauses(self) -> dict[str, Found]:
        """Return the verdict on each clause: broken, else kept, else free, else not judged."""
        order: tuple[Found, ...] = ("broken", "kept", "free", "not judged")
        found: dict[str, Found] = {}
        for one in self.verdicts:
            before = found.get(one.clause, "not judged")
            found[one.clause] = min(before, one.found, key=order.index)
        return found

    def faults(self) -> tuple[Fault, ...]:
        """Return the broken clauses, those that block the most cases first."""
        broken = dict.fromkeys(v.clause for v in self.verdicts if v.found == "broken")
        faults = [
            Fault(
                clause,
                tuple(v.case for v in self.verdicts if (v.clause, v.found) == (clause, "broken")),
                tuple(v.case for v in self.verdicts if v.blocked_by == clause),
            )
            for clause in broken
        ]
        return tuple(sorted(faults, key=lambda fault: -len(fault.blocked)))

    def votes(self) -> dict[str, str]:
        """Return the reading that the target takes of each ruling, or its several readings."""
        votes: dict[str, list[str]] = {}
        for one in self.verdicts:
            if one.reading:
                readings = votes.setdefault(one.ruling, [])
                readings += [one.reading] if one.reading not in readings else []
        return {ruling: ", ".join(readings) for ruling, readings in votes.items()}


# --- a server case ----------------------------------------------------------------


def judge(case: Case, delivery: str, seen: Observation) -> Verdict:
    """Return the verdict of one case in one delivery.

    >>> from rpclab.conformance.cases import load_cases
    >>> [case] = [case for case in load_cases() if case.id == "id.null"]
    >>> judge(case, "whole", Observation(state="alive")).why
    'it takes the reading notification, which breaks the clause'
    """
    found = _judge_form(case, seen) if case.form else _judge_outcome(case, seen)
    how = "" if found.found == "not judged" else delivery
    return replace(found, delivery=how, carrier=case.carrier)


def _judge_outcome(case: Case, seen: Observation) -> Verdict:
    outcome = _find_outcome(case, seen)
    return _conclude(case, outcome, _find_fault(case, outcome, seen), seen)


def may_be_all(case: AnyCase, sent: bytes, came: Sequence[Came]) -> bool:
    """Tell whether what came keeps the case, and no other reply can follow.

    A server that runs calls at once may answer the good request first. So silence
    is not enough if it is only one of several readings.
    """
    outcome = _find_outcome(case, Observation(state="alive", came=tuple(came), sent=sent))
    if outcome is None or not outcome.keeps:
        return False
    return _count(outcome) > 0 or not any(_count(other) for other in case.outcomes)


def _judge_form(case: Case, seen: Observation) -> Verdict:
    """Judge a case by what came, and not by what did not come.

    ``lacks`` is about all bytes, those of the reply to the good request, too;
    ``matches`` is about each reply to the case. A server that runs, and whose first
    reply nobody can read, is judged by ``lacks`` alone.
    """
    is_silence_due = not any(_count(outcome) for outcome in case.outcomes)
    goes_on = is_silence_due and not case.end  # so the good request is answered, too
    came = _replies(seen) if case.matches or goes_on else seen.raw
    why = ""
    if case.lacks and re.search(case.lacks.encode(), seen.raw):
        why = _HAS.format(case.lacks)
        if seen.state in UNASKED:
            is_seen = seen.status is None and case.level != "free"
            return (
                _verdict(case, "broken", why, seen)
                if is_seen
                else not_judged(case, seen.note, seen)
            )
    elif seen.state in UNASKED or not (came or is_silence_due):
        return not_judged(case, seen.note or NOTHING_CAME, seen)
    elif is_silence_due and came:
        why = "something came, where silence is due"
    elif case.matches and not all(re.search(case.matches.encode(), one) for one in _replies(seen)):
        why = _LACKS.format(case.matches)
    outcome = _find_outcome(case, seen) if case.ruling else None
    return _conclude(case, outcome, why, seen)


def _replies(seen: Observation) -> list[bytes]:
    """Return the payloads that came, without the target's own calls."""
    payloads = [payload for payload in seen.came if isinstance(payload, bytes)]
    return [payload for payload in payloads if not is_call(read_payload(payload))]


def _find_fault(case: Case, outcome: Outcome | None, seen: Observation) -> str:
    """Say why a case is broken; an empty text if it is not."""
    if outcome is None:
        return _explain_mismatch(case, seen)
    if not outcome.keeps:
        return _READING_BREAKS.format(reading=outcome.reading)
    if case.lacks and re.search(case.lacks.encode(), seen.raw):
        return _HAS.format(case.lacks)
    if case.matches and not re.search(case.matches.encode(), seen.raw):
        return _LACKS.format(case.matches)
    if case.stderr_lacks and re.search(case.stderr_lacks, seen.stderr):
        return f"its stderr has what it must not have: {case.stderr_lacks!a}"
    if case.status is not None and seen.status not in (None, case.status):
        return f"its exit status is {seen.status}, where {case.status} is due"
    return ""


def _explain_mismatch(case: Case, seen: Observation) -> str:
    if seen.note:
        return seen.note
    if seen.state == "hangs" and case.end:
        return STATES["lives-on"]
    if seen.state != "alive":
        return STATES[seen.state].format(status=seen.status)
    values = [value for value in _compared_values(case, seen) if value != PAUSE]
    counts = [_count(outcome) for outcome in case.outcomes if outcome.keeps]
    if any(isinstance(value, NotJson) for value in values):
        return "something came that is not JSON"
    if not values:
        return SILENT
    if not max(counts, default=0):
        return "something came, where silence is due"
    if len(values) == max(counts):
        return _explain_difference(case, values)
    if len(values) < min(counts):
        return "something is missing in what came"
    return "more came than is due"


def _explain_difference(case: Case, values: Sequence[Json]) -> str:
    """Name the members that differ, if one message was expected and one came."""
    expected = [_wanted_values(outcome) for outcome in case.outcomes if outcome.keeps]
    match expected, values:
        case [[dict(one)]], [dict(other)]:
            return f"{OTHER}: look at {', '.join(differing(one, other, case.compare))}"
    return OTHER


# --- a client case ----------------------------------------------------------------


def judge_client_case(case: ClientCase, seen: ClientObservation) -> Verdict:
    """Return the verdict of one client case."""
    about_reports = any('"reported"' in line for o in case.outcomes for line in o.lines)
    arrange = _notifications_last if case.ordered else tuple
    outcomes = (replace(o, lines=arrange(_one_report(o.lines, wanted=True))) for o in case.outcomes)
    case = replace(case, outcomes=tuple(outcomes))
    said = replace(seen.said, came=arrange(_one_report(seen.said.came, wanted=about_reports)))
    for value in map(read_payload, said.came):
        if isinstance(value, dict) and "cannot" in value:
            return not_judged(case, f"it cannot do this: {value['cannot']}", said)
    if case.form:
        return _judge_written_form(case, replace(seen, said=said))
    outcome = _find_outcome(case, said)
    why = _find_client_fault(case, outcome, said, seen.wrote)
    found = _conclude(case, outcome, why, said)
    return found if found.found == "not judged" else replace(found, wrote=seen.wrote)


def _judge_written_form(case: ClientCase, seen: ClientObservation) -> Verdict:
    """Judge a client by what it wrote alone: it may have failed for another reason."""
    if not seen.wrote:
        return not_judged(case, NOTHING_CAME, seen.said)
    is_due = wrote_expected(case, [read_payload(payload) for payload in seen.wrote])
    why = "" if is_due and _all_match(case, seen.wrote) else NOT_WRITTEN
    return replace(_conclude(case, None, why, seen.said), wrote=seen.wrote)


def _all_match(case: ClientCase, wrote: Sequence[bytes]) -> bool:
    return all(re.search(case.wrote_matches.encode(), payload) for payload in wrote)


def _find_client_fault(
    case: ClientCase, outcome: Outcome | None, said: Observation, wrote: Sequence[bytes]
) -> str:
    if outcome is None:
        return _explain_client_mismatch(said)
    if not outcome.keeps:
        return _READING_BREAKS.format(reading=outcome.reading)
    if not wrote_expected(case, [read_payload(payload) for payload in wrote]):
        return NOT_WRITTEN
    return ""


def _one_report(lines: Iterable[LineT], *, wanted: bool) -> tuple[LineT, ...]:
    """Drop all reports, except the first one if the case is about reports."""
    kept = []
    for line in lines:
        value = read_payload(line)
        is_report = isinstance(value, dict) and "reported" in value
        if wanted or not is_report:
            kept.append(line)
        wanted = wanted and not is_report
    return tuple(kept)


def _notifications_last(lines: Iterable[LineT]) -> tuple[LineT, ...]:
    """Sort notifications behind calls, which may be settled at any time between them."""

    def is_notification(line: LineT) -> bool:
        value = read_payload(line)
        return isinstance(value, dict) and "notification" in value

    return tuple(sorted(lines, key=is_notification))


def _explain_client_mismatch(said: Observation) -> str:
    if said.note:
        return said.note
    if said.state == "hangs":
        return STATES["lives-on"]
    if said.state != "alive":
        return STATES[said.state].format(status=said.status)
    for line in said.came:
        if isinstance(read_payload(line), NotJson):
            return f"what it wrote to stdout is not a list of outcomes: {_show(line)[:80]!a}"
    return OTHER if said.came else SILENT


def wrote_expected(case: ClientCase, messages: list[Json]) -> bool:
    """Tell whether a client wrote each expected message, and none that is forbidden."""
    calls = [
        m for message in messages for m in (message if isinstance(message, list) else [message])
    ]
    requests = [m for m in calls if isinstance(m, dict) and "method" in m and "id" in m]
    used = [json.dumps(request["id"]) for request in requests]
    if case.wrote and len(set(used)) < len(used):
        return False
    texts = [json.dumps(m["id"]) for m in requests if not is_own(m, case.profile)]
    expected = [read_payload(_put_ids(line, texts)) for line in case.wrote]
    forbidden = [read_payload(_put_ids(line, texts)) for line in case.wrote_not]
    messages = [_without_meta(message) for message in messages]
    return pair_up(expected, messages, message_fits, exactly=False) and not any(
        message_fits(one, message) for one in forbidden for message in messages
    )


def _without_meta(message: Json) -> Json:
    """Leave out ``_meta``, which a protocol may add to any params, and params left empty."""
    match message:
        case {"method": _, "params": dict(params)}:
            rest = {name: value for name, value in params.items() if name != "_meta"}
            message = {k: v for k, v in message.items() if k != "params"}
            return {**message, "params": rest} if rest else message
    return message


def _put_ids(line: str, texts: list[str]) -> str:
    def put(asked: re.Match[str]) -> str:
        place = int(asked[1]) - 1
        return texts[place] if place < len(texts) else asked[0]

    return _ID.sub(put, line)


# --- either -----------------------------------------------------------------------


def rests_on_time(case: AnyCase, found: Verdict, seen: Observation) -> bool:
    """Tell whether a verdict might be another one if there had been more time.

    That is so if something was waited for in vain, and nothing that came is wrong:
    it is a part of what is due. Bytes that are wrong need no second look. A target
    that ends before a byte came whose form could be judged may write one next time.
    """
    if found.why == NOTHING_CAME and seen.state == "ends":
        return True
    if not seen.timed_out or found.found not in {"broken", "not judged"}:
        return False
    if found.why.startswith(_HAS.partition(":")[0]):
        return False
    values = [value for value in _compared_values(case, seen) if value != PAUSE]

    def is_due(value: Json, wanted: Json) -> bool:
        return message_fits(wanted, value, case.compare)

    return any(
        pair_up(values, _without_pauses(outcome), is_due, exactly=False)
        for outcome in case.outcomes
        if outcome.keeps
    )


def _without_pauses(outcome: Outcome) -> list[Json]:
    return [read_payload(line) for line in outcome.lines if line != PAUSE]


def _conclude(case: AnyCase, outcome: Outcome | None, why: str, seen: Observation) -> Verdict:
    """Return the verdict, given the outcome that was observed and the fault in it."""
    if seen.state in UNASKED:  # it was not tried, so nothing was found out
        return not_judged(case, why, seen)
    reading = ""
    if case.ruling:
        reading = outcome.reading if outcome else OTHER_READING
    found: Found = "free" if case.level == "free" else "broken" if why else "kept"
    return replace(_verdict(case, found, why, seen), reading=reading)


def not_judged(case: AnyCase, why: str, seen: Observation | None = None) -> Verdict:
    """Return the verdict of a case that could not be judged, and say why."""
    return _verdict(case, "not judged", why, seen or Observation(state="alive"))


def blocked(case: AnyCase, blocker: Verdict) -> Verdict:
    """Return the verdict of a case that rests on a clause that is broken."""
    clause = blocker.blocked_by or blocker.clause
    found = not_judged(case, f"blocked by {clause}, which is broken")
    return replace(found, blocked_by=clause, state=blocker.state)


def not_asked(case: AnyCase) -> Verdict:
    """Return the verdict of a case that is not tried, since the target hung too often."""
    return replace(not_judged(case, STATES["spent"]), state="spent")


def _verdict(case: AnyCase, found: Found, why: str, seen: Observation) -> Verdict:
    return Verdict(
        case=case.id,
        clause=case.clause,
        level=case.level,
        found=found,
        why=why,
        sent=seen.sent,
        came=tuple(_show(payload) for payload in seen.came),
        wanted=tuple(outcome.lines for outcome in case.outcomes if outcome.keeps),
        ruling=case.ruling,
        state=seen.state,
        status=seen.status,
        stderr=seen.stderr,
    )


def _show(payload: Came) -> bytes:
    """Return a payload, or the name of what came instead, as bytes."""
    return payload if isinstance(payload, bytes) else f"({payload})".encode()


def _find_outcome(case: AnyCase, seen: Observation) -> Outcome | None:
    """Return the outcome of a case that was observed, if it is one of the case's."""
    values = _compared_values(case, seen)
    for outcome in case.outcomes:
        if outcome.state == seen.state and (
            seen.state != "alive"
            or all_came(_wanted_values(outcome), values, ordered=case.ordered, compare=case.compare)
        ):
            return outcome
    return None


def _count(outcome: Outcome) -> int:
    return len([line for line in outcome.lines if line != PAUSE])


def _wanted_values(outcome: Outcome) -> list[Json]:
    return [read_payload(line) for line in outcome.lines]


def _compared_values(case: AnyCase, seen: Observation) -> list[Json]:
    """Return the values that came, without the target's own calls unless one is wanted."""
    pairs = [(payload, read_payload(payload)) for payload in seen.came]
    if any(is_call(value) for outcome in case.outcomes for value in _wanted_values(outcome)):
        return [value for _, value in pairs]
    return [value for payload, value in pairs if not is_call(value) or _is_sent(payload, seen)]


def _is_sent(payload: Came, seen: Observation) -> bool:
    return isinstance(payload, bytes) and payload in seen.sent
