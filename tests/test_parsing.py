"""JSON value to message: every branch of the decision tree."""

import pytest

from rpclab.errors import (
    ABSENT,
    InvalidParams,
    InvalidRequest,
    InvalidResponse,
    MethodNotFound,
    ParseError,
)
from rpclab.messages import ErrorResponse, Notification, Request, SuccessResponse
from rpclab.parsing import (
    looks_like_response,
    parse_request,
    read_call,
    read_message,
    read_response,
    readable_id,
)

# --- one line, one call -----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "call"),
    [
        (
            '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":7}',
            Request("sum", [1, 2], 7),
        ),
        (
            b'{"jsonrpc":"2.0","method":"sum","params":{"a":1},"id":"x"}',
            Request("sum", {"a": 1}, "x"),
        ),
        ('{"jsonrpc":"2.0","method":"get_data","id":1}', Request("get_data", None, 1)),
        ('{"jsonrpc":"2.0","method":"get_data","id":null}', Request("get_data", None, None)),
        ('{"jsonrpc":"2.0","method":"update"}', Notification("update", None)),
        ('{"jsonrpc":"2.0","method":"update","params":[]}', Notification("update", [])),
        ('{"jsonrpc":"2.0","method":""}', Notification("", None)),
        ('{"jsonrpc":"2.0","method":"rpc.discover"}', Notification("rpc.discover", None)),
    ],
)
def test_a_line_is_read_as_one_call(line, call):
    assert parse_request(line) == call


@pytest.mark.parametrize("line", [b"{", b"\xff", "", "NaN"])
def test_a_line_that_is_not_json_is_a_parse_error(line):
    with pytest.raises(ParseError):
        parse_request(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[]", "a batch needs at least one member"),
        ('[{"jsonrpc":"2.0","method":"update"}]', "a batch is not one call"),
        ("1", "a call must be an object"),
        ('"jsonrpc"', "a call must be an object"),
        ("null", "a call must be an object"),
        ("{}", 'jsonrpc must be "2.0"'),
        ('{"method":"echo","id":1}', 'jsonrpc must be "2.0"'),
        ('{"jsonrpc":"2.0","id":1}', "method is missing"),
        ('{"jsonrpc":"2.0","result":1,"id":1}', "a response is not a call"),
        ('{"jsonrpc":"2.0","error":{},"id":1}', "a response is not a call"),
        ('{"jsonrpc":"1.0","method":"echo"}', 'jsonrpc must be exactly the string "2.0"'),
        ('{"jsonrpc":2.0,"method":"echo"}', 'jsonrpc must be exactly the string "2.0"'),
        ('{"jsonrpc":2,"method":"echo"}', 'jsonrpc must be exactly the string "2.0"'),
        ('{"jsonrpc":null,"method":"echo"}', 'jsonrpc must be exactly the string "2.0"'),
        ('{"jsonrpc":"2.00","method":"echo"}', 'jsonrpc must be exactly the string "2.0"'),
        ('{"jsonrpc":["2.0"],"method":"echo"}', 'jsonrpc must be exactly the string "2.0"'),
        ('{"jsonrpc":"2.0","method":1}', "method must be a string"),
        ('{"jsonrpc":"2.0","method":null}', "method must be a string"),
        ('{"jsonrpc":"2.0","method":["echo"]}', "method must be a string"),
        (
            '{"jsonrpc":"2.0","method":"echo","params":null}',
            "params must be an array or an object",
        ),
        ('{"jsonrpc":"2.0","method":"echo","params":1}', "params must be an array or an object"),
        ('{"jsonrpc":"2.0","method":"echo","params":"a"}', "params must be an array or an object"),
        (
            '{"jsonrpc":"2.0","method":"echo","params":true,"id":1}',
            "params must be an array or an object",
        ),
        ('{"jsonrpc":"2.0","method":"echo","id":true}', "id must be a string, a number or null"),
        ('{"jsonrpc":"2.0","method":"echo","id":[1]}', "id must be a string, a number or null"),
        ('{"jsonrpc":"2.0","method":"echo","id":{}}', "id must be a string, a number or null"),
    ],
)
def test_json_that_is_not_one_call_is_refused_with_the_reason(line, why):
    with pytest.raises(InvalidRequest) as caught:
        parse_request(line)
    assert caught.value.data == why


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("1", 1),
        ("0", 0),
        ('""', ""),
        ('"1"', "1"),
        ("null", None),
        ("1.5", 1.5),
        ("1e2", 100.0),
        ("-1", -1),
        ("9007199254740993", 9007199254740993),
        ("18446744073709551616", 18446744073709551616),
    ],
)
def test_an_id_is_kept_as_it_is(text, id):
    call = parse_request(f'{{"jsonrpc":"2.0","method":"echo","id":{text}}}')
    assert (call.id, type(call.id)) == (id, type(id))


def test_members_beside_the_four_are_ignored():
    line = '{"jsonrpc":"2.0","method":"echo","_meta":{"traceparent":"00"},"id":1}'
    assert parse_request(line) == Request("echo", None, 1)


def test_names_of_members_are_case_sensitive():
    line = '{"jsonrpc":"2.0","method":"echo","Params":[1],"ID":1}'
    assert parse_request(line) == Notification("echo", None)


