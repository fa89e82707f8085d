"""How a client is put through its cases: a first call, then case after case.

One rule: a verdict that rests on time counts only if it was found twice, the second
time alone and with more time. Two clients run at once, because they mostly wait.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rpclab.conformance import client_premises
from rpclab.conformance.cases import ClientCase, load_client_cases
from rpclab.conformance.cases.client_dialects import spoken
from rpclab.conformance.comparison import is_call, read_payload
from rpclab.conformance.judging import Verdict, blocked, judge_client_case, not_judged
from rpclab.conformance.premises import find_blocker
from rpclab.conformance.targets import ClientObservation, Observation
from rpclab.conformance.targets.scripted_server import is_own

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import ClientCommand

AT_ONCE: Final = 2
"""How many clients run at the same time."""

MORE_TIME: Final = 3.0
"""How many deadlines a client gets when a case is repeated alone."""


def client_verdicts(
    client: "ClientCommand", cases: Sequence[ClientCase], profile: str
) -> Iterator[Verdict]:
    """Yield each verdict as soon as it is known: those that others rest on come first."""
    chosen = [spoken(case, profile) for case in cases]
    if dead := find_dead(client, profile):
        yield from (not_judged(case, dead.note, dead) for case in chosen)
        return
    order = client_premises.plan(chosen)
    waiting, found = list(order.cases), dict[str, Verdict]()
    while waiting:
        ready = [case for case in waiting if found.keys() >= {*order.premises[case.id]}]
        waiting = [case for case in waiting if case not in ready]
        for verdict in _judge_together(client, ready, order.premises, found):
            found[verdict.case] = verdict
            yield verdict


def find_dead(client: "ClientCommand", profile: str) -> Observation | None:
    """Return what is seen of a client that cannot be judged, because it never calls."""
    [plain] = [case for case in load_client_cases() if case.id == client_premises.PLAIN]
    seen = client.run(spoken(plain, profile))
    if _is_silent(seen, profile) and seen.said.state == "hangs":
        seen = client.run(spoken(plain, profile), MORE_TIME)
    if seen.said.state == "absent":
        return seen.said
    if not _is_silent(seen, profile):
        return None
    status = seen.said.status
    end = "it goes on" if seen.said.state == "hangs" else f"it ended (exit status {status})"
    why = f"{end}, and it neither called its server nor said anything"
    return replace(seen.said, state="mute", note=why)


def _is_silent(seen: ClientObservation, profile: str) -> bool:
    """Tell whether a client said nothing, and wrote nothing but its handshake."""
    wrote = [read_payload(payload) for payload in seen.wrote]
    return not seen.said.came and all(is_call(m) and is_own(m, profile) for m in wrote)


def _judge_together(
    client: "ClientCommand",
    cases: Sequence[ClientCase],
    premises: Mapping[str, tuple[str, ...]],
    found: Mapping[str, Verdict],
) -> Iterator[Verdict]:
    """Judge cases whose premises are known, several at once; repeat those that hang, alone."""
    suspects, to_run = [], []
    for case in cases:
        if blocker := find_blocker(case, premises[case.id], found):
            yield blocked(case, blocker)
        else:
            to_run.append(case)
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        for case, seen in zip(to_run, pool.map(client.run, to_run), strict=True):
            if seen.said.state == "hangs":
                suspects.append(case)
            else:
                yield judge_client_case(case, seen)
    finally:  # those that have not begun are not run: after Ctrl-C too
        pool.shutdown(cancel_futures=True)
    for case in suspects:
        yield judge_client_case(case, client.run(case, MORE_TIME))
