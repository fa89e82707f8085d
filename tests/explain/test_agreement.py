"""The explanation agrees with the transport, on every input.

The inputs are of three kinds: arbitrary bytes, near-JSON made by a grammar and then
mutated, and good lines with bytes deleted, inserted, replaced and swapped. Here the
properties run on some of them; tests/long runs them on 50,000.
"""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rpclab.codec import decode
from rpclab.errors import InvalidRequest, ParseError
from rpclab.explain import explain
from rpclab.explain.syntax import read_text, read_tokens
from rpclab.parsing import looks_like_response, parse_request, read_call

PROFILES = ["core", "mcp", "lsp", "acp", "a2a"]
QUICK = settings(
    max_examples=500, deadline=None, suppress_health_check=list(HealthCheck), database=None
)

# --- the inputs ---------------------------------------------------------------------

GOOD = [
    b'{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}',
    b'{"jsonrpc": "2.0", "method": "sum", "params": {"a": 1.5e3, "b": [true, null]}, "id": "x"}',
    b'{"jsonrpc":"2.0","method":"update"}',
    b'{"jsonrpc":"2.0","result":{"ok":false},"id":null}',
    b'{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":7}',
    b'[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b"},1,[]]',
    '{"jsonrpc":"2.0","method":"gr\u00fc\u00df","params":["\u2028\\ud83d\\u0000"],"id":1}'.encode(),
    b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"update","id":-0}\r\n',
    b'Content-Length: 2\r\n\r\n{}',
    b'POST /rpc HTTP/1.1\r\nHost: x\r\n\r\n{"jsonrpc":"2.0","method":"a","id":1}',
    b'data: {"jsonrpc":"2.0","result":1,"id":1}\n\n',
    b'{\n  "jsonrpc": "2.0",\n  "method": "update"\n}\n',
]  # fmt: skip
PASTED = [
    b'2025-09-11 [info] sent: {"jsonrpc":"2.0","method":"ping","id":0} { metadata: undefined }',
    b"{ jsonrpc: '2.0', id: 3, result: { contents: [ [Object], 'x', 1.5 ], b: true } }",
    b"DEBUG {'jsonrpc': '2.0', 'id': 1, 'params': (1, None, True, b'x', 1e9)}",
    b'{  id = 1,  jsonrpc = "2.0",  method = "a",  params = { ["x-y"] = vim.NIL, 7 } }',
    b'(:jsonrpc "2.0" :id 1 :method "a" :params (:x [1 t :json-false] :y nil))',
    b"[Trace - 1:2:3 AM] Sending request 'a - (0)'.\nParams: {\n  \"x\": 1\n}\n",
    b"received b'{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\\n'",
    "'npx' 不是内部或外部命令\n".encode("gbk"),
    '{"jsonrpc":"2.0","method":"a"}\r\n'.encode("utf-16"),
    b"McpError: MCP error -32001: Request timed out\n    at x (y.js:1:2)",
]  # fmt: skip
BITS = [
    *b"{}[]:,\"\\/'`#=;<>()+-.0129eEtfnTNuxIbB \t\r\n\x00\x1b\x7f\xef\xbb\xbf\xe2\x80\xa8\xc3\xff",
]
PIECES = st.sampled_from(
    [bytes([bit]) for bit in BITS]
    + [b"true", b"nul", b"NaN", b"1e400", b"-", b"1.", b"\\u12", b"\\ud800", b'"id"', b'"2.0"']
    + [b'"jsonrpc"', b'"method"', b'"params"', b'"result"', b"//", b"/*", b"data:", b"\xed\xa0\x80"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["jsonrpc", "method", "params", "id", "result", "error", "x"]), inner
        )
    ),
    max_leaves=12,
)
ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "method": st.text(max_size=6) | JSON,
        "params": st.lists(JSON, max_size=3) | JSON,
        "id": st.integers() | JSON,
        "result": JSON,
        "error": st.just({"code": 1, "message": "m"}) | JSON,
        "trace": JSON,
    },
)
VALUES = ENVELOPES | JSON | st.lists(ENVELOPES, max_size=4)


def text_of(value, indent, ascii):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    return text.encode(errors="surrogatepass")


