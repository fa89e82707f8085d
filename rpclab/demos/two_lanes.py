"""One call with progress between two peers, seen message by message.

The caller and the server are real peers on a pair of transports in memory.
On the event loop of a notebook it takes real time; ``rehearse`` plays the
same on a virtual clock, at once, and always the same way.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from rpclab.demos.virtual_clock import run
from rpclab.errors import JsonRpcError
from rpclab.messages import Json, Params
from rpclab.peer.call_context import progress
from rpclab.peer.dialects import find_dialect
from rpclab.peer.peer import Peer
from rpclab.peer.transports import MemoryTransport, memory_pair

CALLER: Final = "caller"
SERVER: Final = "server"


class Moment(NamedTuple):
    """Something that happened: a message that was sent, or how the call ended."""

    time: float  # seconds since the call
    who: str
    message: str  # one line of JSON, or "" where nothing was sent
    note: str = ""

    def __str__(self) -> str:
        """Print with an arrow that points to where a message went."""
        arrow = "->" if self.who == CALLER else "<-"
        what = f"{arrow} {self.message}" if self.message else f"   {self.note}"
        return f"{self.time:4.1f} s  {what}"


Watch = Callable[[Moment], object]


class _Watched:
    """A transport whose messages are seen as they are sent."""

    def __init__(self, inner: MemoryTransport, tell: Callable[[str], None]) -> None:
        self._inner, self._tell = inner, tell
        self.read, self.drain, self.close = inner.read, inner.drain, inner.close
        self.full = False  # one call never fills it

    def write(self, payload: bytes) -> None:
        """Show one message, and send it."""
        self._tell(payload.decode())
        self._inner.write(payload)


async def play(watch: Watch, *, steps: int = 3, seconds: float = 1.0, cancel: str = "lsp") -> None:
    """Play one call of ``steps`` steps, and show each moment to ``watch``.

    Cancelling the task that plays it cancels the call.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()

    def tell(who: str, message: str = "", note: str = "") -> None:
        watch(Moment(round(loop.time() - start, 1), who, message, note))

    async def work(method: str, params: Params) -> Json:
        for done in range(1, steps + 1):
            await asyncio.sleep(seconds)
            progress(done, steps)
        return {"steps": steps}

    dialect = find_dialect(cancel).name
    one, other = memory_pair()
    ours = _Watched(one, lambda line: tell(CALLER, line))
    theirs = _Watched(other, lambda line: tell(SERVER, line))
    async with Peer(theirs, work, dialect=dialect), Peer(ours, dialect=dialect) as caller:
        try:
            result = await caller.call("work", on_progress=lambda value: None)
            tell(CALLER, note=f"the call has a result: {result}")
        except JsonRpcError as error:
            tell(CALLER, note=f"the call has an error: {error.code}")
        except asyncio.CancelledError:
            tell(CALLER, note="the caller gave the call up")
            await asyncio.sleep(seconds / 10)  # to see what the server says to that


def rehearse(
    *, steps: int = 3, cancel_after: float | None = None, cancel: str = "lsp"
) -> list[Moment]:
    """Play the same on a virtual clock, and give every moment.

    >>> for moment in rehearse(steps=1):
    ...     print(moment.who, moment.time)
    caller 0.0
    server 1.0
    server 1.0
    server 1.0
    caller 1.0
    """
    moments: list[Moment] = []

    async def whole() -> None:
        task = asyncio.ensure_future(play(moments.append, steps=steps, cancel=cancel))
        await asyncio.wait([task], timeout=cancel_after)
        task.cancel()
        await asyncio.wait([task])

    run(whole())
    return moments
