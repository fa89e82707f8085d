"""A call that another thread carries out: its outcome, and its cancel."""

from concurrent.futures import CancelledError, Future, wait

import pytest

from rpclab.peer.call_future import CallFuture
from rpclab.peer.failures import CallTimeout, PeerGone


def explain(error):
    return type(error)(f"explained: {error}")


def following():
    future, running = CallFuture(explain), Future()
    future.follow(running)
    return future, running


def test_it_ends_with_the_same_result():
    future, running = following()
    running.set_result(19)
    assert (future.result(), future.exception()) == (19, None)


def test_an_error_is_passed_on_as_it_is():
    future, running = following()
    error = ZeroDivisionError()
    running.set_exception(error)
    assert future.exception() is error
    with pytest.raises(ZeroDivisionError):
        future.result()


@pytest.mark.parametrize("kind", [CallTimeout, PeerGone])
def test_a_call_without_a_reply_is_explained_to_whoever_asks(kind):
    future, running = following()
    running.set_exception(kind("no reply"))
    with pytest.raises(kind, match="explained: no reply"):
        future.result()
    assert str(future.exception()) == "explained: no reply"


def test_its_cancel_cancels_the_other_one():
    future, running = following()
    assert future.cancel()
    assert running.cancelled()
    assert wait([future], timeout=0).done == {future}
    with pytest.raises(CancelledError):
        future.result()


def test_a_result_that_comes_after_the_cancel_changes_nothing():
    future, running = CallFuture(explain), Future()
    running.set_running_or_notify_cancel()  # it cannot be stopped any more
    future.follow(running)
    assert future.cancel()
    running.set_result(19)
    assert future.cancelled()


def test_the_end_of_the_event_loop_is_the_end_of_the_stream():
    future, running = following()
    running.cancel()
    with pytest.raises(PeerGone, match="explained: the stream from the peer has ended"):
        future.result()


def test_waiting_for_it_can_have_an_end():
    future, _ = following()
    with pytest.raises(TimeoutError):
        future.result(timeout=0)
