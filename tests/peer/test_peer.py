"""Both sides at once: what comes, what is asked, and how it ends."""

import asyncio
import functools
import json
import os
import random
import socket
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from rpclab.demos.virtual_clock import run
from rpclab.errors import InvalidResponse, JsonRpcError, MethodNotFound
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.messages import ErrorResponse, Notification, SuccessResponse
from rpclab.peer.call_context import cancelled, progress
from rpclab.peer.flow import PeerGone
from rpclab.peer.meta import traceparent
from rpclab.peer.peer import Peer
from rpclab.peer.pending import Pending
from rpclab.peer.transports import HIGH, StreamTransport, memory_pair, open_pipes
from tests.peer.virtual import virtual

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "client_reports.jsonl").read_text("ascii").splitlines()
]
REPLAYED = [row for row in ROWS if row.get("wire_in")]


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


async def read_line(wire):
    """Give the next payload, however many came with it."""
    if not getattr(wire, "rest", None):
        wire.rest = await wire.read()
    return wire.rest.pop(0) if wire.rest else b""


# What comes


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (
            '{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":1}',
            '{"jsonrpc":"2.0","result":["hi"],"id":1}',
        ),
        (
            '{"jsonrpc":"2.0","method":"fail","id":1}',
            '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error",'
            '"data":{"exception":"ValueError"}},"id":1}',
        ),
        (
            '{"jsonrpc":"2.0","method":"exit","id":1}',
            '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error",'
            '"data":{"exception":"SystemExit"}},"id":1}',
        ),
        (
            '{"jsonrpc":"2.0","method":"no.such","id":null}',
            '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}',
        ),
        (
            "{",
            '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error",'
            '"data":"Expecting property name enclosed in double quotes at character 1"},'
            '"id":null}',
        ),
        (
            '{"jsonrpc":"2.0","method":1,"id":5}',
            '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request",'
            '"data":"method must be a string"},"id":5}',
        ),
        (
            '[{"jsonrpc":"2.0","method":"echo","params":[1],"id":1},1]',
            '[{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request",'
            '"data":"a call must be an object"},"id":null},'
            '{"jsonrpc":"2.0","result":[1],"id":1}]',
        ),
    ],
)
@virtual
async def test_each_line_gets_its_reply(line, reply):
    near, wire = memory_pair()
    async with Peer(near, handler):
        wire.write(line.encode())
        assert await read_line(wire) == reply.encode()


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","method":"echo"}',
        '{"jsonrpc":"2.0","method":"fail"}',
        '{"jsonrpc":"2.0","method":"no.such"}',
        '{"jsonrpc":"2.0","result":1,"id":1}',
        '{"jsonrpc":"2.0","error":1}',
        '[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","result":1,"id":1}]',
        '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":404}}',
        '{"jsonrpc":"2.0","method":"$/cancelRequest"}',
        '{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":1}}',
        '{"jsonrpc":"2.0","method":"$/progress","params":[1]}',
    ],
)
@virtual
async def test_silence_is_kept_where_no_reply_is_due(line):
    near, wire = memory_pair()
    async with Peer(near, handler):
        wire.write(line.encode())
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[1],"id":9}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":[1],"id":9}'


@virtual
async def test_a_plain_handler_is_answered_at_once():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: method):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":"m","id":1}'


@virtual
async def test_a_handler_may_give_a_future_instead_of_being_a_coroutine():
    near, wire = memory_pair()
    future = asyncio.get_running_loop().create_future()
    async with Peer(near, lambda method, params: future):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        asyncio.get_running_loop().call_later(1, future.set_result, 5)
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":5,"id":1}'
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":2}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":5,"id":2}'


@virtual
async def test_a_future_of_the_handler_is_cancelled_with_its_call():
    near, wire = memory_pair()
    future = asyncio.get_running_loop().create_future()
    async with Peer(near, lambda method, params: future):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        wire.write(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}')
        assert b"-32800" in await read_line(wire)


@virtual
async def test_a_client_answers_calls_with_method_not_found_and_nothing_else():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        wire.write(b"debug: warm")
        wire.write(b"[]")
        wire.write(b'{"jsonrpc":"2.0","method":"roots","id":1}')
        assert b"-32601" in await read_line(wire)
        assert [stray.value for stray in peer.strays] == ["debug: warm", "[]"]


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
async def test_a_finished_reply_does_not_wait_for_another_call():
    near, wire = memory_pair()
    async with Peer(near, handler):
        wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[5],"id":1}')
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[],"id":2}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":[],"id":2}'
        assert now() == 0
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":5,"id":1}'


