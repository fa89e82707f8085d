"""Calls of the peer on an event loop: each gets one reply, when it has ended.

A plain handler is run at once. If it returns an awaitable, that runs in a task
of its own, so a finished reply never waits for another call. Progress goes out
before the reply, or not at all.

A notification is handed over when the handlers of those before it have ended:
one says that a text has changed, and the next one relies on that.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from rpclab.dispatch import answer, answer_failure, pack
from rpclab.errors import InternalError, InvalidRequest, MethodNotFound
from rpclab.messages import Call, Handler, Json, Notification, Params, Request
from rpclab.peer.call_context import CallContext, InFlight, RequestCancelled, set_call_context
from rpclab.peer.dialects import Dialect
from rpclab.peer.flow import Flow
from rpclab.peer.meta import Trace, end_span, find, start_handler_span
from rpclab.rendering import render, render_error, render_result

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

SendReply: TypeAlias = Callable[[str | None], None]
"""Takes the reply to one call, or None if none is due."""

OrderName: TypeAlias = Literal["notifications", "calls", "free"]
"""Which calls wait until the notifications before them have been handled."""


def check_order(name: str) -> None:
    """Check that there is such an order.

    Raises:
        ValueError: there is none.
    """
    if name not in get_args(OrderName):
        raise ValueError(f"an order is one of {', '.join(get_args(OrderName))}")


def refuse_all(method: str, _: Params) -> Json:
    """Refuse every call: this peer has no methods."""
    raise MethodNotFound(data={"method": method})


class Incoming:
    """The calls of the peer that are in progress, and those that wait for their turn.

    Args:
        handler: answers them.
        dialect: how cancel and progress are written.
        flow: counts the calls in progress, and takes their progress.
        tracer: makes spans.
        order: which calls wait for the notifications before them.

    Raises:
        ValueError: there is no such order.
    """

    def __init__(
        self,
        handler: Handler,
        dialect: Dialect,
        flow: Flow,
        tracer: "Tracer | None",
        order: OrderName = "notifications",
    ) -> None:
        check_order(order)
        self._handler = handler
        self._dialect = dialect
        self._flow = flow
        self._tracer = tracer
        self._notifications_wait = order != "free"
        self._requests_wait = order == "calls"
        self._is_held = False  # a notification is in progress for which others wait
        self._waiting: deque[tuple[CallContext, Callable[[], None]]] = deque()
        self._in_flight = InFlight()
        self._tasks: dict[asyncio.Task[str | None], CallContext] = {}
        self.cancel = self._in_flight.cancel

    def take(self, call: Call, trace: Trace | None, reply: SendReply) -> None:
        """Run the handler of a call, now or when its turn has come."""
        context = CallContext()
        must_wait = self._notifications_wait and self._is_held
        if isinstance(call, Request):
            try:
                context = self._in_flight.open(call.id)
            except InvalidRequest as error:
                return reply(render_error(error, None))
            token = find(call.params, self._dialect.token_path)
            if token is not None:
                send = self._flow.send_progress
                context.reporter = ProgressSender(self._dialect, send, call.method, token)
            must_wait = self._requests_wait and self._is_held
        run = copy_context().run
        if not must_wait:
            return run(self._start, call, context, trace, reply)
        context.on_cancel = partial(self._end_waiting, call, context, reply)
        self._waiting.append((context, partial(run, self._start, call, context, trace, reply)))
        self._flow.begin_waiting()
        return None

    def _end_waiting(self, call: Call, context: CallContext, reply: SendReply) -> None:
        """Reply to a request that was cancelled before its turn came."""
        if isinstance(call, Request):  # a notification is handed over all the same
            self._end(context, None, reply, self._reply_to_cancelled(call))

    def _start_waiting(self) -> None:
        """Run the handlers of those whose turn has come."""
        while self._waiting and not self._is_held:
            self._flow.end_waiting()
            _, start = self._waiting.popleft()
            start()

    def _start(
        self, call: Call, context: CallContext, trace: Trace | None, reply: SendReply
    ) -> None:
        """Run the handler of a call. Python's current context must be the call's own."""
        if context.ended:
            return None
        set_call_context(context)
        span = start_handler_span(self._tracer, call.method, trace)
        end = partial(self._end, context, span, reply)
        awaitable: Awaitable[Json] | None = None

        def run_handler(method: str, params: Params) -> Json:
            nonlocal awaitable
            try:
                result = self._handler(method, params)
            except MethodNotFound:
                if method != self._dialect.ping_method:
                    raise
                result = {}
            if hasattr(result, "__await__"):
                awaitable, result = result, None  # the reply is made once it has ended
            return result

        text = answer(call, run_handler)
        if awaitable is None:
            return end(text)
        task = asyncio.create_task(self._await_reply(call, awaitable))
        self._tasks[task] = context
        self._flow.begin_incoming()
        if self._notifications_wait and isinstance(call, Notification):
            self._is_held = True
        context.on_cancel = task.cancel
        if context.cancelled:
            task.cancel()
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
        elif asyncio.isfuture(awaitable):
            awaitable.cancel()
        if context.cancelled:
            text = self._reply_to_cancelled(call)
        end(text)
        if self._is_held and isinstance(call, Notification):
            self._is_held = False
            self._start_waiting()

    def _reply_to_cancelled(self, call: Call) -> str | None:
        if isinstance(call, Request) and self._dialect.answers_cancelled:
            return render_error(RequestCancelled(), call.id)
        return None

    def _end(
        self, context: CallContext, span: "Span | None", reply: SendReply, text: str | None
    ) -> None:
        self._in_flight.close(context)
        if context.reporter:
            context.reporter.end()
        end_span(span)
        reply(text)

    def cancel_all(self) -> None:
        """Ask all calls in progress to stop, and those that wait not to begin."""
        for context in [*self._tasks.values(), *(context for context, _ in self._waiting)]:
            context.cancel()

    async def wait_for_all(self) -> None:
        """Wait until no call is in progress."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _await_reply(self, call: Call, awaitable: Awaitable[Json]) -> str | None:
        """Wait for what a handler returned, and make the reply."""
        try:
            result = await awaitable
        except MethodNotFound:
            if call.method != self._dialect.ping_method:
                raise
            result = {}
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
