"""A server for the other end of a pipe.

Run it with ``python peer_served.py ours``, ``mcp`` or ``echo``.
"""

import asyncio
import sys
from typing import IO

from rpclab import claim_stdio
from rpclab.peer.peer import Peer
from rpclab.peer.transports import open_pipes


async def bare_streams(
    reader: IO[bytes], writer: IO[bytes]
) -> tuple[asyncio.StreamReader, asyncio.WriteTransport, asyncio.BaseTransport]:
    """Read and write two pipes with asyncio and nothing else."""
    loop, incoming = asyncio.get_running_loop(), asyncio.StreamReader()
    receiving, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(incoming), reader
    )
    sending, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, writer)
    return incoming, sending, receiving


async def serve_ours() -> None:
    """Answer each call with an empty object, as a ping is answered."""
    await Peer(await open_pipes(*claim_stdio()), lambda method, params: {}).serve()


async def serve_echo() -> None:
    """Send each line back."""
    incoming, sending, _ = await bare_streams(*claim_stdio())
    while line := await incoming.readline():
        sending.write(line)


async def serve_mcp() -> None:
    """Answer pings with the `mcp` package."""
    from mcp.server.lowlevel import Server  # noqa: PLC0415  the others do not pay for it
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

    server: Server[object] = Server("benchmark")
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run({"ours": serve_ours, "echo": serve_echo, "mcp": serve_mcp}[sys.argv[1]]())
