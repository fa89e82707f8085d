"""Calls of the peer on an event loop: each gets one reply, when it has ended.

A plain handler is run at once. What it gives may be awaitable: that runs in a
task of its own, so a finished reply never waits for another call. Progress
goes out before the reply, or not at all.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from rpclab.dispatch import answer, pack
from rpclab.errors import InternalError, InvalidRequest, MethodNotFound
from rpclab.messages import Call, Handler, Json, Params, Request
from rpclab.peer.call_context import InFlight, RequestCancelled, Running, set_running
from rpclab.peer.dialects import Manner
from rpclab.peer.meta import Trace, find
from rpclab.peer.spans import end_span, start_handler
from rpclab.rendering import render, render_error

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
                running.report = Progress(self._manner, self._send, call.method, token)
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
        if running.report:
            running.report.end()
        end_span(span)
        reply(text)
        self._moved.set()

    def cancel_all(self) -> None:
        """Ask all that runs to stop."""
        for running in [*self.tasks.values()]:
            running.cancel()


class Progress:
    """Sends the progress of one call, from its task or from a thread.

    Args:
        manner: how it is spelled.
        send: takes each notification.
        title: what is being done.
        token: the caller's own mark on it.
    """

    def __init__(
        self, manner: Manner, send: Callable[[str], None], title: str, token: Json
    ) -> None:
        self._manner = manner
        self._send = send
        self._title: str | None = title  # of the first report alone
        self._token = token
        self._loop = asyncio.get_running_loop()
        self._last = ""  # what is due at the end
        self._ended = False

    def __call__(self, done: Json, total: float | None, message: str | None) -> None:
        """Say how far the call is."""
        last = ""
        note = self._manner.spell(done, total, message, self._title)
        if self._manner.end and not (total is None and message is None):
            self._title = None
            last = render(self._manner.report(self._token, self._manner.end))
        text = render(self._manner.report(self._token, note))
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._loop.call_soon_threadsafe(self._pass_on, text, last)
        else:
            self._pass_on(text, last)

    def _pass_on(self, text: str, last: str) -> None:
        if not self._ended:  # it may have, on the way from a thread
            self._send(text)
            self._last = last or self._last

    def end(self) -> None:
        """Send the last report, if one is due. The response comes next."""
        self._ended = True
        if self._last:
            self._send(self._last)


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
