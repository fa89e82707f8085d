"""A call in progress, as its handler sees it."""

import threading
from contextvars import copy_context

import pytest

from rpclab.errors import InvalidRequest
from rpclab.peer.call_context import (
    ERR_REQUEST_CANCELLED,
    CallContext,
    InFlight,
    RequestCancelled,
    cancelled,
    in_call,
    in_notification,
    progress,
    set_call_context,
)


def inside(running, function, *args):
    context = copy_context()
    context.run(set_call_context, running)
    return context.run(function, *args)


def test_outside_a_call_nothing_is_cancelled_and_progress_goes_nowhere():
    progress(1)
    assert not cancelled()
    assert not in_call()


def test_a_handler_sees_whether_it_handles_a_notification():
    assert inside(CallContext(), in_notification)
    assert not inside(InFlight().open(None), in_notification)
    assert not in_notification()


def test_a_handler_sees_that_its_call_is_cancelled():
    running = CallContext()
    assert inside(running, in_call)
    assert not inside(running, cancelled)
    running.cancel()
    assert inside(running, cancelled)


def test_a_thread_with_the_calls_context_sees_it_too():
    running, seen = CallContext(), []
    running.cancel()
    context = copy_context()
    context.run(set_call_context, running)
    thread = threading.Thread(target=lambda: seen.append(context.run(cancelled)))
    thread.start()
    thread.join()
    assert seen == [True]


def test_cancelling_twice_is_cancelling_once():
    running, asked = CallContext(), []
    running.on_cancel = lambda: asked.append("stop")
    running.cancel()
    running.cancel()
    assert asked == ["stop"]


def test_progress_is_reported_while_the_call_runs_and_not_after():
    running, reported = CallContext(), []
    running.reporter = lambda *note: reported.append(note)
    inside(running, progress, 1, 2, "half")
    running.ended = True
    inside(running, progress, 2)
    assert reported == [(1, 2, "half")]


def test_progress_that_nobody_asked_for_goes_nowhere():
    inside(CallContext(), progress, 1)


def test_a_second_request_with_an_id_in_flight_is_refused():
    in_flight = InFlight()
    in_flight.open(7)
    with pytest.raises(InvalidRequest) as refused:
        in_flight.open(7.0)
    assert refused.value.data == "a request with this id is in flight"


def test_an_id_may_be_used_again_when_its_call_has_ended():
    in_flight = InFlight()
    in_flight.close(in_flight.open(7))
    assert in_flight.open(7).id == 7


def test_a_notification_has_no_place_in_the_table():
    in_flight = InFlight()
    request, notification = in_flight.open(None), CallContext()
    in_flight.close(notification)
    assert notification.ended
    with pytest.raises(InvalidRequest):
        in_flight.open(None)
    in_flight.close(request)


@pytest.mark.parametrize("id", [8, "1", None, [], {}, True])
def test_a_cancel_for_an_unknown_id_is_no_error_and_stops_nothing(id):
    in_flight = InFlight()
    running = in_flight.open(1)
    in_flight.cancel(id)
    assert not running.cancelled


def test_a_cancel_stops_the_request_that_it_names():
    in_flight = InFlight()
    running = in_flight.open("a")
    in_flight.cancel("a")
    assert running.cancelled


def test_the_error_of_a_cancelled_call_has_the_code_of_lsp():
    assert (RequestCancelled().code, RequestCancelled().message) == (
        ERR_REQUEST_CANCELLED,
        "Request cancelled",
    )
