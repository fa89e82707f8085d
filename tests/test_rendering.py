"""Message to JSON text: each shape, member by member."""

import json
import logging
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpclab.codec import decode
from rpclab.errors import JsonRpcError, MethodNotFound
from rpclab.messages import ErrorResponse, Notification, Request, SuccessResponse
from rpclab.parsing import read_message
from rpclab.rendering import render, render_error, render_result

TEXT = st.text(st.characters(exclude_categories=[]))
IDS = TEXT | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.none()
SCALARS = st.booleans() | IDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=9
)
PARAMS = st.none() | st.lists(VALUES, max_size=4) | st.dictionaries(TEXT, VALUES, max_size=4)
ERRORS = st.builds(JsonRpcError, TEXT, code=st.integers(), data=VALUES) | st.builds(
    JsonRpcError, TEXT, code=st.integers()
)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            Request("sum", [1, 2], 7),
            '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":7}',
        ),
        (
            Request("sum", {"a": 1}, "x"),
            '{"jsonrpc":"2.0","method":"sum","params":{"a":1},"id":"x"}',
        ),
        (Request("get_data", None, None), '{"jsonrpc":"2.0","method":"get_data","id":null}'),
        (Request("echo", [], 1.5), '{"jsonrpc":"2.0","method":"echo","params":[],"id":1.5}'),
        (Notification("update", [1]), '{"jsonrpc":"2.0","method":"update","params":[1]}'),
        (Notification("update", None), '{"jsonrpc":"2.0","method":"update"}'),
        (SuccessResponse(19, 1), '{"jsonrpc":"2.0","result":19,"id":1}'),
        (SuccessResponse(None, "x"), '{"jsonrpc":"2.0","result":null,"id":"x"}'),
        (SuccessResponse(True, None), '{"jsonrpc":"2.0","result":true,"id":null}'),
        (
            ErrorResponse(MethodNotFound(), 2),
            '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":2}',
        ),
        (
            ErrorResponse(JsonRpcError("no", code=1, data=None), None),
            '{"jsonrpc":"2.0","error":{"code":1,"message":"no","data":null},"id":null}',
        ),
    ],
)
def test_a_message_is_written_in_the_order_of_the_specification(message, line):
    assert render(message) == line


def test_true_is_not_written_as_the_number_one():
    assert render_result(True, 1) == '{"jsonrpc":"2.0","result":true,"id":1}'


def test_an_id_is_written_digit_for_digit():
    assert '"id":9007199254740993}' in render_result("b", 9007199254740993)


def test_a_string_id_stays_a_string():
    assert '"id":"0"}' in render_result("ok", "0")


@pytest.mark.parametrize("result", [{1}, object(), math.nan], ids=["set", "object", "nan"])
def test_a_result_that_json_cannot_hold_is_raised(result):
    with pytest.raises((TypeError, ValueError)):
        render_result(result, 1)


@pytest.mark.parametrize("data", [{1}, object(), math.nan], ids=["set", "object", "nan"])
def test_data_that_json_cannot_hold_is_left_out_and_the_code_kept(data):
    assert render_error(JsonRpcError("no", code=7, data=data), 1) == (
        '{"jsonrpc":"2.0","error":{"code":7,"message":"no"},"id":1}'
    )


def test_data_that_is_nested_too_deeply_is_left_out():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert '"data"' not in render_error(JsonRpcError("no", data=deep), 1)


def test_data_that_is_left_out_is_logged(caplog):
    with caplog.at_level(logging.WARNING, "rpclab"):
        render_error(JsonRpcError("no", code=7, data={1}), 1)
    assert caplog.messages == ["JSON cannot hold the data of error 7; it was left out"]


@given(st.builds(Request, TEXT, PARAMS, IDS) | st.builds(Notification, TEXT, PARAMS))
def test_a_call_is_read_back_as_it_was_written(call):
    assert read_message(decode(render(call))) == call


@given(st.builds(SuccessResponse, VALUES, IDS))
def test_a_success_response_is_read_back_as_it_was_written(response):
    assert read_message(decode(render(response))) == response


@given(st.builds(ErrorResponse, ERRORS, IDS))
def test_an_error_response_is_read_back_as_it_was_written(response):
    error, id = read_message(decode(render(response)))
    wanted = response.error
    assert (error.code, error.message, error.data, id) == (
        wanted.code,
        wanted.message,
        wanted.data,
        response.id,
    )


@given(st.builds(Request, TEXT, PARAMS, IDS))
def test_a_written_request_has_the_members_of_the_specification_and_no_others(request):
    members = json.loads(render(request))
    assert set(members) - {"params"} == {"jsonrpc", "method", "id"}
