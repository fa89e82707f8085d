"""Whatever arrives and whatever a handler does: valid lines, and the loop goes on.

The checker below shares no code with rpclab: it is a second opinion on what a
line from a server may be.
"""

import io
import json
import logging
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpclab.dispatch import respond
from rpclab.errors import InvalidParams, JsonRpcError, MethodNotFound
from rpclab.server import serve
from rpclab.transport import StdioTransport

HERE = Path(__file__).parent
DEMO = [sys.executable, "-m", "rpclab", "serve"]
RUDE = [sys.executable, str(HERE / "rude_server.py")]
GOOD = b'{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":"last"}\n'
STILL_HERE = {"jsonrpc": "2.0", "result": ["still here"], "id": "last"}


# --- a second opinion -------------------------------------------------------------


def no_constant(text):
    raise AssertionError(f"{text} is not JSON")


def check_response(value):
    """Raise unless a value is one valid response."""
    assert type(value) is dict
    assert value["jsonrpc"] == "2.0"
    assert type(value["id"]) in (str, int, float, type(None))
    assert set(value) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
    if "error" in value:
        error = value["error"]
        assert type(error) is dict
        assert {"code", "message"} <= set(error) <= {"code", "message", "data"}
        assert type(error["code"]) is int
        assert type(error["message"]) is str


def check_reply(line):
    """Raise unless bytes are one line of JSON that is a response or a batch of them."""
    assert line.isascii()
    assert b"\n" not in line
    assert b"\r" not in line
    value = json.loads(line, parse_constant=no_constant)
    if type(value) is list:
        assert value
        for member in value:
            check_response(member)
    else:
        check_response(value)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"1",
        b"{}",
        b'{"jsonrpc":"2.0","result":1}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":true,"result":1}',
        b'{"jsonrpc":"2.0","id":1,"result":NaN}',
        b'{"jsonrpc":"2.0","id":1,"result":1}\n',
        b'{"jsonrpc":"2.0","id":1,"result":1,"error":null}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":true,"message":"no"}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":null}}',
        b'[{"jsonrpc":"2.0","id":1,"result":1},2]',
        b'{"jsonrpc":"2.0","id":1,"result":"\xc3\xa9"}',
    ],
)
def test_the_second_opinion_refuses_what_is_no_reply(line):
    with pytest.raises((AssertionError, ValueError, KeyError)):
        check_reply(line)


# --- lines, against the real process ----------------------------------------------

LINES = {
    "a hundred thousand brackets": (b"[" * 100_000, -32700),
    "a hundred thousand objects": (b'{"a":' * 100_000, -32700),
    "brackets in params": (
        b'{"jsonrpc":"2.0","method":"echo","params":' + b"[" * 50_000 + b"]" * 50_000 + b',"id":1}',
        -32700,
    ),
    "an integer of 5000 digits": (b"9" * 5000, -32700),
    "an id of 5000 digits": (
        b'{"jsonrpc":"2.0","method":"echo","id":' + b"9" * 5000 + b"}",
        -32700,
    ),
    "1e400": (b'{"jsonrpc":"2.0","method":"echo","params":[1e400],"id":1}', -32700),
    "an id of -1e400": (b'{"jsonrpc":"2.0","method":"echo","id":-1e400}', -32700),
    "NaN": (b'{"jsonrpc":"2.0","method":"echo","params":[NaN],"id":1}', -32700),
    "bytes that are not UTF-8": (b"\xff\xfe\x80", -32700),
    "half a character": (b'{"jsonrpc":"2.0","method":"echo","params":["\xc3"],"id":1}', -32700),
    "UTF-16": ("\ufeff{}".encode("utf-16-le"), -32700),
    "a zero byte": (b"\0", -32700),
    "a mark in the middle": (b" \xef\xbb\xbf{}", -32700),
    "a header": (b"Content-Length: 20", -32700),
    "single quotes": (b"{'jsonrpc':'2.0','method':'echo','id':1}", -32700),
    "a number": (b"0", -32600),
    "an id that is true": (b'{"jsonrpc":"2.0","method":"echo","id":true}', -32600),
    "a result that is a set": (b'{"jsonrpc":"2.0","method":"badresult","id":1}', -32603),
    "a sum past every double": (
        b'{"jsonrpc":"2.0","method":"add","params":[1e308,1e308],"id":1}',
        -32603,
    ),
    "a method with a lone surrogate": (b'{"jsonrpc":"2.0","method":"\\ud800","id":1}', -32601),
    "params named as Python's own": (
        b'{"jsonrpc":"2.0","method":"subtract","params":{"self":1,"__class__":2},"id":1}',
        -32602,
    ),
    "seconds past every double": (
        b'{"jsonrpc":"2.0","method":"slow","params":{"seconds":1e999},"id":1}',
        -32700,
    ),
}


