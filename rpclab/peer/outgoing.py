"""Our own calls on an event loop: each ends once.

It ends with its own reply, or it is given up: its time is over, its caller is
cancelled, or the stream has ended. A call that is given up is cancelled at
the peer too, and if a reply to it comes, it settles nothing.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from rpclab.dispatch import answer
from rpclab.errors import InvalidResponse
from rpclab.messages import Call, ErrorResponse, Json, Notification, Params, Request, Response
from rpclab.peer.dialects import Dialect
from rpclab.peer.failures import CallTimeout, PeerGone
from rpclab.peer.flow import Flow
from rpclab.peer.meta import end_span, find, next_trace, put, render_traced, start_call_span
from rpclab.peer.pending import Pending, Settled, Stray
from rpclab.peer.strays import PROGRESS_LATE, PROGRESS_UNKNOWN, StrayLog
from rpclab.peer.time_limit import TimeLimit
from rpclab.rendering import render

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

NewCall: TypeAlias = tuple[str, Params] | Notification
"""One member of a batch to be sent: a method with its params, or a notification."""

OnProgress: TypeAlias = Callable[[Json], object]
"""What is called with each progress report of a call."""

Reply: TypeAlias = Response | InvalidResponse
Replies: TypeAlias = list[Reply]

Result = TypeVar("Result")


class ReplyFuture:
    """One of our calls that waits for its reply."""

    __slots__ = ("_future", "on_progress", "told")

    def __init__(self, told: int, on_progress: OnProgress | None = None) -> None:
        self._future: asyncio.Future[Reply | PeerGone]
        self._future = asyncio.get_running_loop().create_future()
        self.told = told  # how many strays have nothing to do with it
        self.on_progress = on_progress

    def settle(self, reply: Reply | PeerGone) -> None:
        """End the call, unless its caller was cancelled a moment ago."""
        if not self._future.done():
            self._future.set_result(reply)

    async def wait(self) -> Reply:
        """Wait for the reply.

        Raises:
            PeerGone: the stream has ended.
        """
        reply = await self._future
        if isinstance(reply, PeerGone):
            raise reply
        return reply


class Outgoing:
    """Our calls on one connection.

    Args:
        flow: says when a call may begin, and takes the messages.
        dialect: how cancel and progress are written.
        tracer: makes spans.
    """

    def __init__(self, flow: Flow, dialect: Dialect, tracer: "Tracer | None") -> None:
        self._flow = flow
        self._dialect = dialect
        self._tracer = tracer
        self._pending: Pending[ReplyFuture] = Pending()
        self.strays = StrayLog()
        self._told = 0  # how many strays had come when a reply last settled a call

    async def call(
        self, method: str, params: Params, limit: TimeLimit | None, on_progress: OnProgress | None
    ) -> Json:
        """Call a method, and wait for its result, as in ``Peer.call``."""
        if limit and limit.extends:
            on_progress = partial(limit.extend, on_progress)
        future = ReplyFuture(self._told, on_progress)
        exchange = self._exchange([(method, params)], [future], limit)
        if limit is None:
            (reply,) = await exchange
        else:
            (reply,) = await self._in_time(exchange, limit, repr(method))
        if isinstance(reply, ErrorResponse):
            raise reply.error
        if isinstance(reply, InvalidResponse):
            raise reply
        return reply.result

    async def batch(self, calls: Sequence[NewCall], limit: TimeLimit) -> Replies:
        """Send calls as one batch, and wait for the replies, as in ``Peer.batch``."""
        if not calls:
            raise ValueError("a batch needs at least one call")
        futures = [ReplyFuture(self._told) for call in calls if not isinstance(call, Notification)]
        exchange = self._exchange(calls, futures, limit, as_batch=True)
        return await self._in_time(exchange, limit, "the batch")

    async def notify(self, method: str, params: Params, limit: TimeLimit | None) -> None:
        """Send a notification, once there is room for it."""
        if limit is None:
            await self._flow.wait_for_room()
        else:
            await self._in_time(self._flow.wait_for_room(), limit, repr(method))
        self._flow.write(render_traced(Notification(method, params), next_trace()))

    async def _in_time(
        self, action: Coroutine[None, None, Result], limit: TimeLimit, what: str
    ) -> Result:
        """Wait for something until its time is over."""
        told = self._told
        try:
            async with limit.start():
                return await action
        except TimeoutError:
            reason = limit.describe(what, self._flow.full)
            raise CallTimeout(reason, self.strays.since(told)) from None

    async def _exchange(
        self,
        calls: Sequence[NewCall],
        futures: list[ReplyFuture],
        limit: TimeLimit | None,
        *,
        as_batch: bool = False,
    ) -> Replies:
        """Send calls, and wait until each has ended."""
        nested = await self._flow.begin_outgoing()
        entries: dict[int, ReplyFuture] = {}
        span, trace = start_call_span(self._tracer, calls)
        try:
            await self._flow.wait_for_room()
            entries = {self._pending.next_id(): future for future in futures}  # in order of writing
            messages = _make_messages(calls, entries, self._dialect.token_path)
            texts = [render_traced(message, trace) for message in messages]
            self._pending.open(entries, as_batch)
            self._flow.write(f"[{','.join(texts)}]" if as_batch else texts[0])
            if limit:
                limit.sent = True
            return [await future.wait() for future in futures]
        except asyncio.CancelledError:
            self._give_up(entries)
            raise
        finally:
            end_span(span)
            self._flow.end_outgoing(nested)

    def _give_up(self, ids: Iterable[int]) -> None:
        """Stop waiting for these calls, and cancel those that the peer has."""
        for id in ids:
            if self._pending.give_up(id):
                self._flow.write(render(self._dialect.cancel_call(id, "the caller gave it up")))

    def is_waiting_for(self, id: Json) -> bool:
        """Return whether a call with this id waits for its reply."""
        return self._pending.get(id) is not None

    def settle(self, value: Json, *, alone: bool) -> None:
        """Let a response end its call. ``alone`` means that it came outside of an array."""
        for settlement in self._pending.settle(value, alone=alone):
            if isinstance(settlement, Settled):
                settlement.entry.settle(settlement.response)
                self._told = self.strays.count
            else:
                self.strays.add(settlement)

    def take_progress(self, call: Notification) -> bool:
        """Take a progress notification, and return whether its token is known."""
        token = find(call.params, (self._dialect.progress_token,))
        if not self._pending.has_used(token):
            return False
        future = self._pending.get(token)
        if future is None:
            self.add_stray_call(PROGRESS_LATE, call)
        elif future.on_progress is None:
            self.add_stray_call(PROGRESS_UNKNOWN, call)
        else:
            hear = future.on_progress
            read = self._dialect.read_progress
            answer(call, lambda _, params: hear(read(params)))  # one that raises is logged
        return True

    def add_stray_call(self, reason: str, call: Notification) -> None:
        """Keep a notification that belongs to none of our calls."""
        self.strays.add(Stray(reason, {"method": call.method, "params": call.params}))

    def lose(self) -> None:
        """End every call: no reply can come any more."""
        self._flow.lose(partial(PeerGone, strays=self.strays.since(self._told)))
        for future in self._pending.close():
            future.settle(PeerGone(strays=self.strays.since(future.told)))


def _make_messages(
    calls: Sequence[NewCall], entries: Mapping[int, ReplyFuture], token_path: tuple[str, ...]
) -> Iterator[Call]:
    """Make the messages: with an id, and with a token if progress is asked for."""
    numbered = iter(entries.items())
    for call in calls:
        if isinstance(call, Notification):
            yield call
            continue
        method, params = call
        id, future = next(numbered)
        yield Request(method, put(params, token_path, id) if future.on_progress else params, id)
