"""The command ``rpclab send`` with lines that are piped in, as a real process."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

RPCLAB = [sys.executable, "-m", "rpclab"]
HERE = Path(__file__).parent
ASKING = [sys.executable, str(HERE / "asking_server.py")]
RUDE = [sys.executable, str(HERE.parents[1] / "rude_server.py")]
ROOTS = [sys.executable, str(HERE / "mcp_roots_server.py")]

REQUEST = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'
NINETEEN = '{"jsonrpc":"2.0","result":19,"id":1}'
NOTIFICATION = '{"jsonrpc":"2.0","method":"update"}'
ASK = '{"jsonrpc":"2.0","id":1,"method":"ask","params":[["roots/list",{}],["ping",{}]]}'
SHUTDOWN = '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
EXIT = '{"jsonrpc":"2.0","method":"exit"}'
NO_REPLY_DUE = "   no reply is due: a notification is never answered"

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell or signal")
pytestmark = pytest.mark.timeout(120)


def settings(**environment):
    return {**os.environ, "COLUMNS": "100", "PYTHONUTF8": "1", **environment}


def python(code):
    """Return the command of a server: the code that it runs."""
    return ["--", sys.executable, "-c", code]


def send(*arguments, typed="", **environment):
    """Send lines to the end, and return what was done."""
    done = subprocess.run(
        [*RPCLAB, "send", *arguments],
        input=typed if isinstance(typed, bytes) else typed.encode(),
        capture_output=True,
        check=False,
        env=settings(**environment),
    )
    assert b"Traceback" not in done.stderr
    return done


def lines(done):
    return done.stdout.decode().splitlines()


def came(done, *arrows):
    """Return the rows that begin in one of these ways: the order between ways is free."""
    return [line for line in lines(done) if line.startswith(arrows)]


@contextmanager
def talk(*arguments):
    """Start a session, and talk to it line by line."""
    pipe = subprocess.PIPE
    command = [*RPCLAB, "send", *arguments]
    # A shell that runs the tests in the background lets them ignore the signal.
    listen = "import signal as s; s.signal(s.SIGINT, s.default_int_handler);"
    command = [sys.executable, "-c", f"{listen} from rpclab.cli import main; main()", *command[3:]]
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=settings(), bufsize=0
    ) as run:
        try:
            yield run
        finally:
            run.kill()


def read_until(run, words):
    """Read rows until one has these words, and return it."""
    while words not in (row := run.stdout.readline().decode()):
        assert row, run.stderr.read()
    return row.rstrip("\r\n")


# --- lines and replies ----------------------------------------------------------------


@pytest.fixture(scope="module")
def session():
    """Send some lines to the demo server, in one session."""
    slow = '{"jsonrpc":"2.0","method":"slow","params":{"seconds":0},"id":"s"}'
    typed = [REQUEST, NOTIFICATION, "{", "", "  ", f"{REQUEST}\r", slow]
    return send(typed="\n".join(typed))


def test_it_ends_well_with_its_stdin(session):
    assert (session.returncode, session.stderr) == (0, b"")


def test_each_line_is_shown_with_its_shape(session):
    assert [line.split("   ")[1] for line in came(session, "->")] == [
        "request", "notification", "not JSON", "request", "request",
    ]  # fmt: skip


def test_each_reply_is_shown_with_what_it_answers(session):
    assert came(session, "<-")[:3] == [
        f"<- {NINETEEN}   success response to subtract",
        '<- {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error","data":"Expecting'
        ' property name enclosed in double quotes at character 1"},"id":null}'
        "   error response to the broken line, -32700",
        f"<- {NINETEEN}   success response to subtract",
    ]


def test_progress_is_shown_before_the_response(session):
    assert [line.split("   ")[1] for line in came(session, "<-")[3:]] == [
        "notification", "notification", "success response to slow",
    ]  # fmt: skip


def test_silence_after_a_notification_is_explained(session):
    shown = lines(session)
    assert shown[shown.index(f"-> {NOTIFICATION}   notification") + 1] == NO_REPLY_DUE


def test_it_ends_well_when_there_is_nothing_to_send():
    done = send()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@POSIX
def test_it_ends_well_without_a_stdin():
    shell = f"exec {sys.executable} -m rpclab send <&-"
    done = subprocess.run(shell, shell=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_reply_is_shown_while_stdin_is_open():
    with talk() as run:
        run.stdin.write(f"{REQUEST}\n".encode())
        assert read_until(run, "<-") == f"<- {NINETEEN}   success response to subtract"
        run.stdin.close()
        assert run.wait() == 0


def test_a_line_is_sent_before_the_reply_to_the_one_before():
    code = (
        "import json\n"
        "first, second = json.loads(input()), json.loads(input())\n"
        "for call in second, first:\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'result': 0, 'id': call['id']}))\n"
    )
    done = send(*python(code), typed=f"{REQUEST}\n{SHUTDOWN}\n")
    assert [line.split("   ")[1] for line in came(done, "<-")] == [
        "success response to shutdown", "success response to subtract",
    ]  # fmt: skip


def test_the_framing_of_the_profile_is_spoken():
    serve = [*RPCLAB, "serve", "--framing", "content-length"]
    done = send("--profile", "lsp", "--", *serve, typed=f"{REQUEST}\n")
    assert came(done, "<-") == [f"<- {NINETEEN}   success response to subtract"]


def test_the_demo_server_speaks_the_framing_that_is_asked_for():
    done = send("--framing", "content-length", typed=f"{REQUEST}\n")
    assert came(done, "<-") == [f"<- {NINETEEN}   success response to subtract"]


def test_a_batch_is_matched_member_by_member():
    done = send(typed=f'[{REQUEST},{{"jsonrpc":"2.0","method":"get_data","id":2}},1]')
    assert lines(done)[1].endswith("batch to subtract, get_data, the broken line")


def test_a_reply_that_answers_nothing_is_explained():
    code = f"input(); print('{NINETEEN}'.replace('1}}', '\"1\"}}')); print('{NINETEEN}')"
    shown = lines(send(*python(code), typed=REQUEST))
    assert shown[2] == "   the id of a call, but of another type"
    assert shown[3] == f"<- {NINETEEN}   success response to subtract"


def test_a_reply_that_breaks_a_rule_is_explained_in_one_row():
    code = """input(); print('{"result":19,"id":1}')"""
    done = send(*python(code), typed=REQUEST)
    assert lines(done)[2] == (
        '   broken 5.jsonrpc-exact: The member jsonrpc is missing. Add "jsonrpc":"2.0".'
    )


def test_it_waits_for_the_reply_and_not_for_the_next_line():
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        '    print(\'{"jsonrpc":"2.0","method":"log"}\')\n'
        "    print('banner')\n"
        f"    print('{NINETEEN}', flush=True)\n"
    )
    done = send(*python(code), typed=REQUEST)
    assert [line.split("   ")[-1] for line in came(done, "<-")] == [
        "notification", "not JSON", "success response to subtract",
    ]  # fmt: skip


def test_a_reply_where_silence_was_due_is_shown():
    code = f"for _ in iter(input, ''): print('{NINETEEN}', flush=True)"
    done = send(*python(code), typed=f"{NOTIFICATION}\n")
    assert lines(done)[2:4] == [f"<- {NINETEEN}   success response", "   no call had this id"]


@POSIX
def test_lines_that_a_terminal_gives_back_are_not_answered():
    code = "import os, pty, sys\npty.spawn([sys.executable, '-m', 'rpclab', 'serve'])\n"
    done = send(*python(code), typed=f"{REQUEST}\n")
    assert came(done, "->", f"<- {NINETEEN}") == [
        f"-> {REQUEST}   request",
        f"<- {NINETEEN}   success response to subtract",
    ]
    assert sum("a terminal sends back every line" in line for line in lines(done)) == 1


# --- the server's own requests ----------------------------------------------------------


def test_a_request_without_a_rule_is_refused_and_a_rule_is_suggested():
    done = send("--", *ASKING, typed=ASK)
    refused = '-> {"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"1.0"}'
    assert f"{refused}   error response, -32601" in lines(done)
    assert "   No rule for roots/list: --answer METHOD=JSON makes one." in lines(done)
    assert came(done, "<-")[-1].endswith("success response to ask")


def test_a_request_is_answered_by_its_rule():
    rules = ["--answer", 'roots/list={"roots":[]}', "--answer", "*=error -32000 busy"]
    done = send(*rules, "--", *ASKING, typed=ASK)
    assert came(done, "->")[1:] == [
        '-> {"jsonrpc":"2.0","result":{"roots":[]},"id":"1.0"}   success response',
        '-> {"jsonrpc":"2.0","error":{"code":-32000,"message":"busy"},"id":"1.1"}'
        "   error response, -32000",
    ]


def test_a_rule_may_be_silence():
    done = send("--answer", "*=silence", "--wait", "0.5", "--", *ASKING, typed=ASK)
    assert "   ping is not answered" in lines(done)
    assert "   no reply to ask (id 1) after 0.5 s, though one is due" in lines(done)


def test_a_real_mcp_server_is_told_the_roots_of_a_client_without_any():
    initialize = (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{"roots":{}},"clientInfo":{"name":"send","version":"1"}}}\n'
        '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    )
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_roots"}}\n'
    done = send("--profile", "mcp", "--wait", "60", "--", *ROOTS, typed=initialize + call)
    assert done.returncode == 0
    assert '-> {"jsonrpc":"2.0","result":{"roots":[]},"id":1}   success response' in lines(done)
    assert '"structuredContent":{"result":0}' in came(done, "<-")[-1]
    assert [line for line in lines(done) if "broken" in line] == []


# --- stderr -----------------------------------------------------------------------------


def test_stderr_is_shown_live_and_with_a_word_before_it():
    with talk("--", *ASKING) as run:
        assert read_until(run, "ready") == "stderr| ready"
        run.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"say","params":["it works"]}\n')
        assert read_until(run, "stderr|") == "stderr| it works"


def test_what_handlers_print_is_on_stderr():
    done = send("--", *RUDE, typed='{"jsonrpc":"2.0","method":"chatter","id":1}')
    assert {"stderr| a print", "stderr| to stderr"} <= set(lines(done))


def test_stderr_is_shown_without_escape_sequences():
    done = send(*python("import sys; sys.stderr.write('\\x1b[31mred\\n')"))
    assert lines(done) == [r"stderr| \x1b[31mred"]


# --- silence ----------------------------------------------------------------------------


def test_a_reply_that_does_not_come_makes_the_status_1():
    done = send("--wait", "0.2", *python("import sys; sys.stdin.read()"), typed=REQUEST)
    assert (done.returncode, lines(done)) == (
        1,
        [
            f"-> {REQUEST}   request",
            "   no reply to subtract (id 1) after 0.2 s, though one is due",
        ],
    )


def test_each_call_has_a_limit_of_its_own():
    calls = "".join(f'{{"jsonrpc":"2.0","method":"m","id":{n}}}\n' for n in range(60))
    began = time.monotonic()
    done = send("--wait", "1", *python("import sys; sys.stdin.read()"), typed=calls)
    assert sum("after 1 s, though one is due" in line for line in lines(done)) == 60
    assert time.monotonic() - began < 40


def test_one_silent_call_does_not_hold_up_the_next():
    code = f"input(); input(); print('{NINETEEN}'); input()"
    done = send("--wait", "1", *python(code), typed=f"{SHUTDOWN}\n{REQUEST}\n")
    assert came(done, "<-", "   no reply to") == [
        f"<- {NINETEEN}   success response to subtract",
        "   no reply to shutdown (id 2) after 1 s, though one is due",
    ]


@pytest.mark.parametrize("stream", ["stderr", "stdout"])
def test_a_silent_server_that_listens_on_http_is_found_out(stream):
    code = (
        "import sys, time\n"
        f"print('INFO: running on http://127.0.0.1:8080', file=sys.{stream}, flush=True)\n"
        "time.sleep(600)\n"
    )
    done = send("--wait", "1", *python(code), typed=REQUEST)
    assert done.returncode == 1
    mark = "stderr| " if stream == "stderr" else "<- "
    assert len(came(done, f"{mark}INFO: running on http://127.0.0.1:8080")) == 1
    hint = next(line for line in lines(done) if "It seems to listen" in line)
    assert hint.startswith("   It seems to listen on http://127.0.0.1:8080, and not to read")


def test_replies_that_come_only_at_the_end_hint_at_a_missing_flush():
    code = f"import sys; sys.stdin.read(); print('{NINETEEN}')"
    done = send("--wait", "0.2", *python(code), typed=REQUEST)
    assert done.returncode == 1
    assert lines(done)[-2:] == [
        "   late: its call was given up",
        "   It came when stdin was closed: is stdout flushed before?",
    ]


def test_a_server_that_reads_nothing_does_not_hold_us_up():
    many = f"{REQUEST}\n" * 10_000
    done = send("--wait", "1", *python("import time; time.sleep(600)"), typed=many)
    assert done.returncode == 1
    assert "The server has read nothing for 1 s." in lines(done)


# --- the end of the server ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (f"{SHUTDOWN}\n{EXIT}\n", "(exit status 0), as LSP asks after shutdown and exit."),
        (f"{EXIT}\n", "(exit status 1), as LSP asks after exit without shutdown."),
    ],
    ids=["shutdown", "exit alone"],
)
def test_a_server_may_end_after_exit(typed, says):
    done = send("--profile", "lsp", "--", *ASKING, "content-length", typed=typed)
    assert (done.returncode, lines(done)[-1]) == (0, f"   The server ended {says}")


def test_a_real_lsp_server_ends_well_after_exit():
    initialize = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize",'
        '"params":{"processId":null,"rootUri":null,"capabilities":{}}}\n'
        '{"jsonrpc":"2.0","method":"initialized","params":{}}\n'
    )
    ruff = str(Path(sys.executable).with_name("ruff"))
    command = [*RPCLAB, "send", "--framing", "content-length", "--wait", "60", "--", ruff, "server"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=settings()
    ) as sending:
        sending.stdin.write(f"{initialize}{SHUTDOWN}\n".encode())
        sending.stdin.flush()
        # The server may lose its last reply if exit comes before it is written.
        for shown in sending.stdout:
            if b'"id":2,"result"' in shown:
                break
        said, _ = sending.communicate(f"{EXIT}\n".encode(), timeout=60)
    end = "   The server ended (exit status 0), as LSP asks after shutdown and exit."
    assert (sending.returncode, said.decode().splitlines()[-1]) == (0, end)


def test_exit_means_nothing_to_a_server_that_speaks_lines():
    done = send("--wait", "600", typed=f"{EXIT}\n")
    assert (done.returncode, lines(done)[1:]) == (0, [NO_REPLY_DUE])


def test_a_server_that_stays_after_exit_is_at_fault():
    done = send("--profile", "lsp", "--wait", "0.5", *python("import time; time.sleep(600)"),
                typed=f"{EXIT}\n")  # fmt: skip
    assert (done.returncode, lines(done)[-1]) == (
        1,
        "The server still ran 1 s after exit and the end of its stdin. It was stopped.",
    )


def test_a_server_that_ends_before_it_answers_is_at_fault():
    code = "import sys; input(); print('no config', file=sys.stderr); sys.exit(3)"
    done = send(*python(code), typed=f"{REQUEST}\n")
    assert done.returncode == 1
    assert sorted(lines(done)) == [
        f"-> {REQUEST}   request",
        "The server ended (exit status 3) before it answered subtract (id 1).",
        "stderr| no config",
    ]


@pytest.mark.parametrize("typed", ["", REQUEST])
def test_a_server_that_only_fails_is_at_fault(typed):
    done = send(*python("raise SystemExit(1)"), typed=typed)
    assert done.returncode == 1
    assert "The server ended (exit status 1)" in lines(done)[-1]


@POSIX
def test_a_server_that_ended_is_not_waited_for_because_of_what_it_started():
    code = "import os, subprocess; input(); subprocess.Popen(['sleep', '600']); os._exit(3)"
    done = send("--wait", "600", *python(code), typed=REQUEST)
    assert done.returncode == 1
    assert lines(done)[-1] == "The server ended (exit status 3) before it answered subtract (id 1)."


def test_a_server_that_closes_its_stdout_is_not_waited_for():
    code = "import os, time; input(); os.close(1); time.sleep(600)"
    done = send("--wait", "600", *python(code), typed=REQUEST)
    assert done.returncode == 1
    assert "closed its stdout and still runs before it answered" in lines(done)[-1]


def test_the_end_of_a_server_ends_the_session_though_stdin_is_open():
    with talk(*python("input()")) as run:
        run.stdin.write(f"{NOTIFICATION}\n".encode())
        assert read_until(run, "The server ended") == "   The server ended (exit status 0)."
        assert run.wait() == 0


@POSIX
def test_it_is_not_held_up_by_a_program_that_left_the_group(tmp_path):
    code = (
        "import pathlib, subprocess, sys\n"
        "inner = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "pathlib.Path(sys.argv[1]).write_text(str(inner.pid))\n"
        "sys.stdin.readline()\n"
        f"print('{NINETEEN}', flush=True)\n"
        "sys.stdin.read()\n"
    )
    began = time.monotonic()
    pid = tmp_path / "pid"
    done = send(*python(code), str(pid), typed=REQUEST)
    took = time.monotonic() - began
    os.kill(int(pid.read_text()), signal.SIGKILL)
    assert (done.returncode, took < 30) == (0, True)


STUBBORN = (
    "import os, sys, time\n"
    "print(os.getpid(), file=sys.stderr, flush=True)\n"
    "while True: time.sleep(600)\n"
)


@POSIX
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_that_ends_send_ends_its_server(name, status):
    with talk(*python(STUBBORN)) as run:
        server = int(read_until(run, "stderr|").removeprefix("stderr| "))
        run.send_signal(getattr(signal, name))
        rest, said = run.stdout.read(), run.stderr.read()
        assert (run.wait(), said) == (status, b"")
        assert not psutil.pid_exists(server)
        assert rest == (b"Stopped.\n" if name == "SIGINT" else b"")


@POSIX
def test_nothing_is_left_behind_when_nobody_reads_what_it_shows():
    shell = f"{sys.executable} -m rpclab send | head -1"
    done = subprocess.run(
        shell, shell=True, input=f"{REQUEST}\n".encode() * 3, capture_output=True, check=True
    )
    assert (done.stdout.decode(), done.stderr) == (f"-> {REQUEST}   request\n", b"")


# --- what cannot start ----------------------------------------------------------------------


def test_a_program_that_is_not_there_is_named():
    done = send("--", "no-such-program", typed=REQUEST)
    assert (done.returncode, done.stderr) == (1, b"")
    assert "no-such-program" in lines(done)[0]


def test_a_program_that_cannot_be_run_is_named(tmp_path):
    done = send("--", str(tmp_path), typed=REQUEST)
    assert (done.returncode, done.stderr) == (1, b"")
    assert str(tmp_path) in lines(done)[0]


@POSIX
def test_a_script_whose_interpreter_is_missing_is_told_apart(tmp_path):
    script = tmp_path / "server"
    script.write_text("#!/no/such/python3\n")
    script.chmod(0o700)
    done = send("--", str(script), typed=REQUEST)
    assert done.returncode == 1
    assert "is there" in lines(done)[0]
    assert "/no/such/python3" in lines(done)[0]


def test_the_server_gets_its_variables_and_its_folder(tmp_path):
    code = "import os, sys; print(os.environ['COLOUR'], os.getcwd(), file=sys.stderr)"
    done = send("--env", "COLOUR=a=b", "--cwd", str(tmp_path), *python(code))
    assert lines(done) == [f"stderr| a=b {tmp_path.resolve()}"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--env", "COLOUR"], "--env takes NAME=VALUE, not 'COLOUR'"),
        (["--answer", "ping"], "--answer takes METHOD=JSON"),
        (["--answer", "ping={"], "--answer ping: '{' is not JSON"),
        (["--profile", "smoke"], "there is no profile 'smoke'"),
        (["--cwd", "no such folder"], "does not exist"),
    ],
)
def test_a_wrong_option_gets_a_sentence(arguments, sentence):
    done = send(*arguments)
    said = " ".join(done.stderr.decode().replace("│", " ").split())
    assert (done.returncode, sentence in said) == (2, True)


# --- hostile bytes --------------------------------------------------------------------------


def test_the_escape_sequences_of_a_server_are_shown_as_text():
    code = "input(); print('\\x1b[2J\\x1b]0;title\\x07\\u202e [bold]')"
    done = send(*python(code), typed=REQUEST)
    assert lines(done)[1] == r"<- \x1b[2J\x1b]0;title\x07\u202e [bold]   not JSON"


def test_bytes_of_a_server_that_are_no_text_are_shown():
    code = "import sys; input(); sys.stdout.buffer.write(bytes([255, 254, 10]))"
    assert lines(send(*python(code), typed=REQUEST))[1] == r"<- \xff\xfe   not JSON"


def test_bytes_of_ours_that_are_no_text_are_sent():
    done = send(typed=b'{"jsonrpc":"2.0","method":"echo","params":["\xff"],"id":1}')
    sent, reply = lines(done)
    assert sent.endswith(r'["\xff"],"id":1}   not JSON')
    assert reply.endswith("error response to the broken line, -32700")


def test_a_line_past_the_limit_is_shown_as_a_report():
    code = "input(); print('x' * (17 * 2**20))"
    done = send("--wait", "30", *python(code), typed=REQUEST)
    assert lines(done)[1] == "<- a line of more than 16777216 bytes was dropped"


def test_a_line_of_ours_past_the_limit_is_not_sent():
    done = send(typed=b"x" * (17 * 2**20))
    assert (done.returncode, lines(done)) == (
        1,
        ["Not sent: a line of more than 16777216 bytes was dropped."],
    )


def test_it_goes_on_where_its_own_output_has_no_such_character():
    line = '{"jsonrpc":"2.0","method":"echo","params":["é"],"id":1}'
    done = send(typed=line, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (done.returncode, lines(done)[0]) == (
        0,
        r'-> {"jsonrpc":"2.0","method":"echo","params":["\xe9"],"id":1}   request',
    )
