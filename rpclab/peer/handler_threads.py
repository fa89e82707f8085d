"""Threads for handlers that wait: as many as there are handlers at once.

``ThreadPoolExecutor`` does the same, but Python waits for its threads when it
ends. These are daemons, so a handler that never ends keeps nothing from ending.

Interface:
  - one thread submits and joins; a handler runs in a copy of the context in which
    it was submitted
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any


class HandlerThreads:
    """Runs each handler in a thread that is free, or in a new one.

    >>> threads = HandlerThreads()
    >>> threads.submit(len, "abc").result()
    3
    >>> threads.end()
    >>> threads.join(60)
    """

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._free = threading.Semaphore(0)
        self._threads: list[threading.Thread] = []

    def submit(self, handler: Callable[..., Any], *args: Any) -> Future[Any]:
        """Run a handler soon, and return what will be its outcome. It cannot be cancelled."""
        outcome: Future[Any] = Future()
        outcome.set_running_or_notify_cancel()
        if not self._free.acquire(blocking=False):
            thread = threading.Thread(target=self._run, name="rpclab handler", daemon=True)
            thread.start()
            self._threads.append(thread)
        self._work.put(partial(copy_context().run, _settle, outcome, handler, *args))
        return outcome

    def _run(self) -> None:
        while work := self._work.get():
            work()
            del work  # what the handler was given is not kept while the thread waits
            self._free.release()

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
