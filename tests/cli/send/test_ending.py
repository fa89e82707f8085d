"""How a session ends: what is right, and what is said."""

import sys

import pytest

from rpclab.cli.send.ending import Farewell, find_address, judge_end, judge_hang_up

SHUTDOWN = b'{"jsonrpc":"2.0","method":"shutdown","id":2}'
EXIT = b'{"jsonrpc":"2.0","method":"exit"}'


def farewell(*lines):
    said = Farewell()
    for line in lines:
        said.note(line)
    return said


@pytest.mark.parametrize(
    ("status", "due", "lines", "says", "is_right"),
    [
        (0, [], [SHUTDOWN, EXIT], "(exit status 0), as LSP asks after shutdown and exit.", True),
        (1, [], [EXIT], "(exit status 1), as LSP asks after exit without shutdown.", True),
        (1, [], [SHUTDOWN, EXIT], "LSP asks for exit status 0 after shutdown and exit.", False),
        (0, [], [EXIT], "LSP asks for exit status 1 after exit without shutdown.", True),
        (0, ["x"], [SHUTDOWN, EXIT], "(exit status 0) before it answered x.", False),
        (0, [], [], "The server ended (exit status 0).", True),
        (3, [], [], "The server ended (exit status 3).", False),
        (None, [], [], "The server closed its stdout and still runs.", False),
        (None, ["x"], [EXIT], "closed its stdout and still runs before it answered x.", False),
    ],
)
def test_the_end_of_a_server_is_judged(status, due, lines, says, is_right):
    ending = judge_end(status, due, farewell(*lines))
    assert ending.says.endswith(says)
    assert ending.is_right is is_right


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_the_signal_that_ended_a_server_is_named():
    assert "(signal SIGSEGV)" in judge_end(-11, [], Farewell()).says
    assert "(signal 99)" in judge_end(-99, [], Farewell()).says


def test_a_server_that_ends_with_its_stdin_needs_no_words():
    assert judge_hang_up(0, 1, Farewell()) == ("", True)


def test_a_server_that_fails_when_its_stdin_ends_is_at_fault():
    ending = judge_hang_up(1, 1, Farewell())
    says = "The server ended (exit status 1) when its stdin was closed."
    assert ending == (says, False)


def test_a_server_that_must_be_stopped_is_at_fault_only_after_exit():
    assert judge_hang_up(None, 1, Farewell()).is_right
    assert not judge_hang_up(None, 1, farewell(SHUTDOWN, EXIT)).is_right


@pytest.mark.parametrize(
    "line", [b"{", b'{"jsonrpc":"2.0","method":"exit","id":1}', b"[%s]" % EXIT]
)
def test_only_the_notification_exit_says_farewell(line):
    assert not farewell(line).exit


@pytest.mark.parametrize(
    ("stderr", "address"),
    [
        ("INFO: Uvicorn running on http://127.0.0.1:8080 (CTRL+C)", "http://127.0.0.1:8080"),
        ("Server listening on port 3000", "port 3000"),
        ("MCP server started: http://0.0.0.0:8000/mcp.", "http://0.0.0.0:8000/mcp"),
        ("go to ws://localhost:9/ now", "ws://localhost:9/"),
        ("http://localhost:1\nlistening on http://localhost:2", "http://localhost:2"),
        ("See https://example.com/docs", ""),
        ("listening for messages on stdin", ""),
        ("", ""),
    ],
)
def test_the_address_that_a_server_listens_on_is_found(stderr, address):
    assert find_address(stderr) == address
