"""Carriers: methods that take the place of a demo method that a server does not have.

A reply echoes the id of its request, whether it has a result or an error. So a case
about ids, framing or JSON can be sent with another method: one that the profile
guarantees, or one that no server has and that is answered with an error.

One rule: a carried case asks for no result and for no code. Only what the clause is
about must come back.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from rpclab.codec import encode
from rpclab.conformance.cases import PAUSE, Case, Outcome
from rpclab.conformance.cases.method_names import renamed_case
from rpclab.conformance.method_probe import ask
from rpclab.conformance.targets import UNKNOWN, Target

GUARANTEED: Final[Mapping[str, tuple[str, ...]]] = {"mcp": ("ping", "tools/list")}
"""Methods that a server of a profile has, which may be called at any time and change nothing."""

_EITHER: Final = {"result": "<optional>", "error": "<optional>"}


class Carriers(NamedTuple):
    """A method that works, and one that no server has; "" for one that is not there."""

    known: str = ""
    unknown: str = ""

    def method_for(self, case: Case) -> str:
        """Return the method that can carry a case, or ""."""
        if case.carried == "known":
            return self.known
        if case.carried == "any" and _wants_result(case):
            return self.known or self.unknown
        return self.unknown if case.carried else ""


def find_carriers(target: Target, profile_id: str) -> Carriers:
    """Return the carriers that a server answers as it should: with a result, or an error."""
    known = (name for name in GUARANTEED.get(profile_id, ()) if _answers(target, name, "result"))
    unknown = UNKNOWN if _answers(target, UNKNOWN, "error") else ""
    return Carriers(next(known, ""), unknown)


def _answers(target: Target, method: str, member: str) -> bool:
    return any(isinstance(reply.get(member), dict) for reply in ask(target, method, "{}").replies)


def carry_missing(
    cases: Iterable[Case], missing: Collection[str], carriers: Carriers
) -> list[Case]:
    """Return the cases; those that lack a method are carried by another where that is possible."""
    return [
        carry(case, method)
        if case.needs.intersection(missing) and (method := carriers.method_for(case))
        else case
        for case in cases
    ]


def carry(case: Case, method: str) -> Case:
    """Return a case with another method in place of its demo methods.

    >>> from rpclab.conformance.cases import load_cases
    >>> [zero] = [carry(case, "ping") for case in load_cases() if case.id == "id.zero"]
    >>> zero.outcomes[0].lines
    ('{"jsonrpc":"2.0","result":"<optional>","id":0,"error":"<optional>"}',)
    """
    moved = renamed_case(case, dict.fromkeys(case.needs, method))
    outcomes = tuple(
        replace(outcome, lines=tuple(map(_without_result, outcome.lines)))
        for outcome in moved.outcomes
    )
    return replace(
        moved,
        outcomes=outcomes,
        needs=frozenset(),
        carrier=method,
        matches=case.matches if case.form else "",
    )


def _without_result(line: str) -> str:
    """Return an expected payload that asks for a reply, and not for a result."""
    return line if line == PAUSE else encode(_open(json.loads(line)))


def _open(value: Any) -> Any:
    match value:
        case list():
            return [_open(member) for member in value]
        case {"result": _}:
            return {**value, **_EITHER}
    return value


def _wants_result(case: Case) -> bool:
    lines: list[Outcome] = [outcome for outcome in case.outcomes if outcome.keeps]
    return any('"result"' in line for outcome in lines for line in outcome.lines)
