"""A client on asyncio, with batches and timeouts: a future for each call.

Each line of stdin is an order: a call, a notification, a batch, or a wait. What came
of each call goes to stdout, one JSON object a line.
"""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE

pending = {}  # a future for each call that waits, by its id
tasks = {}  # a task for each call, by its name
batches = []  # the ids of each batch that waits


def say(**outcome):
    """Report what came of a call to the program that gave the orders."""
    print(json.dumps(outcome), flush=True)


def take(message):
    """Settle the call that a message replies to."""
    if not isinstance(message, dict) or "method" in message:
        say(reported=str(message))
    elif type(message.get("id")) is int:
        settle(message["id"], message)


def settle(id, reply):
    """Hand a reply to the call that waits for it."""
    if id in pending and not pending[id].done():
        pending.pop(id).set_result(reply)


async def listen(stream):
    """Read the server's messages until there are no more."""
    async for line in stream:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            say(reported=repr(line))
            continue
        if isinstance(message, dict) and message.get("id", "") is None and batches:
            for id in batches.pop():
                settle(id, message)
        for one in message if isinstance(message, list) else [message]:
            take(one)


async def report(name, reply, timeout):
    """Wait for a reply, and report what came of the call."""
    try:
        match await asyncio.wait_for(reply, timeout):
            case {"result": _, "error": _}:
                say(**{"as": name, "failed": "result and error"})
            case {"result": result}:
                say(**{"as": name, "result": result})
            case {"error": {"code": int(), "message": str()} as error}:
                say(**{"as": name, "error": error})
            case other:
                say(**{"as": name, "failed": f"no response: {other}"})
    except TimeoutError:
        say(**{"as": name, "failed": "timed out"})


def make(order):
    """Make the message for an order."""
    message = {"jsonrpc": "2.0", "method": order.get("call") or order["notify"]}
    message |= {"params": order["params"]} if "params" in order else {}
    if "call" in order:
        message["id"] = id = len(tasks) + 1
        pending[id] = asyncio.get_running_loop().create_future()
        task = report(order["as"], pending[id], order.get("timeout"))
        tasks[order["as"]] = asyncio.create_task(task)
    return message


async def main():
    start = asyncio.create_subprocess_exec
    server = await start(*sys.argv[1:], stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=1 << 24)
    reader = asyncio.create_task(listen(server.stdout))
    while order := json.loads(await asyncio.to_thread(sys.stdin.readline) or "{}"):
        if "wait" in order:
            await asyncio.wait([tasks[order["wait"]], reader], return_when="FIRST_COMPLETED")
        elif "cancel" in order:
            say(cannot="cancel")
            return
        else:
            if "batch" in order:
                message = [make(one) for one in order["batch"]]
                batches.append([call["id"] for call in message if "id" in call])
            else:
                message = make(order)
            server.stdin.write(json.dumps(message).encode() + b"\n")
    await asyncio.wait([reader, asyncio.gather(*tasks.values())], return_when="FIRST_COMPLETED")
    server.stdin.close()
    await reader
    for id in list(pending):
        settle(id, "the server ended")
    await asyncio.gather(*tasks.values())


if __name__ == "__main__":
    asyncio.run(main())
