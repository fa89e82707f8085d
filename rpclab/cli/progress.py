"""What is seen of a run while it goes on, and the signals that end it early.

In a terminal there is a bar. In a pipe each verdict is a line of stderr, as soon
as it is there: a log of CI shows where a run is, and what it found before it was
ended. One rule: nothing here writes to stdout.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, TypeAlias

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from rpclab.cli.terminal import make_screen, printable
from rpclab.conformance.judging import Verdict
from rpclab.conformance.targets import NEVER_WORKED

AfterEach: TypeAlias = Callable[[Verdict], bool]
"""Is called with each verdict, and returns whether the run ends there."""

_MOST_WORDS: Final = 60
"""How many characters a line has at most for the reason of a verdict."""


class Terminated(KeyboardInterrupt):
    """SIGTERM came: the run ends as it does after Ctrl-C."""


@contextmanager
def shown_progress(count: int, stop: AfterEach) -> Iterator[AfterEach]:
    """Show the verdicts of a run of so many cases; ``stop`` says where it ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    errors = make_screen(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("judging", total=count)
        told = 0

        def after_each(verdict: Verdict) -> bool:
            nonlocal told
            told += 1
            bar.update(task, advance=1, description=verdict.case[:32])
            if not errors.is_terminal and verdict.state not in NEVER_WORKED:
                with suppress(OSError):
                    print(f"{told}/{count} {one_line(verdict)}", file=sys.stderr, flush=True)
            return stop(verdict)

        yield after_each


def one_line(verdict: Verdict) -> str:
    """Return a verdict as a short line.

    >>> one_line(Verdict(case="id.null", clause="c", level="should", found="broken", why="silent"))
    'broken (should) id.null: silent'
    """
    level = f" ({verdict.level})" if verdict.found == "broken" else ""
    why = printable(verdict.why)[:_MOST_WORDS] if verdict.found in {"broken", "not judged"} else ""
    return f"{verdict.found}{level} {verdict.case}" + (f": {why}" if why else "")


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does, unless somebody else takes care of it."""
    is_free = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not is_free or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
