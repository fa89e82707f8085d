"""A run: put a server or a client through the cases.

One rule: a run decides which cases fit and what is sent. It leaves the carrying
to the target and the verdicts to ``judging``.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
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
from rpclab.conformance.cases.deliveries import tries
from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.judging import (
    Report,
    Verdict,
    judge,
    judge_client_case,
    may_be_all,
    not_judged,
    rests_on_time,
)
from rpclab.conformance.method_probe import find_missing
from rpclab.conformance.premises import plan
from rpclab.conformance.targets import NEVER_WORKED, USUAL, Pace, Script, Target, preflight
from rpclab.conformance.workers import Attempt, Workers, try_again

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

_CLIENTS_AT_ONCE: Final = 2
"""How many clients run at the same time: they wait most of the time."""


class Interrupted(KeyboardInterrupt):
    """A run was ended by Ctrl-C. ``report`` has what was judged until then."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report


def judge_server(  # noqa: PLR0913, PLR0917  each may be left out, but for the target
    target: Target | Callable[[], Target],
    cases: Iterable[Case] | None = None,
    choice: Choice = ALL,
    names: Mapping[str, str] | None = None,
    after_each: Callable[[Verdict], object] = lambda _: None,
    jobs: int = 1,
) -> Report:
    """Judge a server by the cases that fit it.

    Args:
        target: the server, or a function that makes a target of it; it is closed at the end.
        cases: every case of the suite, if left out.
        choice: the profile, and the ids of cases if not all are wanted.
        names: the target's own names for demo methods.
        after_each: is called with each verdict, in an order that is the same in each
            run. The run ends there if it returns True.
        jobs: how many targets are judged side by side, if there is a function that
            makes them. The verdicts are the same.

    Raises:
        Interrupted: somebody pressed Ctrl-C; it has the report of what was judged.
    """
    names = names or {}
    targets = [target() for _ in range(jobs)] if callable(target) else [target]
    chosen = choice.of(load_cases() if cases is None else cases, targets[0].framing)
    report = Report(
        target=targets[0].name,
        profile=choice.profile,
        framing=targets[0].framing,
        verdicts=(),
        names=names,
    )
    try:
        start = preflight(targets[0])
        if start.state in NEVER_WORKED:
            return replace(report, verdicts=tuple(judge(one, "whole", start) for one in chosen))
        missing = find_missing(targets[0], chosen, names, choice.profile)
        report = replace(report, missing=tuple(sorted(missing)))

        def attempt(target: Target, case: Case, pace: Pace) -> Attempt:
            return try_case(target, renamed_case(case, names), missing, pace)

        order = plan(chosen)
        attempts = [partial(attempt, one) for one in targets]
        with Workers(order.cases, order.premises, attempts) as workers:
            return _take_all(workers, chosen, after_each, report)
    except KeyboardInterrupt as error:
        if isinstance(error, Interrupted):
            raise
        raise Interrupted(replace(report, unfinished=len(chosen))) from error
    finally:
        for one in targets:
            one.close()


def judge_client(
    client: "ClientCommand",
    cases: Iterable[ClientCase] | None = None,
    choice: Choice = ALL,
    after_each: Callable[[Verdict], object] = lambda _: None,
    jobs: int = _CLIENTS_AT_ONCE,
) -> Report:
    """Judge a client by the cases that fit it. The arguments are as for a server."""
    chosen = choice.of(load_client_cases() if cases is None else cases, client.framing)
    report = Report(
        target=client.name,
        profile=choice.profile,
        framing=client.framing,
        verdicts=(),
        command="conform-client",
    )

    def attempt(case: ClientCase, pace: Pace) -> Attempt:
        seen = client.run(case, pace)
        found = judge_client_case(case, seen)
        return Attempt(found, rests_on_time(case, found, seen.said))

    with Workers(chosen, {}, [attempt] * jobs) as workers:
        return _take_all(workers, chosen, after_each, report)


def _take_all(
    workers: Workers[AnyCaseT],
    chosen: Sequence[AnyCaseT],
    after_each: Callable[[Verdict], object],
    report: Report,
) -> Report:
    """Take the verdicts as they fall, and return the report with them."""
    told: dict[str, Verdict] = {}
    try:
        for verdict in workers.verdicts():
            told[verdict.case] = verdict
            if after_each(verdict) is True:
                break
    except KeyboardInterrupt as error:
        known = workers.found | told
        judged = tuple(known[case.id] for case in chosen if case.id in known)
        left = len(chosen) - len(judged)
        raise Interrupted(replace(report, verdicts=judged, unfinished=left)) from error
    return replace(report, verdicts=tuple(told[case.id] for case in chosen if case.id in told))


def run_case(target: Target, case: Case, missing: Collection[str] = ()) -> Verdict:
    """Return the verdict of one case. One that rests on time alone is not believed at once."""

    def attempt(case: Case, pace: Pace) -> Attempt:
        return try_case(target, case, missing, pace)

    return try_again(case, attempt(case, USUAL), attempt)[-1].verdict


def try_case(target: Target, case: Case, missing: Collection[str], pace: Pace = USUAL) -> Attempt:
    """Try a case once: return the verdict of the first delivery that breaks it, or the last."""
    if lacking := sorted(case.needs & set(missing)):
        return Attempt(not_judged(case, f"it has no method {', '.join(lacking)}"), False)
    found = Attempt(not_judged(case, "no delivery of the case is possible"), False)
    pieces = case.pieces()
    for delivery in tries(case.delivery):
        if delivery == "stderr-flood" and "boom" in missing:
            continue
        seen = target.exchange(script_of(case, pieces, delivery, pace))
        verdict = judge(case, delivery, seen)
        if verdict.found == "broken" and len(case.delivery) > 1:
            verdict = replace(verdict, why=f"{verdict.why} (sent in the way {delivery!r})")
        found = Attempt(verdict, rests_on_time(case, verdict, seen))
        if verdict.found in ("broken", "not judged"):
            break
    return found


def script_of(
    case: Case, pieces: tuple[SendItem, ...], delivery: str, pace: Pace = USUAL
) -> Script:
    """Return what is done to a target for a case, in one delivery."""
    sent = b"\n".join(piece.data for piece in pieces if isinstance(piece, Payload))
    return Script(
        pieces=pieces,
        delivery=delivery,
        isolated=case.isolated,
        end=case.end,
        reads_late=case.reads_late,
        deadline=case.deadline,
        pace=pace,
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
