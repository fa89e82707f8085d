"""Every order of the events of one call, and the outcome of each.

Four things happen to one request: its handler reports progress, its handler
returns, its caller cancels it, and its caller's timeout passes. Each order of
the four is tried with real peers on a virtual clock: on a fast wire, on one
where messages cross, and on a slow one. Nothing here is written by hand.
"""

import asyncio
from functools import partial
from itertools import permutations
from typing import Final, NamedTuple

from rpclab.codec import decode
from rpclab.demos.virtual_clock import run
from rpclab.demos.watched_transport import WatchedTransport
from rpclab.errors import JsonRpcError
from rpclab.messages import Json, Params
from rpclab.peer.call_context import progress
from rpclab.peer.dialects import find_dialect
from rpclab.peer.peer import Peer
from rpclab.peer.transports import memory_pair

EVENTS: Final = ("progress", "return", "cancel", "timeout")
WIRES: Final = {"fast": 0.1, "crossing": 1.5, "slow": 9.0}
"""How many steps a message needs to arrive. The events are one step apart."""


class SentMessage(NamedTuple):
    """One message on the wire."""

    time: float  # in steps after the request has arrived
    by_caller: bool
    label: str

    def __str__(self) -> str:
        """Return the message as it is written in the table."""
        return f"{'→' if self.by_caller else '←'} {self.label}"


class Ordering(NamedTuple):
    """One order of the four events, and how the call ended."""

    order: tuple[str, ...]
    dialect: str
    wire: str
    caller: str
    server: str
    heard: int  # progress notifications that reached the caller in time
    messages: tuple[SentMessage, ...]

    @property
    def faults(self) -> list[str]:
        """What must not happen in any order. Empty unless a peer has a defect."""
        labels = [sent.label for sent in self.messages if not sent.by_caller]
        replies = [place for place, label in enumerate(labels) if label != "progress"]
        found = ["two replies"] if len(replies) > 1 else []
        if replies and "progress" in labels[replies[0] :]:
            found.append("progress after the reply")
        return found

    def __str__(self) -> str:
        """Return a row of a Markdown table."""
        messages = ", ".join(map(str, self.messages))
        cells = (" < ".join(self.order), self.caller, self.server, str(self.heard), messages)
        return f"| {' | '.join(cells)} |"

    def mermaid(self) -> str:
        """Return a Mermaid sequence diagram, in the order of sending."""
        steps = [(sent.time, 1, self._arrow(sent)) for sent in self.messages]
        for place, event in enumerate(self.order, 1):
            side = "Server" if event in EVENTS[:2] else "Caller"
            steps.append((place, 0, f"Note over {side}: {event}"))
        lines = [line for _, _, line in sorted(steps)]
        return "\n    ".join(
            ["sequenceDiagram", "participant Caller", "participant Server", *lines]
        )

    def _arrow(self, sent: SentMessage) -> str:
        ends = "Caller->>Server" if sent.by_caller else "Server->>Caller"
        return f"{ends}: {sent.label} (there at {sent.time + WIRES[self.wire]:g})"


class Table(list[Ordering]):
    """Orderings, shown as a table."""

    def __str__(self) -> str:
        """Return all of them as a Markdown table."""
        head = "| order | caller | server | heard | messages |\n|---|---|---|---|---|"
        return "\n".join([head, *map(str, self)])

    __repr__ = _repr_markdown_ = __str__


def table(dialect: str, wire: str = "fast", peer: type[Peer] = Peer) -> Table:
    """Try every order of the four events.

    >>> print(table("lsp")[0])
    | progress < return < cancel < timeout | result | returned | 1 | → call, ← progress, ← result |

    Args:
        dialect: how cancel and progress are written, ``"lsp"`` or ``"mcp"``.
        wire: one of ``WIRES``.
        peer: the class that is tried. Pass one with a defect to see which rows change.
    """
    return Table(try_order(order, dialect, wire, peer) for order in permutations(EVENTS))


def try_order(
    order: tuple[str, ...], dialect: str, wire: str = "fast", peer: type[Peer] = Peer
) -> Ordering:
    """Make one call with its events in a given order, and return the outcome."""
    return run(_make_call(order, dialect, wire, peer))


def _label(payload: bytes) -> str:
    """Return a name of one or two words for a message."""
    match decode(payload):
        case {"method": str(method), "id": _}:
            return method
        case {"method": str(method)}:
            return "progress" if "rogress" in method else "cancel"
        case {"error": {"code": int(code)}}:
            return f"error {code}"
        case _:
            return "result"


async def _make_call(order: tuple[str, ...], dialect: str, wire: str, peer: type[Peer]) -> Ordering:
    latency = WIRES[wire]
    at = {event: latency + place for place, event in enumerate(order, 1)}
    loop = asyncio.get_running_loop()
    sent: list[SentMessage] = []
    heard: list[Json] = []
    server = ["was not reached"]

    async def handler(method: str, params: Params) -> Json:
        loop.call_at(at["progress"], progress, 1)
        server[0] = "was stopped"
        await asyncio.sleep(at["return"] - loop.time())
        server[0] = "returned"
        return "done"

    def note(by_caller: bool, payload: bytes) -> None:
        sent.append(SentMessage(loop.time(), by_caller, _label(payload)))

    one, two = memory_pair(latency)
    spoken = find_dialect(dialect).name
    async with (
        peer(WatchedTransport(one, partial(note, True)), dialect=spoken) as caller,
        peer(WatchedTransport(two, partial(note, False)), handler, dialect=spoken),
    ):
        call = caller.call("call", timeout=at["timeout"], on_progress=heard.append)
        task = asyncio.create_task(call)
        loop.call_at(at["cancel"], task.cancel)
        outcome = await _outcome(task)
        await asyncio.sleep(4 * latency + 9)  # until every message has arrived
    messages = tuple(message._replace(time=message.time - latency) for message in sent)
    return Ordering(order, dialect, wire, outcome, server[0], len(heard), messages)


async def _outcome(task: "asyncio.Task[Json]") -> str:
    """Return what the caller got, in a word or two."""
    await asyncio.wait([task])
    if task.cancelled():
        return "cancelled"
    match task.exception():
        case None:
            return "result"
        case TimeoutError():
            return "timed out"
        case JsonRpcError(code=code):
            return f"error {code}"
        case error:
            return type(error).__name__