@virtual
async def test_a_batch_waits_for_its_own_members_alone():
    near, wire = memory_pair()
    async with Peer(near, handler):
        wire.write(
            b'[{"jsonrpc":"2.0","method":"sleep","params":[5],"id":1},'
            b'{"jsonrpc":"2.0","method":"echo","params":[],"id":2}]'
        )
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[],"id":3}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":[],"id":3}'
        assert [member["id"] for member in json.loads(await read_line(wire))] == [2, 1]


@virtual
async def test_the_second_of_two_requests_with_one_id_is_refused_with_id_null():
    near, wire = memory_pair()
    async with Peer(near, handler):
        wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[1],"id":7}')
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[],"id":7.0}')
        refused = json.loads(await read_line(wire))
        assert (refused["error"]["code"], refused["id"]) == (-32600, None)
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":1,"id":7}'


def test_a_handler_that_is_interrupted_ends_the_peer():
    def interrupted(method, params):
        raise KeyboardInterrupt

    async def main():
        near, wire = memory_pair()
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        await Peer(near, interrupted).serve()

    with pytest.raises(KeyboardInterrupt):
        run(main())


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


# What is asked


@virtual
async def test_a_call_gives_the_result_or_raises_the_error():
    near, far = memory_pair()
    async with Peer(near) as peer, Peer(far, handler):
        assert await peer.call("echo", [1]) == [1]
        with pytest.raises(JsonRpcError) as error:
            await peer.call("fail")
        assert error.value.data == {"exception": "ValueError"}


@virtual
async def test_both_sides_count_their_own_ids():
    near, wire = memory_pair()
    async with Peer(near, handler) as peer:
        call = asyncio.create_task(peer.call("theirs"))
        assert await read_line(wire) == b'{"jsonrpc":"2.0","method":"theirs","id":1}'
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[],"id":1}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":[],"id":1}'
        assert not call.done()
        wire.write(b'{"jsonrpc":"2.0","result":"mine","id":1}')
        assert await call == "mine"


@virtual
async def test_a_notification_is_sent_and_nothing_awaited():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        await peer.notify("log", {"level": "info"})
        assert (
            await read_line(wire) == b'{"jsonrpc":"2.0","method":"log","params":{"level":"info"}}'
        )


@virtual
async def test_a_batch_gives_responses_in_the_order_asked():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        batch = asyncio.create_task(
            peer.batch([("a", [1]), Notification("note", None), ("b", None), ("c", None)])
        )
        assert await read_line(wire) == (
            b'[{"jsonrpc":"2.0","method":"a","params":[1],"id":1},'
            b'{"jsonrpc":"2.0","method":"note"},'
            b'{"jsonrpc":"2.0","method":"b","id":2},{"jsonrpc":"2.0","method":"c","id":3}]'
        )
        wire.write(
            b'[{"jsonrpc":"2.0","id":3},'
            b'{"jsonrpc":"2.0","error":{"code":1,"message":"no"},"id":2},'
            b'{"jsonrpc":"2.0","result":"A","id":1}]'
        )
        first, second, third = await batch
        assert first == SuccessResponse("A", 1)
        assert isinstance(second, ErrorResponse)
        assert isinstance(third, InvalidResponse)


@virtual
async def test_a_batch_between_two_peers_and_one_of_notifications_alone():
    near, far = memory_pair()
    async with Peer(near) as peer, Peer(far, handler):
        assert await peer.batch([Notification("echo", None)]) == []
        (response,) = await peer.batch([("sleep", [2])], timeout=3)
        assert response.result == 2
        with pytest.raises(TimeoutError):
            await peer.batch([("sleep", [9])], timeout=1)


@virtual
async def test_one_error_without_an_id_fails_the_whole_batch():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        batch = asyncio.create_task(peer.batch([("a", None), ("b", None)]))
        await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"no calls"},"id":null}')
        assert [response.error.message for response in await batch] == ["no calls"] * 2


@virtual
async def test_an_empty_batch_is_a_bug_of_the_caller():
    near, _ = memory_pair()
    async with Peer(near) as peer:
        with pytest.raises(ValueError, match="at least one"):
            await peer.batch([])