@pytest.fixture(scope="module")
def demo():
    pipe = subprocess.PIPE
    with subprocess.Popen(DEMO, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as run:
        yield run


@pytest.mark.parametrize(("line", "code"), LINES.values(), ids=LINES)
def test_a_hostile_line_is_one_error_and_the_next_request_is_answered(line, code, demo):
    demo.stdin.write(line + b"\n" + GOOD)
    demo.stdin.flush()
    report, reply = demo.stdout.readline().rstrip(b"\n"), demo.stdout.readline()
    check_reply(report)
    assert (json.loads(report)["error"]["code"], json.loads(reply)) == (code, STILL_HERE)


def test_a_server_that_met_every_hostile_line_ends_with_status_0(demo):
    left, _ = demo.communicate()
    assert (left, demo.returncode) == (b"", 0)


def test_ten_thousand_errors_are_ten_thousand_lines():
    done = subprocess.run(DEMO, input=b"{\n" * 10_000 + GOOD, capture_output=True, check=True)
    *reports, reply = done.stdout.splitlines()
    assert (len(reports), len(set(reports)), json.loads(reply)) == (10_000, 1, STILL_HERE)


def test_a_batch_of_ten_thousand_bad_members_is_one_line():
    batch = b"[" + b",".join([b"1"] * 10_000) + b"]\n"
    done = subprocess.run(DEMO, input=batch + GOOD, capture_output=True, check=True)
    reports, _ = done.stdout.splitlines()
    check_reply(reports)
    assert len(json.loads(reports)) == 10_000


def test_a_server_that_is_sent_a_reply_of_its_own_stays_silent():
    line = b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}\n'
    done = subprocess.run(DEMO, input=line + GOOD, capture_output=True, check=True)
    assert [json.loads(reply) for reply in done.stdout.splitlines()] == [STILL_HERE]


# --- handlers, against a real process ---------------------------------------------


@pytest.mark.parametrize(
    "method",
    [
        "set",
        "object",
        "nan",
        "cycle",
        "deep",
        "deeper",
        "exit",
        "generator_exit",
        "memory",
        "unprintable",
        "forgetful",
        "word_for_a_code",
        "object_for_a_code",
    ],
)
def test_a_handler_that_fails_is_an_internal_error_and_the_next_request_is_answered(method):
    line = b'{"jsonrpc":"2.0","method":"%b","id":1}\n' % method.encode()
    done = subprocess.run(RUDE, input=line + GOOD, capture_output=True, check=True)
    report, reply = done.stdout.splitlines()
    check_reply(report)
    failed = json.loads(report)
    assert (failed["error"]["code"], failed["id"]) == (-32603, 1)
    assert json.loads(reply) == STILL_HERE


def test_an_error_of_ours_with_a_set_for_data_keeps_its_code():
    line = b'{"jsonrpc":"2.0","method":"set_for_data","id":1}\n'
    done = subprocess.run(RUDE, input=line + GOOD, capture_output=True, check=True)
    report, reply = map(json.loads, done.stdout.splitlines())
    assert (report["error"], reply) == ({"code": 7, "message": "no"}, STILL_HERE)


def test_a_lone_surrogate_in_a_result_is_written_escaped():
    line = b'{"jsonrpc":"2.0","method":"surrogate","id":1}\n'
    done = subprocess.run(RUDE, input=line, capture_output=True, check=True)
    assert done.stdout.split() == [rb'{"jsonrpc":"2.0","result":"\ud800","id":1}']


# --- properties -------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=[]), max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXT
    | st.sampled_from(["2.0", "echo", "sum", "rpc.x", "jsonrpc", 1, 2.0, 10**25])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["jsonrpc", "method", "params", "id", "result", "error", "code", "_meta"])
CALLS = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": TEXT},
    optional={"params": st.lists(VALUES, max_size=3) | VALUES, "id": SCALARS | VALUES},
)
MEMBERS = CALLS | st.dictionaries(NAMES, VALUES) | VALUES
MESSAGES = MEMBERS | st.lists(MEMBERS, max_size=4)


