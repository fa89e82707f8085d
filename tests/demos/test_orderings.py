"""Every order of a call's events, and the virtual clock that they run on."""

import asyncio

import pytest

from rpclab.demos import orderings
from rpclab.demos.virtual_clock import Stuck, run
from rpclab.peer.flow import Flow
from rpclab.peer.peer import Peer
from tests.peer.virtual import virtual

EVERY = [(manner, wire) for manner in ("lsp", "mcp") for wire in orderings.WIRES]


def labels(row):
    return [sent.label for sent in row.messages]


# The explorer


@pytest.mark.parametrize(("manner", "wire"), EVERY)
def test_every_order_is_there_once_and_none_has_a_fault(manner, wire):
    table = orderings.table(manner, wire)
    assert len(table) == len({row.order for row in table}) == 24
    assert [row.faults for row in table] == [[]] * 24


@pytest.mark.parametrize(("manner", "wire"), EVERY)
def test_a_call_is_cancelled_at_the_peer_once_or_not_at_all(manner, wire):
    assert {labels(row).count("cancel") for row in orderings.table(manner, wire)} <= {0, 1}


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
def test_on_a_fast_wire_the_first_of_three_ends_the_call(manner):
    ends = {"return": "result", "cancel": "cancelled", "timeout": "timed out"}
    for row in orderings.table(manner):
        first = next(event for event in row.order if event in ends)
        assert row.caller == ends[first]
        assert row.server == ("returned" if first == "return" else "was stopped")
        assert row.heard == (row.order.index("progress") < row.order.index(first))


@pytest.mark.parametrize(("manner", "reply"), [("lsp", ["error -32800"]), ("mcp", [])])
def test_a_cancel_that_arrives_in_time_is_answered_in_one_manner_alone(manner, reply):
    row = orderings.try_order(("cancel", "progress", "return", "timeout"), manner)
    assert labels(row) == ["call", "cancel", *reply]


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
def test_a_cancel_that_crosses_the_reply_finds_nothing_to_cancel(manner):
    row = orderings.try_order(("progress", "return", "cancel", "timeout"), manner, "crossing")
    assert labels(row) == ["call", "progress", "result", "cancel"]
    assert (row.caller, row.server) == ("cancelled", "returned")


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
def test_on_a_slow_wire_the_caller_hears_nothing_in_time(manner):
    for row in orderings.table(manner, "slow"):
        assert row.caller in ("cancelled", "timed out")
        assert (row.server, row.heard) == ("returned", 0)


def test_the_table_is_the_same_each_time():
    assert orderings.table("lsp", "crossing") == orderings.table("lsp", "crossing")


def test_a_row_is_shown_as_a_line_of_a_table():
    table = orderings.table("lsp")
    assert str(table).splitlines()[0] == "| order | caller | server | heard | messages |"
    assert repr(table) == table._repr_markdown_() == str(table)
    assert str(table[-1]) == (
        "| timeout < cancel < return < progress | timed out | was stopped | 0 "
        "| → call, → cancel, ← error -32800 |"
    )


def test_a_row_is_drawn_as_a_sequence():
    row = orderings.try_order(("progress", "cancel", "return", "timeout"), "mcp", "crossing")
    assert row.mermaid().splitlines() == [
        "sequenceDiagram",
        "    participant Caller",
        "    participant Server",
        "    Caller->>Server: call (there at 0)",
        "    Note over Server: progress",
        "    Server->>Caller: progress (there at 2.5)",
        "    Note over Caller: cancel",
        "    Caller->>Server: cancel (there at 3.5)",
        "    Note over Server: return",
        "    Server->>Caller: result (there at 4.5)",
        "    Note over Caller: timeout",
    ]


# Planted defects


class TardyProgress(Flow):
    """Sends progress after the call has ended, so the reply comes first."""

    def send_progress(self, text):
        """Report five steps late."""
        asyncio.get_running_loop().call_later(5, super().send_progress, text)


class AnswersCancelTwice(Flow):
    """Settles a cancelled call twice."""

    def send_reply(self, text):
        """Send it, and send some messages a second time."""
        super().send_reply(text)
        if text and "-32800" in text:
            super().send_reply(text)


class CancelsTwice(Flow):
    """Sends each cancel twice."""

    def write(self, text):
        """Send it, and send some messages a second time."""
        super().write(text)
        if "$/cancel" in text or "/cancelled" in text:
            super().write(text)


class HangsUp(Flow):
    """Closes the stream instead of answering."""

    def send_reply(self, text):
        """Close the stream."""
        asyncio.get_running_loop().create_task(self._transport.close())


