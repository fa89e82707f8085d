"""How it is measured: the floor and ours in turn, in one run.

While it is measured, a machine may slow down or speed up by half or more. So
turns are short, and the two sides take them one after the other, in reverse
order in every second round. Each round gives one ratio, measured under the
same conditions. The median of those ratios is compared with the target.
"""

import io
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeVar

from workloads import Loop, Workload, serve_ours

Taken = TypeVar("Taken")


class Measurement(NamedTuple):
    """One row of the table: what each side took, round by round."""

    name: str
    unit: str
    floors: list[float]
    ours: list[float]
    most: float | None = None
    by_difference: bool = False  # what ours adds is judged, instead of the ratio

    @property
    def figure(self) -> float:
        """The median of our cost divided by the floor, or of the difference."""
        rounds = zip(self.floors, self.ours, strict=True)
        if self.by_difference:
            return median(ours - floor for floor, ours in rounds)
        return median(ours / floor for floor, ours in rounds)

    @property
    def verdict(self) -> str:
        """Whether the target is met: ``ok``, ``missed`` or ``no target``."""
        if self.most is None:
            return "no target"
        return "ok" if self.figure <= self.most else "missed"


def take_turns(
    floor: Callable[[], Taken], ours: Callable[[], Taken], rounds: int
) -> tuple[list[Taken], list[Taken]]:
    """Measure both sides in turn, and return what each took."""
    taken: tuple[list[Taken], list[Taken]] = ([], [])
    for count in range(rounds):
        for side in (1, 0) if count % 2 else (0, 1):
            taken[side].append(ours() if side else floor())
    return taken


def time_loop(loop: Loop, workload: Workload) -> float:
    """Return the microseconds that a line costs in memory."""
    reader, writer = io.BytesIO(workload.line * workload.lines), io.BytesIO()
    start = perf_counter()
    loop(reader, writer)
    return (perf_counter() - start) / workload.lines * 1e6


def measure_in_memory(workload: Workload, rounds: int) -> Measurement:
    """Measure one workload over a pair of ``io.BytesIO``."""
    floors, ours = take_turns(
        lambda: time_loop(workload.bare, workload),
        lambda: time_loop(serve_ours, workload),
        rounds,
    )
    return Measurement(workload.name, "µs", floors, ours, workload.most)
