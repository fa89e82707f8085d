"""The calls of the peer: what each is answered, and how it ends."""

import asyncio
import json
import threading
from contextlib import suppress
from contextvars import copy_context

import pytest

from rpclab.demos.virtual_clock import run
from rpclab.errors import JsonRpcError, MethodNotFound
from rpclab.peer import (
    Peer,
    cancelled,
    memory_pair,
    progress,
)
from tests.peer.helpers import handler, now, read_line
from tests.peer.virtual import virtual


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


def in_a_thread(context, function, *args):
    """Run a function in a thread that has a call's context, and wait for its end."""
    thread = threading.Thread(target=context.run, args=(function, *args))
    thread.start()
    thread.join()


@virtual
async def test_a_thread_of_a_handler_sends_progress_until_the_call_has_ended():
    contexts = []

    async def steps(method, params):
        contexts.append(copy_context())
        in_a_thread(contexts[0], progress, 1)
        return "done"

    near, wire = memory_pair()
    async with Peer(near, steps):
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"workDoneToken":"t"},"id":1}')
        assert b'"value":1' in await read_line(wire)
        assert b"done" in await read_line(wire)
        in_a_thread(contexts[0], progress, 2)
        await asyncio.sleep(1)
    assert await wire.read() == []


@virtual
async def test_progress_from_a_thread_that_comes_after_the_reply_is_dropped():
    def plain(method, params):  # it holds the loop, so the reply is made first
        in_a_thread(copy_context(), progress, 1)
        return "done"

    near, wire = memory_pair()
    async with Peer(near, plain):
        wire.write(b'{"jsonrpc":"2.0","method":"m","params":{"workDoneToken":"t"},"id":1}')
        assert b"done" in await read_line(wire)
        await asyncio.sleep(1)
    assert await wire.read() == []


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (JsonRpcError("no", code=1), b'"error":{"code":1,"message":"no"}'),
        (ZeroDivisionError(), b'"data":{"exception":"ZeroDivisionError"}'),
        (asyncio.CancelledError(), b'"data":{"exception":"CancelledError"}'),
    ],
    ids=["its own error", "a bug", "a cancel that the caller did not send"],
)
@virtual
async def test_an_async_handler_that_raises_is_answered_like_a_plain_one(raised, error):
    async def fails(method, params):
        await asyncio.sleep(1)
        raise raised

    near, wire = memory_pair()
    async with Peer(near, fails):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        assert error in await read_line(wire)


@virtual
async def test_a_result_of_an_async_handler_that_json_cannot_hold_is_an_internal_error():
    async def gives_a_set(method, params):
        return {1}

    near, wire = memory_pair()
    async with Peer(near, gives_a_set):
        wire.write(b'{"jsonrpc":"2.0","method":"m"}')
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        assert b'"data":{"exception":"TypeError"}' in await read_line(wire)


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


async def refuses(method, params):
    raise MethodNotFound


def knows(method, params):
    return "mine"


@pytest.mark.parametrize(
    ("dialect", "of_ping", "answer"),
    [
        ("mcp", None, '"result":{}'),
        ("mcp", handler, '"result":{}'),
        ("mcp", refuses, '"result":{}'),
        ("mcp", knows, '"result":"mine"'),
        ("lsp", handler, '"code":-32601'),
        ("lsp", None, '"code":-32601'),
    ],
)
@virtual
async def test_a_ping_of_mcp_is_answered_unless_the_handler_does_it(dialect, of_ping, answer):
    near, wire = memory_pair()
    async with Peer(near, of_ping, dialect=dialect):
        wire.write(b'{"jsonrpc":"2.0","method":"ping","id":"123"}')
        assert answer.encode() in await read_line(wire)
        if of_ping is not knows:
            wire.write(b'{"jsonrpc":"2.0","method":"pong","id":1}')
            assert b"-32601" in await read_line(wire)


@virtual
async def test_a_plain_handler_that_knows_no_ping_need_not(caplog):
    def plain(method, params):
        raise MethodNotFound

    near, wire = memory_pair()
    async with Peer(near, plain, dialect="mcp"):
        wire.write(b'{"jsonrpc":"2.0","method":"ping"}')
        wire.write(b'{"jsonrpc":"2.0","method":"ping","id":1}')
        assert b'"result":{},"id":1' in await read_line(wire)
        wire.write(b'{"jsonrpc":"2.0","method":"pong","id":1}')
        assert b"-32601" in await read_line(wire)


@virtual
async def test_a_future_whose_call_is_cancelled_before_it_is_awaited_is_cancelled():
    near, wire = memory_pair()
    future = asyncio.get_running_loop().create_future()
    async with Peer(near, lambda method, params: future):
        wire.write(
            b'[{"jsonrpc":"2.0","method":"m","id":1},'
            b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}]'
        )
        assert b"-32800" in await read_line(wire)
    assert future.cancelled()


@virtual
async def test_any_awaitable_will_do_and_its_call_can_be_cancelled():
    class Ready:
        def __await__(self):
            return asyncio.sleep(1, "done").__await__()

    near, wire = memory_pair()
    async with Peer(near, lambda method, params: Ready()):
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":1}')
        wire.write(b'{"jsonrpc":"2.0","method":"m","id":2}')
        wire.write(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}')
        assert b"-32800" in await read_line(wire)
        assert await read_line(wire) == b'{"jsonrpc":"2.0","result":"done","id":2}'
