"""A time limit for code that a learner wrote.

A loop that never ends would hang the notebook. Where the platform has an
alarm for the main thread (Unix; not Windows, not Pyodide), the loop is
interrupted. Elsewhere, and where an answer catches every exception forever,
the learner has to interrupt it: stop the kernel, or press Ctrl-C.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SECONDS: Final = 2.0
"""How long one check may take. Every check is written to need far less."""


class TooSlow(BaseException):
    """The time is over. Not an ``Exception``, so ``except Exception`` lets it pass."""


@contextmanager
def time_limit(seconds: float = SECONDS) -> Iterator[None]:
    """Raise ``TooSlow`` in the block once it has run this long.

    >>> with time_limit():
    ...     print("quick")
    quick
    """
    if not hasattr(signal, "setitimer") or not _in_main_thread():
        yield
        return
    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, _raise_too_slow)
    # Again and again: a bare "except" may have swallowed the first.
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:  # other code is waiting for an alarm of its own
            rest = max(left - (time.monotonic() - began), 0.001)
            signal.setitimer(signal.ITIMER_REAL, rest, every)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _raise_too_slow(_: int, __: FrameType | None) -> None:
    raise TooSlow
