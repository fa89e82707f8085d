"""What the tests of a peer share: a handler, wires, and a storm of calls."""

import asyncio
import functools
import random
import socket
from collections import Counter

from rpclab.errors import MethodNotFound
from rpclab.framing import NewlineFraming
from rpclab.peer import (
    StreamTransport,
    progress,
)


def now():
    return asyncio.get_running_loop().time()


async def handler(method, params):
    match method:
        case "echo":
            return params
        case "sleep":
            await asyncio.sleep(params[0])
            return params[0]
        case "fail":
            raise ValueError("secret")
        case "exit":
            raise SystemExit(3)
        case _:
            raise MethodNotFound


async def read_line(wire):
    """Return the next payload, however many came with it."""
    if not getattr(wire, "rest", None):
        wire.rest = await wire.read()
    return wire.rest.pop(0) if wire.rest else b""


async def connected(framing=NewlineFraming):
    """Make a transport over one end of a socket pair, and give the other end."""
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    return StreamTransport(reader, writer, framing()), far


def on_a_real_loop(test):
    """Run a coroutine test on a real event loop, for real streams."""

    @functools.wraps(test)
    def in_real_time(*args, **kwargs):
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 60))

    return in_real_time


async def storm(one, two, seed, many, unit):
    """Call both ways with random delays, cancels and timeouts. Count how calls end."""
    draw = random.Random(seed)
    ends = Counter()

    async def call(peer, place):
        delay, give_up = draw.randrange(1, 50), draw.randrange(1, 50)
        how = draw.choice(["wait", "wait", "timeout", "cancel", "progress"])
        heard = []

        def hear(value):  # a bare value in one manner, an object in the other
            heard.append(value["progress"] if isinstance(value, dict) else value)

        asked = peer.call(
            "work",
            {"place": place, "delay": delay * unit, "how": how},
            timeout=give_up * unit if how == "timeout" else None,
            on_progress=hear if how == "progress" else None,
        )
        task = asyncio.create_task(asked)
        if how == "cancel":
            asyncio.get_running_loop().call_later(give_up * unit, task.cancel)
        await asyncio.wait([task])
        if task.cancelled():
            assert how == "cancel"
            ends["cancelled"] += 1
        elif isinstance(task.exception(), TimeoutError):
            assert how == "timeout"
            ends["timed out"] += 1
        else:
            assert task.result() == place
            assert heard == ([place, -place] if how == "progress" else [])
            ends["result"] += 1

    calls = [(peer, place) for peer in (one, two) for place in range(1, many + 1)]
    await asyncio.gather(*(call(*each) for each in calls))
    return ends


async def work(method, params):
    if params["how"] == "progress":
        progress(params["place"])
    await asyncio.sleep(params["delay"])
    if params["how"] == "progress":
        progress(-params["place"])
    return params["place"]
