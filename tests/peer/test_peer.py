"""Both sides at once: how a peer ends, field reports, and a storm of calls."""

import asyncio
import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from rpclab.errors import InvalidResponse
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.peer import (
    Peer,
    PeerGone,
    Pending,
    memory_pair,
    traceparent,
)
from rpclab.peer.strays import PROGRESS_UNKNOWN
from tests.peer.helpers import connected, handler, on_a_real_loop, read_line, storm, work
from tests.peer.virtual import virtual

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "client_reports.jsonl").read_text("ascii").splitlines()
]
REPLAYED = [row for row in ROWS if row.get("wire_in")]


@virtual
async def test_a_client_answers_calls_with_method_not_found_and_nothing_else():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        wire.write(b"debug: warm")
        wire.write(b"[]")
        wire.write(b'{"jsonrpc":"2.0","method":"roots","id":1}')
        assert b"-32601" in await read_line(wire)
        assert [stray.value for stray in peer.strays] == ["debug: warm", "[]"]


@pytest.mark.parametrize("is_client", [False, True])
@virtual
async def test_a_client_with_a_handler_answers_only_what_names_a_call(is_client):
    near, wire = memory_pair()
    async with Peer(near, handler, dialect="mcp", is_client=is_client) as peer:
        wire.write(b"welcome")
        wire.write(b'{"event":"tick","id":3}')
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":5,"id":4}')
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[],"id":5}')
        await asyncio.sleep(1)
        ids = [json.loads(line)["id"] for line in await wire.read()]
        assert ids == ([4, 5] if is_client else [None, 3, 4, 5])
        assert len(peer.strays) == 3


@pytest.mark.parametrize("dialect", ["lsp", "mcp"])
@pytest.mark.parametrize("has_handler", [True, False])
@virtual
async def test_progress_with_an_unknown_token_is_reported_or_is_a_token_of_lsps(
    dialect, has_handler
):
    method, token = {
        "lsp": ("$/progress", "token"),
        "mcp": ("notifications/progress", "progressToken"),
    }[dialect]
    came = []
    near, wire = memory_pair()
    listener = (lambda *call: came.append(call)) if has_handler else None
    async with Peer(near, listener, dialect=dialect) as peer:
        note = {"jsonrpc": "2.0", "method": method, "params": {token: "theirs", "progress": 1}}
        wire.write(json.dumps(note).encode())
        await asyncio.sleep(1)
        handed_over = dialect == "lsp" and has_handler  # a server of LSP may make a token
        assert len(came) == handed_over
        assert [s.reason for s in peer.strays] == ([] if handed_over else [PROGRESS_UNKNOWN])


@on_a_real_loop
async def test_a_payload_in_another_charset_is_refused_and_the_stream_goes_on():
    transport, far = await connected(ContentLengthFraming)
    framing = ContentLengthFraming()
    async with Peer(transport, lambda method, params: params):
        line = b'{"jsonrpc":"2.0","method":"echo","params":[],"id":%d}'
        far.sendall(b"Content-Type: a/b; charset=utf-16\r\n" + framing.wrap(line % 1))
        far.sendall(b"Content-Type: a/b; charset=utf8\r\n" + framing.wrap(line % 2))
        replies = []
        while len(replies) < 2:
            replies += framing.feed(await asyncio.to_thread(far.recv, 9999))
    far.close()
    assert b'"code":-32700' in replies[0]
    assert b"another charset than UTF-8" in replies[0]
    assert replies[1] == b'{"jsonrpc":"2.0","result":[],"id":2}'


@virtual
async def test_a_defect_of_a_transport_is_not_kept_silent():
    class Broken:
        async def read(self):
            raise ZeroDivisionError

        async def close(self):
            pass

    with pytest.raises(ZeroDivisionError):
        await Peer(Broken(), handler).serve()


@virtual
async def test_a_large_batch_of_what_is_no_call_is_read_once_more_and_not_once_a_member():
    near, wire = memory_pair()
    async with Peer(near, handler) as peer:
        wire.write(b"[" + b",".join([b"1"] * 2000) + b"]")
        assert len(json.loads(await read_line(wire))) == 2000
        assert len(peer.strays) == 100


