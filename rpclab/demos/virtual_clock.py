"""An event loop on a virtual clock, on which a day passes at once.

Nothing sleeps. When no callback is due, the clock moves to the next timer. So
code that depends on time can be tried in every order, quickly and with the
same result each time. The loop waits for no stream, so it runs anywhere: in
Pyodide, and in a notebook, whose own loop is paused meanwhile.
"""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, copy_context
from itertools import count
from typing import Any, TypeVar, TypeVarTuple, Unpack

Result = TypeVar("Result")
Args = TypeVarTuple("Args")


class Stuck(RuntimeError):
    """Every task waits, and no timer is left that could wake one."""


class VirtualLoop(asyncio.AbstractEventLoop):
    """An event loop with timers and tasks, and no I/O."""

    def __init__(self) -> None:
        self._now = 0.0
        self._due: deque[tuple[asyncio.Handle, Callable[[], object]]] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle, Callable[[], object]]] = []
        self._order = count()  # timers of the same time fire in the order in which they were set
        self._failures: list[dict[str, Any]] = []

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def call_soon(
        self,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Run a callback now, after those that are due already."""
        handle = asyncio.Handle(callback, args, self, context)
        call = context or copy_context()
        self._due.append((handle, lambda: call.run(callback, *args)))
        return handle

    call_soon_threadsafe = call_soon  # there is one thread

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback at a time of the virtual clock."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        call = context or copy_context()
        entry = (when, next(self._order), handle, lambda: call.run(callback, *args))
        heapq.heappush(self._timers, entry)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run a callback after some seconds."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def create_future(self) -> asyncio.Future[Any]:
        """Return a new future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        """Return a new task of this loop."""
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def get_debug(self) -> bool:
        """Return False: this loop has no debug mode."""
        return False

    def is_running(self) -> bool:
        """Return True: only code that this loop runs can ask."""
        return True

    def is_closed(self) -> bool:
        """Return False: there is nothing to close."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Keep an unhandled error, for ``run_until_complete`` to raise."""
        self._failures.append(context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Do nothing: a cancelled timer is dropped when its time comes."""

    def run_until_complete(self, future: Any) -> Any:
        """Run until a coroutine has ended, and return its result.

        Raises:
            Stuck: the coroutine waits for something that cannot happen.
            RuntimeError: an error that nobody handled, or a task that is left.
        """
        task = self.create_task(future)
        try:
            while not task.done():
                self._run_next_callback()
        finally:
            left = self._cancel_tasks()
        result = task.result()
        for failure in self._failures:
            raise RuntimeError(failure["message"]) from failure.get("exception")
        if left:
            raise RuntimeError(f"{len(left)} tasks are left: {left}")
        return result

    def _cancel_tasks(self) -> set[asyncio.Task[Any]]:
        """Cancel all tasks that are left, and return them."""
        left = asyncio.all_tasks(self)
        for task in left:
            task.cancel()
        with suppress(Stuck):
            while left:
                self._run_next_callback()
        return left

    def _run_next_callback(self) -> None:
        """Run the next callback that is due."""
        if not self._due:
            self._advance_clock()
        handle, call = self._due.popleft()
        if not handle.cancelled():
            call()

    def _advance_clock(self) -> None:
        """Move the clock to the next timer, and take all timers of that time."""
        while self._timers and not (self._due and self._timers[0][0] > self._now):
            when, _, handle, call = heapq.heappop(self._timers)
            if not handle.cancelled():
                self._now = max(self._now, when)
                self._due.append((handle, call))
        if not self._due:
            raise Stuck("every task waits, and no timer is left")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine on a virtual clock, and return its result.

    An event loop that is running in this thread is paused meanwhile.

    >>> async def a_day() -> float:
    ...     await asyncio.sleep(24 * 60 * 60)
    ...     return asyncio.get_running_loop().time()
    >>> run(a_day())
    86400.0
    """
    outer = asyncio._get_running_loop()
    task = asyncio.current_task(outer) if outer else None
    if outer and task:
        asyncio._leave_task(outer, task)  # a notebook runs each cell in a task
    loop = VirtualLoop()  # type: ignore[abstract]  # the methods left out are for I/O
    asyncio._set_running_loop(loop)
    try:
        result: Result = loop.run_until_complete(main)
    finally:
        asyncio._set_running_loop(outer)
        if outer and task:
            asyncio._enter_task(outer, task)
    return result
