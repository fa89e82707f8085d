"""When a peer may write, and when another call may begin."""

import asyncio
import json

import pytest

from rpclab.peer import (
    Peer,
    memory_pair,
    progress,
)
from rpclab.peer.transports import HIGH
from tests.peer.helpers import handler, now, read_line
from tests.peer.virtual import virtual


@virtual
async def test_a_call_that_was_never_sent_is_not_cancelled_at_the_peer():
    near, wire = memory_pair()
    async with Peer(near, limit=1) as peer:
        first = asyncio.create_task(peer.call("first"))
        assert b"first" in await read_line(wire)
        with pytest.raises(TimeoutError):
            await peer.call("second", timeout=1)
        wire.write(b'{"jsonrpc":"2.0","result":1,"id":1}')
        assert await first == 1
        await peer.notify("end")
        assert b"end" in await read_line(wire)


@virtual
async def test_calls_may_nest_deeper_than_the_limit():
    peers = []

    def nested(side):
        async def down(method, params):
            if params[0] == 0:
                return "bottom"
            return await peers[side].call("down", [params[0] - 1])

        return down

    near, far = memory_pair()
    async with Peer(near, nested(0), limit=3) as one, Peer(far, nested(1), limit=3) as two:
        peers += [one, two]
        assert await one.call("down", [20]) == "bottom"


@virtual
async def test_many_calls_both_ways_with_large_params_do_not_lock_each_other():
    near, far = memory_pair()
    big = ["x" * 5000]
    async with Peer(near, handler, limit=50) as one, Peer(far, handler, limit=50) as two:
        calls = [peer.call("echo", big) for peer in (one, two) for _ in range(500)]
        assert await asyncio.gather(*calls) == [big] * 1000


@virtual
async def test_no_more_than_the_limit_run_at_once_not_even_in_a_batch():
    running, most = 0, 0

    async def count(method, params):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(1)
        running -= 1

    near, wire = memory_pair()
    async with Peer(near, count, limit=3):
        call = '{"jsonrpc":"2.0","method":"m","id":%d}'
        wire.write(f"[{','.join(call % id for id in range(10))}]".encode())
        for id in range(10, 20):
            wire.write((call % id).encode())
        assert len(json.loads(await read_line(wire))) == 10
        for _ in range(10):
            await read_line(wire)
    assert most == 3


@virtual
async def test_a_cancel_is_seen_while_the_limit_is_reached():
    near, wire = memory_pair()
    async with Peer(near, handler, limit=1):
        wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[60],"id":1}')
        wire.write(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}')
        assert b"-32800" in await read_line(wire)


@virtual
async def test_a_peer_that_never_reads_does_not_grow_our_memory():
    near, wire = memory_pair()
    answered = []
    async with Peer(near, lambda method, params: answered.append(1) or "x" * 1000, limit=10):
        for id in range(2000):
            wire.write(b'{"jsonrpc":"2.0","method":"m","id":%d}' % id)
        await asyncio.sleep(1)
        assert HIGH / 1000 - 5 < len(answered) < HIGH / 1000 + 20
        replies = 0
        while replies < 2000:  # and goes on where it reads again
            replies += len(await wire.read())
    assert len(answered) == 2000


@virtual
async def test_callers_wait_while_the_peer_does_not_read():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        notes = [asyncio.create_task(peer.notify("n", ["x" * 10_000])) for _ in range(50)]
        await asyncio.sleep(1)
        assert 5 < sum(note.done() for note in notes) < 10
        came = 0
        while came < 50:
            came += len(await wire.read())
        await asyncio.gather(*notes)


@virtual
async def test_progress_that_nobody_reads_is_dropped():
    async def chatty(method, params):
        for done in range(5000):
            progress(done)
            await asyncio.sleep(0)
        return "done"

    near, wire = memory_pair()
    async with Peer(near, chatty, limit=10):
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"workDoneToken":"t"},"id":1}')
        await asyncio.sleep(1)
        lines = await wire.read()
        assert len(lines) < 2000
        assert b"done" in lines[-1]


@virtual
async def test_leaving_does_not_wait_for_a_peer_that_does_not_read():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: "x" * HIGH):
        for id in range(5):
            wire.write(b'{"jsonrpc":"2.0","method":"m","id":%d}' % id)
        await asyncio.sleep(1)
    assert now() <= 3
