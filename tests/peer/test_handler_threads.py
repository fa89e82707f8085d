"""Threads for handlers: as many as wait at once, and none that keeps us."""

import subprocess
import sys
import threading
from contextvars import ContextVar

import pytest

from rpclab.peer.handler_threads import HandlerThreads

VALUE = ContextVar("value", default=None)


@pytest.fixture
def threads():
    before = threading.active_count()
    pool = HandlerThreads(most=200)
    yield pool
    pool.end()
    pool.join(60)
    assert threading.active_count() == before


def fail(kind):
    raise kind("why")


def test_the_outcome_is_a_result(threads):
    assert threads.submit(max, 1, 2).result() == 2


@pytest.mark.parametrize("kind", [ValueError, SystemExit])
def test_the_outcome_is_what_the_handler_raised(threads, kind):
    assert isinstance(threads.submit(fail, kind).exception(), kind)
    assert threads.submit(max, 1, 2).result() == 2


def test_a_handler_has_the_context_in_which_it_was_submitted(threads):
    VALUE.set("mine")
    assert threads.submit(VALUE.get).result() == "mine"


def test_a_handler_that_waits_holds_up_no_other(threads):
    go = threading.Event()
    waiting = [threads.submit(go.wait, 60) for _ in range(100)]
    assert threads.submit(max, 1, 2).result() == 2
    go.set()
    assert all(outcome.result() for outcome in waiting)


def test_those_in_turn_run_one_after_another_and_hold_up_no_other(threads):
    go, ran = threading.Event(), []
    first = threads.submit(go.wait, 60, in_turn=True)
    rest = [threads.submit(ran.append, n, in_turn=True) for n in range(300)]
    assert threads.submit(max, 1, 2).result() == 2
    assert ran == []
    go.set()
    assert first.result()
    rest[-1].result()
    assert ran == [*range(300)]
    assert threads.submit(max, 1, 2, in_turn=True).result() == 2


def test_one_in_turn_that_fails_does_not_hold_up_the_next(threads):
    assert isinstance(threads.submit(fail, ValueError, in_turn=True).exception(), ValueError)
    assert threads.submit(max, 1, 2, in_turn=True).result() == 2


def test_a_free_thread_is_used_again(threads):
    seen = set()
    while (ident := threads.submit(threading.get_ident).result()) not in seen:
        seen.add(ident)
        assert len(seen) < 200  # it takes a moment until a thread is free again


def test_more_handlers_than_there_may_be_threads_wait_for_their_turn(threads):
    go = threading.Event()
    waiting = [threads.submit(go.wait, 60) for _ in range(300)]
    assert sum(outcome.running() for outcome in waiting) == 300  # none of them can be cancelled
    assert sum(thread.name == "rpclab handler" for thread in threading.enumerate()) == 200
    go.set()
    assert all(outcome.result() for outcome in waiting)


def test_what_is_submitted_in_turn_runs_one_after_another(threads):
    go, order = threading.Event(), []
    first = threads.submit(go.wait, 60, in_turn=True)
    outcomes = [threads.submit(order.append, n, in_turn=True) for n in range(20)]
    assert threads.submit(max, 1, 2).result() == 2  # others do not wait
    assert order == []
    go.set()
    assert [outcome.result() for outcome in outcomes] == [None] * 20
    assert first.result()
    assert order == list(range(20))


def test_an_outcome_cannot_be_cancelled(threads):
    go = threading.Event()
    outcome = threads.submit(go.wait, 60)
    assert not outcome.cancel()
    go.set()
    assert outcome.result()


def test_a_handler_that_never_ends_is_not_waited_for():
    """It keeps neither ``join`` nor Python itself."""
    code = (
        "import threading\n"
        "from rpclab.peer.handler_threads import HandlerThreads\n"
        "threads = HandlerThreads(1)\n"
        "threads.submit(threading.Event().wait)\n"
        "threads.end()\n"
        "threads.join(0.01)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
