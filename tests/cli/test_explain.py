"""The command ``rpclab explain``: what it shows, and its exit status."""

import json
import subprocess
import sys

import pytest
from rich.cells import cell_len

from rpclab.cli import byte_ruler
from rpclab.explain import explain

GOOD = '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}'
BROKEN = '{"jsonrpc":"2.0","method":"sum","params":[1,2],}'


def run(*words, stdin=b""):
    return subprocess.run(
        [sys.executable, "-m", "rpclab", "explain", *words],
        input=stdin, capture_output=True, check=False, env={"COLUMNS": "100"},
    )  # fmt: skip


def rows(line, width=80):
    return [row.plain for row in byte_ruler.draw(explain(line), width)]


def test_a_good_line_is_shown_with_a_word_under_each_member():
    done = run(GOOD)
    assert done.returncode == 0
    assert f"  {GOOD}\n".encode() in done.stdout
    assert "·jsonrpc·········method·········params·········id····".encode() in done.stdout


def test_a_broken_line_ends_with_status_1_and_a_caret_under_the_byte():
    done = run(BROKEN)
    line, _, caret = done.stdout.decode().splitlines()[2:5]
    assert done.returncode == 1
    assert line[caret.index("^")] == "}"
    assert "a comma after the last member" in caret


def test_bytes_come_from_stdin_as_they_are():
    done = run("--json", stdin=b'{"a":"\xe9"}\n')
    value = json.loads(done.stdout)
    assert (done.returncode, value["fault"]) == (1, 6)
    assert value["mistakes"][0]["id"] == "latin-1"


def test_json_is_what_the_engine_says():
    assert json.loads(run(GOOD, "--json").stdout) == explain(GOOD).to_json()


def test_a_profile_that_does_not_exist_is_wrong_usage():
    done = run(GOOD, "--profile", "nope")
    assert done.returncode == 2
    assert b"there is no profile 'nope'; the profiles are core" in done.stderr
    assert done.stdout == b""


def test_a_profile_changes_the_verdict():
    assert run(f"[{GOOD}]").returncode == 0
    assert run(f"[{GOOD}]", "--profile", "mcp").returncode == 1


def test_wrong_options_are_wrong_usage():
    assert run("--nope").returncode == 2


@pytest.mark.parametrize("wire", [b"\x1b[2J", b"\x9b2J", b"\x00", b"\x07", b"\xc2\x9b2J"])
def test_nothing_from_the_wire_steers_the_terminal(wire):
    done = run(stdin=b'{"jsonrpc":"2.0","method":"' + wire + b'","' + wire + b'":1}')
    text = done.stdout.decode()
    assert all(char.isprintable() or char == "\n" for char in text)


def test_markup_from_the_wire_is_text():
    assert b"[red]x[/red]" in run('{"jsonrpc":"2.0","method":"[red]x[/red]"}').stdout


@pytest.mark.parametrize(
    "line", ["", "\n", "日本語 {", '{"é":"\u0301"', "a" * 5000, '{"a":"b\nc"}']
)
@pytest.mark.parametrize("width", [20, 80])
def test_no_row_of_the_ruler_is_wider_than_the_screen(line, width):
    wide = [row for row in rows(line, width) if cell_len(row) > width and "^" not in row]
    assert all("…" in row for row in wide)


def test_a_long_line_is_shown_around_its_fault():
    line = '{"jsonrpc":"2.0","method":"a","params":["' + "x" * 10_000 + '"],}' + " " * 3000 + "z"
    shown = "\n".join(rows(line))
    assert "bytes before" in shown
    assert "bytes after" in shown
    assert "a comma after the last member" in shown


def test_the_messages_of_a_batch_are_listed():
    text = run(f"[{GOOD},1]").stdout.decode()
    assert "1. at byte 1: request, kept" in text
    assert "2. at byte 56: no message, broken" in text
