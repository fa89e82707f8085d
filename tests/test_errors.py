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
    make_error,
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


# What people read


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InvalidParams("add takes two numbers"), "add takes two numbers (code -32602)"),
        (
            MethodNotFound(data={"method": "x"}),
            "Method not found (code -32601, data {'method': 'x'})",
        ),
        (JsonRpcError("no", code=7, data=None), "no (code 7, data None)"),
        (JsonRpcError("", code=0, data=""), " (code 0, data '')"),
        (JsonRpcError("bad \x1b[2J\x00", code=3), "bad \\x1b[2J\\x00 (code 3)"),
    ],
)
def test_an_error_reads_as_its_message_its_code_and_its_data(error, text):
    assert str(error) == text


def test_the_message_stays_bare():
    assert MethodNotFound("no such method", data=1).message == "no such method"


def test_its_repr_can_be_read_too():
    assert repr(MethodNotFound("no", data=[1])) == "MethodNotFound('no', code=-32601, data=[1])"
    assert repr(JsonRpcError("no", code=7)) == "JsonRpcError('no', code=7)"


def test_what_is_shown_of_an_error_is_bounded():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for data in (deep, "x" * 10**6, [["y" * 1000] * 1000] * 1000):
        error = JsonRpcError("m" * 10**6, code=7, data=data)
        assert len(str(error)) < 700
        assert len(repr(error)) < 700


def test_a_class_that_forgets_to_set_its_parts_can_be_shown():
    class Forgetful(JsonRpcError):
        """It does not call its base."""

        def __init__(self):
            pass

    assert (str(Forgetful()), repr(Forgetful())) == (
        "Internal error (code -32603)",
        "Forgetful('Internal error', code=-32603)",
    )


@pytest.mark.parametrize(("kind", "constant", "code", "title"), FIVE, ids=NAMES)
def test_each_of_the_five_is_made_by_its_code(kind, constant, code, title):
    error = make_error(code, "it came", {"n": 1})
    assert type(error) is kind
    assert (error.code, error.message, error.data) == (code, "it came", {"n": 1})


@pytest.mark.parametrize("code", [-32604, -32000, -32800, 0, 3, 1001])
def test_any_other_code_makes_a_plain_error(code):
    error = make_error(code, "it came")
    assert type(error) is JsonRpcError
    assert (error.code, error.data) == (code, ABSENT)