NEAR_JSON = st.builds(text_of, VALUES, st.sampled_from([None, None, 1]), st.booleans())
LINES = st.sampled_from(GOOD) | st.sampled_from(PASTED) | NEAR_JSON


@st.composite
def mutated(draw, lines=LINES):
    """Draw a line with a few bytes deleted, inserted, replaced or swapped."""
    data = bytearray(draw(lines))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["delete", "insert", "replace", "swap", "cut"])):
            case "delete":
                del data[at : at + draw(st.integers(1, 3))]
            case "insert":
                data[at:at] = draw(PIECES)
            case "replace":
                data[at : at + 1] = draw(PIECES)
            case "swap":
                data[at : at + 2] = data[at : at + 2][::-1]
            case _:
                del data[at:]
    return bytes(data)


SOUP = st.lists(PIECES, max_size=30).map(b"".join)
INPUTS = st.binary(max_size=80) | SOUP | mutated() | mutated(st.lists(LINES).map(b"\n".join))

# --- the properties -----------------------------------------------------------------


def check_tiling(explanation):
    """Every byte belongs to one span, here and in each member."""
    at = 0
    for span in explanation.spans:
        assert span.start == at < span.end
        assert span.owner in {"frame", "json", "member"}
        at = span.end
    assert at == len(explanation.data)
    for member in explanation.members:
        assert explanation.data[member.at : member.at + len(member.data)] == member.data
        check_tiling(member)
    for message in explanation.quoted:
        assert 0 <= message.at <= len(explanation.data)
        check_tiling(message)


def check_places(explanation):
    """Everything that has a place has it inside the data."""
    end = len(explanation.data)
    assert all(0 <= f.start <= f.end <= end for f in explanation.findings)
    assert all(0 <= mistake.offset <= end for mistake in explanation.mistakes)
    assert explanation.fault is None or 0 <= explanation.fault <= end
    json.dumps(explanation.to_json())


def refused(line):
    try:
        parse_request(line)
    except (ParseError, InvalidRequest):
        return True
    return False


def value_of(line):
    try:
        return decode(line)
    except ParseError:
        return None


def check_one_line(data):
    """One line that is not a batch or a response is broken exactly when it is refused."""
    value = value_of(data)
    if b"\n" in data.rstrip(b"\n") or (type(value) is list and value) or looks_like_response(value):
        return
    assert (explain(data).verdict == "broken") == refused(data)


def check_fault(data):
    """There is a fault exactly when the codec refuses the data."""
    text = read_text(data)
    try:
        decode(data)
        accepted = True
    except ParseError:
        accepted = False
    assert (text.fault is None) == accepted
    if accepted:
        assert read_tokens(data, text.start, text.end) == (text.tokens, None)


def check_batch(data):
    """Each member of a batch is broken exactly when the transport refuses it."""
    value = value_of(data)
    if type(value) is not list or not value or b"\n" in data.rstrip(b"\n"):
        return
    members = explain(data).members
    assert len(members) == len(value)
    for member, one in zip(members, value, strict=True):
        try:
            read_call(one)
            broken = False
        except InvalidRequest:
            broken = True
        if not looks_like_response(one):
            assert (member.verdict == "broken") == broken


def check(data, profile):
    """Check every property on one input."""
    explanation = explain(data, profile)
    check_tiling(explanation)
    check_places(explanation)
    check_fault(data)
    check_one_line(data)
    check_batch(data)


@QUICK
@given(INPUTS, st.sampled_from(PROFILES))
@example(b"", "core")
@example(b"\xef\xbb\xbf", "core")
@example(b"\xef\xbb\xbf\n\n", "lsp")
@example(b"[]", "mcp")
def test_it_never_raises_its_spans_tile_and_it_agrees(data, profile):
    check(data, profile)


@pytest.mark.parametrize("data", GOOD)
@pytest.mark.parametrize("profile", PROFILES)
def test_it_holds_for_every_cut_of_a_good_line(data, profile):
    for end in range(len(data) + 1):
        check(data[:end], profile)


@pytest.mark.parametrize("data", PASTED)
def test_it_holds_for_every_cut_of_pasted_text(data):
    for end in range(len(data) + 1):
        check(data[:end], "lsp" if end % 3 else "core")
