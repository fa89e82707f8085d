"""Both sides at once, on an event loop: a peer calls, and is called.

One loop reads. It settles our own calls (``outgoing``), and cancels and begins
calls of the peer (``incoming``), as far as the gate between them allows
(``flow``). It never waits for a handler: an async handler runs in a task of its
own. Runs in Pyodide too.

Interface:
  - ``await Peer(transport, handler).serve()`` is a server
  - ``async with Peer(transport, handler) as peer`` calls too, and on leaving
    cancels what is still in progress
  - when the stream ends, accepted calls are finished and then the peer ends
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rpclab.codec import decode
from rpclab.dispatch import Member, Received, unpack
from rpclab.errors import ABSENT, ParseError
from rpclab.framing import Payload
from rpclab.messages import META, Call, ErrorResponse, Handler, Json, Notification, Params
from rpclab.peer.dialects import DialectName, choose_dialect
from rpclab.peer.flow import LIMIT, Flow
from rpclab.peer.incoming import BatchReply, Incoming, OrderName, SendReply, refuse_all
from rpclab.peer.meta import TRACEPARENT, Trace, find, find_tracer, read_traceparent
from rpclab.peer.outgoing import NewCall, OnProgress, Outgoing, Replies
from rpclab.peer.pending import Stray
from rpclab.peer.strays import PROGRESS_UNKNOWN
from rpclab.peer.time_limit import TimeLimit
from rpclab.peer.transports import AsyncTransport
from rpclab.rendering import render_error


class Peer:
    """A client and a server on one transport.

    Args:
        transport: what carries the payloads.
        handler: answers the peer's calls; it may return an awaitable. A plain
            one is run at once, so it must not wait.
        dialect: how cancel and progress are written, ``"lsp"`` (the default)
            or ``"mcp"``.
        cancel: the old name of ``dialect``.
        limit: how many calls may be in progress each way. Of more, ours wait
            for their turn, and the peer's are not read. While a handler waits
            for the peer, ten times as many are read: its reply is behind them.
        order: which calls wait until the notifications before them have been
            handled: ``"notifications"`` (the default), ``"calls"`` (all, as LSP
            needs it) or ``"free"`` (none). A handler of a notification must not
            wait for a later notification, nor under ``"calls"`` for a request.
        is_client: whether this side is the client of the two. It replies to
            nothing that names no call. It is one if it has no handler, unless
            it is told otherwise.

    Raises:
        ValueError: there is no such dialect or order, or the dialect is given
            by both names.
    """

    def __init__(  # noqa: PLR0913  one of them is an old name
        self,
        transport: AsyncTransport,
        handler: Handler | None = None,
        *,
        dialect: DialectName | None = None,
        cancel: DialectName | None = None,
        limit: int = LIMIT,
        order: OrderName = "notifications",
        is_client: bool | None = None,
    ) -> None:
        self._transport = transport
        self._is_client = handler is None if is_client is None else is_client
        self._hands_over_progress = handler is not None
        self._dialect = choose_dialect(dialect, cancel)
        self._flow = Flow(transport, limit)
        tracer = find_tracer()
        self._outgoing = Outgoing(self._flow, self._dialect, tracer)
        self._incoming = Incoming(handler or refuse_all, self._dialect, self._flow, tracer, order)
        self._reading: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._reading.cancel()
        self._incoming.cancel_all()
        await self._wait_for_all()
        await self._flow.close()

    async def serve(self) -> None:
        """Answer calls until the stream ends, and finish those accepted."""
        async with self:
            await self.finished()
            await self._transport.close()

    async def finished(self) -> None:
        """Wait for the end of the stream, and of all accepted calls."""
        await self._wait_for_all()
        if not self._reading.cancelled():
            self._reading.result()  # raises what a defect of the transport raised

    async def _wait_for_all(self) -> None:
        await asyncio.wait([self._reading])
        await self._incoming.wait_for_all()

    # What is called

    async def call(  # noqa: PLR0913  what a caller may ask for
        self,
        method: str,
        params: Params = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        extend: bool = False,
        max_timeout: float | None = None,
    ) -> Json:
        """Call a method of the peer, and wait for its result.

        Cancelling the task that waits cancels the call.

        Args:
            method: its name.
            params: by position, by name, or None.
            timeout: how many seconds it may take, with the time to send it.
            on_progress: is called with the value of each progress notification.
            extend: ``timeout`` starts again at each progress notification.
            max_timeout: how many seconds it may take, whatever progress comes.

        Raises:
            JsonRpcError: the peer replied with an error.
            InvalidResponse: the peer's reply is not a valid response.
            CallTimeout: the time is over. It is a ``TimeoutError``.
            PeerGone: the stream has ended.
        """
        is_limited = timeout is not None or max_timeout is not None
        limit = TimeLimit(timeout, extend, max_timeout) if is_limited else None
        return await self._outgoing.call(method, params, limit, on_progress)

    async def batch(self, calls: Sequence[NewCall], *, timeout: float | None = None) -> Replies:
        """Send calls as one batch, and return their responses in the order of the calls.

        Raises:
            ValueError: there is no call in it.
            CallTimeout, PeerGone: as in ``call``, for the batch as a whole.
        """
        return await self._outgoing.batch(calls, TimeLimit(timeout))

    async def notify(
        self, method: str, params: Params = None, *, timeout: float | None = None
    ) -> None:
        """Send a notification, once there is room for it.

        Raises:
            CallTimeout: there was no room for it within ``timeout`` seconds.
            PeerGone: the stream has ended.
        """
        limit = None if timeout is None else TimeLimit(timeout)
        await self._outgoing.notify(method, params, limit)

    @property
    def strays(self) -> deque[Stray]:
        """The last hundred things that came and belong to no call."""
        return self._outgoing.strays.last

    # What comes

    async def _read(self) -> None:
        try:
            while payloads := await self._transport.read():
                for payload in payloads:
                    await self._receive(payload)
        finally:
            self._outgoing.lose()

    async def _receive(self, payload: Payload) -> None:
        """Do what one payload asks for, as far as possible without waiting."""
        members, line = unpack(payload), _Line(payload)
        if not isinstance(members, list):
            await self._take(members, line, None, self._flow.send_reply)
            return
        batch = BatchReply(len(members), self._flow.send_reply)
        for place, member in enumerate(members):
            await self._take(member, line, place, batch)

    async def _take(
        self, member: Member, line: "_Line", place: int | None, reply: SendReply
    ) -> None:
        if isinstance(member, Received):
            self._outgoing.settle(member.value, alone=place is None)
            reply(None)
        elif isinstance(member, ErrorResponse):
            reply(self._refuse(member, line, place))
        elif isinstance(member, Notification) and self._take_cancel_or_progress(member):
            reply(None)
        else:
            if self._flow.is_busy():
                await self._flow.wait_until_free()
            self._incoming.take(member, line.get_trace(member, place), reply)

    def _take_cancel_or_progress(self, call: Notification) -> bool:
        """Act on a cancel or on progress, and return whether it was one."""
        if call.method == self._dialect.cancel_method:
            self._incoming.cancel(find(call.params, (self._dialect.cancel_id,)))
            return True
        if call.method != self._dialect.progress_method:
            return False
        if self._outgoing.take_progress(call):
            return True
        if self._hands_over_progress and self._dialect.foreign_tokens:
            return False
        self._outgoing.add_stray_call(PROGRESS_UNKNOWN, call)
        return True

    def _refuse(self, refused: ErrorResponse, line: "_Line", place: int | None) -> str | None:
        """Take what is neither a call nor a response, and return the reply.

        A value with the id of a pending call, and without a method, was meant
        as the response to that call.
        """
        error = refused.error
        if isinstance(error, ParseError):
            value: Json = line.get_text()
        else:
            value = line.get_value(place)
            is_call = not isinstance(value, dict) or "method" in value
            if not is_call and self._outgoing.is_waiting_for(refused.id):
                self._outgoing.settle(value, alone=True)
                return None
        self._outgoing.strays.add(Stray(f"{error.message}: {error.data}", value))
        names_a_call = refused.id is not None and "method" in value
        return render_error(error, refused.id) if names_a_call or not self._is_client else None


class _Line:
    """One payload, and its plain value, which is decoded again only if it is needed."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload
        self._value: Json = ABSENT

    def get_text(self) -> str:
        """Return the payload for people to read. Dropped bytes are shown as nothing."""
        payload = self._payload
        return payload.decode(errors="backslashreplace") if isinstance(payload, bytes) else ""

    def get_value(self, place: int | None) -> Json:
        """Return the value of a call, or of one member of a batch."""
        if self._value is ABSENT:
            self._value = decode(self.get_text())
        return self._value if place is None else self._value[place]

    def get_trace(self, call: Call, place: int | None) -> Trace | None:
        """Return the trace that a call belongs to."""
        source: Json = call.params
        if isinstance(source, list):
            if META.encode() not in self._payload:  # type: ignore[operator]
                return None
            source = self.get_value(place)
        return read_traceparent(find(source, TRACEPARENT))