@virtual
async def test_params_that_json_cannot_hold_are_a_bug_of_the_caller_and_leave_nothing():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        with pytest.raises(TypeError):
            await peer.call("m", [{1, 2}])
        with pytest.raises(ValueError, match="object"):
            await peer.call("m", [1], on_progress=print)
        call = asyncio.create_task(peer.call("m"))
        assert b'"id":3' in await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","result":1,"id":3}')
        assert await call == 1


# Timeouts, cancel, progress


@pytest.mark.parametrize(
    ("manner", "note"),
    [
        ("lsp", b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'),
        (
            "mcp",
            b'{"jsonrpc":"2.0","method":"notifications/cancelled",'
            b'"params":{"requestId":1,"reason":"the caller gave it up"}}',
        ),
    ],
)
@virtual
async def test_a_call_whose_time_is_over_is_cancelled_at_the_peer(manner, note):
    near, wire = memory_pair()
    async with Peer(near, dialect=manner) as peer:
        with pytest.raises(TimeoutError, match="no reply in time"):
            await peer.call("m", timeout=5)
        assert now() == 5
        await read_line(wire)
        assert await read_line(wire) == note


@virtual
async def test_cancelling_the_task_cancels_the_call():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        call = asyncio.create_task(peer.call("m"))
        await read_line(wire)
        call.cancel()
        assert b"$/cancelRequest" in await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","result":"late","id":1}')
        await asyncio.wait([call])
        assert call.cancelled()
        second = asyncio.create_task(peer.call("m"))
        await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","result":"second","id":2}')
        assert await second == "second"
        assert [stray.reason for stray in peer.strays] == ["late: its call was given up"]


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
async def test_a_cancel_that_crosses_the_reply_ends_the_call_once():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        call = asyncio.create_task(peer.call("m"))
        await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","result":1,"id":1}')
        asyncio.get_running_loop().call_soon(call.cancel)
        await asyncio.wait([call])
        await peer.notify("end")
        assert b"end" in await read_line(wire)  # nothing was in flight to be cancelled


@pytest.mark.parametrize(("manner", "answered"), [("lsp", True), ("mcp", False)])
@virtual
async def test_a_cancelled_call_is_answered_in_one_manner_and_not_in_the_other(manner, answered):
    note = {
        "lsp": b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}',
        "mcp": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    }[manner]
    near, wire = memory_pair()
    async with Peer(near, handler, dialect=manner):
        wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[60],"id":1}')
        wire.write(note)
        wire.write(note)
        if answered:
            assert await read_line(wire) == (
                b'{"jsonrpc":"2.0","error":{"code":-32800,"message":"Request cancelled"},"id":1}'
            )
        wire.write(b'{"jsonrpc":"2.0","method":"echo","params":[],"id":2}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":[],"id":2}'
        assert now() == 0


@virtual
async def test_a_handler_that_will_not_stop_is_answered_as_cancelled_when_it_ends():
    async def stubborn(method, params):
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(9)
        await asyncio.sleep(3)
        return "done" if not cancelled() else "stopped early"

    near, wire = memory_pair()
    async with Peer(near, stubborn):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        asyncio.get_running_loop().call_later(
            1, wire.write, b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'
        )
        assert b"-32800" in await read_line(wire)
        assert now() == 4


@virtual
async def test_a_handler_that_fails_while_it_is_cancelled_is_logged(caplog):
    async def clumsy(method, params):
        try:
            await asyncio.sleep(9)
        finally:
            raise ValueError("in the clean-up")

    near, wire = memory_pair()
    async with Peer(near, clumsy):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        asyncio.get_running_loop().call_later(
            1, wire.write, b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'
        )
        assert b"-32800" in await read_line(wire)
    assert "clean-up" in caplog.text


@virtual
async def test_a_cancel_in_the_batch_of_its_request_stops_it():
    near, wire = memory_pair()
    async with Peer(near, handler):
        wire.write(
            b'[{"jsonrpc":"2.0","method":"sleep","params":[60],"id":1},'
            b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}]'
        )
        assert b"-32800" in await read_line(wire)


@virtual
async def test_progress_comes_before_the_reply_and_never_after():
    async def steps(method, params):
        asyncio.get_running_loop().call_later(9, progress, 9)
        for done in (1, 2):
            await asyncio.sleep(1)
            progress(done)

    near, wire = memory_pair()
    async with Peer(near, steps):
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"workDoneToken":"t"},"id":1}')
        for done in (1, 2):
            assert await read_line(wire) == (
                b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":%d}}' % done
            )
        assert b"result" in await read_line(wire)
        await asyncio.sleep(20)
    assert await wire.read() == []


