"""Calls of the peer on an event loop: each gets one reply, when it has ended.

A plain handler is run at once. If it returns an awaitable, that runs in a task
of its own, so a finished reply never waits for another call. Progress goes out
before the reply, or not at all.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from rpclab.dispatch import answer, answer_failure, pack
from rpclab.errors import InternalError, InvalidRequest, MethodNotFound
from rpclab.messages import Call, Handler, Json, Params, Request
from rpclab.peer.call_context import CallContext, InFlight, RequestCancelled, set_call_context
from rpclab.peer.dialects import Dialect
from rpclab.peer.flow import Flow
from rpclab.peer.meta import Trace, end_span, find, start_handler_span
from rpclab.rendering import render, render_error, render_result

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

SendReply: TypeAlias = Callable[[str | None], None]
"""Takes the reply to one call, or None if none is due."""


def refuse_all(method: str, _: Params) -> Json:
    """Refuse every call: this peer has no methods."""
    raise MethodNotFound(data={"method": method})


class Incoming:
    """The calls of the peer that are in progress.

    Args:
        handler: answers them.
        dialect: how cancel and progress are written.
        flow: counts the calls in progress, and takes their progress.
        tracer: makes spans.
    """

    def __init__(
        self, handler: Handler, dialect: Dialect, flow: Flow, tracer: "Tracer | None"
    ) -> None:
        self._handler = handler
        self._dialect = dialect
        self._flow = flow
        self._tracer = tracer
        self._in_flight = InFlight()
        self._tasks: dict[asyncio.Task[str | None], CallContext] = {}
        self.cancel = self._in_flight.cancel

    def begin(self, call: Call, trace: Trace | None, reply: SendReply) -> None:
        """Run the handler of a call. Python's current context must be the call's own."""
        context = CallContext()
        if isinstance(call, Request):
            try:
                context = self._in_flight.open(call.id)
            except InvalidRequest as error:
                return reply(render_error(error, None))
            token = find(call.params, self._dialect.token_path)
            if token is not None:
                send = self._flow.send_progress
                context.reporter = ProgressSender(self._dialect, send, call.method, token)
        set_call_context(context)
        span = start_handler_span(self._tracer, call.method, trace)
        end = partial(self._end, context, span, reply)
        awaitable: Awaitable[Json] | None = None

        def run_handler(method: str, params: Params) -> Json:
            nonlocal awaitable
            result = self._handler(method, params)
            if hasattr(result, "__await__"):
                awaitable, result = result, None  # the reply is made once it has ended
            return result

        text = answer(call, run_handler)
        if awaitable is None:
            return end(text)
        task = asyncio.create_task(_await_reply(call, awaitable))
        self._tasks[task] = context
        self._flow.begin_incoming()
        context.on_cancel = task.cancel
        task.add_done_callback(partial(self._finish, call, context, end, awaitable))
        return None

    def _finish(
        self,
        call: Call,
        context: CallContext,
        end: SendReply,
        awaitable: Awaitable[Json],
        task: asyncio.Task[str | None],
    ) -> None:
        """Reply to a call whose task has ended."""
        del self._tasks[task]
        self._flow.end_incoming()
        text = None
        if not task.cancelled():
            error = task.exception()
            text = answer_failure(call, error) if error else task.result()
        elif not context.cancelled:
            text = answer_failure(call, asyncio.CancelledError())
        elif asyncio.iscoroutine(awaitable):
            awaitable.close()  # it may not have begun
        if context.cancelled:
            is_answered = self._dialect.answers_cancelled and isinstance(call, Request)
            text = render_error(RequestCancelled(), context.id) if is_answered else None
        end(text)

    def _end(
        self, context: CallContext, span: "Span | None", reply: SendReply, text: str | None
    ) -> None:
        self._in_flight.close(context)
        if context.reporter:
            context.reporter.end()
        end_span(span)
        reply(text)

    def cancel_all(self) -> None:
        """Ask all calls in progress to stop."""
        for context in [*self._tasks.values()]:
            context.cancel()

    async def wait_for_all(self) -> None:
        """Wait until no call is in progress."""
        while self._tasks:
            await asyncio.wait(self._tasks)


async def _await_reply(call: Call, awaitable: Awaitable[Json]) -> str | None:
    """Wait for what a handler returned, and make the reply."""
    try:
        result = await awaitable
    except SystemExit as error:  # in a task it would end the loop, and no handler may do that
        raise InternalError(data={"exception": "SystemExit"}) from error
    return render_result(result, call.id) if isinstance(call, Request) else None


class ProgressSender:
    """Sends the progress of one call, from its task or from a thread.

    Args:
        dialect: how progress is written.
        send: takes each notification.
        title: what is being done.
        token: the caller's mark for this progress.
    """

    def __init__(
        self, dialect: Dialect, send: Callable[[str], None], title: str, token: Json
    ) -> None:
        self._dialect = dialect
        self._send = send
        self._title: str | None = title  # only the first report has it
        self._token = token
        self._loop = asyncio.get_running_loop()
        self._last = ""  # what is due at the end
        self._ended = False

    def __call__(self, done: Json, total: float | None, message: str | None) -> None:
        """Report how far the call is."""
        last = ""
        note = self._dialect.write_progress(done, total, message, self._title)
        if self._dialect.last_progress and not (total is None and message is None):
            self._title = None
            last = render(self._dialect.report(self._token, self._dialect.last_progress))
        text = render(self._dialect.report(self._token, note))
        try:
            asyncio.get_running_loop()
        except RuntimeError:  # there is no loop in this thread
            self._loop.call_soon_threadsafe(self._pass_on, text, last)
        else:
            self._pass_on(text, last)

    def _pass_on(self, text: str, last: str) -> None:
        if not self._ended:  # the call may have ended while the text came from a thread
            self._send(text)
            self._last = last or self._last

    def end(self) -> None:
        """Send the last report, if one is due. The response comes next."""
        self._ended = True
        if self._last:
            self._send(self._last)


class BatchReply:
    """Gathers the replies to one batch, and passes them on when all are there."""

    def __init__(self, count: int, reply: SendReply) -> None:
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
