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
    pool = HandlerThreads()
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


def test_a_free_thread_is_used_again(threads):
    names = set()
    for _ in range(100):
        names.add(threads.submit(threading.get_ident).result())
        threads._free.acquire()  # wait until it is free
        threads._free.release()
    assert len(names) == 1


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
        "threads = HandlerThreads()\n"
        "threads.submit(threading.Event().wait)\n"
        "threads.end()\n"
        "threads.join(0.01)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
