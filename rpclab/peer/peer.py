"""Both sides at once, on an event loop: it calls, and is called.

One loop reads. It settles calls of ours, cancels calls in progress, and
begins those that come; it never waits for a handler. An async handler runs in
a task of its own. Runs in Pyodide too.

Interface:
  - ``await Peer(transport, handler).serve()`` is a server
  - ``async with Peer(transport, handler) as peer`` calls too, and on leaving
    cancels what still runs
  - when the stream ends, accepted calls are finished and then the peer ends
"""

import asyncio
from contextvars import copy_context
from types import TracebackType
from typing import Final, Self

from rpclab.codec import decode
from rpclab.dispatch import Member, Received, unpack
from rpclab.errors import ABSENT, ParseError
from rpclab.framing import Payload
from rpclab.messages import Call, ErrorResponse, Handler, Json, Notification
from rpclab.peer.dialects import find_manner
from rpclab.peer.flow import AsyncTransport
from rpclab.peer.incoming import Answering, BatchReply, Reply, refuse_all
from rpclab.peer.meta import META, TRACEPARENT, Trace, find, read_traceparent
from rpclab.peer.outgoing import Asking
from rpclab.peer.pending import Stray
from rpclab.rendering import render_error

LIMIT: Final = 1000
_DEPTH: Final = 10


class Peer(Asking):
    """A client and a server on one transport.

    Args:
        transport: what carries the payloads.
        handler: answers the peer's calls; what it gives may be awaitable. A
            plain one is run at once, so it must not wait. Without a handler
            this is a client: it answers no line that is not a call.
        cancel: the manner of cancel and progress, ``"lsp"`` or ``"mcp"``.
        limit: how many calls may be in progress each way. Of more, ours wait
            for their turn, and the peer's are not read. While a handler waits
            for the peer, ten times as many are read: its reply is behind them.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        handler: Handler | None = None,
        *,
        cancel: str = "lsp",
        limit: int = LIMIT,
    ) -> None:
        super().__init__(transport, find_manner(cancel), limit)
        self._is_client = handler is None
        self._answering = Answering(
            handler or refuse_all, self._manner, self._sending.report, self._moved, self._tracer
        )
        self._limit = limit
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
        self._answering.cancel_all()
        await self._all_ended()
        await self._sending.close()

    async def serve(self) -> None:
        """Answer calls until the stream ends, and finish those accepted."""
        async with self:
            await self.finished()
            await self._transport.close()

    async def finished(self) -> None:
        """Wait for the end of the stream, and of all that was accepted."""
        await self._all_ended()
        if not self._reading.cancelled():
            self._reading.result()  # a defect is not kept silent

    async def _all_ended(self) -> None:
        await asyncio.wait([self._reading])
        while self._answering.tasks:
            await asyncio.wait(self._answering.tasks)

    async def _read(self) -> None:
        try:
            while payloads := await self._transport.read():
                for payload in payloads:
                    await self._receive(payload)
        finally:
            self._lose("the stream from the peer has ended")

    async def _receive(self, payload: Payload) -> None:
        """Do what one payload asks for, as far as it can be done without waiting."""
        members, line = unpack(payload), _Line(payload)
        if not isinstance(members, list):
            await self._take(members, line, None, self._sending.reply)
            return
        batch = BatchReply(len(members), self._sending.reply)
        for place, member in enumerate(members):
            await self._take(member, line, place, batch)

    async def _take(self, member: Member, line: "_Line", place: int | None, reply: Reply) -> None:
        if isinstance(member, Received):
            self._settle(member.value, alone=place is None)
            reply(None)
        elif isinstance(member, ErrorResponse):
            reply(self._refuse(member, line, place))
        elif isinstance(member, Notification) and self._is_about_a_call(member):
            reply(None)
        else:
            while self._is_busy():
                self._moved.clear()
                await self._moved.wait()
            trace = line.get_trace(member, place)
            copy_context().run(self._answering.begin, member, trace, reply)

    def _is_busy(self) -> bool:
        """Tell whether no call more may begin."""
        most = self._limit * (_DEPTH if self._nested else 1)
        return len(self._answering.tasks) + self._sending.stuck >= most

    def _is_about_a_call(self, call: Notification) -> bool:
        """Take a cancel or progress, and tell whether it was one."""
        if call.method == self._manner.cancel:
            self._answering.cancel(find(call.params, (self._manner.id,)))
            return True
        if call.method != self._manner.progress:
            return False
        return self._hear(call.params)

    def _refuse(self, refused: ErrorResponse, line: "_Line", place: int | None) -> str | None:
        """Take what is neither a call nor a response: perhaps it was meant as one."""
        error = refused.error
        if isinstance(error, ParseError):
            self._report(Stray(f"{error.message}: {error.data}", line.get_text()))
        else:
            value = line.get_value(place)
            if isinstance(value, dict) and "method" not in value and self._pending.get(refused.id):
                self._settle(value)
                return None
            self._report(Stray(f"{error.message}: {error.data}", value))
        return None if self._is_client else render_error(error, refused.id)


class _Line:
    """One payload, and its plain value: read once more, where somebody needs it."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload
        self._value: Json = ABSENT

    def get_text(self) -> str:
        """Give the payload for people to read. What was dropped is shown as nothing."""
        payload = self._payload
        return payload.decode(errors="backslashreplace") if isinstance(payload, bytes) else ""

    def get_value(self, place: int | None) -> Json:
        """Give the value of a call, or of one member of a batch."""
        if self._value is ABSENT:
            self._value = decode(self.get_text())
        return self._value if place is None else self._value[place]

    def get_trace(self, call: Call, place: int | None) -> Trace | None:
        """Give the trace that a call belongs to."""
        about: Json = call.params
        if isinstance(about, list):
            if META.encode() not in self._payload:  # type: ignore[operator]
                return None
            about = self.get_value(place)
        return read_traceparent(find(about, TRACEPARENT))
