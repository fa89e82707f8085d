"""Payloads over a pair of byte streams: BytesIO, pipes, and this process's own stdio."""

import io
import json
import math
import os
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stdout

import pytest

from rpclab.errors import FramingError
from rpclab.framing import ContentLengthFraming
from rpclab.transport import (
    FramedTransport,
    StdioTransport,
    Unbuffered,
    claim_stdio,
    write_error,
    write_notification,
    write_response,
)


class Drops(io.BytesIO):
    """Returns at most ``size`` bytes a read, as a slow pipe does."""

    size = 1

    def read1(self, _, /):
        """Return what one read of a slow pipe returns."""
        return super().read1(self.size)


class Writes(io.BytesIO):
    """Remembers each write and flush."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def write(self, data):
        """Take bytes, and remember them."""
        self.calls.append(bytes(data))
        return super().write(data)

    def flush(self):
        """Remember that it was asked for."""
        self.calls.append("flush")


STREAM = '{"id":"é"}\n{"id":2}\r\n\n[3]'.encode()


@pytest.mark.parametrize("reader", [io.BytesIO, Drops], ids=["whole", "byte by byte"])
def test_iteration_gives_each_line_until_the_stream_ends(reader):
    wire = StdioTransport(reader(STREAM), io.BytesIO())
    assert list(wire) == ['{"id":"é"}'.encode(), b'{"id":2}', b"[3]"]


@pytest.mark.parametrize("reader", [io.BytesIO, Drops], ids=["whole", "byte by byte"])
def test_iteration_gives_a_report_in_the_place_of_a_line_past_the_limit(reader):
    wire = StdioTransport(reader(b"x" * 9 + b"\n[1]\n"), io.BytesIO(), limit=8)
    report, line = wire
    assert (type(report), line) == (FramingError, b"[1]")


@pytest.mark.parametrize("reader", [io.BytesIO, Drops], ids=["whole", "byte by byte"])
def test_any_framing_will_do(reader):
    stream = b"Content-Length: 3\r\n\r\n[1]Content-Length: 3\r\n\r\n[2]"
    wire = FramedTransport(reader(stream), io.BytesIO(), ContentLengthFraming())
    assert list(wire) == [b"[1]", b"[2]"]


def test_a_line_is_given_while_the_stream_is_still_open():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as reader, os.fdopen(write_end, "wb", 0) as writer:
        writer.write(b'{"id":1}\n{"id":')
        assert next(iter(StdioTransport(reader, io.BytesIO()))) == b'{"id":1}'


def test_a_message_is_one_write_and_one_flush():
    out = Writes()
    StdioTransport(io.BytesIO(), out).write(b"[1]")
    assert out.calls == [b"[1]\n", "flush"]


def test_a_content_length_message_is_one_write_too():
    out = Writes()
    FramedTransport(io.BytesIO(), out, ContentLengthFraming()).write(b"[1]")
    assert out.calls == [b"Content-Length: 3\r\n\r\n[1]", "flush"]


def test_messages_of_many_threads_do_not_mix():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as reader, os.fdopen(write_end, "wb") as writer:
        wire = StdioTransport(io.BytesIO(), writer)

        def reply(first):
            for id in range(first, first + 100):
                write_response(wire, id, "x" * 8192)

        threads = [threading.Thread(target=reply, args=[n * 100]) for n in range(10)]
        for thread in threads:
            thread.start()
        ids = {json.loads(reader.readline())["id"] for _ in range(1000)}
        for thread in threads:
            thread.join()
    assert ids == set(range(1000))


def test_a_transport_does_not_close_its_streams():
    reader, writer = io.BytesIO(b"[1]\n"), io.BytesIO()
    list(StdioTransport(reader, writer))
    assert (reader.closed, writer.closed) == (False, False)


def test_a_transport_that_gives_up_closes_its_writer():
    writer = io.BytesIO()
    StdioTransport(io.BytesIO(), writer).give_up()
    assert writer.closed


def test_a_transport_gives_up_quietly_what_cannot_be_sent():
    read_end, write_end = os.pipe()
    os.close(read_end)
    writer = os.fdopen(write_end, "wb")
    writer.write(b"nobody reads this")
    StdioTransport(io.BytesIO(), writer).give_up()
    assert writer.closed


@pytest.mark.parametrize(
    ("id", "result", "line"),
    [
        (1, 19, b'{"jsonrpc":"2.0","result":19,"id":1}\n'),
        ("x", None, b'{"jsonrpc":"2.0","result":null,"id":"x"}\n'),
        (None, ["caf\u00e9"], b'{"jsonrpc":"2.0","result":["caf\\u00e9"],"id":null}\n'),
    ],
)
def test_write_response_writes_a_success_response(id, result, line):
    out = io.BytesIO()
    write_response(StdioTransport(io.BytesIO(), out), id, result)
    assert out.getvalue() == line


@pytest.mark.parametrize("result", [{1}, math.nan], ids=["set", "nan"])
def test_write_response_raises_at_once_and_writes_nothing(result):
    out = io.BytesIO()
    with pytest.raises((TypeError, ValueError)):
        write_response(StdioTransport(io.BytesIO(), out), 1, result)
    assert out.getvalue() == b""


def test_write_error_writes_an_error_response():
    out = io.BytesIO()
    write_error(StdioTransport(io.BytesIO(), out), None, -32700, "Parse error")
    assert out.getvalue() == (
        b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}\n'
    )


def test_write_error_writes_data_where_it_is_given():
    out = io.BytesIO()
    write_error(StdioTransport(io.BytesIO(), out), 1, 7, "no", None)
    assert out.getvalue() == (
        b'{"jsonrpc":"2.0","error":{"code":7,"message":"no","data":null},"id":1}\n'
    )


def test_write_notification_writes_no_params_where_there_are_none():
    out = io.BytesIO()
    write_notification(StdioTransport(io.BytesIO(), out), "tick")
    assert out.getvalue() == b'{"jsonrpc":"2.0","method":"tick"}\n'


def test_write_notification_writes_its_params():
    out = io.BytesIO()
    write_notification(StdioTransport(io.BytesIO(), out), "progress", {"done": 1})
    assert out.getvalue() == b'{"jsonrpc":"2.0","method":"progress","params":{"done":1}}\n'


# --- this process's own stdio -----------------------------------------------------

CLAIM = """
import os, subprocess, sys
from rpclab.transport import StdioTransport, claim_stdio, write_response
print("before")
reader, writer = claim_stdio()
print("a print")
os.write(1, b"a write\\n")
subprocess.run([sys.executable, "-c", "print('a child')"])
seen = subprocess.run([sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read())"],
                      stdout=subprocess.PIPE).stdout
