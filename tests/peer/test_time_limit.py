"""How long a call may take."""

import asyncio

import pytest

from rpclab.peer import CallTimeout, Peer, memory_pair, progress
from rpclab.peer.time_limit import TimeLimit
from rpclab.peer.transports import HIGH
from tests.peer.helpers import now, read_line
from tests.peer.virtual import virtual


async def steps(method, params):
    for done in range(100):
        await asyncio.sleep(2)
        progress(done)


@pytest.mark.parametrize(("timeout", "end"), [(3, 9), (None, 9), (20, 9)])
@virtual
async def test_a_maximum_holds_whatever_progress_comes(timeout, end):
    near, far = memory_pair()
    async with Peer(near) as peer, Peer(far, steps):
        with pytest.raises(CallTimeout, match=r"no reply to 'm' in time \(9 s at most\)"):
            await peer.call("m", timeout=timeout, extend=True, max_timeout=9)
    assert now() == end


@virtual
async def test_without_progress_the_shorter_time_ends_the_call():
    near, _ = memory_pair()
    async with Peer(near) as peer:
        with pytest.raises(CallTimeout, match=r"\(3 s\)"):
            await peer.call("m", timeout=3, extend=True, max_timeout=9)
    assert now() == 3


@virtual
async def test_no_limit_is_no_limit():
    async with TimeLimit(None).start():
        await asyncio.sleep(1e6)


@virtual
async def test_the_time_to_write_counts_for_calls_batches_and_notifications():
    near, _ = memory_pair()
    async with Peer(near) as peer:
        blocked = "could not be sent in time (1 s): the peer does not take what is written"
        with pytest.raises(CallTimeout) as error:
            await peer.call("first", ["x" * 2 * HIGH], timeout=1)
        assert str(error.value) == (
            "no reply to 'first' in time (1 s); the peer does not take what is written"
        )
        for action, what in [
            (peer.call("m", timeout=1), "'m'"),
            (peer.batch([("m", None)], timeout=1), "the batch"),
            (peer.notify("n", timeout=1), "'n'"),
        ]:
            with pytest.raises(CallTimeout) as error:
                await action
            assert str(error.value) == f"{what} {blocked}"
    assert now() <= 4 + 2  # and the time that leaving gives the peer


@virtual
async def test_a_notification_with_a_time_limit_is_sent_if_there_is_room():
    near, wire = memory_pair()
    async with Peer(near) as peer:
        await peer.notify("n", timeout=1)
        assert await read_line(wire) == b'{"jsonrpc":"2.0","method":"n"}'


@virtual
async def test_a_call_that_waits_for_its_turn_says_so():
    near, _ = memory_pair()
    async with Peer(near, limit=1) as peer:
        first = asyncio.create_task(peer.call("first"))
        await asyncio.sleep(0)
        with pytest.raises(
            CallTimeout, match=r"'second' could not be sent .* too many calls are in"
        ):
            await peer.call("second", timeout=1)
        first.cancel()
        await asyncio.wait([first])
