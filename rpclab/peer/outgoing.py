"""Our own calls on an event loop: each ends once.

It ends with its own reply, or it is given up: its time is over, its caller is
cancelled, or the stream has ended. A call that is given up is cancelled at
the peer too, and if a reply to it comes, it settles nothing.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from rpclab.dispatch import answer
from rpclab.errors import InvalidResponse
from rpclab.messages import Call, ErrorResponse, Json, Notification, Params, Request, Response
from rpclab.parsing import readable_id
from rpclab.peer.dialects import Dialect
from rpclab.peer.flow import Flow, PeerGone
from rpclab.peer.meta import end_span, find, next_trace, put, render_traced, start_call_span
from rpclab.peer.pending import LATE, Pending, Settled, Stray, show
from rpclab.rendering import render

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

_log = logging.getLogger(__name__)

_STRAYS: Final = 100

NewCall: TypeAlias = tuple[str, Params] | Notification
"""One member of a batch to be sent: a method with its params, or a notification."""

OnProgress: TypeAlias = Callable[[Json], object]
"""What is called with each progress report of a call."""

Reply: TypeAlias = Response | InvalidResponse
Replies: TypeAlias = list[Reply]


class ReplyFuture:
    """One of our calls that waits for its reply."""

    __slots__ = ("_future", "hint", "on_progress")

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self._future: asyncio.Future[Reply | PeerGone]
        self._future = asyncio.get_running_loop().create_future()
        self.on_progress = on_progress
        self.hint = ""  # what a timeout says besides

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
        self.strays: deque[Stray] = deque(maxlen=_STRAYS)

    async def call(
        self,
        method: str,
        params: Params,
        timeout: float | None,
        on_progress: OnProgress | None,
        extend: bool,
    ) -> Json:
        """Call a method, and wait for its result, as in ``Peer.call``."""
        future = ReplyFuture(on_progress)
        exchange = self._exchange([(method, params)], [future])
        if timeout is None:
            (reply,) = await exchange
        else:
            (reply,) = await _in_time(exchange, future, timeout, extend)
        if isinstance(reply, ErrorResponse):
            raise reply.error
        if isinstance(reply, InvalidResponse):
            raise reply
        return reply.result

    async def batch(self, calls: Sequence[NewCall], timeout: float | None) -> Replies:
        """Send calls as one batch, and wait for the replies, as in ``Peer.batch``."""
        if not calls:
            raise ValueError("a batch needs at least one call")
        futures = [ReplyFuture() for call in calls if not isinstance(call, Notification)]
        async with asyncio.timeout(timeout):
            return await self._exchange(calls, futures, as_batch=True)

    async def notify(self, method: str, params: Params) -> None:
        """Send a notification, once there is room for it."""
        await self._flow.wait_for_room()
        self._flow.write(render_traced(Notification(method, params), next_trace()))

    async def _exchange(
        self, calls: Sequence[NewCall], futures: list[ReplyFuture], *, as_batch: bool = False
    ) -> Replies:
        """Send calls, and wait until each has ended."""
        nested = await self._flow.begin_outgoing()
        entries = {self._pending.next_id(): future for future in futures}
        span, trace = start_call_span(self._tracer, calls)
        try:
            await self._flow.wait_for_room()
            messages = _make_messages(calls, entries, self._dialect.token_path)
            texts = [render_traced(message, trace) for message in messages]
            self._pending.open(entries, as_batch)
            self._flow.write(f"[{','.join(texts)}]" if as_batch else texts[0])
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
            else:
                self.add_stray(settlement)

    def add_stray(self, stray: Stray) -> None:
        """Keep what belongs to no call, and log it so that it can be looked into."""
        mistyped = self._pending.get_mistyped(readable_id(stray.value))
        if mistyped:
            mistyped.hint = f"; a response came with {stray.reason}"
        stray = stray._replace(value=show(stray.value))
        self.strays.append(stray)
        if stray.reason != LATE:  # a late reply is expected after giving up
            _log.warning("%s: %s", *stray)

    def take_progress(self, call: Notification) -> bool:
        """Take a progress notification, and return whether its token is ours."""
        token = find(call.params, (self._dialect.progress_token,))
        is_ours = self._pending.has_used(token)
        if is_ours:
            answer(call, self._hear_progress)  # a callback that raises is logged
        return is_ours

    def _hear_progress(self, _: str, params: Params) -> None:
        """Handle the progress of one of our calls."""
        future = self._pending.get(find(params, (self._dialect.progress_token,)))
        if future and future.on_progress:
            future.on_progress(self._dialect.read_progress(params))

    def lose(self, reason: str) -> None:
        """End every call: no reply can come any more."""
        self._flow.lose(reason)
        for future in self._pending.close():
            future.settle(PeerGone(reason))


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


async def _in_time(
    exchange: Coroutine[None, None, Replies], future: ReplyFuture, timeout: float, extend: bool
) -> Replies:
    """Wait for a call until its time is over."""
    try:
        async with asyncio.timeout(timeout) as clock:
            if extend:
                future.on_progress = partial(_extend, clock, timeout, future.on_progress)
            return await exchange
    except TimeoutError as error:
        raise TimeoutError(f"no reply in time{future.hint}") from error


def _extend(
    clock: asyncio.Timeout, timeout: float, on_progress: OnProgress | None, value: Json
) -> None:
    """Start the time of a call again, and pass its progress on."""
    if not clock.expired():
        clock.reschedule(asyncio.get_running_loop().time() + timeout)
    if on_progress:
        on_progress(value)
