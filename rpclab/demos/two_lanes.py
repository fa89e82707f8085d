"""One call with progress between two peers, shown message by message.

The caller and the server are real peers on a pair of transports in memory.
``show_call`` runs on the event loop of a notebook and takes real time.
``simulate_call`` runs the same call on a virtual clock: it returns at once, and
its result is always the same.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from rpclab.demos.virtual_clock import run
from rpclab.demos.watched_transport import WatchedTransport
from rpclab.errors import JsonRpcError
from rpclab.messages import Json, Params
from rpclab.peer.call_context import progress
from rpclab.peer.dialects import find_dialect
from rpclab.peer.peer import Peer
from rpclab.peer.transports import memory_pair

CALLER: Final = "caller"
SERVER: Final = "server"


class LaneEntry(NamedTuple):
    """Something that happened: a message was sent, or the call ended."""

    time: float  # seconds since the call
    who: str  # CALLER or SERVER
    message: str  # one line of JSON, or "" if nothing was sent
    note: str = ""

    def __str__(self) -> str:
        """Return one line, with an arrow that shows where the message went."""
        arrow = "->" if self.who == CALLER else "<-"
        what = f"{arrow} {self.message}" if self.message else f"   {self.note}"
        return f"{self.time:4.1f} s  {what}"


Watch = Callable[[LaneEntry], object]


async def show_call(
    watch: Watch, *, steps: int = 3, seconds: float = 1.0, dialect: str = "lsp"
) -> None:
    """Make one call of ``steps`` steps, and pass each event to ``watch``.

    If the task that runs this is cancelled, the call is cancelled too.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()

    def report(who: str, message: str = "", note: str = "") -> None:
        watch(LaneEntry(round(loop.time() - start, 1), who, message, note))

    async def work(method: str, params: Params) -> Json:
        for done in range(1, steps + 1):
            await asyncio.sleep(seconds)
            progress(done, steps)
        return {"steps": steps}

    one, other = memory_pair()
    spoken = find_dialect(dialect).name
    ours = WatchedTransport(one, lambda payload: report(CALLER, payload.decode()))
    theirs = WatchedTransport(other, lambda payload: report(SERVER, payload.decode()))
    async with Peer(theirs, work, dialect=spoken), Peer(ours, dialect=spoken) as caller:
        try:
            result = await caller.call("work", on_progress=lambda value: None)
            report(CALLER, note=f"the call has a result: {result}")
        except JsonRpcError as error:
            report(CALLER, note=f"the call has an error: {error.code}")
        except asyncio.CancelledError:
            report(CALLER, note="the caller gave the call up")
            await asyncio.sleep(seconds / 10)  # so that the server's reaction is shown too


def simulate_call(
    *, steps: int = 3, cancel_after: float | None = None, dialect: str = "lsp"
) -> list[LaneEntry]:
    """Make the same call on a virtual clock, and return every event.

    >>> for event in simulate_call(steps=1):
    ...     print(event.who, event.time)
    caller 0.0
    server 1.0
    server 1.0
    server 1.0
    caller 1.0
    """
    events: list[LaneEntry] = []

    async def main() -> None:
        task = asyncio.ensure_future(show_call(events.append, steps=steps, dialect=dialect))
        await asyncio.wait([task], timeout=cancel_after)
        task.cancel()
        await asyncio.wait([task])

    run(main())
    return events
