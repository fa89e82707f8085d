"""Whether anything grows with many messages: their cost, and the memory."""

import io
from time import perf_counter
from typing import Final

import psutil
from measure import Measurement
from workloads import SMALL, serve_ours

FEW: Final = 1_000
LINES: Final = SMALL * FEW


class Drain(io.BytesIO):
    """A writer that keeps nothing."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Drop the bytes."""
        return len(data)


def time_a_few() -> float:
    """Return the microseconds per message in a short stream."""
    start = perf_counter()
    serve_ours(io.BytesIO(LINES), Drain())
    return (perf_counter() - start) / FEW * 1e6


class LongStream(io.BytesIO):
    """A reader that returns the same lines many times, and times each round.

    Before each round it also times a new, short stream, to compare with.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self.short: list[float] = []
        self.long: list[float] = []
        self._left = count // FEW
        self._given = 0.0

    def read1(self, _: int | None = -1, /) -> bytes:
        """Return a few lines, or the end of the stream."""
        if self._given:
            self.long.append((perf_counter() - self._given) / FEW * 1e6)
            self.short.append(time_a_few())
        self._left -= 1
        self._given = perf_counter()
        return LINES if self._left >= 0 else b""


def resident_megabytes() -> float:
    """Return how much memory this process uses."""
    return float(psutil.Process().memory_info().rss) / 2**20


def measure_growth(many: int) -> list[Measurement]:
    """Measure the last tenth of many messages against as many short streams."""
    serve_ours(LongStream(10 * FEW), Drain())
    before = resident_megabytes()
    stream = LongStream(many)
    serve_ours(stream, Drain())
    after = resident_megabytes()
    last = slice(-(many // FEW // 10), None)
    return [
        Measurement(
            f"per message, in a stream of {many:,} against streams of {FEW:,}",
            "µs",
            stream.short[last],
            stream.long[last],
            1.2,
        ),
        Measurement(
            "memory, before and after them", "MB", [before], [after], 1.0, by_difference=True
        ),
    ]
