"""What a person sees in a real terminal that is narrow: whole words, and no Markdown."""

import os
import re
import struct
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from rpclab.cli.commands import LazyCommands, app
from rpclab.cli.terminal import did_you_mean, prose
from rpclab.spec import clauses, rulings
from tests.classroom.handin_files import RIGHT, write_py

RPCLAB = [sys.executable, "-m", "rpclab"]
ECHO = [sys.executable, "-c", (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    call = json.loads(line)\n"
    "    print(json.dumps({'jsonrpc': '2.0', 'result': call, 'id': call.get('id')}), flush=True)\n"
)]  # fmt: skip
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX terminal")

pytestmark = [pytest.mark.timeout(60), POSIX]


def in_terminal(columns, *words, **environment):
    """Return what a command shows in a terminal of so many columns."""
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    inherited = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    with subprocess.Popen(
        [*RPCLAB, *words], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**inherited, "TERM": "xterm-256color", **environment},
    ):  # fmt: skip
        os.close(theirs)
        shown = bytearray()
        while chunk := _read(ours):
            shown += chunk
    os.close(ours)
    return shown.decode()


def _read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so when the last program has closed it
        return b""


def words_in(shown):
    """Return the words, without colours, frames and what a progress bar overwrote."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r\n", "\n")
    lines = [line.rsplit("\r", 1)[-1] for line in plain.split("\n")]
    return re.sub(r"[─-╿]", " ", "\n".join(lines)).split()


# The example in the help of serve is one word that is longer than a narrow terminal.
HELPS = [[], *([name] for name in LazyCommands().commands if name != "serve")]


@pytest.mark.parametrize("words", [*HELPS, ["classroom", "grade"]], ids=" ".join)
def test_no_word_of_a_help_is_broken_in_two_at_60_columns(words):
    wide = CliRunner().invoke(app, [*words, "-h"], env={"COLUMNS": "400"}, prog_name="rpclab")
    narrow = words_in(in_terminal(60, *words, "-h"))
    assert set(narrow) - {"python", "-m"} <= set(words_in(wide.output))


@pytest.mark.parametrize(
    "words",
    [
        ["matrix", "--list"],
        ["specimen"],
        ["exercises", "run", "ex0"],
        ["exercises", "task", "ex19"],
        ["conform", "--case", "nobody", "--", "true"],
        ["conform", "--case", "id.null", "--case", "params.empty-array", "--", *RPCLAB, "serve"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_word_is_broken_in_two_at_60_columns(words):
    assert set(words_in(in_terminal(60, *words))) <= set(words_in(in_terminal(400, *words)))


def test_the_marks_of_a_class_are_whole_words_in_a_narrow_terminal(tmp_path):
    write_py(tmp_path, "anne-catherine", RIGHT)
    words = ["classroom", str(tmp_path), "--exercise", "ex04"]
    narrow, wide = words_in(in_terminal(40, *words)), words_in(in_terminal(400, *words))
    assert {"anne-catherine:", "ex04_split:", "6/6"} <= set(narrow)
    assert {"anne-catherine", "ex04_split", "6/6"} <= set(wide)


def test_a_line_of_the_wire_is_never_cut():
    always_one = [word.replace("'result': call", "'result': 1") for word in ECHO]
    shown = in_terminal(60, "conform", "--case", "examples.named-1", "--", *always_one)
    sent = '"params": {"subtrahend": 23, "minuend": 42}, "id": 3}'
    assert sent in re.sub(r"\x1b\[[0-9;]*m", "", shown)


@pytest.mark.parametrize(
    "words",
    [
        ["exercises", "task", "ex04"],
        ["conform", "--case", "id.missing", "--case", "id.null", "--", *ECHO],
        ["specimen"],
        ["matrix", "--list"],
    ],
    ids=lambda words: words[0],
)
def test_no_terminal_shows_markdown(words):
    shown = in_terminal(80, *words)
    assert "`" not in shown
    assert "# " not in shown


def test_a_task_is_markdown_in_a_pipe():
    done = subprocess.run(
        [*RPCLAB, "exercises", "task", "ex04"], capture_output=True, check=True, text=True
    )
    assert done.stdout.startswith("# Exercise 4: cut a byte stream into lines\n")


def test_without_colours_there_is_none():
    shown = in_terminal(80, "demo", NO_COLOR="1")
    styles = {code for found in re.findall(r"\x1b\[([0-9;]*)m", shown) for code in found.split(";")}
    assert styles <= {"", "0", "1", "2"}  # bold and dim have no colour


def test_each_backtick_of_a_rule_has_its_partner():
    sentences = [*(one.says for one in clauses()), *(one.point for one in rulings())]
    assert [one for one in sentences if one.count("`") % 2] == []
    assert "`" not in "".join(prose(one).plain for one in sentences)


def test_only_near_names_are_offered():
    assert did_you_mean("id.nul", ["id.null", "batch.empty"]) == " Did you mean id.null?"
    assert did_you_mean("nobody", ["id.null", "batch.empty"]) == ""
