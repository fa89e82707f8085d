"""Put a server through the cases, one after another.

The runner knows which cases fit, asks the target which demo methods it has,
and leaves the rest to the target and the judge.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from rpclab.codec import encode
from rpclab.conformance import strings
from rpclab.conformance.cases import DEMO_METHODS, Case, Message, Piece, load_cases
from rpclab.conformance.choosing import Choice
from rpclab.conformance.judging import judge, may_be_all, verdict
from rpclab.conformance.matching import read_payload
from rpclab.conformance.outcomes import Outcome
from rpclab.conformance.targets import Came, Observation, Script, Target
from rpclab.conformance.verdicts import Report, Verdict

GREETINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "mcp": (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
        '"capabilities":{},"clientInfo":{"name":"rpclab","version":"1"}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ),
    "lsp": (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"rootUri":null,'
        '"capabilities":{}}}',
        '{"jsonrpc":"2.0","method":"initialized","params":{}}',
    ),
    "acp": (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,'
        '"clientCapabilities":{}}}',
    ),
}
"""The handshake that each process of a profile's server gets first."""

ALL: Final = Choice()
"""Every case of the core."""

_NOT_FOUND: Final = -32601


def judge_server(
    target: Target,
    cases: Iterable[Case] | None = None,
    choice: Choice = ALL,
    names: Mapping[str, str] | None = None,
    after_each: Callable[[Verdict], object] = lambda _: None,
) -> Report:
    """Judge a target by the cases that fit it.

    Args:
        target: what is judged; it is closed at the end.
        cases: all of ours, if left out.
        choice: the profile whose readings hold, and perhaps some cases alone.
        names: the target's own names of demo methods.
        after_each: is given each verdict when it is there.
    """
    names = names or {}
    chosen = choice.of(load_cases() if cases is None else cases, target.framing)
    verdicts = []
    try:
        missing = find_missing(target, chosen, names)
        for case in chosen:
            verdicts.append(run_case(target, renamed_case(case, names), missing))
            after_each(verdicts[-1])
    finally:
        target.close()
    return Report(
        target=target.name,
        profile=choice.profile,
        framing=target.framing,
        verdicts=tuple(verdicts),
        missing=tuple(sorted(missing)),
        names=names,
    )


def find_missing(target: Target, cases: Iterable[Case], names: Mapping[str, str]) -> set[str]:
    """Give the demo methods that cases need and the target does not have."""
    needed = {name for case in cases for name in (*case.needs, *_needs_of_delivery(case))}
    return {name for name in sorted(needed) if not _has(target, name, names)}


def _needs_of_delivery(case: Case) -> tuple[str, ...]:
    return ("boom",) if "stderr-flood" in case.delivery else ()


def _has(target: Target, name: str, names: Mapping[str, str]) -> bool:
    method = encode(names.get(name, name))
    params = DEMO_METHODS.get(name, "{}")
    request = f'{{"jsonrpc":"2.0","id":1,"method":{method},"params":{params}}}'

    def answered(came: Iterable[Came]) -> bool:
        return any("id" in value for value in _objects(came))

    seen = target.exchange(Script(pieces=(Message(request.encode()),), enough=answered))
    errors = [value.get("error") for value in _objects(seen.came)]
    return not any(isinstance(e, dict) and e.get("code") == _NOT_FOUND for e in errors)


def _objects(came: Iterable[Came]) -> list[dict[str, object]]:
    values = (read_payload(payload) for payload in came)
    return [value for value in values if isinstance(value, dict)]


def run_case(target: Target, case: Case, missing: Collection[str] = ()) -> Verdict:
    """Give the verdict of one case: the first delivery that breaks it, or the last."""
    if lacking := sorted(case.needs & set(missing)):
        why = strings.NO_METHOD.format(names=", ".join(lacking))
        return verdict(case, "not judged", why, Observation(state="alive"))
    found = verdict(case, "not judged", strings.NO_DELIVERY, Observation(state="alive"))
    pieces = case.pieces()
    for delivery in case.delivery:
        if delivery == "stderr-flood" and "boom" in missing:
            continue
        found = judge(case, delivery, target.exchange(script_of(case, pieces, delivery)))
        if found.found in ("broken", "not judged"):
            break
    return found


def script_of(case: Case, pieces: tuple[Piece, ...], delivery: str) -> Script:
    """Give what a target is put through for a case."""
    sent = b"\n".join(piece.payload for piece in pieces if isinstance(piece, Message))
    return Script(
        pieces=pieces,
        delivery=delivery,
        isolated=case.isolated,
        end=case.end,
        deadline=case.deadline,
        enough=lambda came: may_be_all(case, sent, came),
    )


def renamed_case(case: Case, names: Mapping[str, str]) -> Case:
    """Give a case with the target's own method names, in what is sent and what is wanted."""
    if not names:
        return case
    outcomes = tuple(
        Outcome(tuple(rename(line, names) for line in o.lines), o.state, o.reading, o.keeps)
        for o in case.outcomes
    )
    send = tuple(_renamed_item(item, names) for item in case.send)
    return replace(case, outcomes=outcomes, send=send)


def _renamed_item(
    item: str | Mapping[str, Any], names: Mapping[str, str]
) -> str | Mapping[str, Any]:
    if isinstance(item, str):
        return rename(item, names)
    parts = ("raw", "before", "after")
    return {key: rename(part, names) if key in parts else part for key, part in item.items()}


def rename(text: str, names: Mapping[str, str]) -> str:
    """Put other method names into a line, be it JSON or not.

    >>> rename('{"method": "echo", "id"', {"echo": "its/echo"})
    '{"method": "its/echo", "id"'
    """
    return re.sub(
        r'("method"\s*:\s*")([^"\\]*)(?=")',
        lambda found: found[1] + names.get(found[2], found[2]),
        text,
    )