@st.composite
def near_json(draw):
    """Write a message, and damage some of its bytes."""
    line = bytearray(json.dumps(draw(MESSAGES)).encode())
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(line)))
        line[place : place + draw(st.integers(0, 3))] = draw(
            st.binary(max_size=2) | st.sampled_from([b'"', b"{", b"}", b"[", b"]", b",", b"\\u"])
        )
    return bytes(line)


class Unprintable(BaseException):
    """Cannot be printed."""

    def __str__(self):
        """Fail."""
        raise RuntimeError("no text")

    __repr__ = __str__


class Forgetful(JsonRpcError):
    """Forgets to call what makes an error."""

    def __init__(self):
        pass


CYCLE = []
CYCLE.append(CYCLE)
ODD = st.sampled_from([{1}, object(), math.nan, -math.inf, b"x", 1j, CYCLE, {(1,): 2}, 10**5000])
ODD_CODES = VALUES | ODD
RAISED = st.sampled_from(
    [
        ValueError("x" * 100),
        KeyError(object()),
        SystemExit(0),
        GeneratorExit(),
        RecursionError(),
        MemoryError(),
        StopIteration(1),
        Unprintable(),
        ExceptionGroup("two", [ValueError(), Unprintable.__new__(RuntimeError)]),
        InvalidParams(),
        Forgetful(),
    ]
) | st.builds(
    lambda message, code, data: MethodNotFound(message, code=code, data=data),
    st.none() | TEXT,
    ODD_CODES,
    VALUES | ODD,
)


@st.composite
def handlers(draw):
    """Make a handler that returns or raises anything."""
    error = draw(st.none() | RAISED)
    result = draw(VALUES | ODD)

    def handler(method, params):
        if error is not None:
            raise error
        return result

    return handler


@pytest.fixture(autouse=True, scope="module")
def quiet():
    """Log nothing: the properties send thousands of bad lines, and pytest keeps each log line."""
    logger = logging.getLogger("rpclab")
    logger.setLevel(logging.CRITICAL + 1)
    yield
    logger.setLevel(logging.NOTSET)


@given(near_json() | st.binary() | TEXT, handlers())
def test_respond_never_raises_and_what_it_returns_is_one_valid_line(line, handler):
    reply = respond(line, handler)
    if reply is not None:
        check_reply(reply)


@given(st.lists(MEMBERS, min_size=1, max_size=5), handlers())
def test_a_batch_has_one_reply_for_each_member_that_is_due_one(members, handler):
    def due(value):
        if type(value) is not dict:
            return True
        if "method" not in value:
            return not {"result", "error"} & set(value)
        is_call = (
            value.get("jsonrpc") == "2.0"
            and type(value["method"]) is str
            and type(value.get("params", [])) in (list, dict)
        )
        return "id" in value or not is_call

    line = json.dumps(members)
    try:
        json.loads(line, parse_constant=no_constant)
    except AssertionError:
        expected = None
    else:
        expected = sum(map(due, members))
    reply = respond(line, handler)
    replies = json.loads(reply) if reply else []
    assert type(replies) is dict if expected is None else len(replies) == expected


@given(CALLS.filter(lambda call: "id" not in call), handlers())
def test_a_notification_is_never_answered_whatever_its_handler_does(call, handler):
    call["params"] = []
    assert respond(json.dumps(call), handler) is None


@given(st.binary(), handlers())
def test_bytes_that_are_no_message_are_answered_with_a_null_id(line, handler):
    reply = respond(line, handler)
    if reply and reply.startswith(b"{"):
        assert json.loads(reply)["id"] is None


@given(
    st.lists(near_json(), max_size=5).map(b"\n".join),
    st.lists(st.integers(0, 2**16), max_size=5),
)
def test_any_cutting_of_a_stream_gives_the_same_replies(stream, places):
    class Cut(io.BytesIO):
        """Ends a read at each of the places."""

        def read1(self, _, /):
            """Read up to the next place."""
            here = self.tell()
            ends = [place for place in sorted(places) if here < place]
            return super().read1(ends[0] - here if ends else -1)

    whole, pieces = io.BytesIO(), io.BytesIO()
    serve(lambda method, params: params, StdioTransport(io.BytesIO(stream), whole, limit=64))
    serve(lambda method, params: params, StdioTransport(Cut(stream), pieces, limit=64))
    assert pieces.getvalue() == whole.getvalue()
