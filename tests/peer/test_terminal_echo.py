"""Lines that a terminal sends back: they are dropped, and nothing else is."""

import os
import sys

import pytest

from rpclab.errors import FramingError
from rpclab.framing import NewlineFraming
from rpclab.peer import Client
from rpclab.peer.terminal_echo import ECHO, EchoFilter

ASKED = b'{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'
REPLY = b'{"jsonrpc":"2.0","result":19,"id":1}'


def watching(*sent):
    """Return a filter that has sent these lines."""
    framing = EchoFilter(NewlineFraming())
    for line in sent:
        assert framing.wrap(line) == line + b"\n"
    return framing


def texts(payloads):
    return [str(each) if isinstance(each, FramingError) else each for each in payloads]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_line_that_comes_back_is_dropped_and_reported_once(size):
    framing = watching(ASKED, b"[]")
    stream = ASKED + b"\r\n" + REPLY + b"\r\n[]\r\n"
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    came = [payload for chunk in chunks for payload in framing.feed(chunk)]
    assert texts(came) == [ECHO, REPLY]
    assert framing.feed(b"") == []


def test_the_report_says_what_to_do():
    assert "docker run -i and without -t" in ECHO


@pytest.mark.parametrize("line", [ASKED + b"\n", b" " + ASKED + b"\n", b"[1]\n" + ASKED + b"\r\n"])
def test_the_same_bytes_from_a_server_without_a_terminal_are_its_own(line):
    framing = watching(ASKED)
    assert ASKED in framing.feed(line)
    assert framing.feed(ASKED + b"\r\n") == [ASKED]  # it does not look any more


def test_a_banner_before_the_echo_decides_nothing():
    framing = watching(ASKED)
    assert texts(framing.feed(b"Script started\n" + ASKED + b"\r\n")) == [ECHO, b"Script started"]


def test_a_line_that_came_back_once_is_the_servers_the_next_time():
    framing = watching(ASKED)
    framing.feed(ASKED + b"\r\n")
    assert framing.feed(ASKED + b"\r\n") == [ASKED]


def test_lines_come_back_in_the_order_in_which_they_were_sent():
    framing = watching(b"[1]", b"[2]", b"[3]")
    assert texts(framing.feed(b"[2]\r\n")) == [ECHO]
    assert framing.feed(b"[1]\r\n[3]\r\n") == [b"[1]"]


def test_a_line_that_was_not_sent_is_the_servers():
    assert watching(ASKED).feed(REPLY + b"\r\n") == [REPLY]


def test_the_last_line_needs_no_newline():
    framing = watching(ASKED)
    assert framing.feed(REPLY) == []
    assert framing.feed(b"") == [REPLY]
    assert framing.feed(b"") == []


def test_a_long_line_is_passed_on_as_it_comes_and_can_be_too_long():
    framing = EchoFilter(NewlineFraming(limit=10_000))
    came = [payload for _ in range(20) for payload in framing.feed(b"x" * 1000)]
    assert texts(came) == ["a line of more than 10000 bytes was dropped"]
    assert framing.feed(b"\r\n" + REPLY + b"\r\n") == [REPLY]


def test_what_is_remembered_is_bounded():
    framing = watching(*(b"[%d]" % n for n in range(3000)))
    assert framing.feed(b"[1999]\r\n") == [b"[1999]"]
    assert texts(framing.feed(b"[2000]\r\n")) == [ECHO]


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of this kind is a POSIX idea")
def test_a_server_behind_a_terminal_is_called_and_not_its_echo():
    behind = (
        "import os, pty, sys\n"
        "os.environ['PYTHONPATH'] = sys.argv[1]\n"
        "pty.spawn([sys.executable, '-m', 'rpclab', 'serve'])\n"
    )
    command = [sys.executable, "-c", behind, os.pathsep.join(sys.path)]
    asked = []

    def handler(method, params):
        asked.append(method)
        return "ours"

    with Client.start(command, handler, grace=0.1) as client:
        assert [client.call("subtract", [n, 1], timeout=60) for n in (42, 43)] == [41, 42]
        assert [stray.reason for stray in client.strays] == [f"Parse error: {ECHO}"]
    assert not asked


def test_a_call_of_the_server_in_the_same_bytes_as_ours_is_answered():
    code = (
        "import sys\n"
        "line = sys.stdin.readline()\n"
        "sys.stdout.write(line); sys.stdout.flush()\n"
        "answer = sys.stdin.readline()\n"
        "sys.stdout.write(answer.replace('ours', 'theirs')); sys.stdout.flush()\n"
        "sys.stdin.read()\n"
    )
    with Client.start([sys.executable, "-c", code], lambda method, params: "ours") as client:
        assert client.call("hello", timeout=60) == "theirs"
        assert client.strays == []
