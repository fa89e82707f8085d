"""Calls of the peer on an event loop: each gets one reply, when it has ended.

A plain handler is run at once. What it gives may be awaitable: that runs in a
task of its own, so a finished reply never waits for another call. Progress
goes out before the reply, or not at all.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from rpclab.cancel import InFlight, RequestCancelled, Running, set_running
from rpclab.dispatch import answer, pack
from rpclab.errors import InternalError, InvalidRequest, MethodNotFound
from rpclab.manners import Manner
from rpclab.messages import Call, Handler, Json, Params, Request
from rpclab.meta import Trace, find
from rpclab.rendering import render, render_error
from rpclab.spans import end_span, start_handler

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

Reply: TypeAlias = Callable[[str | None], None]
"""Takes the response to one call, or None where none is due."""


def refuse_all(method: str, _: Params) -> Json:
    """Be the handler of who has no methods."""
    raise MethodNotFound(data={"method": method})


class Answering:
    """The calls of the peer that are in progress.

    Args:
        handler: answers them.
        manner: how cancel and progress are spelled.
        send: takes each progress notification, to send it or to drop it.
        moved: is set when a call has ended.
        tracer: makes spans.
    """

    def __init__(
        self,
        handler: Handler,
        manner: Manner,
        send: Callable[[str], None],
        moved: asyncio.Event,
        tracer: "Tracer | None",
    ) -> None:
        self._handler = handler
        self._manner = manner
        self._send = send
        self._moved = moved
        self._tracer = tracer
        self._in_flight = InFlight()
        self.tasks: dict[asyncio.Task[Json], Running] = {}
        self.cancel = self._in_flight.cancel

    def begin(self, call: Call, trace: Trace | None, reply: Reply) -> None:
        """Run a call's handler. The context must be the call's own."""
        running = Running()
        if isinstance(call, Request):
            try:
                running = self._in_flight.open(call.id)
            except InvalidRequest as error:
                return reply(render_error(error, None))
            token = find(call.params, self._manner.token_path)
            if token is not None:
                running.report = partial(self._report, asyncio.get_running_loop(), running, token)
        set_running(running)
        span = start_handler(self._tracer, call.method, trace)
        end = partial(self._end, running, span, reply)
        later: list[Awaitable[Json]] = []

        def handler(method: str, params: Params) -> Json:
            result = self._handler(method, params)
            return later.append(result) if hasattr(result, "__await__") else result

        text = answer(call, handler)
        if not later:
            return end(text)
        task = asyncio.create_task(_contain(later[0]))
        self.tasks[task] = running
        running.on_cancel = task.cancel
        task.add_done_callback(partial(self._finish, call, running, end, later[0]))
        return None

    def _finish(
        self,
        call: Call,
        running: Running,
        end: Reply,
        awaited: Awaitable[Json],
        task: asyncio.Task[Json],
    ) -> None:
        """Answer a call whose task has ended, with what the task gave."""
        del self.tasks[task]
        stopped = running.cancelled and task.cancelled()
        if stopped and asyncio.iscoroutine(awaited):
            awaited.close()  # it may not have begun
        text = answer(call, lambda *_: None if stopped else task.result())
        if running.cancelled:
            answered = self._manner.answered and isinstance(call, Request)
            text = render_error(RequestCancelled(), running.id) if answered else None
        end(text)

    def _end(self, running: Running, span: "Span | None", reply: Reply, text: str | None) -> None:
        self._in_flight.close(running)
        end_span(span)
        reply(text)
        self._moved.set()

    def _report(
        self, loop: asyncio.AbstractEventLoop, running: Running, token: Json, *note: Json
    ) -> None:
        """Send progress from a task, or from a thread."""
        text = render(self._manner.report(token, self._manner.spell(*note)))
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            loop.call_soon_threadsafe(self._pass_on, running, text)
        else:
            self._pass_on(running, text)

    def _pass_on(self, running: Running, text: str) -> None:
        if not running.ended:  # it may have, on the way from a thread
            self._send(text)

    def cancel_all(self) -> None:
        """Ask all that runs to stop."""
        for running in [*self.tasks.values()]:
            running.cancel()


class BatchReply:
    """Gathers the replies to one batch, and passes them on when all are there."""

    def __init__(self, count: int, reply: Reply) -> None:
        self._left = count
        self._reply = reply
        self._texts: list[str] = []

    def __call__(self, text: str | None) -> None:
        """Take one reply, or None."""
        self._left -= 1
        if text is not None:
            self._texts.append(text)
        if not self._left:
            self._reply(pack(self._texts))


async def _contain(awaitable: Awaitable[Json]) -> Json:
    """Await what a handler gave. A task lets SystemExit end the loop; no handler may."""
    try:
        return await awaitable
    except SystemExit as error:
        raise InternalError(data={"exception": "SystemExit"}) from error
