"""The client of MCP's Python SDK, told what to do by `rpclab conform-client`."""

import asyncio
import json
import sys

from mcp import ClientSession, MCPError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from pydantic import BaseModel

OURS = {types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT}  # made by the SDK, not sent by a server
calls = {}  # the task of each call, by its name


class Anything(BaseModel, extra="allow"):
    """A result as it came."""


def say(**outcome):
    print(json.dumps(outcome), flush=True)


async def call(session, order):
    """Make a call, and say what came of it."""
    request = types.Request[dict | None, str](method=order["call"], params=order.get("params"))
    try:
        result = await session.send_request(request, Anything, order.get("timeout"))
        outcome = {"result": result.model_dump()}
    except MCPError as error:
        if error.code in OURS:
            outcome = {"failed": error.message}
        else:
            outcome = {"error": {"code": error.code, "message": error.message}}
    except (Exception, asyncio.CancelledError) as error:
        outcome = {"failed": f"{type(error).__name__}: {error}"}
    say(**{"as": order["as"]}, **outcome)


async def follow(session):
    """Do what each line of stdin says."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        if "call" in order:
            calls[order["as"]] = asyncio.create_task(call(session, order))
            await asyncio.sleep(0)  # so that calls are begun in their order
        elif "notify" in order:
            named = {"method": order["notify"], "params": order.get("params")}
            note = types.Notification[dict | None, str](**named)
            await session.send_notification(note)
        elif "wait" in order:
            await asyncio.wait([calls[order["wait"]]])
        elif "cancel" in order:
            calls[order["cancel"]].cancel()
        else:
            say(cannot="batch")
            return
    if calls:
        await asyncio.wait(calls.values())


async def fail(message):
    """Say that every call has failed, because the session never began."""
    for line in sys.stdin:
        order = json.loads(line)
        if "as" in order:
            say(**{"as": order["as"], "failed": message})


async def main():
    command, *arguments = sys.argv[1:]
    server = StdioServerParameters(command=command, args=arguments)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        try:
            await session.initialize()
        except Exception as error:
            await fail(f"no handshake: {error}")
        else:
            await follow(session)


if __name__ == "__main__":
    asyncio.run(main())
