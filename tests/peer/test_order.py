"""The order in which calls of the peer are handed over, and what waits for what."""

import asyncio
import random
import sys
import threading

import pytest

from rpclab.peer import Client, Peer, memory_pair, progress
from tests.peer.helpers import now, read_line
from tests.peer.virtual import virtual


def note(n):
    return b'{"jsonrpc":"2.0","method":"note","params":[%d]}' % n


def ask(id):
    return b'{"jsonrpc":"2.0","method":"ask","params":[],"id":%d}' % id


class Slow:
    """A handler that takes longer for what comes first, and records beginnings and ends."""

    def __init__(self):
        self.said = []

    async def __call__(self, method, params):
        """Take up to ten seconds."""
        self.said.append(f"{method} {params}")
        await asyncio.sleep(10 - params[0] if params else 1)
        self.said.append(f"end of {method} {params}")
        return params


@virtual
async def test_a_notification_is_handed_over_when_those_before_it_have_ended():
    near, wire = memory_pair()
    handler = Slow()
    async with Peer(near, handler) as peer:
        for n in range(3):
            wire.write(note(n))
        wire.write(b"")
        await peer.finished()
    assert handler.said == [
        "note [0]", "end of note [0]", "note [1]", "end of note [1]", "note [2]", "end of note [2]",
    ]  # fmt: skip


@pytest.mark.parametrize(("order", "ended"), [("notifications", 1), ("calls", 11), ("free", 1)])
@virtual
async def test_a_request_waits_for_the_notifications_before_it_only_if_told_so(order, ended):
    near, wire = memory_pair()
    async with Peer(near, Slow(), order=order):
        wire.write(note(0))
        wire.write(ask(1))
        assert b'"id":1' in await read_line(wire)
        assert now() == ended


@virtual
async def test_in_no_order_nothing_waits():
    near, wire = memory_pair()
    handler = Slow()
    async with Peer(near, handler, order="free") as peer:
        wire.write(note(0))
        wire.write(note(5))
        wire.write(b"")
        await peer.finished()
    assert handler.said == ["note [0]", "note [5]", "end of note [5]", "end of note [0]"]


@virtual
async def test_requests_do_not_wait_for_each_other():
    near, wire = memory_pair()
    async with Peer(near, Slow(), order="calls"):
        for line in (note(9), ask(1), ask(2)):
            wire.write(line)
        await read_line(wire)
        await read_line(wire)
        assert now() == 2


@virtual
async def test_a_plain_handler_waits_for_an_async_one_too():
    said = []

    def handler(method, params):
        if params == [0]:
            return asyncio.sleep(5, said.append("end of 0"))
        return said.append(params[0])

    near, wire = memory_pair()
    async with Peer(near, handler):
        for n in range(3):
            wire.write(note(n))
        await asyncio.sleep(1)
        assert said == ["end of 0"]
        await asyncio.sleep(5)
    assert said == ["end of 0", 1, 2]


@virtual
async def test_a_handler_of_a_notification_may_call_the_peer_while_others_wait():
    said = []

    async def handler(method, params):
        said.append(await peer.call("back", params))

    near, wire = memory_pair()
    async with Peer(near, handler, limit=1) as peer:
        for n in range(50):
            wire.write(note(n))
        for n in range(50):
            assert b"back" in await read_line(wire)
            wire.write(b'{"jsonrpc":"2.0","result":%d,"id":%d}' % (n, n + 1))
        await asyncio.sleep(1)
    assert said == [*range(50)]


@virtual
async def test_progress_and_cancel_do_not_wait():
    heard = []
    near, wire = memory_pair()
    async with Peer(near, Slow(), order="calls") as peer:
        call = asyncio.create_task(peer.call("m", on_progress=heard.append))
        await read_line(wire)
        for line in (note(0), note(1), ask(7)):
            wire.write(line)
        wire.write(b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":5}}')
        wire.write(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}')
        assert b'"code":-32800' in await read_line(wire)  # it never began
        assert (heard, now()) == ([5], 0)
        wire.write(ask(7))  # its id is free again
        wire.write(b'{"jsonrpc":"2.0","result":1,"id":1}')
        assert await call == 1
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":[],"id":7}'


@virtual
async def test_a_request_that_waits_has_an_id_in_flight():
    near, wire = memory_pair()
    async with Peer(near, Slow(), order="calls"):
        for line in (note(0), ask(7), ask(7)):
            wire.write(line)
        assert b"-32600" in await read_line(wire)


@virtual
async def test_a_request_that_waited_has_its_own_progress():
    async def handler(method, params):
        await asyncio.sleep(1)
        progress(1)

    near, wire = memory_pair()
    async with Peer(near, handler, order="calls"):
        wire.write(note(0))
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"workDoneToken":"t"},"id":1}')
        assert b'"token":"t"' in await read_line(wire)
        assert b'"result"' in await read_line(wire)
        assert now() == 2


@virtual
async def test_those_that_wait_do_not_grow_our_memory(monkeypatch):
    monkeypatch.setattr("rpclab.peer.flow.WAITING", 5)
    near, wire = memory_pair()
    async with Peer(near, Slow()):
        for _ in range(20):
            wire.write(note(9))
        wire.write(ask(1))
        assert b'"id":1' in await read_line(wire)
        assert now() == 15 + 1  # when it is read, 15 have ended, one runs and four wait


@pytest.mark.parametrize(("dialect", "replies"), [("lsp", 1), ("mcp", 0)])
@virtual
async def test_leaving_ends_what_waits_without_beginning_it(dialect, replies):
    near, wire = memory_pair()
    handler = Slow()
    async with Peer(near, handler, dialect=dialect, order="calls"):
        for line in (note(0), note(1), ask(1)):
            wire.write(line)
        await asyncio.sleep(1)
    assert handler.said == ["note [0]"]
    assert [b"-32800" in line for line in await wire.read()] == [True] * replies


def test_an_order_that_does_not_exist_is_a_bug_of_the_caller():
    near = None
    with pytest.raises(ValueError, match="one of notifications, calls, free"):
        Peer(near, order="sorted")
    with pytest.raises(ValueError, match="one of notifications, calls, free"):
        Client.start([sys.executable, "-c", ""], order="sorted")


NOTES = (
    "import sys\n"
    "for n in range(300):\n"
    '    print(\'{"jsonrpc":"2.0","method":"didChange","params":[%d]}\' % n, flush=n == 299)\n'
    "sys.stdin.read()\n"
)


@pytest.mark.parametrize("order", ["notifications", "calls"])
def test_a_client_hands_notifications_over_in_order_also_while_it_is_closed(order):
    heard, begun = [], threading.Event()
    pause = threading.Event()

    def handler(method, params):
        begun.set()
        pause.wait(random.random() / 500)
        heard.append(params[0])

    with Client.start([sys.executable, "-c", NOTES], handler, order=order, grace=60):
        assert begun.wait(60)
    assert heard == [*range(len(heard))]


def test_a_client_in_no_order_handles_notifications_side_by_side():
    both = threading.Barrier(3, timeout=60)  # two handlers, and this test
    with Client.start([sys.executable, "-c", NOTES], lambda *_: both.wait(), order="free"):
        assert both.wait() in (0, 1)
        both.abort()
