"""rpclab's own peer under the contract of `rpclab conform-client`, cancels included.

usage: python conform_client.py DIALECT SERVER...    (DIALECT is lsp or mcp)

`rpclab_client.py` does the same for `Client`, whose calls wait in threads and are
cancelled by what their callers raise. Here each call is a task, and is cancelled as one.
"""

import asyncio
import json
import os
import sys
from contextlib import suppress

from rpclab.errors import InvalidResponse, JsonRpcError
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.messages import ErrorResponse, Notification
from rpclab.peer.child import Child
from rpclab.peer.peer import Peer
from rpclab.peer.terminal_echo import EchoFilter
from rpclab.peer.thread_transport import ThreadTransport
from rpclab.transport import FramedTransport

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "rpclab", "version": "1"},
}


def say(**outcome):
    sys.stdout.write(json.dumps(outcome) + "\n")
    sys.stdout.flush()


def error_of(error):
    return {"error": {"code": error.code, "message": error.message}}


def outcome_of(response):
    if isinstance(response, ErrorResponse):
        return error_of(response.error)
    if isinstance(response, InvalidResponse):
        return {"failed": str(response)}
    return {"result": response.result}


async def outcomes(names, asked, read):
    """Wait for what was asked, and write the outcome of each name."""
    try:
        found = read(await asked)
    except JsonRpcError as error:
        found = [error_of(error)] * len(names)
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it has failed
        found = [{"failed": f"{type(error).__name__}: {error}"}] * len(names)
    for name, outcome in zip(names, found, strict=True):
        say(**{"as": name}, **outcome)


def ask(peer, order):
    """Return the names of the calls in an order, and the task that ends with them."""
    if "batch" in order:
        orders = order["batch"]
        calls = [
            (one["call"], one.get("params"))
            if "call" in one
            else Notification(one["notify"], one.get("params"))
            for one in orders
        ]
        names = [one["as"] for one in orders if "as" in one]
        timeout = max((one["timeout"] for one in orders if "timeout" in one), default=None)
        asked = peer.batch(calls, timeout=timeout)
        task = outcomes(names, asked, lambda responses: [*map(outcome_of, responses)])
    else:
        names = [order["as"]]
        asked = peer.call(order["call"], order.get("params"), timeout=order.get("timeout"))
        task = outcomes(names, asked, lambda result: [{"result": result}])
    return names, asyncio.create_task(task)


async def follow(peer):
    """Do what the lines of stdin say."""
    tasks = {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        if "wait" in order:
            await asyncio.wait([tasks[order["wait"]]])
        elif "cancel" in order:
            tasks[order["cancel"]].cancel()
        elif "notify" in order:
            await peer.notify(order["notify"], order.get("params"))
        else:
            names, task = ask(peer, order)
            tasks |= dict.fromkeys(names, task)
            await asyncio.sleep(0)  # so that calls are begun in order
    if tasks:
        await asyncio.wait(tasks.values())


async def greet(peer):
    """Do the handshake of MCP. If it fails, the calls after it fail as well."""
    with suppress(Exception):
        await peer.call("initialize", HELLO)
        await peer.notify("notifications/initialized")


async def main():
    framed = os.environ.get("RPCLAB_FRAMING") == "content-length"
    framing = ContentLengthFraming() if framed else EchoFilter(NewlineFraming())
    dialect, *command = sys.argv[1:]
    child = Child(command)
    transport = ThreadTransport(FramedTransport(child.stdout, child.stdin, framing))
    async with Peer(transport, dialect=dialect) as peer:
        if os.environ.get("RPCLAB_PROFILE") == "mcp":
            await greet(peer)
        await follow(peer)
    child.stop()


if __name__ == "__main__":
    asyncio.run(main())
