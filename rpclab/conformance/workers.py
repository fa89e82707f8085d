"""Cases side by side: each worker has a target of its own.

One rule: the number of workers changes how long a run takes, and nothing else. A
case waits for the verdicts that it rests on, and verdicts are told in the order of
the cases. A verdict that rests on time is not believed at once: when nothing else
runs, the case is tried again, in a fresh process and with more time.

Interface:
  - use ``Workers`` in a ``with`` statement, which waits for what still runs
  - ``verdicts`` yields each verdict once, and may be left at any time
  - ``found`` has all that is known, also what was not told yet
  - one worker needs no thread
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, Generic, NamedTuple, Self, TypeAlias

from rpclab.conformance.cases.shared import AnyCaseT
from rpclab.conformance.judging import Verdict, blocked, not_asked
from rpclab.conformance.premises import find_blocker
from rpclab.conformance.targets import PATIENCE, SLACK

MOST_TRIES: Final = 3
"""How often a case is tried whose verdict rests on time. One that hangs is tried twice."""

_LOOK: Final = 0.5
"""How many seconds to wait at once: on Windows, nothing interrupts a wait."""


class Attempt(NamedTuple):
    """A verdict, and whether more time might have led to another one."""

    verdict: Verdict
    rests_on_time: bool


Try: TypeAlias = Callable[[AnyCaseT, float], Attempt]
"""Tries a case once, with so many times the usual time."""


def try_again(case: AnyCaseT, first: Attempt, attempt: Try[AnyCaseT]) -> tuple[Verdict, int]:
    """Repeat a case as long as its verdict rests on time.

    Returns:
        the verdict of the last try, and how many tries hung.
    """
    last, tries, hung = first, 1, int(_hangs(first))
    while last.rests_on_time and tries < MOST_TRIES and hung < MOST_TRIES - 1:
        last = attempt(case, SLACK)
        tries += 1
        hung += _hangs(last)
    return last.verdict, hung


def _hangs(attempt: Attempt) -> bool:
    return attempt.verdict.state == "hangs"


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
        self._running: dict[Future[Attempt], tuple[AnyCaseT, Try[AnyCaseT]]] = {}
        self._doubtful: list[tuple[AnyCaseT, Attempt]] = []
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
            case, first = self._doubtful.pop(0)
            self.found[case.id], self._hung[case.id] = try_again(case, first, self._idle[0])
        for future in wait(self._running, _LOOK, FIRST_COMPLETED).done:
            case, worker = self._running.pop(future)
            self._idle.append(worker)
            self._take(case, future.result())

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
                worker = self._idle.pop(0)
                self._running[self._pool.submit(worker, case, 1.0)] = case, worker
            else:
                self._take(case, self._idle[0](case, 1.0))
                break

    def _take(self, case: AnyCaseT, attempt: Attempt) -> None:
        if attempt.rests_on_time:
            self._doubtful.append((case, attempt))
        else:
            self.found[case.id] = attempt.verdict
