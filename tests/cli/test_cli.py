"""The commands, as real processes: what they print, and their exit status."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rpclab.cli.commands import LazyCommands
from rpclab.cli.terminal import printable

RPCLAB = [sys.executable, "-m", "rpclab"]
REQUEST = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'
NINETEEN = '{"jsonrpc":"2.0","result":19,"id":1}'
NOTIFICATION = '{"jsonrpc":"2.0","method":"update"}'
COMMANDS = [
    "serve", "demo", "send", "conform", "conform-client", "explain", "matrix", "exercises",
    "classroom",
]  # fmt: skip
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell, signal or terminal")

pytestmark = pytest.mark.timeout(60)


def rpclab(*arguments, typed=b"", **environment):
    """Run a command to its end."""
    return subprocess.run(
        [*RPCLAB, *arguments],
        input=typed,
        capture_output=True,
        check=False,
        env={**os.environ, "COLUMNS": "100", "PYTHONUTF8": "1", **environment},
    )


def lines(done):
    return done.stdout.decode().splitlines()


# --- help and wrong commands ------------------------------------------------------


def test_without_a_command_the_help_is_shown():
    shown = rpclab().stdout.decode()
    assert [command for command in COMMANDS if f"│ {command} " not in shown] == []


@pytest.mark.parametrize("command", ["serve", "demo", "send"])
def test_each_command_has_help(command):
    done = rpclab(command, "--help")
    assert (done.returncode, f"Usage: python -m rpclab {command}" in done.stdout.decode()) == (
        0,
        True,
    )


def test_the_installed_command_is_the_module():
    command = Path(sys.executable).with_name("rpclab")
    done = subprocess.run(
        [command, "serve"], input=REQUEST.encode(), capture_output=True, check=True
    )
    assert done.stdout.decode() == f"{NINETEEN}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nope"], "No such command 'nope'"),
        (["serve", "--framing", "smoke"], "'smoke' is not one of 'newline', 'content-length'"),
        (["send", "--wait", "0"], "--wait"),
        (["send", "--wait", "soon"], "--wait"),
        (["serve", "extra"], "extra"),
        (["serve", "newline"], "unexpected extra argument(s) (newline)"),
        (["serve", "--framing=smoke"], "'smoke' is not one of 'newline', 'content-length'"),
        (["serve", "--framing"], "--framing"),
    ],
    ids=["command", "framing", "no wait", "wait", "argument", "a name", "with =", "no name"],
)
def test_a_wrong_command_line_is_a_sentence_and_no_traceback(arguments, sentence):
    done = rpclab(*arguments)
    said = re.sub(r"[\s│]+", " ", done.stderr.decode())
    assert (done.returncode, sentence in said, "Traceback" in said) == (2, True, False)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_listed_and_has_a_module_with_its_options(command):
    listed = LazyCommands().list_commands(None)
    assert command in listed
    assert LazyCommands().get_command(None, command).name == command


def test_a_name_that_is_nearly_a_command_is_answered_with_the_command():
    assert b"Did you mean 'serve'?" in rpclab("serv").stderr


def modules_of(*words):
    """Return the modules that a command has loaded when it ends."""
    code = (
        "import sys; sys.argv[1:] = sys.argv[1].split(); from rpclab.cli import main\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, " ".join(words)]
    done = subprocess.run(command, input=b"", capture_output=True, check=True)
    return done.stderr.decode().split()


@pytest.mark.parametrize(
    "words",
    [["serve"], ["serve", "--framing", "newline"], ["serve", "--framing=content-length"]],
    ids=" ".join,
)
def test_serve_loads_no_typer_no_colours_and_no_other_command(words):
    loaded = modules_of(*words)
    assert [name for name in loaded if name.startswith("rpclab.cli.")] == []
    assert not {"typer", "click", "rich", "pydantic", "jinja2", "logging", "asyncio"} & set(loaded)


def test_what_serve_does_not_answer_at_once_is_left_to_typer():
    loaded = modules_of("serve", "--framing", "newline", "--framing", "content-length")
    assert {"typer", "rpclab.cli.commands", "rpclab.cli.serve"} <= set(loaded)


# --- serve ------------------------------------------------------------------------


def test_serve_answers_lines():
    assert rpclab("serve", typed=REQUEST.encode()).stdout.decode() == f"{NINETEEN}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["--framing", "content-length"],
        ["--framing=content-length"],
        ["--framing", "newline", "--framing", "content-length"],
    ],
    ids=" ".join,
)
def test_serve_answers_content_length_frames(words):
    frame = f"Content-Length: {len(REQUEST)}\r\n\r\n{REQUEST}"
    done = rpclab("serve", *words, typed=frame.encode())
    assert done.stdout.decode() == f"Content-Length: 36\r\n\r\n{NINETEEN}"


# --- demo -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lesson():
    return rpclab("demo")


def test_demo_ends_by_itself(lesson):
    assert (lesson.returncode, lesson.stderr) == (0, b"")


@pytest.mark.parametrize("code", [-32700, -32600, -32601, -32602, -32603])
def test_demo_shows_each_of_the_five_errors(code, lesson):
    assert [line for line in lines(lesson) if line.endswith(f"error response, {code}")] != []


def test_demo_begins_with_a_good_call(lesson):
    shown = lines(lesson)
    place = shown.index(f"-> {REQUEST}   request")
    assert shown[place + 1] == f"<- {NINETEEN}   success response"


def test_demo_shows_the_silence_after_a_notification(lesson):
    shown = lines(lesson)
    place = next(i for i, line in enumerate(shown) if line.endswith("   notification"))
    assert shown[place + 1].strip() == "no reply"


def test_demo_shows_a_batch_and_its_reply(lesson):
    assert sum(line.endswith("   batch") for line in lines(lesson)) == 2


def test_demo_shows_a_good_line_after_a_broken_one(lesson):
    shown = [line for line in lines(lesson) if line.startswith(("->", "<-"))]
    broken = shown.index('-> {"jsonrpc":"2.0","method":   not JSON')
    assert [line.split()[-1] for line in shown[broken : broken + 4]] == [
        "JSON",
        "-32700",
        "request",
        "response",
    ]


def test_demo_ends_with_the_asymmetric_flow(lesson):
    shown = [line for line in lines(lesson) if line.startswith(("->", "<-"))]
    assert [line.split("   ")[-1] for line in shown[-4:]] == [
        "request",
        "notification",
        "notification",
        "success response",
    ]


def test_demo_annotates_every_line(lesson):
    shown = [line for line in lines(lesson) if line.startswith(("->", "<-"))]
    assert [line for line in shown if "   " not in line] == []


@POSIX
def test_demo_ends_quietly_when_nobody_reads():
    shell = " ".join([*RPCLAB, "demo", "|", "head", "-1"])
    done = subprocess.run(shell, shell=True, capture_output=True, check=True)
    assert done.stderr == b""


# --- send -------------------------------------------------------------------------


SLOW = '{"jsonrpc":"2.0","method":"slow","params":{"seconds":0},"id":1}'
TYPED = [REQUEST, NOTIFICATION, "{", "", "  ", f"{REQUEST}\r", SLOW]


@pytest.fixture(scope="module")
def session():
    """Send some lines to the demo server, in one session."""
    return rpclab("send", typed="\n".join(TYPED).encode())


def test_send_ends_with_its_stdin(session):
    assert (session.returncode, session.stderr) == (0, b"")


def test_send_shows_each_line_and_its_reply(session):
    assert lines(session)[:2] == [f"-> {REQUEST}   request", f"<- {NINETEEN}   success response"]


def test_send_shows_silence_as_silence(session):
    assert lines(session)[2:4] == [
        f"-> {NOTIFICATION}   notification",
        "   no reply, and none is due: a notification is never answered",
    ]


def test_send_shows_a_broken_line_and_its_code(session):
    shown, reply = lines(session)[4:6]
    assert (shown, reply.split("   ")[-1]) == ("-> {   not JSON", "error response, -32700")


def test_send_skips_blank_lines_and_carriage_returns(session):
    assert lines(session)[6:8] == [f"-> {REQUEST}   request", f"<- {NINETEEN}   success response"]


def test_send_shows_progress_before_the_response(session):
    assert [line.split("   ")[-1] for line in lines(session)[8:]] == [
        "request",
        "notification",
        "notification",
        "success response",
    ]


def test_send_ends_well_when_there_is_nothing_to_send():
    done = rpclab("send")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_send_speaks_content_length():
    done = rpclab("send", "--framing", "content-length", typed=f"{REQUEST}\n".encode())
    assert lines(done) == [f"-> {REQUEST}   request", f"<- {NINETEEN}   success response"]


def test_send_gives_a_command_its_own_options():
    command = [*RPCLAB, "serve", "--framing", "content-length"]
    done = rpclab(
        "send", "--framing", "content-length", "--", *command, typed=f"{REQUEST}\n".encode()
    )
    assert lines(done)[1] == f"<- {NINETEEN}   success response"


def test_send_names_a_program_that_is_not_there():
    done = rpclab("send", "--", "no-such-program", typed=REQUEST.encode())
    assert (done.returncode, done.stderr) == (1, b"")
    assert lines(done)[0].startswith("Cannot start no-such-program: ")


def test_send_names_a_program_that_cannot_be_run(tmp_path):
    done = rpclab("send", "--", str(tmp_path), typed=REQUEST.encode())
    assert (done.returncode, done.stderr) == (1, b"")
    assert "Cannot start" in lines(done)[0]


def test_send_says_that_a_server_ended_early_and_how():
    code = "import sys; print('no config', file=sys.stderr); sys.exit(3)"
    done = rpclab("send", "--", sys.executable, "-c", code, typed=f"{REQUEST}\n".encode())
    assert (done.returncode, lines(done)) == (
        1,
        [
            f"-> {REQUEST}   request",
            "The server ended (exit status 3) before it answered.",
            "The end of its stderr:",
            "no config",
        ],
    )


def test_send_says_that_a_reply_is_due_and_does_not_come():
    done = rpclab(
        "send", "--wait", "0.2", "--", sys.executable, "-c", "import sys; sys.stdin.read()",
        typed=f"{REQUEST}\n".encode(),
    )  # fmt: skip
    assert lines(done)[1] == "   no reply after 0.2 s, though one is due"


HOSTILE = (
    "import sys\n"
    "for line in sys.stdin:\n"
    "    sys.stdout.write('\\x1b[2J\\x1b]0;title\\x07\\u202e [bold]\\n')\n"
    "    sys.stderr.write('\\x1b[31mred\\n')\n"
    "    sys.stdout.flush()\n"
)


def test_send_shows_the_escape_sequences_of_a_server_as_text():
    done = rpclab(
        "send", "--wait", "0.5", "--", sys.executable, "-c", HOSTILE, typed=REQUEST.encode()
    )
    assert lines(done)[1] == r"<- \x1b[2J\x1b]0;title\x07\u202e [bold]   not JSON"


def test_send_shows_the_escape_sequences_on_stderr_as_text():
    code = "import sys; sys.stderr.write('\\x1b[31mred\\n')"
    done = rpclab("send", "--", sys.executable, "-c", code, typed=REQUEST.encode())
    assert lines(done)[-1] == r"\x1b[31mred"


def test_send_shows_bytes_of_a_server_that_are_no_text():
    code = "import sys; input(); sys.stdout.buffer.write(bytes([255, 254, 10]))"
    done = rpclab("send", "--", sys.executable, "-c", code, typed=REQUEST.encode())
    assert lines(done)[1] == r"<- \xff\xfe   not JSON"


def test_send_shows_bytes_of_ours_that_are_no_text():
    line = b'{"jsonrpc":"2.0","method":"echo","params":["\xff"],"id":1}'
    shown = lines(rpclab("send", typed=line))
    assert (shown[0].endswith(r'["\xff"],"id":1}   not JSON'), shown[1].split()[-1]) == (
        True,
        "-32700",
    )


def test_send_shows_a_line_past_the_limit_as_a_report():
    code = "input(); print('x' * (17 * 2**20))"
    done = rpclab("send", "--wait", "30", "--", sys.executable, "-c", code, typed=REQUEST.encode())
    assert lines(done)[1] == "<- a line of more than 16777216 bytes was dropped   not JSON"


def test_send_waits_for_the_reply_and_not_for_the_next_line():
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        '    print(\'{"jsonrpc":"2.0","method":"log"}\')\n'
        "    print('banner')\n"
        f"    print('{NINETEEN}', flush=True)\n"
    )
    done = rpclab("send", "--", sys.executable, "-c", code, typed=REQUEST.encode())
    assert [line.split("   ")[-1] for line in lines(done)] == [
        "request",
        "notification",
        "not JSON",
        "success response",
    ]


def test_send_shows_a_reply_where_silence_was_due():
    code = f"for _ in iter(input, ''): print('{NINETEEN}', flush=True)"
    done = rpclab("send", "--", sys.executable, "-c", code, typed=f"{NOTIFICATION}\n\n".encode())
    assert lines(done)[1] == f"<- {NINETEEN}   success response"


def test_send_goes_on_where_its_own_output_has_no_such_character():
    line = '{"jsonrpc":"2.0","method":"echo","params":["é"],"id":1}'
    done = rpclab("send", typed=line.encode(), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (done.returncode, lines(done)[0]) == (
        0,
        r'-> {"jsonrpc":"2.0","method":"echo","params":["\xe9"],"id":1}   request',
    )


@POSIX
def test_send_is_not_held_up_by_a_program_that_left_the_group(tmp_path):
    code = (
        "import pathlib, subprocess, sys\n"
        "inner = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "pathlib.Path(sys.argv[1]).write_text(str(inner.pid))\n"
        f"print('{NINETEEN}', flush=True)\n"
        "sys.stdin.read()\n"
    )
    began = time.monotonic()
    pid = tmp_path / "pid"
    done = rpclab("send", "--", sys.executable, "-c", code, str(pid), typed=REQUEST.encode())
    took = time.monotonic() - began
    os.kill(int(pid.read_text()), signal.SIGKILL)
    assert (done.returncode, took < 30) == (0, True)


@POSIX
def test_an_interrupt_ends_send_and_its_server():
    # A shell that runs the tests in the background lets them ignore the signal.
    listen = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from rpclab.cli import main; main()"
    )
    command = [sys.executable, "-c", listen, "send", "--wait", "600", "--", sys.executable, "-c",
               "import sys; print('{\"jsonrpc\":\"2.0\",\"method\":\"up\"}', flush=True);"
               "sys.stdin.read()"]  # fmt: skip
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, bufsize=0
    ) as run:
        run.stdin.write(f"{REQUEST}\n".encode())
        run.stdout.readline()
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        rest, said = run.stdout.read(), run.stderr.read()
    assert (run.returncode, rest.splitlines()[-1], said) == (130, b"Stopped.", b"")


@POSIX
def test_send_prompts_a_person_who_types():
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen([*RPCLAB, "send"], stdin=theirs, stdout=subprocess.PIPE) as run:
        os.close(theirs)
        os.write(ours, f"{REQUEST}\n\x04".encode())
        shown = run.stdout.read().decode().splitlines()
    os.close(ours)
    assert (run.returncode, shown[0].startswith("Type a line of JSON"), shown[1].count("-> ")) == (
        0,
        True,
        2,
    )


# --- how a line is shown ----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain é 🎉", "plain é 🎉"),
        ("a\x1b[2Jb", r"a\x1b[2Jb"),
        ("a\tb\rc", r"a\tb\rc"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202e", r"\u202e"),
        ("\ud800", r"\ud800"),
        ("\\x1b", r"\x1b"),
    ],
    ids=ascii,
)
def test_a_line_cannot_steer_the_terminal(line, shown):
    assert printable(line) == shown
