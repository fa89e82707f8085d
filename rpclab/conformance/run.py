"""A run: put a server or a client through the cases.

One rule: a run decides which cases fit and what is sent. It leaves the carrying
to the target and the verdicts to ``judging``.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from rpclab.conformance import client_premises
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
from rpclab.conformance.cases.client_dialects import spoken
from rpclab.conformance.cases.deliveries import tries
from rpclab.conformance.cases.method_names import renamed_case
from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.client_preflight import find_dead
from rpclab.conformance.greetings import agreed_profile, open_cases
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
from rpclab.conformance.targets import (
    NEVER_WORKED,
    PATIENT,
    USUAL,
    Pace,
    Script,
    Target,
    preflight,
)
from rpclab.conformance.workers import Attempt, Workers, try_again
from rpclab.spec import Profile, clause

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import ClientCommand

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
        server = _look_at(targets[0], chosen, names, choice.profile)
        report = replace(
            report, missing=tuple(sorted(server.missing)), revision=server.speaks.revision
        )

        def attempt(target: Target, case: Case, pace: Pace) -> Attempt:
            if case.id in server.foreign:
                why = f"{server.speaks.name} does not have this rule"
                return Attempt(not_judged(case, why), False)
            return try_case(target, renamed_case(case, names), server.missing, pace)

        order = plan(server.cases)
        premises = {**order.premises, **dict.fromkeys(server.foreign, ())}
        attempts = [partial(attempt, one) for one in targets]
        with Workers(order.cases, premises, attempts) as workers:
            return _take_all(workers, chosen, after_each, report)
    except KeyboardInterrupt as error:
        if isinstance(error, Interrupted):
            raise
        raise Interrupted(replace(report, unfinished=len(chosen))) from error
    finally:
        for one in targets:
            one.close()


class _Server(NamedTuple):
    """What is known of a server before it is judged, and the cases as they fit it."""

    speaks: Profile
    missing: set[str]
    cases: list[Case]
    foreign: set[str]


def _look_at(
    target: Target, chosen: Iterable[Case], names: Mapping[str, str], profile_name: str
) -> _Server:
    speaks = agreed_profile(target, profile_name)
    cases = open_cases(chosen, speaks)
    missing = find_missing(target, cases, names, speaks.id)
    carriers = find_carriers(target, speaks.id) if missing else Carriers()
    cases = carry_missing(cases, missing, carriers)
    revision = speaks.revision
    foreign = {case.id for case in cases if revision and not clause(case.clause).holds_in(revision)}
    return _Server(speaks, missing, cases, foreign)


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

    chosen = [spoken(case, choice.profile) for case in chosen]
    try:
        if dead := find_dead(client, choice.profile):
            return replace(report, verdicts=tuple(not_judged(c, dead.note, dead) for c in chosen))
    except KeyboardInterrupt as error:
        raise Interrupted(replace(report, unfinished=len(chosen))) from error

    def attempt(case: ClientCase, pace: Pace) -> Attempt:
        seen = client.run(case, pace)
        found = judge_client_case(case, seen)
        return Attempt(found, rests_on_time(case, found, seen.said))

    order = client_premises.plan(chosen)
    with Workers(order.cases, order.premises, [attempt] * jobs) as workers:
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
        # What a race loses is there at the next try, so it is waited for long, and believed.
        is_race = delivery == "joined" and "apart" in case.delivery
        this_pace = PATIENT if is_race and pace == USUAL else pace
        seen = target.exchange(script_of(case, pieces, delivery, this_pace))
        verdict = judge(case, delivery, seen)
        if verdict.found == "broken" and len(case.delivery) > 1:
            verdict = replace(verdict, why=f"{verdict.why} (sent in the way {delivery!r})")
        found = Attempt(verdict, not is_race and rests_on_time(case, verdict, seen))
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
