"""The commands, as real processes: what they print, and their exit status."""

import os
import re
import subprocess
import sys
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
