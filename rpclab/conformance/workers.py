"""Cases side by side: each worker has a target of its own.

One rule: the number of workers changes how long a run takes, and nothing else. A
case waits for the verdicts that it rests on, and verdicts are told in the order of
the cases. A verdict that rests on time is not believed at once: when nothing else
runs, the case is tried again, in a fresh process and with more time. Once a clause is
broken in that way, its other cases get more time at once, and are not repeated.

Interface:
  - use ``Workers`` in a ``with`` statement, which waits for what still runs
  - ``verdicts`` yields each verdict once, and may be left at any time
  - ``found`` has all that is known, also what was not told yet
  - one worker needs no thread
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, Generic, NamedTuple, Self, TypeAlias

from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.judging import Verdict, blocked, not_asked
from rpclab.conformance.premises import find_blocker
from rpclab.conformance.targets import PATIENCE, PATIENT, USUAL, Pace

AGAIN: Final = (Pace(slack=3.0, pauses=3.0, fresh=True), Pace(slack=3.0, fresh=True))
"""How a case is tried again. In some a pause must end while work goes on, so it may not grow."""

MOST_HANGS: Final = 2
"""How often a case is tried in which the target hangs."""

_LOOK: Final = 0.5
"""How many seconds to wait at once: on Windows, nothing interrupts a wait."""


class Attempt(NamedTuple):
    """A verdict, and whether more time might have led to another one."""

    verdict: Verdict
    rests_on_time: bool


Try: TypeAlias = Callable[[AnyCaseT, Pace], Attempt]
"""Tries a case once, with so much time."""


def try_again(case: AnyCaseT, first: Attempt, attempt: Try[AnyCaseT]) -> list[Attempt]:
    """Repeat a case as long as its verdict rests on time, and return all tries."""
    tries = [first]
    for pace in AGAIN:
        if tries[-1].rests_on_time and count_hangs(tries) < MOST_HANGS:
            tries.append(attempt(case, pace))
    return tries


def count_hangs(tries: Iterable[Attempt]) -> int:
    """Return in how many tries the target hung."""
    return sum(one.verdict.state == "hangs" for one in tries)


class Workers(Generic[AnyCaseT]):
    """A run of cases by workers.

    Args:
        cases: in the order in which their verdicts are told.
        premises: the ids of earlier cases that a case rests on.
        tries: what each worker does for a case.
    """

    def __init__(
        self,
        cases: Sequence[AnyCaseT],
        premises: Mapping[str, Sequence[str]],
        tries: Sequence[Try[AnyCaseT]],
    ) -> None:
        self.found: dict[str, Verdict] = {}
        self._cases = cases
        self._premises = premises
        self._waiting = list(cases)
        self._idle = list(tries)
        self._running: dict[Future[Attempt], tuple[AnyCaseT, Pace, Try[AnyCaseT]]] = {}
        self._doubtful: list[tuple[AnyCaseT, Attempt]] = []
        self._proven: set[str] = set()  # clauses that are broken when there is more time, too
        self._hung: dict[str, int] = {}
        self._patience = PATIENCE
        self._pool = ThreadPoolExecutor(len(tries)) if len(tries) > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts in the order of the cases."""
        for case in self._cases:
            while case.id not in self.found:
                self._go_on()
            if self._patience <= 0:  # perhaps another worker was ahead of the last hang
                self.found[case.id] = not_asked(case)
            self._patience -= self._hung.get(case.id, 0)
            yield self.found[case.id]

    def _go_on(self) -> None:
        """Start what can be started, and wait until something has ended."""
        if not self._doubtful:
            self._start()
        elif not self._running:
            self._settle(*self._doubtful.pop(0))
        for future in wait(self._running, _LOOK, FIRST_COMPLETED).done:
            case, pace, worker = self._running.pop(future)
            self._idle.append(worker)
            self._take(case, pace, future.result())

    def _start(self) -> None:
        """Start each idle worker on the first case whose premises are known."""
        for case in list(self._waiting):
            if not self._idle:
                break
            premises = self._premises.get(case.id, ())
            if not all(id in self.found for id in premises):
                continue
            self._waiting.remove(case)
            if self._patience <= 0:
                self.found[case.id] = not_asked(case)
            elif blocker := find_blocker(case, premises, self.found):
                self.found[case.id] = blocked(case, blocker)
            elif self._pool:
                pace, worker = self._pace_of(case), self._idle.pop(0)
                self._running[self._pool.submit(worker, case, pace)] = case, pace, worker
            else:
                pace = self._pace_of(case)
                self._take(case, pace, self._idle[0](case, pace))
                break

    def _pace_of(self, case: AnyCaseT) -> Pace:
        return PATIENT if case.clause in self._proven else USUAL

    def _take(self, case: AnyCaseT, pace: Pace, attempt: Attempt) -> None:
        if attempt.rests_on_time and pace == USUAL:
            self._doubtful.append((case, attempt))
        else:
            self._keep(case, [attempt])

    def _settle(self, case: AnyCaseT, first: Attempt) -> None:
        """Find out whether it was the time alone."""
        if case.clause in self._proven:  # found out meanwhile, by another case
            self._waiting.insert(0, case)
            return
        tries = try_again(case, first, self._idle[0])
        if tries[-1].rests_on_time and tries[-1].verdict.found == "broken":
            self._proven.add(case.clause)
        self._keep(case, tries)

    def _keep(self, case: AnyCaseT, tries: Sequence[Attempt]) -> None:
        self.found[case.id] = tries[-1].verdict
        self._hung[case.id] = count_hangs(tries)
