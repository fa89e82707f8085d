"""Memory and asyncio's streams as the transport of a peer."""

import asyncio
import json
import os
import socket
import sys
import threading

import pytest

from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.peer import (
    Peer,
    PeerGone,
    StreamTransport,
    memory_pair,
    open_pipes,
)
from rpclab.peer.transports import HIGH
from tests.peer.helpers import connected, handler, now, on_a_real_loop, storm, work
from tests.peer.virtual import virtual


@on_a_real_loop
async def test_a_line_past_the_limit_is_answered_and_reported():
    transport, far = await connected(lambda: NewlineFraming(limit=50))
    far.sendall(b"x" * 51 + b'\n{"jsonrpc":"2.0","method":"m","id":1}\n')
    far.shutdown(socket.SHUT_WR)
    peer = Peer(transport, lambda method, params: method)
    await peer.serve()
    assert "a line of more than 50 bytes was dropped" in peer.strays[0].reason
    replies = [json.loads(line) for line in far.makefile("rb")]
    assert [reply["id"] for reply in replies] == [None, 1]
    far.close()


@virtual
async def test_who_waits_for_room_is_woken_when_there_is_room_for_many():
    near, far = memory_pair(latency=1)
    for place in range(3):
        asyncio.get_running_loop().call_at(place / 4, near.write, b"x" * (HIGH // 2 - 1000))
    await asyncio.sleep(0.75)
    draining = asyncio.create_task(near.drain())
    await far.read()
    await asyncio.sleep(0.1)
    assert not draining.done()
    await far.read()
    await draining
    assert now() == 1.25


@pytest.mark.skipif(sys.platform == "win32", reason="the loop does not read pipes there")
def test_a_thousand_calls_each_way_over_real_pipes():
    async def main():
        near, far = await open_pipes(*ends[0]), await open_pipes(*ends[1])
        async with Peer(near, work) as one, Peer(far, work) as two:
            return await storm(one, two, 7, 1000, 0.001)

    there, back = os.pipe(), os.pipe()
    ends = [
        (os.fdopen(there[0], "rb"), os.fdopen(back[1], "wb")),
        (os.fdopen(back[0], "rb"), os.fdopen(there[1], "wb")),
    ]
    threads = threading.active_count()
    assert asyncio.run(main()).total() == 2000
    assert threading.active_count() == threads


@on_a_real_loop
async def test_a_peer_over_a_socket():
    transport, far = await connected(ContentLengthFraming)
    reader, writer = await asyncio.open_connection(sock=far)
    async with (
        Peer(transport) as peer,
        Peer(StreamTransport(reader, writer, ContentLengthFraming()), handler),
    ):
        calls = [peer.call("echo", ["é" * place]) for place in range(200)]
        assert await asyncio.gather(*calls) == [["é" * place] for place in range(200)]


@on_a_real_loop
async def test_a_peer_over_a_subprocess_of_the_loop():
    code = (
        "from rpclab import StdioTransport, claim_stdio, serve\n"
        "serve(lambda method, params: params, StdioTransport(*claim_stdio()))"
    )
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=pipe, stdout=pipe
    )
    async with Peer(StreamTransport(child.stdout, child.stdin)) as peer:
        calls = [peer.call("m", [place]) for place in range(100)]
        assert await asyncio.gather(*calls) == [[place] for place in range(100)]
    assert await child.wait() == 0


@on_a_real_loop
async def test_a_last_line_without_its_end_is_a_line():
    transport, far = await connected()
    far.sendall(b'{"jsonrpc":"2.0","method":"m","id":1}')
    far.shutdown(socket.SHUT_WR)
    await Peer(transport, lambda method, params: method).serve()
    assert far.recv(100) == b'{"jsonrpc":"2.0","result":"m","id":1}\n'
    far.close()


@on_a_real_loop
async def test_the_replies_to_one_chunk_go_out_together():
    transport, far = await connected()
    far.sendall(b'{"jsonrpc":"2.0","method":"m","id":1}\n{"jsonrpc":"2.0","method":"m","id":2}\n')
    async with Peer(transport, lambda method, params: 0):
        reply = await asyncio.to_thread(far.recv, 100)
    assert reply.count(b"\n") == 2
    far.close()


@on_a_real_loop
async def test_a_peer_that_hangs_up_is_gone_quietly():
    transport, far = await connected()
    async with Peer(transport, lambda method, params: "x" * 1_000_000) as peer:
        call = asyncio.create_task(peer.call("m"))
        far.sendall(b'{"jsonrpc":"2.0","method":"m","id":1}\n')
        await asyncio.to_thread(far.recv, 10)
        far.close()
        with pytest.raises(PeerGone):
            await call
        await peer.finished()


@on_a_real_loop
async def test_a_peer_that_reads_no_more_is_gone_even_if_it_could_still_write(monkeypatch):
    monkeypatch.setattr("rpclab.peer.transports.LAST_WORDS", 0.01)
    reader, far_write = os.pipe()
    far_read, writer = os.pipe()
    transport = await open_pipes(os.fdopen(reader, "rb"), os.fdopen(writer, "wb"))
    async with Peer(transport) as peer:
        os.close(far_read)
        with pytest.raises(PeerGone):
            await peer.call("m")
    os.close(far_write)


@on_a_real_loop
async def test_callers_wait_for_a_socket_that_is_full_and_end_when_it_is_lost():
    transport, far = await connected()
    async with Peer(transport) as peer:
        notes = [asyncio.create_task(peer.notify("n", ["x" * HIGH])) for _ in range(100)]
        await asyncio.sleep(0)
        assert not all(note.done() for note in notes)
        far.close()
        ends = await asyncio.gather(*notes, return_exceptions=True)
        assert any(isinstance(end, PeerGone) for end in ends)


@on_a_real_loop
async def test_leaving_drops_what_a_socket_will_not_take():
    transport, far = await connected()
    for _ in range(100):
        transport.write(b"x" * HIGH)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await transport.close()
    far.close()


@on_a_real_loop
async def test_closing_after_the_peer_has_hung_up_is_quiet():
    transport, far = await connected()
    for _ in range(100):
        transport.write(b"x" * HIGH)
    far.close()
    await transport.drain()
    await transport.close()
