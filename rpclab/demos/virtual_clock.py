"""An event loop on a virtual clock: a day passes at once, and always the same way.

Nothing sleeps. When no callback is due, the clock is put forward to the next
timer. So what depends on time can be tried in every order, quickly and
without luck. It waits for no stream, so it runs anywhere: in a notebook,
whose own loop stands still meanwhile, and in Pyodide too.
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
    """Everything waits, and nothing is left that could happen."""


class VirtualLoop(asyncio.AbstractEventLoop):
    """An event loop with timers and tasks, and no I/O."""

    def __init__(self) -> None:
        self._now = 0.0
        self._due: deque[tuple[asyncio.Handle, Callable[[], object]]] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle, Callable[[], object]]] = []
        self._places = count()  # timers of one time fire in the order in which they were set
        self._failures: list[dict[str, Any]] = []

    def time(self) -> float:
        """Give the virtual time in seconds."""
        return self._now

    def call_soon(
        self,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Call back in this moment, after what is due already."""
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
        """Call back at a time."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        call = context or copy_context()
        entry = (when, next(self._places), handle, lambda: call.run(callback, *args))
        heapq.heappush(self._timers, entry)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[Unpack[Args]], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call back after some seconds."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        """Make a task of this loop."""
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def get_debug(self) -> bool:
        """Say that this is no debugging loop."""
        return False

    def is_running(self) -> bool:
        """Say that it runs: nobody can ask when it does not."""
        return True

    def is_closed(self) -> bool:
        """Say that it is open: there is nothing to close."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Keep what went wrong outside of anybody's sight."""
        self._failures.append(context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Let a cancelled timer be: it is dropped when its time comes."""

    def run_until_complete(self, future: Any) -> Any:
        """Run until a coroutine has ended, and give its result.

        Raises:
            Stuck: it waits for something that cannot happen.
            RuntimeError: something failed unseen, or a task is left.
        """
        task = self.create_task(future)
        try:
            while not task.done():
                self._turn()
        finally:
            left = self._end()
        result = task.result()
        for failure in self._failures:
            raise RuntimeError(failure["message"]) from failure.get("exception")
        if left:
            raise RuntimeError(f"{len(left)} tasks are left: {left}")
        return result

    def _end(self) -> set[asyncio.Task[Any]]:
        """Cancel all tasks that are left, and give them."""
        left = asyncio.all_tasks(self)
        for task in left:
            task.cancel()
        with suppress(Stuck):
            while left:
                self._turn()
        return left

    def _turn(self) -> None:
        """Run the next callback."""
        if not self._due:
            self._go_on()
        handle, call = self._due.popleft()
        if not handle.cancelled():
            call()

    def _go_on(self) -> None:
        """Put the clock forward to the next timer, and to all of the same time."""
        while self._timers and not (self._due and self._timers[0][0] > self._now):
            when, _, handle, call = heapq.heappop(self._timers)
            if not handle.cancelled():
                self._now = max(self._now, when)
                self._due.append((handle, call))
        if not self._due:
            raise Stuck("everything waits, and nothing is left that could happen")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine on a virtual clock. A loop that runs here stands still meanwhile.

    >>> async def a_day() -> float:
    ...     await asyncio.sleep(24 * 60 * 60)
    ...     return asyncio.get_running_loop().time()
    >>> run(a_day())
    86400.0
    """
    outer = asyncio._get_running_loop()
    task = asyncio.current_task(outer) if outer else None
    if outer and task:
        asyncio._leave_task(outer, task)  # a notebook's cell is a task
    loop = VirtualLoop()  # type: ignore[abstract]  # the rest of a loop is I/O
    asyncio._set_running_loop(loop)
    try:
        result: Result = loop.run_until_complete(main)
    finally:
        asyncio._set_running_loop(outer)
        if outer and task:
            asyncio._enter_task(outer, task)
    return result
