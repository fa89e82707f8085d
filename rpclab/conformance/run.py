"""A run: put a server or a client through the cases, one after another.

One rule: a run decides which cases fit and what is sent. It leaves the carrying
to the target and the verdicts to ``judging``.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rpclab.conformance.cases import (
    Case,
    Choice,
    ClientCase,
    Outcome,
    Payload,
    SendItem,
    load_cases,
    load_client_cases,
)
from rpclab.conformance.client_run import client_verdicts
from rpclab.conformance.judging import (
    Report,
    Verdict,
    blocked,
    judge,
    may_be_all,
    not_judged,
)
from rpclab.conformance.method_probe import find_missing
from rpclab.conformance.premises import find_blocker, plan
from rpclab.conformance.targets import Script, Target

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import ClientCommand

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
"""The handshake that each server process gets first, by profile."""

ALL: Final = Choice()
"""Every case of the core."""


def judge_server(
    target: Target,
    cases: Iterable[Case] | None = None,
    choice: Choice = ALL,
    names: Mapping[str, str] | None = None,
    after_each: Callable[[Verdict], object] = lambda _: None,
) -> Report:
    """Judge a server by the cases that fit it.

    Args:
        target: the server; it is closed at the end.
        cases: every case of the suite, if left out.
        choice: the profile, and the ids of cases if not all are wanted.
        names: the target's own names for demo methods.
        after_each: is called with each verdict as soon as it is known. The run ends
            there if it returns True.
    """
    names = names or {}
    chosen = choice.of(load_cases() if cases is None else cases, target.framing)
    found: dict[str, Verdict] = {}
    try:
        missing = find_missing(target, chosen, names, choice.profile)
        order = plan(chosen)
        for case in order.cases:
            if blocker := find_blocker(case, order.premises[case.id], found):
                found[case.id] = blocked(case, blocker)
            else:
                found[case.id] = run_case(target, renamed_case(case, names), missing)
            if after_each(found[case.id]) is True:
                break
    finally:
        target.close()
    return Report(
        target=target.name,
        profile=choice.profile,
        framing=target.framing,
        verdicts=tuple(found[case.id] for case in chosen if case.id in found),
        missing=tuple(sorted(missing)),
        names=names,
    )


def judge_client(
    client: "ClientCommand",
    cases: Iterable[ClientCase] | None = None,
    choice: Choice = ALL,
    after_each: Callable[[Verdict], object] = lambda _: None,
) -> Report:
    """Judge a client by the cases that fit it. The arguments are as for a server."""
    chosen = choice.of(load_client_cases() if cases is None else cases, client.framing)
    found: dict[str, Verdict] = {}
    for verdict in client_verdicts(client, chosen, choice.profile):
        found[verdict.case] = verdict
        if after_each(verdict) is True:
            break
    return Report(
        target=client.name,
        profile=choice.profile,
        framing=client.framing,
        verdicts=tuple(found[case.id] for case in chosen if case.id in found),
        command="conform-client",
    )


def run_case(target: Target, case: Case, missing: Collection[str] = ()) -> Verdict:
    """Return the verdict of one case: for the first delivery that breaks it, or the last."""
    if lacking := sorted(case.needs & set(missing)):
        return not_judged(case, f"it has no method {', '.join(lacking)}")
    found = not_judged(case, "no delivery of the case is possible")
    pieces = case.pieces()
    for delivery in case.delivery:
        if delivery == "stderr-flood" and "boom" in missing:
            continue
        found = judge(case, delivery, target.exchange(script_of(case, pieces, delivery)))
        if found.found in ("broken", "not judged"):
            break
    return found


def script_of(case: Case, pieces: tuple[SendItem, ...], delivery: str) -> Script:
    """Return what is done to a target for a case, in one delivery."""
    sent = b"\n".join(piece.data for piece in pieces if isinstance(piece, Payload))
    return Script(
        pieces=pieces,
        delivery=delivery,
        isolated=case.isolated,
        end=case.end,
        deadline=case.deadline,
        enough=lambda came: may_be_all(case, sent, came),
    )


def renamed_case(case: Case, names: Mapping[str, str]) -> Case:
    """Return a case with the target's own method names, in what is sent and expected."""
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
    """Replace method names in a line, which need not be JSON.

    >>> rename('{"method": "echo", "id"', {"echo": "its/echo"})
    '{"method": "its/echo", "id"'
    """
    return re.sub(
        r'("method"\s*:\s*")([^"\\]*)(?=")',
        lambda found: found[1] + names.get(found[2], found[2]),
        text,
    )
