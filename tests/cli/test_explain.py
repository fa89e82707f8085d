"""The command ``rpclab explain``: what it shows, and its exit status."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress

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


def test_a_file_is_explained_whatever_the_shell_does_to_quotes(tmp_path):
    file = tmp_path / "line.json"
    file.write_bytes(b'{"a":"\xe9"}\n')
    assert json.loads(run("--file", str(file), "--json").stdout)["fault"] == 6


def test_a_file_that_is_not_there_is_refused_with_a_sentence(tmp_path):
    done = run("--file", str(tmp_path / "none"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"cannot be read: No such file" in done.stderr
    assert run("--file", str(tmp_path), GOOD).returncode == 2


def test_the_name_of_a_file_hints_at_the_file(tmp_path):
    file = tmp_path / "line.json"
    file.write_text(GOOD)
    done = run(str(file))
    assert f"--file {file}, or rpclab explain < {file}".encode() in done.stdout
    assert b"is a file" not in run(GOOD).stdout
    assert b"is a file" not in run("a" * 5000).stdout


def test_a_line_that_a_shell_has_cut_is_joined_and_the_shell_named():
    done = run("{'jsonrpc':", "'2.0'}")
    assert b"came in 2 words" in done.stdout
    assert b"rpclab explain --file line.json" in done.stdout
    eaten = run("'{jsonrpc:", "2.0,", "method:", "sum}'").stdout
    assert b"has taken the quotes away" in eaten


@pytest.mark.parametrize(
    "words",
    [["-32602"], ["--", "-32602"], ["-32602", "--profile", "mcp"], ["error", "-32602"]],
)
def test_a_bare_code_is_a_word_and_not_an_option(words):
    done = run(*words)
    assert b"-32602 is Invalid params" in done.stdout
    assert done.stderr == b""


def test_the_words_of_an_error_are_answered_without_a_ruler():
    text = run("MCP error -32000: Connection closed").stdout.decode()
    assert text.startswith("Looked up: MCP error -32000: Connection closed\n")
    assert "the server ended" in text
    assert "rpclab send -- COMMAND" in text
    assert "·" not in text


def test_the_message_inside_a_log_line_has_its_own_explanation():
    text = run(f"2025-09-11 [info] from client: {GOOD} {{ metadata: undefined }}").stdout.decode()
    assert "looks like a log line" in text
    assert f"The message inside, from byte 31 on\n\nrequest: kept, {len(GOOD)} bytes" in text


def test_a_printed_value_is_shown_as_json():
    text = run("{ jsonrpc: '2.0', method: 'ping' }").stdout.decode()
    assert "The same, written as JSON, from byte 0 on" in text
    assert '{"jsonrpc":"2.0","method":"ping"}' in text


def test_the_messages_inside_several_lines_are_listed_and_shown():
    text = run(stdin=b"INFO a " + GOOD.encode() + b"\nINFO b\n").stdout.decode()
    assert "1. at byte 0: nearest to: request, broken; in it, from byte 7 on: request" in text
    assert "The message inside, from byte 7 on" in text
    many = run(stdin=(b"INFO a " + GOOD.encode() + b"\n") * 9).stdout.decode()
    assert many.count("The message inside") == 5
    assert "and 4 more messages inside" in many


@pytest.mark.parametrize("words", [[GOOD], [GOOD, "--json"]])
def test_a_reader_that_leaves_is_no_error(words):
    command = [sys.executable, "-m", "rpclab", "explain", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals there")
@pytest.mark.parametrize("words", [[GOOD, "--profile", "mcp"], ["-32000"], ["[dotenv@17] a b"]])
def test_no_word_is_broken_in_two_at_60_columns(words):
    wide, narrow = (show_in_terminal(words, columns) for columns in (400, 60))
    assert all(len(line) <= 60 for line in narrow.split("\n") if " " in line)
    assert narrow.split() == wide.split()
    assert "`" not in narrow


def show_in_terminal(words, columns):
    """Return what the command shows in a terminal of that width, without colours."""
    ours, its = os.openpty()
    environment = {"COLUMNS": str(columns), "TERM": "xterm"}
    command = [sys.executable, "-m", "rpclab", "explain", *words]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment) as child:
        os.close(its)
        shown = b""
        with suppress(OSError):  # Linux ends a pseudo-terminal with an error
            while piece := os.read(ours, 65536):
                shown += piece
        os.close(ours)
        child.wait()
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")
    _, findings = text.split("\n\n", 1) if "Looked up" in text else text.split("·\n", 1)
    return findings


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


def test_a_long_line_is_cut_between_words():
    shown = rows("INFO the first words are short, and the last is short too", 30)
    assert [row.strip() for row in shown[:6:3]] == [
        "INFO the first words are",
        "short, and the last is",
    ]


def test_a_line_that_ends_in_a_long_character_is_shown_whole():
    assert not any("bytes after" in row for row in rows("INFO 命令"))


def test_the_messages_of_a_batch_are_listed():
    text = run(f"[{GOOD},1]").stdout.decode()
    assert "1. at byte 1: request, kept" in text
    assert "2. at byte 56: no message, broken" in text
