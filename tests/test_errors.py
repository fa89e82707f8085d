"""What can go wrong: the codes, the exceptions and what they carry."""

import pytest

from rpclab.errors import (
    ABSENT,
    ERR_INTERNAL,
    ERR_INVALID_PARAMS,
    ERR_INVALID_REQUEST,
    ERR_METHOD_NOT_FOUND,
    ERR_PARSE,
    FramingError,
    InternalError,
    InvalidParams,
    InvalidRequest,
    InvalidResponse,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)

FIVE = [
    (ParseError, ERR_PARSE, -32700, "Parse error"),
    (InvalidRequest, ERR_INVALID_REQUEST, -32600, "Invalid Request"),
    (MethodNotFound, ERR_METHOD_NOT_FOUND, -32601, "Method not found"),
    (InvalidParams, ERR_INVALID_PARAMS, -32602, "Invalid params"),
    (InternalError, ERR_INTERNAL, -32603, "Internal error"),
]
NAMES = [row[0].__name__ for row in FIVE]


@pytest.mark.parametrize(("kind", "constant", "code", "title"), FIVE, ids=NAMES)
def test_each_of_the_five_has_the_code_of_the_specification(kind, constant, code, title):
    assert kind().code == constant == code


@pytest.mark.parametrize(("kind", "constant", "code", "title"), FIVE, ids=NAMES)
def test_each_of_the_five_says_the_title_of_the_specification(kind, constant, code, title):
    assert kind().message == title


def test_an_error_says_what_it_was_told():
    assert MethodNotFound("no such method here").message == "no such method here"


def test_an_empty_message_is_a_message():
    assert MethodNotFound("").message == ""


def test_an_error_reads_as_its_message_in_a_log():
    assert str(InvalidParams("add takes two numbers")) == "add takes two numbers"


def test_a_message_is_always_text():
    assert JsonRpcError(ValueError("it broke")).message == "it broke"


def test_an_application_picks_its_own_code():
    assert JsonRpcError("out of stock", code=1001).code == 1001


def test_code_zero_is_a_code():
    assert InvalidParams(code=0).code == 0


def test_a_code_of_one_error_does_not_change_its_class():
    InvalidParams(code=7)
    assert InvalidParams().code == ERR_INVALID_PARAMS


def test_an_error_has_no_data_unless_it_is_given():
    assert JsonRpcError().data is ABSENT


def test_null_is_data():
    assert JsonRpcError(data=None).data is None


def test_a_class_of_its_own_brings_its_code_and_title():
    class ServerBusy(JsonRpcError):
        """The server is full."""

        code = -32000
        title = "Server busy"

    assert (ServerBusy().code, ServerBusy().message) == (-32000, "Server busy")


def test_the_errors_of_the_stream_have_no_place_on_the_wire():
    assert not issubclass(FramingError, JsonRpcError)


def test_an_invalid_response_has_no_place_on_the_wire():
    assert not issubclass(InvalidResponse, JsonRpcError)
