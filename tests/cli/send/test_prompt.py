"""The prompt of ``rpclab send``, on a real terminal."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

if sys.platform == "win32":
    pytest.skip("a POSIX terminal", allow_module_level=True)

import pexpect

HERE = Path(__file__).parent
ASKING = [sys.executable, str(HERE / "asking_server.py")]
ASK = '{"jsonrpc":"2.0","id":1,"method":"ask","params":[["roots/list",{}]]}'
UP, TAB, CTRL_C, CTRL_D = "\x1b[A", "\t", "\x03", "\x04"
READY = "\x1b[?2004h"  # the prompt asks the terminal to mark what is pasted
PASTE = "\x1b[200~{}\x1b[201~"

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def start(tmp_path):
    """Start sessions on terminals of their own. Their user has no history yet."""
    sessions = []

    def start_session(*arguments):
        settings = {
            "HOME": str(tmp_path),
            "XDG_STATE_HOME": str(tmp_path),
            "TERM": "xterm",
            "NO_COLOR": "1",  # what is told apart by colour alone would not be told apart
            "PROMPT_TOOLKIT_NO_CPR": "1",  # this terminal does not say where its cursor is
        }
        environment = {
            name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ
        }
        session = pexpect.spawn(
            sys.executable,
            ["-m", "rpclab", "send", *arguments],
            env=environment | settings,
            dimensions=(30, 200),
            timeout=30,
            encoding="utf-8",
        )
        sessions.append(session)
        session.delaybeforesend = None
        session.expect_exact(READY)
        return session

    yield start_session
    for session in sessions:
        session.close(force=True)


def expect(session, row):
    """Wait until a row is shown. Before its last words the terminal may be told to dim them."""
    line, gap, words = row.partition("   ")
    session.expect(re.escape(line) + r"(\x1b\[[\d;]*m)*" + re.escape(gap + words))


def end(session):
    """End a session with Ctrl-D, and return its exit status."""
    session.send(CTRL_D)
    session.expect(pexpect.EOF)
    session.wait()
    return session.exitstatus


def test_a_person_is_told_how_it_works(start):
    session = start()
    assert "Ctrl-D ends it" in session.before
    assert end(session) == 0


def test_a_word_and_tab_become_a_request(start):
    session = start()
    session.send(f"get_d{TAB}")
    session.expect_exact('{"jsonrpc":"2.0","id":1,"method":"get_data"}')
    session.send("\r")
    expect(session, '-> {"jsonrpc":"2.0","id":1,"method":"get_data"}   request')
    expect(session, '["hello",5],"id":1}   success response to get_data')
    assert end(session) == 0


def test_what_comes_while_one_types_is_shown_above_and_the_typing_stays(start):
    session = start()
    session.send('{"jsonrpc":"2.0","id":5,"method":"slow","params":{"seconds":1}}\r')
    expect(session, '"method":"slow","params":{"seconds":1}}   request')
    session.send('{"jsonrpc":"2.0","id":6,"method":"echo","par')
    expect(session, '{"steps":2},"id":5}   success response to slow')
    session.send('ams":[7]}\r')
    session.expect_exact("[7]")
    expect(session, '"result":[7],"id":6}   success response to echo')
    assert end(session) == 0


def test_the_arrows_bring_back_the_lines_of_an_earlier_session(start, tmp_path):
    first = start()
    first.send('{"jsonrpc":"2.0","id":1,"method":"get_data"}\r')
    first.expect_exact("success response to get_data")
    assert end(first) == 0
    (file,) = tmp_path.rglob("send_history")
    assert file.stat().st_mode & 0o777 == 0o600
    second = start()
    second.send(UP)
    second.expect_exact('"method":"get_data"}')
    second.send("\r")
    second.expect_exact("success response to get_data")
    assert end(second) == 0


def test_a_message_that_was_pasted_over_several_lines_is_sent_as_one(start):
    session = start()
    session.send(PASTE.format('{\n  "jsonrpc": "2.0",\n  "id": 3,\n  "method": "get_data"\n}'))
    session.send("\r")
    session.expect_exact("These 5 lines are one message. Send it as one line?")
    session.send("\r")
    expect(session, '-> { "jsonrpc": "2.0", "id": 3, "method": "get_data" }   request')
    session.expect_exact("success response to get_data")
    assert end(session) == 0


def test_lines_that_were_pasted_may_be_sent_each_or_not_at_all(start):
    session = start()
    lines = "\n".join(f'{{"jsonrpc":"2.0","id":{id},"method":"echo"}}' for id in (1, 2))
    for answer in ("n", "y"):
        session.send(PASTE.format(lines))
        session.send("\r")
        session.expect_exact("These 2 lines are a message each. Send each?")
        session.send(f"{answer}\r")
    expect(session, '"result":[],"id":1}   success response to echo')
    expect(session, '"result":[],"id":2}   success response to echo')
    assert end(session) == 0


def test_a_request_of_the_server_is_answered_from_a_menu(start):
    session = start("--", *ASKING)
    session.send(f"{ASK}\r")
    session.expect_exact("The server asks for roots/list: choose an answer below.")
    session.expect_exact("roots/list waits for one of: result {}, error -32601, silence (Tab)")
    session.send(f"err{TAB}")
    session.expect_exact("or -32601")
    session.send("\r")
    session.expect_exact('"error":{"code":-32601,"message":"Method not found"},"id":"1.0"}')
    session.expect_exact("success response to ask")
    assert end(session) == 0


def test_other_lines_are_sent_while_the_server_waits_for_an_answer(start):
    session = start("--", *ASKING)
    session.send(f"{ASK}\r")
    session.expect_exact("The server asks for roots/list")
    session.send('{"jsonrpc":"2.0","id":9,"method":"echo"}\r')
    session.expect_exact("success response to echo")
    session.send('result {"roots":[1]}\r')
    expect(session, '{"jsonrpc":"2.0","result":{"roots":[1]},"id":"1.0"}   success response')
    session.expect_exact("success response to ask")
    assert end(session) == 0


def test_stderr_is_shown_beside_the_prompt(start):
    session = start("--", *ASKING)
    session.send('{"jsonrpc":"2.0","id":1,"method":"say","params":["it works"]}\r')
    session.expect_exact("stderr| it works")
    assert end(session) == 0


def test_the_end_of_the_server_gives_the_terminal_back(start):
    session = start("--profile", "lsp", "--", *ASKING, "content-length")
    session.send('{"jsonrpc":"2.0","id":2,"method":"shutdown"}\r')
    session.expect_exact("success response to shutdown")
    session.send('{"jsonrpc":"2.0","method":"exit"}\r')
    session.expect_exact("The server ended (exit status 0), as LSP asks after shutdown and exit.")
    session.expect(pexpect.EOF)
    session.wait()
    assert session.exitstatus == 0


def test_ctrl_c_clears_what_is_typed_and_ends_an_empty_prompt(start):
    session = start("--", *ASKING)
    server = psutil.Process(session.pid).children()
    session.send(f"never sent{CTRL_C}")
    session.send('{"jsonrpc":"2.0","id":1,"method":"echo"}\r')
    session.expect_exact("success response to echo")
    session.send(CTRL_C)
    session.expect_exact("Stopped.")
    session.expect(pexpect.EOF)
    session.wait()
    assert session.exitstatus == 130
    assert [one for one in server if one.is_running()] == []


def test_a_terminal_that_is_closed_ends_the_server(start):
    session = start("--", sys.executable, "-c", "import time; time.sleep(600)")
    (server,) = psutil.Process(session.pid).children()
    os.kill(session.pid, signal.SIGHUP)
    session.wait()
    assert session.exitstatus == 129
    assert not server.is_running()


def test_where_only_stdin_is_a_terminal_lines_are_read_without_a_prompt():
    ours, theirs = os.openpty()
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "rpclab", "send"]
    with subprocess.Popen(command, stdin=theirs, stdout=pipe, stderr=pipe) as run:
        os.close(theirs)
        assert run.stderr.readline().startswith(b"Type a line of JSON")
        os.write(ours, b'{"jsonrpc":"2.0","id":1,"method":"get_data"}\n')
        shown = [run.stdout.readline() for _ in range(2)]
        os.write(ours, b"\x04")
        assert (run.wait(), run.stdout.read(), run.stderr.read()) == (0, b"", b"")
    os.close(ours)
    assert [row[:2] for row in shown] == [b"->", b"<-"]
