"""The four shapes are values: equal by what they hold, and never changed."""

import pytest

from rpclab.errors import MethodNotFound
from rpclab.messages import ErrorResponse, Notification, Request, SuccessResponse

ONE_OF_EACH = [
    Request("sum", [1, 2], 7),
    Notification("update", {"a": 1}),
    SuccessResponse(19, 1),
    ErrorResponse(MethodNotFound(), 2),
]
SHAPES = ["request", "notification", "success", "error"]


def test_a_request_holds_its_method_its_params_and_its_id():
    request = Request("sum", [1, 2], 7)
    assert (request.method, request.params, request.id) == ("sum", [1, 2], 7)


def test_a_notification_has_no_id():
    assert not hasattr(Notification("update", None), "id")


def test_a_success_response_holds_its_result_and_its_id():
    response = SuccessResponse(None, 1)
    assert (response.result, response.id) == (None, 1)


def test_an_error_response_holds_its_error_and_its_id():
    error = MethodNotFound()
    assert ErrorResponse(error, 2).error is error


@pytest.mark.parametrize("message", ONE_OF_EACH, ids=SHAPES)
def test_a_message_cannot_be_changed(message):
    with pytest.raises(AttributeError):
        message.method = "other"


def test_messages_with_the_same_content_are_equal():
    assert Request("sum", [1], 7) == Request("sum", [1], 7)


def test_a_match_tells_the_shapes_apart():
    match Request("sum", [1, 2], 7):
        case Request(method, params, id):
            assert (method, params, id) == ("sum", [1, 2], 7)


@pytest.mark.parametrize("message", ONE_OF_EACH, ids=SHAPES)
def test_a_message_prints_as_one_would_write_it(message):
    assert repr(message).startswith(f"{type(message).__name__}(")