wire = StdioTransport(reader, writer)
write_response(wire, len(seen), [line.decode() for line in wire])
"""


def test_after_a_claim_nothing_but_the_protocol_reaches_stdout():
    done = subprocess.run(
        [sys.executable, "-c", CLAIM], input=b"[1]\n", capture_output=True, check=True
    )
    assert done.stdout.replace(b"\r\n", b"\n").split(b"\n") == [
        b"before",
        b'{"jsonrpc":"2.0","result":["[1]"],"id":0}',
        b"",
    ]


def test_after_a_claim_prints_and_children_write_to_stderr():
    done = subprocess.run(
        [sys.executable, "-c", CLAIM], input=b"[1]\n", capture_output=True, check=True
    )
    assert sorted(done.stderr.split()) == sorted(b"a print a write a child".split())


def test_a_claim_gives_copies_and_leaves_an_empty_stdin_behind(tmp_path):
    given, sent = tmp_path / "stdin", tmp_path / "stdout"
    given.write_bytes(b"[1]\n")
    saved = os.dup(0), os.dup(1)
    with given.open("rb") as stdin, sent.open("wb") as stdout, redirect_stdout(io.StringIO()):
        try:
            os.dup2(stdin.fileno(), 0)
            os.dup2(stdout.fileno(), 1)
            reader, writer = claim_stdio()
            left = os.read(0, 10)
        finally:
            os.dup2(saved[0], 0)
            os.dup2(saved[1], 1)
            os.close(saved[0])
            os.close(saved[1])
    with reader, writer:
        write_response(StdioTransport(reader, writer), 1, reader.read().decode())
    assert (left, sent.read_bytes()) == (b"", b'{"jsonrpc":"2.0","result":"[1]\\n","id":1}\n')


@pytest.mark.skipif(sys.platform == "win32", reason="a signal interrupts no write there")
def test_a_write_that_a_signal_cuts_short_is_carried_on():
    read_end, write_end = os.pipe()
    interrupted, writing = threading.Event(), threading.get_ident()
    before = signal.signal(signal.SIGUSR1, lambda *_: interrupted.set())
    message = bytes(range(256)) * 4096  # far more than a pipe holds
    seen = []

    def read_the_rest_after_a_signal():
        with os.fdopen(read_end, "rb") as reader:
            seen.append(reader.read(1))
            signal.pthread_kill(writing, signal.SIGUSR1)
            interrupted.wait()
            seen.append(reader.read())

    reading = threading.Thread(target=read_the_rest_after_a_signal)
    reading.start()
    with Unbuffered(write_end, "wb") as writer:
        written = writer.write(message)
    reading.join()
    signal.signal(signal.SIGUSR1, before)
    assert (written, b"".join(seen)) == (len(message), message)


def test_a_claim_puts_the_null_device_in_the_place_of_a_stream_that_is_closed():
    saved = os.dup(0), os.dup(1)
    with redirect_stdout(None):
        try:
            os.close(0)
            os.close(1)
            reader, writer = claim_stdio()
        finally:
            os.dup2(saved[0], 0)
            os.dup2(saved[1], 1)
            os.close(saved[0])
            os.close(saved[1])
    with reader, writer:
        write_response(StdioTransport(reader, writer), 1, "into nothing")
        assert reader.read() == b""