@virtual
async def test_work_in_the_manner_of_lsp_has_a_begin_and_an_end():
    async def build(method, params):
        for done, message in enumerate(("compiling", "linking")):
            progress(done, 2, message)
            await asyncio.sleep(1)

    near, wire = memory_pair()
    async with Peer(near, build):
        wire.write(b'{"jsonrpc":"2.0","method":"build","params":{"workDoneToken":"t"},"id":1}')
        came = [json.loads(await read_line(wire)) for _ in range(4)]
    assert [message["params"]["value"] for message in came[:3]] == [
        {"kind": "begin", "title": "build", "percentage": 0, "message": "compiling"},
        {"kind": "report", "percentage": 50, "message": "linking"},
        {"kind": "end"},
    ]
    assert came[3] == {"jsonrpc": "2.0", "result": None, "id": 1}


@virtual
async def test_work_of_which_nothing_was_said_has_no_end():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: None):
        wire.write(b'{"jsonrpc":"2.0","method":"build","params":{"workDoneToken":"t"},"id":1}')
        assert b'"result":null' in await read_line(wire)


@virtual
async def test_progress_without_a_token_is_not_sent():
    def steps(method, params):
        progress(1)
        return "done"

    near, wire = memory_pair()
    async with Peer(near, steps, dialect="mcp"):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        assert b"done" in await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"_meta":{"progressToken":"t"}}}')
        wire.write(
            b'{"jsonrpc":"2.0","method":"m","params":{"_meta":{"progressToken":"abc"}},"id":2}'
        )
        assert await read_line(wire) == (
            b'{"jsonrpc":"2.0","method":"notifications/progress",'
            b'"params":{"progressToken":"abc","progress":1}}'
        )


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
@virtual
async def test_the_caller_hears_progress_and_a_fault_of_its_own_does_no_harm(manner, caplog):
    async def steps(method, params):
        progress(1)
        progress(2)

    def hear(value):
        heard.append(value)
        raise ZeroDivisionError

    heard = []
    near, far = memory_pair()
    async with Peer(near, dialect=manner) as peer, Peer(far, steps, dialect=manner):
        assert await peer.call("m", on_progress=hear) is None
    assert heard == ([1, 2] if manner == "lsp" else [{"progress": 1}, {"progress": 2}])
    assert "ZeroDivisionError" in caplog.text


@virtual
async def test_progress_of_a_peers_own_token_goes_to_the_handler():
    near, wire = memory_pair()
    came = []
    async with Peer(near, lambda method, params: came.append((method, params))):
        wire.write(b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":"theirs","value":1}}')
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        await read_line(wire)
    assert came[0] == ("$/progress", {"token": "theirs", "value": 1})


@pytest.mark.parametrize("extend", [True, False])
@virtual
async def test_progress_extends_the_time_only_when_asked(extend):
    async def steps(method, params):
        for done in range(4):
            await asyncio.sleep(2)
            progress(done)
        return "done"

    heard = []
    near, far = memory_pair()
    async with Peer(near) as peer, Peer(far, steps):
        call = peer.call("m", timeout=3, extend=extend, on_progress=heard.append)
        if extend:
            assert await call == "done"
            assert (now(), heard) == (8, [0, 1, 2, 3])
        else:
            with pytest.raises(TimeoutError):
                await call
            assert (now(), heard) == (3, [0])


@virtual
async def test_progress_in_the_moment_of_the_timeout_comes_too_late(caplog):
    near, wire = memory_pair()
    async with Peer(near) as peer:
        note = b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":1}}'
        asyncio.get_running_loop().call_at(3, wire.write, note)
        with pytest.raises(TimeoutError):
            await peer.call("m", timeout=3, extend=True)
    assert now() == 3
    assert not caplog.records


@virtual
async def test_no_progress_is_sent_by_a_thread_after_the_reply():
    report = []

    async def steps(method, params):
        from rpclab.peer.call_context import _current

        report.append(_current.get().reporter)
        thread = threading.Thread(target=report[0], args=(1, None, None))
        thread.start()
        thread.join()
        return "done"

    near, wire = memory_pair()
    async with Peer(near, steps):
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"workDoneToken":"t"},"id":1}')
        assert b'"value":1' in await read_line(wire)
        assert b"done" in await read_line(wire)
        thread = threading.Thread(target=report[0], args=(2, None, None))
        thread.start()
        thread.join()
        await asyncio.sleep(1)
        assert not wire._inbox


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


