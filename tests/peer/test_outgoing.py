"""Our own calls: what is sent, what comes back, and how they end."""

import asyncio
import socket

import pytest

from rpclab.errors import InvalidResponse, JsonRpcError
from rpclab.framing import NewlineFraming
from rpclab.messages import ErrorResponse, Notification, SuccessResponse
from rpclab.peer import (
    CallTimeout,
    Peer,
    PeerGone,
    memory_pair,
    progress,
)
from rpclab.peer.strays import PROGRESS_LATE, PROGRESS_UNKNOWN
from tests.peer.helpers import connected, handler, now, on_a_real_loop, read_line
from tests.peer.virtual import virtual


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
        with pytest.raises(TimeoutError, match=r"no reply to 'm' in time \(5 s\)"):
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


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"line too long"},"id":null}',
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"line too long"}}',
        b'{"id":null,"result":null,"error":{"code":-32700,"message":"line too long"}}',
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"line too long"},"id":"1"}',
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"line too long"},"id":""}',
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"line too long"},"id":0}',
        b"fatal: line too long",
    ],
    ids=["null id", "no id", "1.0", "near id", "empty id", "another id", "no message"],
)
@virtual
async def test_the_caller_learns_what_came_and_could_not_be_settled(line):
    near, wire = memory_pair()
    async with Peer(near) as peer:
        asyncio.get_running_loop().call_later(1, wire.write, line)
        with pytest.raises(CallTimeout, match="line too long") as timeout:
            await peer.call("m", timeout=3)
        waiting = asyncio.create_task(peer.call("m"))
        await asyncio.sleep(1)
        await wire.close()
        with pytest.raises(PeerGone, match="line too long") as gone:
            await waiting
        with pytest.raises(PeerGone, match="line too long"):
            await peer.call("m")
        assert gone.value.strays == timeout.value.strays == tuple(peer.strays)


@on_a_real_loop
async def test_a_line_that_was_dropped_for_its_length_is_told():
    transport, far = await connected(lambda: NewlineFraming(limit=100))
    async with Peer(transport) as peer:
        far.sendall(b'{"jsonrpc":"2.0","result":"%b","id":1}\n' % (b"x" * 500))
        far.shutdown(socket.SHUT_WR)
        with pytest.raises(PeerGone, match=r"a line of more than 100 bytes was dropped$"):
            await peer.call("m")
    far.close()


@virtual
async def test_each_call_is_told_what_came_since_it_began_though_others_have_replies():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        first, second = (asyncio.create_task(peer.call("m")) for _ in range(2))
        await asyncio.sleep(1)
        wire.write(b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"too long"},"id":null}')
        wire.write(b'{"jsonrpc":"2.0","result":2,"id":2}')
        assert await second == 2
        await wire.close()
        with pytest.raises(PeerGone, match="too long"):
            await first


@virtual
async def test_what_came_before_the_last_good_reply_is_not_told():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        wire.write(b"ready on stdio")
        wire.write(b'{"jsonrpc":"2.0","result":1,"id":1}')
        assert await peer.call("m") == 1
        with pytest.raises(CallTimeout, match=r"in time \(1 s\)$"):
            await peer.call("m", timeout=1)


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


@virtual
async def test_progress_that_nobody_asked_for_is_dropped_and_reported():
    near, wire = memory_pair()
    async with Peer(near, lambda method, params: method) as peer:
        call = asyncio.create_task(peer.call("m"))
        await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":1}}')
        wire.write(b'{"jsonrpc":"2.0","result":"done","id":1}')
        assert await call == "done"
        wire.write(b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":2}}')
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":"m","id":1}'
        assert [stray.reason for stray in peer.strays] == [PROGRESS_UNKNOWN, PROGRESS_LATE]
