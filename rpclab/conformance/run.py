"""A run: put a server or a client through the cases, one after another.

One rule: a run decides which cases fit and what is sent. It leaves the carrying
to the target and the verdicts to ``judging``.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from rpclab.conformance.carriers import Carriers, carry_missing, find_carriers
from rpclab.conformance.cases import (
    Case,
    Choice,
    ClientCase,
    Payload,
    SendItem,
    load_cases,
    load_client_cases,
)
from rpclab.conformance.cases.method_names import renamed_case
from rpclab.conformance.greetings import agreed_profile, open_cases
from rpclab.conformance.judging import (
    Report,
    Verdict,
    blocked,
    judge,
    judge_client_case,
    may_be_all,
    not_judged,
)
from rpclab.conformance.method_probe import find_missing
from rpclab.conformance.premises import find_blocker, plan
from rpclab.conformance.targets import Script, Target
from rpclab.spec import clause

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import ClientCommand

ALL: Final = Choice()
"""Every case of the core."""

_CLIENTS_AT_ONCE: Final = 2
"""How many clients run at the same time: they wait most of the time."""


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
        speaks = agreed_profile(target, choice.profile)
        chosen = open_cases(chosen, speaks)
        missing = find_missing(target, chosen, names, speaks.id)
        carriers = find_carriers(target, speaks.id) if missing else Carriers()
        chosen = carry_missing(chosen, missing, carriers)
        order = plan(chosen)
        for case in order.cases:
            if speaks.revision and not clause(case.clause).holds_in(speaks.revision):
                found[case.id] = not_judged(case, f"{speaks.name} does not have this rule")
            elif blocker := find_blocker(case, order.premises[case.id], found):
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
        revision=speaks.revision,
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
    verdicts = []
    pool = ThreadPoolExecutor(_CLIENTS_AT_ONCE)
    try:
        for case, seen in zip(chosen, pool.map(client.run, chosen), strict=True):
            verdicts.append(judge_client_case(case, seen))
            if after_each(verdicts[-1]) is True:
                break
    finally:  # those that have not begun are not run: after Ctrl-C too
        pool.shutdown(cancel_futures=True)
    return Report(
        target=client.name,
        profile=choice.profile,
        framing=client.framing,
        verdicts=tuple(verdicts),
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
