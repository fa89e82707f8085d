"""Calls of ours on an event loop: each ends once.

It ends with its own reply, or it is given up: its time is over, its caller is
cancelled, or the stream has ended. A call that is given up is cancelled at
the peer too, and its reply, should one come, settles nothing.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from rpclab.dispatch import answer
from rpclab.messages import Json, Notification, Params
from rpclab.parsing import readable_id
from rpclab.peer.call_context import in_call
from rpclab.peer.dialects import Manner
from rpclab.peer.flow import AsyncTransport, Sending
from rpclab.peer.meta import find, next_trace, render_traced
from rpclab.peer.pending import LATE, Pending, Settled, Stray, show
from rpclab.peer.reply_future import (
    Asked,
    Endings,
    Hear,
    PeerGone,
    Waiting,
    get_result,
    in_time,
    number,
)
from rpclab.peer.spans import end_span, find_tracer, start_call
from rpclab.rendering import render

_log = logging.getLogger(__name__)

_STRAYS: Final = 100


class Asking:
    """The calling side of a peer."""

    def __init__(self, transport: AsyncTransport, manner: Manner, limit: int) -> None:
        self._transport = transport
        self._manner = manner
        self._pending: Pending[Waiting] = Pending()
        self._turns = asyncio.Semaphore(limit)
        self._nested = 0  # calls that handlers wait for
        self._moved = asyncio.Event()  # it may be that a call can begin
        self._sending = Sending(transport, limit, self._moved)
        self._tracer = find_tracer()
        self.strays: deque[Stray] = deque(maxlen=_STRAYS)

    async def call(
        self,
        method: str,
        params: Params = None,
        *,
        timeout: float | None = None,
        on_progress: Hear | None = None,
        extend: bool = False,
    ) -> Json:
        """Call a method of the peer, and wait for its result.

        Cancelling the task that waits cancels the call.

        Args:
            method: its name.
            params: by position, by name, or None.
            timeout: how many seconds it may take.
            on_progress: is given the value of each progress notification.
            extend: ``timeout`` begins anew at each progress notification.

        Raises:
            JsonRpcError: the peer answered with an error.
            InvalidResponse: the peer's answer is none.
            TimeoutError: the time is over.
            PeerGone: the stream has ended.
        """
        waiting = Waiting(on_progress)
        asked = self._exchange([(method, params)], [waiting])
        if timeout is None:
            (ending,) = await asked
        else:
            (ending,) = await in_time(asked, waiting, timeout, extend)
        return get_result(ending)

    async def batch(self, calls: Sequence[Asked], *, timeout: float | None = None) -> Endings:
        """Send calls as one batch, and give their responses in the order asked.

        Raises:
            ValueError: there is no call in it.
            TimeoutError, PeerGone: as in ``call``, for the batch as a whole.
        """
        if not calls:
            raise ValueError("a batch needs at least one call")
        waiting = [Waiting() for call in calls if not isinstance(call, Notification)]
        async with asyncio.timeout(timeout):
            return await self._exchange(calls, waiting, as_batch=True)

    async def notify(self, method: str, params: Params = None) -> None:
        """Send a notification, once there is room for it.

        Raises:
            PeerGone: the stream has ended.
        """
        await self._sending.find_room()
        self._sending.write(render_traced(Notification(method, params), next_trace()))

    async def _exchange(
        self, calls: Sequence[Asked], waiting: list[Waiting], *, as_batch: bool = False
    ) -> Endings:
        """Send calls, and wait until each has ended."""
        nested = in_call()
        if nested:
            self._nested += 1
            self._moved.set()
        else:  # a nested call does not wait for its turn: what has the turn may wait for it
            await self._turns.acquire()
        entries = {self._pending.next_id(): entry for entry in waiting}
        span, trace = start_call(self._tracer, calls)
        try:
            await self._sending.find_room()
            messages = number(calls, entries, self._manner.token_path)
            texts = [render_traced(message, trace) for message in messages]
            self._pending.open(entries, as_batch)
            self._sending.write(f"[{','.join(texts)}]" if as_batch else texts[0])
            return [await entry.end() for entry in waiting]
        except asyncio.CancelledError:
            self._give_up(entries)
            raise
        finally:
            end_span(span)
            if nested:
                self._nested -= 1
            else:
                self._turns.release()

    def _give_up(self, ids: Iterable[int]) -> None:
        """Await these calls no more, and have the peer stop those that it has."""
        for id in ids:
            if self._pending.give_up(id):
                self._sending.write(render(self._manner.cancel_call(id, "the caller gave it up")))

    def _settle(self, value: Json, *, alone: bool = True) -> None:
        """Let a response end its call."""
        for outcome in self._pending.settle(value, alone=alone):
            if isinstance(outcome, Settled):
                outcome.entry.settle(outcome.response)
            else:
                self._report(outcome)

    def _report(self, stray: Stray) -> None:
        """Keep what belongs to no call, and log it: somebody has to look for it."""
        near = self._pending.near(readable_id(stray.value))
        if near:
            near.hint = f"; a response came with {stray.reason}"
        stray = stray._replace(value=show(stray.value))
        self.strays.append(stray)
        if stray.reason != LATE:  # who gives up expects that
            _log.warning("%s: %s", *stray)

    def _hear(self, params: Params) -> bool:
        """Take the progress of a call of ours, and tell whether it is one."""
        token = find(params, (self._manner.token,))
        entry = self._pending.get(token)
        if entry and entry.hear:
            hear, value = entry.hear, self._manner.read(params)
            answer(Notification(self._manner.progress, None), lambda *_: hear(value))
        return self._pending.has_used(token)

    def _lose(self, reason: str) -> None:
        """End every call: no reply can come any more."""
        self._sending.gone = reason
        for entry in self._pending.close():
            entry.settle(PeerGone(reason))
