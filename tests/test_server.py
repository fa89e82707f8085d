"""The loop of a server, over BytesIO: whole, byte by byte, and with a tail."""

import io

import pytest

from rpclab.errors import InvalidParams
from rpclab.framing import ContentLengthFraming
from rpclab.server import serve
from rpclab.transport import FramedTransport, StdioTransport, write_notification


def echo(method, params):
    return params


class Drops(io.BytesIO):
    """Returns one byte a read, as a slow pipe does."""

    def read1(self, _, /):
        """Return one byte."""
        return super().read1(1)


class Hung(io.BytesIO):
    """Nobody reads at its other end."""

    def write(self, data):
        """Fail, as a pipe without a reader does."""
        raise BrokenPipeError


@pytest.mark.parametrize("reader", [io.BytesIO, Drops], ids=["whole", "byte by byte"])
def test_every_line_is_answered_in_order(reader):
    out = io.BytesIO()
    lines = (
        b'{"jsonrpc":"2.0","method":"echo","params":["a"],"id":1}\n'
        b'{"jsonrpc":"2.0","method":"echo","params":["b"],"id":2}\n'
    )
    serve(echo, StdioTransport(reader(lines), out))
    assert out.getvalue() == (
        b'{"jsonrpc":"2.0","result":["a"],"id":1}\n{"jsonrpc":"2.0","result":["b"],"id":2}\n'
    )


@pytest.mark.parametrize("reader", [io.BytesIO, Drops], ids=["whole", "byte by byte"])
def test_the_last_line_needs_no_newline(reader):
    out = io.BytesIO()
    line = b'{"jsonrpc":"2.0","method":"echo","params":["tail"],"id":1}'
    serve(echo, StdioTransport(reader(line), out))
    assert out.getvalue() == b'{"jsonrpc":"2.0","result":["tail"],"id":1}\n'


def test_a_notification_writes_nothing():
    out = io.BytesIO()
    serve(echo, StdioTransport(io.BytesIO(b'{"jsonrpc":"2.0","method":"update"}\n'), out))
    assert out.getvalue() == b""


@pytest.mark.parametrize(
    "bad",
    [
        b"{\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b"[]\n",
        b'{"jsonrpc":"2.0","method":"boom","id":0}\n',
        b'{"jsonrpc":"2.0","method":"exit","id":0}\n',
        b'{"jsonrpc":"2.0","method":"refuse","id":0}\n',
        b"x" * 2000 + b"\n",
    ],
    ids=["syntax", "bytes", "depth", "empty", "boom", "exit", "refuse", "long"],
)
def test_nothing_ends_the_loop_but_the_end_of_the_stream(bad):
    def handler(method, params):
        match method:
            case "boom":
                raise ValueError
            case "exit":
                raise SystemExit(1)
            case "refuse":
                raise InvalidParams
        return params

    out = io.BytesIO()
    good = b'{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":1}\n'
    serve(handler, StdioTransport(io.BytesIO(bad + good), out, limit=1000))
    first, second = out.getvalue().splitlines()
    assert (b'"error"' in first, second) == (
        True,
        b'{"jsonrpc":"2.0","result":["still here"],"id":1}',
    )


def test_a_handler_may_notify_while_its_request_is_in_flight():
    out = io.BytesIO()
    line = b'{"jsonrpc":"2.0","method":"slow","id":1}\n'
    wire = StdioTransport(io.BytesIO(line), out)

    def handler(method, params):
        write_notification(wire, "progress", {"done": 1})
        write_notification(wire, "progress", {"done": 2})
        return "ready"

    serve(handler, wire)
    assert out.getvalue().splitlines() == [
        b'{"jsonrpc":"2.0","method":"progress","params":{"done":1}}',
        b'{"jsonrpc":"2.0","method":"progress","params":{"done":2}}',
        b'{"jsonrpc":"2.0","result":"ready","id":1}',
    ]


def test_the_loop_serves_any_framing():
    out = io.BytesIO()
    frame = b'Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","method":"echo","id":1}'
    serve(echo, FramedTransport(io.BytesIO(frame), out, ContentLengthFraming()))
    assert out.getvalue() == b'Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","result":null,"id":1}'


def test_the_loop_ends_quietly_when_nobody_reads_any_more():
    calls = []
    line = b'{"jsonrpc":"2.0","method":"echo","id":1}\n'
    serve(lambda method, params: calls.append(method), StdioTransport(io.BytesIO(line * 2), Hung()))
    assert calls == ["echo"]


def test_a_loop_that_nobody_reads_closes_its_writer():
    writer = Hung()
    line = b'{"jsonrpc":"2.0","method":"echo","id":1}\n'
    serve(echo, StdioTransport(io.BytesIO(line), writer))
    assert writer.closed


def test_a_loop_that_came_to_the_end_leaves_its_streams_open():
    reader, writer = io.BytesIO(b"[1]\n"), io.BytesIO()
    serve(echo, StdioTransport(reader, writer))
    assert (reader.closed, writer.closed) == (False, False)


def test_the_loop_ends_quietly_on_a_keyboard_interrupt_and_keeps_what_was_finished():
    def handler(method, params):
        if method == "stop":
            raise KeyboardInterrupt
        return params

    out = io.BytesIO()
    lines = (
        b'{"jsonrpc":"2.0","method":"echo","params":["done"],"id":1}\n'
        b'{"jsonrpc":"2.0","method":"stop","id":2}\n'
        b'{"jsonrpc":"2.0","method":"echo","id":3}\n'
    )
    serve(handler, StdioTransport(io.BytesIO(lines), out))
    assert out.getvalue() == b'{"jsonrpc":"2.0","result":["done"],"id":1}\n'


def test_an_empty_stream_ends_the_loop_at_once():
    out = io.BytesIO()
    serve(echo, StdioTransport(io.BytesIO(), out))
    assert out.getvalue() == b""


def test_a_payload_in_another_charset_is_refused_and_the_next_is_answered():
    framing, out = ContentLengthFraming(), io.BytesIO()
    line = b'{"jsonrpc":"2.0","method":"echo","params":[],"id":1}'
    stream = b"Content-Type: a/b; charset=utf-16\r\n" + framing.wrap(line) + framing.wrap(line)
    serve(echo, FramedTransport(io.BytesIO(stream), out, ContentLengthFraming()))
    refusal, reply = framing.feed(out.getvalue())
    assert b'"code":-32700' in refusal
    assert b"another charset than UTF-8 was skipped: b'utf-16'" in refusal
    assert reply == b'{"jsonrpc":"2.0","result":[],"id":1}'
