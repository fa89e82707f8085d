"""The cost of calls in both directions: a peer, `mcp` and a bare echo.

    python benchmarks/peer.py            about half a minute
    python benchmarks/peer.py --quick    a few seconds, and less exact

Throughput: the same `ping` calls, a hundred at once, to a server that is a
process of its own. Ping-pong: the time from one call to its reply, against
asyncio's streams echoing a line. Do not use the machine meanwhile.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated

import typer
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from measure import Measurement, Taken
from over_pipe import one_cpu, p99
from peer_served import bare_streams
from rich.console import Console
from run import as_json, as_table

from rpclab.peer.child import Child
from rpclab.peer.peer import Peer
from rpclab.peer.transports import open_pipes

HERE = Path(__file__).parent
CALLS, AT_ONCE = 1000, 100
LINE = b'{"jsonrpc":"2.0","method":"ping","id":1}\n'

Call = Callable[[], Awaitable[object]]


def served(kind: str) -> list[str]:
    """Return the command of a server for the other end of a pipe."""
    return [sys.executable, str(HERE / "peer_served.py"), kind]


@asynccontextmanager
async def our_peer() -> AsyncIterator[Call]:
    """Start a server with a peer, and connect a peer to it."""
    with Child(served("ours")) as child:
        transport = await open_pipes(child.stdout, child.stdin)
        async with Peer(transport) as peer:
            yield lambda: peer.call("ping")


@asynccontextmanager
async def mcp_session() -> AsyncIterator[Call]:
    """Start a server of the `mcp` package, and open a session with it."""
    program, *args = served("mcp")
    server = StdioServerParameters(command=program, args=args)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session.send_ping


@asynccontextmanager
async def bare_echo() -> AsyncIterator[Call]:
    """Start an echo on asyncio's streams, and connect to it."""
    with Child(served("echo")) as child:
        incoming, sending, receiving = await bare_streams(child.stdout, child.stdin)

        async def call() -> bytes:
            sending.write(LINE)
            return await incoming.readline()

        yield call
        sending.close()
        receiving.close()


async def flood(call: Call) -> float:
    """Call 1000 times, 100 at once, and return the microseconds per call."""

    async def caller() -> None:
        for _ in range(CALLS // AT_ONCE):
            await call()

    start = perf_counter()
    await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
    return (perf_counter() - start) / CALLS * 1e6


async def ping(call: Call) -> list[float]:
    """Call a hundred times, one by one, and return the microseconds of each."""
    taken = []
    for _ in range(100):
        start = perf_counter()
        await call()
        taken.append((perf_counter() - start) * 1e6)
    return taken


async def in_turn(
    floor: Callable[[], Awaitable[Taken]], ours: Callable[[], Awaitable[Taken]], rounds: int
) -> tuple[list[Taken], list[Taken]]:
    """Measure both sides in turn, and return what each took."""
    taken: tuple[list[Taken], list[Taken]] = ([], [])
    for count in range(rounds):
        for side in (1, 0) if count % 2 else (0, 1):
            taken[side].append(await (ours() if side else floor()))
    return taken


async def measure_throughput(rounds: int) -> Measurement:
    """Measure the same calls through a session of `mcp`, and through a peer."""
    async with mcp_session() as theirs, our_peer() as ours:
        await flood(ours)
        await flood(theirs)
        taken = await in_turn(lambda: flood(theirs), lambda: flood(ours), rounds)
    return Measurement("ping, a hundred at once (mcp)", "µs", *taken, 0.1)


async def measure_ping_pong(rounds: int) -> list[Measurement]:
    """Measure the time from a call to its reply, against a bare echo."""
    with one_cpu():
        async with bare_echo() as bare, our_peer() as ours:
            await ping(bare)
            await ping(ours)
            sides = await in_turn(lambda: ping(bare), lambda: ping(ours), rounds)
    p50s = [[median(taken) for taken in side] for side in sides]
    p99s = [[p99(taken) for taken in side] for side in sides]
    return [
        Measurement("ping-pong p50 (bare echo)", "µs", *p50s),
        Measurement("ping-pong p99 (bare echo)", "µs", *p99s, most=2.0),
    ]


async def measure_all(rounds: int) -> list[Measurement]:
    """Return all measurements, in the order of the table."""
    return [await measure_throughput(rounds), *await measure_ping_pong(rounds)]


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Print JSON, not a table.")] = False,
) -> None:
    """Measure what calls in both directions cost."""
    rows = asyncio.run(measure_all(5 if quick else 31))
    if as_data:
        print(as_json(rows))
    else:
        Console().print(as_table(rows))


if __name__ == "__main__":
    typer.run(main)