# Both ways at once


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


# The end


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
async def test_the_end_of_the_stream_ends_every_pending_call_and_those_that_come():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        calls = [asyncio.create_task(peer.call("m")) for _ in range(3)]
        calls.append(asyncio.create_task(peer.batch([("a", None), ("b", None)])))
        await asyncio.sleep(1)
        await wire.close()
        for call in calls:
            with pytest.raises(PeerGone, match="has ended"):
                await call
        with pytest.raises(PeerGone):
            await peer.call("m")
        with pytest.raises(PeerGone):
            await peer.notify("m")
        await peer.finished()


@virtual
async def test_a_call_that_is_cancelled_as_the_stream_ends_ends_once():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        call = asyncio.create_task(peer.call("m"))
        await asyncio.sleep(1)
        await wire.close()
        call.cancel()
        await asyncio.wait([call])
        assert call.cancelled()


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


@pytest.mark.parametrize(("manner", "replies"), [("lsp", 1), ("mcp", 0)])
@virtual
async def test_leaving_cancels_what_runs(manner, replies):
    near, wire = memory_pair()
    async with Peer(near, handler, dialect=manner):
        wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[60],"id":1}')
        wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[60]}')
        await asyncio.sleep(1)
    assert now() == 1
    lines = await wire.read()
    assert [b"-32800" in line for line in lines] == [True] * replies


@virtual
async def test_leaving_before_a_handler_has_begun_leaves_no_coroutine():
    near, wire = memory_pair()
    wire.write(b'{"jsonrpc":"2.0","method":"sleep","params":[60],"id":1}')
    wire.write(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}')
    async with Peer(near, handler):
        assert b"-32800" in await read_line(wire)


@virtual
async def test_leaving_does_not_wait_for_a_peer_that_does_not_read():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: "x" * HIGH):
        for id in range(5):
            wire.write(b'{"jsonrpc":"2.0","method":"m","id":%d}' % id)
        await asyncio.sleep(1)
    assert now() <= 3


# Field reports


@pytest.mark.parametrize("row", REPLAYED, ids=[row["id"] for row in REPLAYED])
@virtual
async def test_what_the_field_reported_of_clients_does_not_happen_here(row, caplog):
    near, wire = memory_pair()
    answered = []
    first = row.get("first", 1)

    def answer(method, params):
        answered.append(method)
        return params

    async with Peer(near, answer) as peer:
        peer._outgoing._pending = Pending(first)
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


@virtual
async def test_a_timer_that_depends_on_progress_sends_a_token():
    near, wire = memory_pair()
    async with Peer(near, dialect="mcp") as peer:
        call = asyncio.create_task(peer.call("m", timeout=5, extend=True))
        assert await read_line(wire) == (
            b'{"jsonrpc":"2.0","method":"m","params":{"_meta":{"progressToken":1}},"id":1}'
        )
        await asyncio.sleep(4)
        wire.write(
            b'{"jsonrpc":"2.0","method":"notifications/progress",'
            b'"params":{"progressToken":1,"progress":1}}'
        )
        with pytest.raises(TimeoutError):
            await call
        assert now() == 9


@virtual
async def test_a_handler_may_cancel_a_call_of_its_own():
    async def changes_its_mind(method, params):
        call = asyncio.create_task(peer.call("back"))
        await asyncio.sleep(1)
        call.cancel()
        await asyncio.wait([call])
        return "done"

    near, wire = memory_pair()
    async with Peer(near, changes_its_mind) as peer:
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        assert b"back" in await read_line(wire)
        assert b"$/cancelRequest" in await read_line(wire)
        assert b"done" in await read_line(wire)


# A thousand calls each way


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


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
@pytest.mark.parametrize("seed", range(3))
@virtual
async def test_a_thousand_calls_each_way_end_once_each(seed, manner):
    near, far = memory_pair(latency=0.5)
    async with (
        Peer(near, work, dialect=manner) as one,
        Peer(far, work, dialect=manner) as two,
    ):
        ends = await storm(one, two, seed, 1000, 1.0)
        await asyncio.sleep(60)
        strays = Counter(s.reason for peer in (one, two) for s in peer.strays)
        assert set(strays) <= {"late: its call was given up"}
        assert one._outgoing._pending.close() + two._outgoing._pending.close() == []
    assert ends.total() == 2000
    assert all(ends[end] for end in ("result", "cancelled", "timed out"))


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


# Streams


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
