"""What both ways at once costs: a peer against the `mcp` package and a bare echo.

    python benchmarks/peer.py            about half a minute
    python benchmarks/peer.py --quick    a few seconds, and less sure

Throughput: the same `ping` calls, a hundred at once, to a server that is a
process of its own. Ping-pong: the time from one call to its reply, against
asyncio's streams echoing a line. Leave the machine alone meanwhile.
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
from measure import Row, Taken
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

Ask = Callable[[], Awaitable[object]]


def served(kind: str) -> list[str]:
    """Give the command of a server for the other end of a pipe."""
    return [sys.executable, str(HERE / "peer_served.py"), kind]


@asynccontextmanager
async def our_peer() -> AsyncIterator[Ask]:
    """Start a peer, and be its peer."""
    with Child(served("ours")) as child:
        transport = await open_pipes(child.stdout, child.stdin)
        async with Peer(transport) as peer:
            yield lambda: peer.call("ping")


@asynccontextmanager
async def mcp_session() -> AsyncIterator[Ask]:
    """Start a server of the `mcp` package, and be its session."""
    program, *args = served("mcp")
    server = StdioServerParameters(command=program, args=args)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session.send_ping


@asynccontextmanager
async def bare_echo() -> AsyncIterator[Ask]:
    """Start an echo on asyncio's streams, and be its client on the same."""
    with Child(served("echo")) as child:
        incoming, sending, receiving = await bare_streams(child.stdout, child.stdin)

        async def ask() -> bytes:
            sending.write(LINE)
            return await incoming.readline()

        yield ask
        sending.close()
        receiving.close()


async def flood(ask: Ask) -> float:
    """Call a thousand times, a hundred at once, and give the microseconds a call takes."""

    async def caller() -> None:
        for _ in range(CALLS // AT_ONCE):
            await ask()

    start = perf_counter()
    await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
    return (perf_counter() - start) / CALLS * 1e6


async def ping(ask: Ask) -> list[float]:
    """Call a hundred times, one by one, and give the microseconds that each took."""
    taken = []
    for _ in range(100):
        start = perf_counter()
        await ask()
        taken.append((perf_counter() - start) * 1e6)
    return taken


async def in_turn(
    floor: Callable[[], Awaitable[Taken]], ours: Callable[[], Awaitable[Taken]], rounds: int
) -> tuple[list[Taken], list[Taken]]:
    """Measure both sides in turn, and give what each took."""
    taken: tuple[list[Taken], list[Taken]] = ([], [])
    for count in range(rounds):
        for side in (1, 0) if count % 2 else (0, 1):
            taken[side].append(await (ours() if side else floor()))
    return taken


async def measure_throughput(rounds: int) -> Row:
    """Measure the same calls through a session of the `mcp` package, and through a peer."""
    async with mcp_session() as theirs, our_peer() as ours:
        await flood(ours)
        await flood(theirs)
        taken = await in_turn(lambda: flood(theirs), lambda: flood(ours), rounds)
    return Row("ping, a hundred at once (mcp)", "µs", *taken, 0.1)


async def measure_ping_pong(rounds: int) -> list[Row]:
    """Measure the time from a call to its reply, against a bare echo."""
    with one_cpu():
        async with bare_echo() as bare, our_peer() as ours:
            await ping(bare)
            await ping(ours)
            sides = await in_turn(lambda: ping(bare), lambda: ping(ours), rounds)
    p50s = [[median(taken) for taken in side] for side in sides]
    p99s = [[p99(taken) for taken in side] for side in sides]
    return [
        Row("ping-pong p50 (bare echo)", "µs", *p50s),
        Row("ping-pong p99 (bare echo)", "µs", *p99s, most=2.0),
    ]


async def measure_all(rounds: int) -> list[Row]:
    """Measure row after row."""
    return [await measure_throughput(rounds), *await measure_ping_pong(rounds)]


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Print JSON, not a table.")] = False,
) -> None:
    """Measure what both ways at once costs."""
    rows = asyncio.run(measure_all(5 if quick else 31))
    if as_data:
        print(as_json(rows))
    else:
        Console().print(as_table(rows))


if __name__ == "__main__":
    typer.run(main)