class AnswersNonsense(Flow):
    """Answers with an error, whatever the handler returned."""

    def send_reply(self, text):
        """Send something else."""
        super().send_reply(text and '{"jsonrpc":"2.0","error":{"code":1,"message":"?"},"id":1}')


@pytest.mark.parametrize("world", EVERY)
@pytest.mark.parametrize(
    ("defect", "mark", "fault"),
    [
        (TardyProgress, "progress", "progress after the reply"),
        (AnswersCancelTwice, "error -32800", "two replies"),
        (CancelsTwice, "cancel", None),
    ],
)
def test_a_planted_defect_changes_the_rows_that_it_should(defect, mark, fault, world, monkeypatch):
    clean = orderings.table(*world)
    monkeypatch.setattr("rpclab.peer.peer.Flow", defect)
    planted = orderings.table(*world)
    changed = [row.order for row, bad in zip(clean, planted, strict=True) if row != bad]
    assert changed == [row.order for row in clean if mark in labels(row)]
    for bad in planted:
        replies = [label for label in labels(bad) if label in ("result", "error -32800")]
        assert bad.faults == ([fault] if bad.order in changed and fault and replies else [])


@pytest.mark.parametrize(
    ("defect", "caller"), [(HangsUp, "PeerGone"), (AnswersNonsense, "error 1")]
)
def test_other_ends_of_a_call_are_told_too(defect, caller, monkeypatch):
    monkeypatch.setattr("rpclab.peer.peer.Flow", defect)
    row = orderings.try_order(("return", "progress", "cancel", "timeout"), "lsp")
    assert row.caller == caller


def test_a_peer_of_another_make_can_be_tried():
    class Patient(Peer):
        async def call(self, method, params=None, *, timeout=None, **options):
            return await super().call(method, params, **options)

    assert {row.caller for row in orderings.table("lsp", peer=Patient)} == {"result", "cancelled"}


# The virtual clock


def test_a_day_passes_at_once_and_a_result_is_given():
    async def a_day():
        await asyncio.sleep(86_400)
        return asyncio.get_running_loop().time()

    assert run(a_day()) == 86_400


def test_timers_of_one_time_fire_in_the_order_in_which_they_were_set():
    async def main():
        for place in range(50):
            asyncio.get_running_loop().call_later(1, fired.append, place)
        asyncio.get_running_loop().call_later(1, fired.append, "never").cancel()
        asyncio.get_running_loop().call_soon(fired.append, "never").cancel()
        await asyncio.sleep(1)

    fired = []
    run(main())
    assert fired == list(range(50))


def test_what_can_never_happen_is_said_at_once():
    with pytest.raises(Stuck, match="no timer is left"):
        run(asyncio.Event().wait())


def test_a_task_that_is_left_is_told():
    async def main():
        left.append(asyncio.create_task(asyncio.sleep(1)))

    left = []
    with pytest.raises(RuntimeError, match="1 tasks are left"):
        run(main())


def test_a_failure_that_nobody_sees_is_told():
    async def main():
        asyncio.get_running_loop().call_exception_handler(
            {"message": "unseen", "exception": ZeroDivisionError()}
        )

    with pytest.raises(RuntimeError, match="unseen") as error:
        run(main())
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_a_callback_that_raises_ends_the_run_and_leaves_no_task():
    async def main():
        asyncio.get_running_loop().call_soon(divide)
        try:
            await asyncio.sleep(1)
        finally:
            ended.append("cleaned up")

    def divide():
        raise ZeroDivisionError

    ended = []
    with pytest.raises(ZeroDivisionError):
        run(main())
    assert ended == ["cleaned up"]


def test_it_runs_inside_a_running_loop_which_stands_still_meanwhile():
    async def cell():
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert len(orderings.table("lsp")) == 24
        assert asyncio.current_task() is task
        assert asyncio.get_running_loop() is loop
        await asyncio.sleep(0)

    asyncio.run(cell())


def test_it_runs_in_a_callback_of_a_running_loop_too():
    async def main():
        asyncio.get_running_loop().call_soon(lambda: found.append(len(orderings.table("mcp"))))
        await asyncio.sleep(0)

    found = []
    asyncio.run(main())
    assert found == [24]


@virtual
async def test_it_is_an_event_loop_like_another():
    loop = asyncio.get_running_loop()
    assert loop.is_running()
    assert not loop.is_closed()
    assert not loop.get_debug()
    async with asyncio.timeout(None):
        assert await asyncio.gather(asyncio.sleep(2, "two"), asyncio.sleep(1, "one")) == [
            "two",
            "one",
        ]
    assert loop.time() == 2
