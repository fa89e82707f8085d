"""Every order in which a call's events can happen, and what comes of it.

Four things happen to one request: its handler reports progress, its handler
returns, its caller cancels it, its caller's time is over. Each order of the
four is tried with real peers on a virtual clock: on a wire that is fast, on
one where messages cross, and on one that is slow. No row is written by hand.
"""

import asyncio
from itertools import permutations
from typing import Final, NamedTuple

from rpclab.codec import decode
from rpclab.demos.virtual_clock import run
from rpclab.errors import JsonRpcError
from rpclab.messages import Json, Params
from rpclab.peer.call_context import progress
from rpclab.peer.dialects import find_dialect
from rpclab.peer.peer import Peer
from rpclab.peer.transports import MemoryTransport, memory_pair

EVENTS: Final = ("progress", "return", "cancel", "timeout")
WIRES: Final = {"fast": 0.1, "crossing": 1.5, "slow": 9.0}
"""How many steps a message is on its way. The events are one step apart."""


class Sent(NamedTuple):
    """One message on the wire."""

    time: float  # in steps after the request has arrived
    by_caller: bool
    label: str

    def __str__(self) -> str:
        """Write it as in the table."""
        return f"{'→' if self.by_caller else '←'} {self.label}"


class Row(NamedTuple):
    """One order of the four events, and what came of it."""

    order: tuple[str, ...]
    manner: str
    wire: str
    caller: str
    server: str
    heard: int  # progress notifications that reached the caller in time
    messages: tuple[Sent, ...]

    @property
    def faults(self) -> list[str]:
        """What no order may ever bring. Empty, unless a peer has a defect."""
        labels = [sent.label for sent in self.messages if not sent.by_caller]
        replies = [place for place, label in enumerate(labels) if label != "progress"]
        found = ["two replies"] if len(replies) > 1 else []
        if replies and "progress" in labels[replies[0] :]:
            found.append("progress after the reply")
        return found

    def __str__(self) -> str:
        """Write the row as a line of a Markdown table."""
        messages = ", ".join(map(str, self.messages))
        cells = (" < ".join(self.order), self.caller, self.server, str(self.heard), messages)
        return f"| {' | '.join(cells)} |"

    def mermaid(self) -> str:
        """Draw the row as a Mermaid sequence diagram, in the order of sending."""
        steps = [(sent.time, 1, self._arrow(sent)) for sent in self.messages]
        for place, event in enumerate(self.order, 1):
            side = "Server" if event in EVENTS[:2] else "Caller"
            steps.append((place, 0, f"Note over {side}: {event}"))
        lines = [line for _, _, line in sorted(steps)]
        return "\n    ".join(
            ["sequenceDiagram", "participant Caller", "participant Server", *lines]
        )

    def _arrow(self, sent: Sent) -> str:
        ends = "Caller->>Server" if sent.by_caller else "Server->>Caller"
        return f"{ends}: {sent.label} (there at {sent.time + WIRES[self.wire]:g})"


class Table(list[Row]):
    """Rows, shown as a table."""

    def __str__(self) -> str:
        """Write all rows as a Markdown table."""
        head = "| order | caller | server | heard | messages |\n|---|---|---|---|---|"
        return "\n".join([head, *map(str, self)])

    __repr__ = _repr_markdown_ = __str__


def table(manner: str, wire: str = "fast", peer: type[Peer] = Peer) -> Table:
    """Try every order of the four events.

    >>> print(table("lsp")[0])
    | progress < return < cancel < timeout | result | returned | 1 | → call, ← progress, ← result |

    Args:
        manner: of cancel and progress, ``"lsp"`` or ``"mcp"``.
        wire: one of ``WIRES``.
        peer: what is tried; give one with a defect to see which rows change.
    """
    return Table(play(order, manner, wire, peer) for order in permutations(EVENTS))


def play(order: tuple[str, ...], manner: str, wire: str = "fast", peer: type[Peer] = Peer) -> Row:
    """Let the four events happen in one order, and tell what came of it."""
    return run(_play(order, manner, wire, peer))


class _Tapped:
    """A transport that notes what is written to it."""

    def __init__(self, inner: MemoryTransport, by_caller: bool, sent: list[Sent]) -> None:
        self._inner, self._by_caller, self._sent = inner, by_caller, sent
        self.read, self.drain, self.close = inner.read, inner.drain, inner.close
        self.full = False  # a call's messages never fill it

    def write(self, payload: bytes) -> None:
        """Note one message, and send it."""
        now = asyncio.get_running_loop().time()
        self._sent.append(Sent(now, self._by_caller, _label(payload)))
        self._inner.write(payload)


def _label(payload: bytes) -> str:
    """Say in one word what a message is."""
    match decode(payload):
        case {"method": str(method), "id": _}:
            return method
        case {"method": str(method)}:
            return "progress" if "rogress" in method else "cancel"
        case {"error": {"code": int(code)}}:
            return f"error {code}"
        case _:
            return "result"


async def _play(order: tuple[str, ...], manner: str, wire: str, peer: type[Peer]) -> Row:
    latency = WIRES[wire]
    at = {event: latency + place for place, event in enumerate(order, 1)}
    loop = asyncio.get_running_loop()
    sent: list[Sent] = []
    heard: list[Json] = []
    server = ["was not reached"]

    async def handler(method: str, params: Params) -> Json:
        loop.call_at(at["progress"], progress, 1)
        server[0] = "was stopped"
        await asyncio.sleep(at["return"] - loop.time())
        server[0] = "returned"
        return "done"

    dialect = find_dialect(manner).name
    one, two = memory_pair(latency)
    async with (
        peer(_Tapped(one, True, sent), dialect=dialect) as caller,
        peer(_Tapped(two, False, sent), handler, dialect=dialect),
    ):
        asking = caller.call("call", timeout=at["timeout"], on_progress=heard.append)
        task = asyncio.create_task(asking)
        loop.call_at(at["cancel"], task.cancel)
        outcome = await _outcome(task)
        await asyncio.sleep(4 * latency + 9)  # what is on its way may arrive
    messages = tuple(sent_one._replace(time=sent_one.time - latency) for sent_one in sent)
    return Row(order, manner, wire, outcome, server[0], len(heard), messages)


async def _outcome(task: "asyncio.Task[Json]") -> str:
    """Say what the caller got."""
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