@pytest.mark.parametrize("extra", ['"result":1', '"error":{"code":1,"message":"no"}'])
def test_method_decides_and_result_or_error_beside_it_are_ignored(extra):
    line = f'{{"jsonrpc":"2.0","method":"echo",{extra},"id":1}}'
    assert parse_request(line) == Request("echo", None, 1)


def test_a_value_is_read_as_its_line_is():
    value = {"jsonrpc": "2.0", "method": "sum", "params": [1], "id": 7}
    assert read_call(value) == Request("sum", [1], 7)


# --- a response -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "meant_as_response"),
    [
        ({"result": 1}, True),
        ({"error": "broken"}, True),
        ({"result": 1, "error": None}, True),
        ({"method": "echo", "result": 1}, False),
        ({"method": 1, "error": 1}, False),
        ({"jsonrpc": "2.0", "id": 1}, False),
        ({}, False),
        (["result"], False),
        ("result", False),
        (None, False),
    ],
)
def test_a_result_or_an_error_without_a_method_is_meant_as_a_response(value, meant_as_response):
    assert looks_like_response(value) is meant_as_response


def test_a_success_response_is_read():
    value = {"jsonrpc": "2.0", "result": None, "id": 1}
    assert read_response(value) == SuccessResponse(None, 1)


def test_an_error_response_is_read():
    value = {"jsonrpc": "2.0", "error": {"code": 1, "message": "no", "data": [2]}, "id": None}
    error, id = read_response(value)
    assert (error.code, error.message, error.data, id) == (1, "no", [2], None)


def test_an_error_response_without_data_has_none():
    value = {"jsonrpc": "2.0", "error": {"code": 1, "message": "no"}, "id": 1}
    assert read_response(value).error.data is ABSENT


def test_members_beside_those_of_a_response_are_ignored():
    value = {"jsonrpc": "2.0", "result": 1, "id": 1, "extra": 2}
    assert read_response(value) == SuccessResponse(1, 1)


OBJECT = 'a response must be an object with jsonrpc "2.0"'
ID = "a response must have an id: a string, a number or null"
ONE = "a response must have a result or an error, and not both"
ERROR = "error must have an integer code and a string message"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("ok", OBJECT),
        ([], OBJECT),
        (None, OBJECT),
        ({"result": 1, "id": 1}, OBJECT),
        ({"jsonrpc": "1.0", "result": 1, "id": 1}, OBJECT),
        ({"jsonrpc": 2.0, "result": 1, "id": 1}, OBJECT),
        ({"jsonrpc": "2.0", "result": 1}, ID),
        ({"jsonrpc": "2.0", "result": 1, "id": True}, ID),
        ({"jsonrpc": "2.0", "result": 1, "id": [1]}, ID),
        ({"jsonrpc": "2.0", "id": 1}, ONE),
        ({"jsonrpc": "2.0", "id": 1, "result": 5, "error": None}, ONE),
        ({"jsonrpc": "2.0", "id": 1, "error": True}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": None}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {}}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {"message": "no"}}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": "no"}}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1.0, "message": "no"}}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": True, "message": "no"}}, ERROR),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": None}}, ERROR),
    ],
)
def test_a_broken_response_is_refused_with_the_reason(value, why):
    with pytest.raises(InvalidResponse) as caught:
        read_response(value)
    assert str(caught.value) == why


# --- any of the four --------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ({"jsonrpc": "2.0", "method": "echo", "id": 1}, Request),
        ({"jsonrpc": "2.0", "method": "echo"}, Notification),
        ({"jsonrpc": "2.0", "result": 1, "id": 1}, SuccessResponse),
        ({"jsonrpc": "2.0", "error": {"code": 1, "message": ""}, "id": 1}, ErrorResponse),
    ],
    ids=["request", "notification", "success", "error"],
)
def test_each_of_the_four_shapes_is_told_from_the_others(value, shape):
    assert type(read_message(value)) is shape


def test_a_broken_response_is_an_invalid_response_and_no_invalid_request():
    with pytest.raises(InvalidResponse):
        read_message({"jsonrpc": "2.0", "error": "broken", "id": 1})


def test_what_is_neither_a_call_nor_a_response_is_an_invalid_request():
    with pytest.raises(InvalidRequest):
        read_message({"jsonrpc": "2.0", "id": 1})


# --- the id of a broken request ---------------------------------------------------


@pytest.mark.parametrize(
    ("value", "id"),
    [
        ({"id": 31, "method": 1}, 31),
        ({"id": "x"}, "x"),
        ({"id": 1.5}, 1.5),
        ({"id": None}, None),
        ({"id": True}, None),
        ({"id": [31]}, None),
        ({"id": {}}, None),
        ({}, None),
        ([31], None),
        ("id", None),
        (None, None),
    ],
)
def test_an_id_is_read_where_it_may_be_echoed(value, id):
    assert readable_id(value) == id


@pytest.mark.parametrize("kind", [ParseError, InvalidRequest, MethodNotFound, InvalidParams])
def test_an_error_of_the_specification_is_read_as_its_class(kind):
    value = {"jsonrpc": "2.0", "error": {"code": kind.code, "message": "no"}, "id": 1}
    assert type(read_response(value).error) is kind
