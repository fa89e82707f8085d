"""Threads for handlers that wait: as many as there are handlers at once.

``ThreadPoolExecutor`` does the same, but Python waits for its threads when it
ends. These are daemons, so a handler that never ends keeps nothing from ending.

Interface:
  - one thread submits and joins; a handler runs in a copy of the context in which
    it was submitted
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any


class HandlerThreads:
    """Runs each handler in a thread that is free, or in a new one.

    Args:
        most: how many threads there may be. More handlers wait for their turn.

    >>> threads = HandlerThreads(10)
    >>> threads.submit(len, "abc").result()
    3
    >>> threads.end()
    >>> threads.join(60)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._free = 0  # threads without work
        self._ahead = 0  # work without a thread
        self._lane: deque[Callable[[], None]] = deque()  # what runs one after another
        self._lane_runs = False

    def submit(self, handler: Callable[..., Any], *args: Any, in_turn: bool = False) -> Future[Any]:
        """Run a handler soon, and return what will be its outcome. It cannot be cancelled.

        ``in_turn``: it begins when those have ended that were submitted in turn before.
        """
        outcome: Future[Any] = Future()
        outcome.set_running_or_notify_cancel()
        work = partial(copy_context().run, _settle, outcome, handler, *args)
        if not in_turn:
            self._begin(work)
            return outcome
        with self._lock:
            self._lane.append(work)
            must_begin, self._lane_runs = not self._lane_runs, True
        if must_begin:
            self._begin(self._run_lane)
        return outcome

    def _run_lane(self) -> None:
        while True:
            with self._lock:
                self._lane_runs = bool(self._lane)
                if not self._lane:
                    return
                work = self._lane.popleft()
            work()

    def _begin(self, work: Callable[[], None]) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
            elif len(self._threads) < self._most:
                thread = threading.Thread(target=self._run, name="rpclab handler", daemon=True)
                thread.start()
                self._threads.append(thread)
            else:
                self._ahead += 1
        self._work.put(work)

    def _run(self) -> None:
        while work := self._work.get():
            work()
            del work  # what the handler was given is not kept while the thread waits
            with self._lock:
                if self._ahead:
                    self._ahead -= 1
                else:
                    self._free += 1

    def end(self) -> None:
        """Let each thread end as soon as its handler has ended. Does not wait."""
        for _ in self._threads:
            self._work.put(None)

    def join(self, seconds: float) -> None:
        """Wait for the end of the threads, and not longer than this."""
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))


def _settle(outcome: Future[Any], handler: Callable[..., Any], *args: Any) -> None:
    try:
        outcome.set_result(handler(*args))
    except BaseException as error:  # noqa: BLE001  even SystemExit: all of them are replied to
        outcome.set_exception(error)
