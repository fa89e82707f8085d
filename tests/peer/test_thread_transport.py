"""Any pair of byte streams as the transport of a peer."""

import asyncio
import io
import os
import threading

import pytest

from rpclab.peer import Peer, PeerGone, ThreadTransport
from rpclab.transport import StdioTransport


@pytest.fixture(autouse=True)
def _nothing_is_left():
    threads = threading.active_count()
    yield
    assert threading.active_count() == threads


class Slow(io.BytesIO):
    """Returns two bytes a read."""

    def read1(self, size=-1):
        """Return two bytes."""
        return super().read1(2)


class Full(io.BytesIO):
    """Takes nothing before it is told to."""

    def __init__(self):
        super().__init__()
        self.may_go = threading.Event()

    def write(self, data):
        """Wait, then take bytes."""
        self.may_go.wait()
        return super().write(data)


class Broken(io.BytesIO):
    """Takes nothing."""

    def write(self, data):
        """Say that nobody reads."""
        raise BrokenPipeError


@pytest.fixture
def silence():
    """Return a stream on which nothing comes until the test has ended."""
    there, back = os.pipe()
    with os.fdopen(there, "rb") as reader:
        yield reader
        os.close(back)
        for thread in threading.enumerate():
            if thread.name.startswith("rpclab"):
                thread.join(60)


def over(reader, writer):
    return ThreadTransport(StdioTransport(reader, writer))


@pytest.mark.parametrize("reader", [io.BytesIO, Slow], ids=["whole", "two bytes at a time"])
def test_a_peer_over_files_answers_all_and_ends(reader):
    async def main():
        lines = reader(b'{"jsonrpc":"2.0","method":"m","id":1}\n' * 500)
        transport = over(lines, out)
        await Peer(transport, lambda method, params: method).serve()
        transport.join(60)

    out = io.BytesIO()
    asyncio.run(main())
    assert out.getvalue() == b'{"jsonrpc":"2.0","result":"m","id":1}\n' * 500


def test_callers_wait_for_a_stream_that_is_full(silence):
    async def main():
        async with Peer(over(silence, full)) as peer:
            notes = [asyncio.create_task(peer.notify("n", ["x" * 20_000])) for _ in range(10)]
            await asyncio.sleep(0)
            waiting = sum(not note.done() for note in notes)
            full.may_go.set()
            await asyncio.gather(*notes)
            return waiting

    full = Full()
    assert 0 < asyncio.run(main()) < 10
    assert full.getvalue().count(b"\n") == 10


def test_callers_that_wait_for_room_hear_that_the_stream_has_ended():
    async def main():
        async with Peer(over(reader, full)) as peer:
            notes = [asyncio.create_task(peer.notify("n", ["x" * 20_000])) for _ in range(10)]
            await asyncio.sleep(0)
            waiting = [note for note in notes if not note.done()]
            os.close(back)  # it says no more, and still takes nothing
            ends = await asyncio.gather(*waiting, return_exceptions=True)
            full.may_go.set()
            return ends

    full = Full()
    there, back = os.pipe()
    with os.fdopen(there, "rb") as reader:
        ends = asyncio.run(main())
    assert {type(end) for end in ends} == {PeerGone}


def test_a_peer_that_reads_no_more_is_gone_after_its_last_words(silence, monkeypatch):
    monkeypatch.setattr("rpclab.peer.thread_transport.LAST_WORDS", 0.01)

    async def main():
        async with Peer(over(silence, Broken())) as peer:
            with pytest.raises(PeerGone):
                await peer.call("m")
            with pytest.raises(PeerGone):
                await peer.notify("m")

    asyncio.run(main())


def test_no_more_is_read_ahead_than_there_is_room_for():
    async def main():
        transport = over(reader, io.BytesIO())
        assert await transport.read()
        while reader.tell() < 200:  # a hundred lines, and one that waits for room
            await asyncio.sleep(0)
        await transport.close()
        transport.join(60)

    reader = Slow(b"1\n" * 1000)
    asyncio.run(main())
    assert reader.tell() < 1000


def test_a_transport_that_is_not_waited_for_ends_too():
    async def main():
        transport = over(io.BytesIO(b"1\n" * 1000), out)
        transport.write(b"last words")
        transport.end()
        return transport

    out = io.BytesIO()
    asyncio.run(main()).join(60)
    assert out.getvalue() == b"last words\n"


def test_a_thread_whose_loop_is_closed_ends_with_its_stream():
    async def main():
        return over(reader, Broken())

    there, back = os.pipe()
    with os.fdopen(there, "rb") as reader:
        transport = asyncio.run(main())
        os.close(back)
        transport.write(b"1")  # its writing thread ends too
        transport.join(60)