@virtual
async def test_a_trace_beside_array_params_is_the_calls_own_in_a_batch_too():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: traceparent()):
        wire.write(
            b'[{"jsonrpc":"2.0","method":"m","params":["_meta"],"id":1},'
            b'{"jsonrpc":"2.0","method":"m","params":[],"id":2,"_meta":{"traceparent":'
            b'"00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"}}]'
        )
        assert [member["result"] for member in json.loads(await read_line(wire))] == [
            None,
            "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
        ]


@virtual
async def test_at_the_end_of_the_stream_accepted_work_is_finished():
    near, wire = memory_pair()
    wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[5],"id":1}')
    serving = asyncio.create_task(Peer(near, handler).serve())
    await asyncio.sleep(1)
    wire.write(b"")
    assert await read_line(wire) == b'{"jsonrpc":"2.0","result":5,"id":1}'
    assert await wire.read() == []
    await serving


@virtual
async def test_a_handler_that_waits_for_a_peer_that_has_gone_is_ended_by_that():
    ended = []

    async def asks_back(method, params):
        try:
            await peer.call("back")
        except PeerGone:
            ended.append(method)

    near, wire = memory_pair()
    async with Peer(near, asks_back) as peer:
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        await read_line(wire)
        await wire.close()
        await peer.finished()
    assert ended == ["m"]


@virtual
async def test_who_waits_for_the_end_is_released_on_leaving():
    near, _ = memory_pair()
    async with Peer(near) as peer:
        waiting = asyncio.create_task(peer.finished())
        await asyncio.sleep(1)
    await waiting


@pytest.mark.parametrize("row", REPLAYED, ids=[row["id"] for row in REPLAYED])
@virtual
async def test_what_the_field_reported_of_clients_does_not_happen_here(row, monkeypatch):
    monkeypatch.setattr("rpclab.peer.outgoing.Pending", partial(Pending, row.get("first", 1)))
    near, wire = memory_pair()
    answered = []

    def answer(method, params):
        answered.append(method)
        return params

    async with Peer(near, answer) as peer:
        if row["id"] == "J130":
            with pytest.raises(TimeoutError):
                await peer.call("m", timeout=1)
            row = row | {"ends": [{"result": "second"}], "strays": 1}
        calls = [asyncio.create_task(peer.call("m", timeout=5)) for _ in row["ends"]]
        await asyncio.sleep(1)
        stream = "".join(row["wire_in"]).encode("latin-1")
        for line in NewlineFraming().feed(stream):
            wire.write(line)
        await asyncio.wait(calls)
        assert [end_of(call) for call in calls] == row["ends"]
        assert len(peer.strays) == row["strays"]
    if row["id"] == "J077":
        with pytest.raises(TimeoutError, match="of another type"):
            await calls[0]
    replies = [json.loads(line) for line in await wire.read() if b'"result"' in line]
    assert replies == row.get("answers", [])


def end_of(call):
    match call.exception():
        case None:
            return {"result": call.result()}
        case TimeoutError():
            return "unsettled"
        case InvalidResponse():
            return "invalid"


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
@pytest.mark.parametrize("seed", range(3))
@virtual
async def test_a_thousand_calls_each_way_end_once_each(seed, manner):
    tables = []

    class Kept(Pending):
        def __init__(self):
            super().__init__()
            tables.append(self)

    near, far = memory_pair(latency=0.5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rpclab.peer.outgoing.Pending", Kept)
        peers = Peer(near, work, dialect=manner), Peer(far, work, dialect=manner)
    async with peers[0] as one, peers[1] as two:
        ends = await storm(one, two, seed, 1000, 1.0)
        await asyncio.sleep(60)
        strays = Counter(s.reason for peer in (one, two) for s in peer.strays)
        assert set(strays) <= {"late: its call was given up"}
        assert [table.close() for table in tables] == [[], []]  # nothing waits for a reply
    assert ends.total() == 2000
    assert all(ends[end] for end in ("result", "cancelled", "timed out"))
