"""Programs that are found and started, and the sentence for each that is not."""

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rpclab.peer.program import add_to_environment, find_program, start_program

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and first lines are POSIX ideas")


def run(command, env=None, cwd=None):
    """Return what a program writes to its stdout."""
    with start_program(command, env, cwd, stdout=subprocess.PIPE) as process:
        return process.stdout.read().decode().split()


def refusal(command, env=None, cwd=None):
    """Return the kind of the error, and its sentence, with which a start is refused."""
    with pytest.raises(OSError, match=r"\.$") as caught:
        start_program(command, env, cwd)
    assert caught.value.errno is None  # or Python would put numbers around the sentence
    return caught.type, str(caught.value)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder, which is the current one too."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(file, data, mode=0o755):
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    file.chmod(mode)
    return file


HELLO = b"#!/bin/sh\necho hello\n"


# Where a program is found


@POSIX
def test_a_program_is_found_on_the_path_that_it_will_have_itself(folder):
    make(folder / "bin" / "greet", HELLO)
    assert run(["greet"], {"PATH": str(folder / "bin")}) == ["hello"]


@POSIX
def test_a_path_is_relative_to_the_folder_that_the_program_starts_in(folder):
    make(folder / "project" / "greet", HELLO)
    assert run(["./greet"], cwd="project") == ["hello"]
    assert run(["greet"], {"PATH": "."}, cwd="project") == ["hello"]


@POSIX
def test_a_script_may_go_through_env(folder):
    make(folder / "bin" / "speak", b"#!/bin/sh\necho spoken by $0\n")
    script = make(folder / "script", b"#!/usr/bin/env speak\n")
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    assert run([script], {"PATH": path})[:2] == ["spoken", "by"]


@POSIX
def test_a_program_that_may_not_be_read_is_started_all_the_same(folder):
    make(folder / "copy", Path(shutil.which("true")).read_bytes(), 0o111)
    assert run(["./copy"]) == []


@pytest.mark.skipif(
    sys.version_info >= (3, 12) and sys.platform != "win32",
    reason="there, shutil.which asks Windows itself",
)
@pytest.mark.parametrize("name", ["npx", "npx.cmd", "./npx"])
def test_on_windows_a_program_is_found_without_its_ending(folder, monkeypatch, name):
    """There are ``npx``, for a shell, and ``npx.cmd``: only the second is a program there."""
    make(folder / "npx", b"#!/bin/sh\n")
    make(folder / "npx.cmd", b"@echo off\r\n")
    monkeypatch.setenv("PATHEXT", os.pathsep.join([".exe", ".cmd"]))
    monkeypatch.setattr(sys, "platform", "win32")
    assert find_program(name, {"PATH": str(folder)}) == str(folder / "npx.cmd")


# What it is started with


def test_a_program_has_our_variables_and_those_that_are_added(monkeypatch):
    monkeypatch.setenv("RPCLAB_KEPT", "kept")
    monkeypatch.setenv("RPCLAB_TAKEN", "taken")
    names = "'RPCLAB_KEPT', 'RPCLAB_TAKEN', 'RPCLAB_NEW'"
    code = f"import os\nfor name in ({names}): print(os.environ.get(name))"
    env = {"RPCLAB_TAKEN": None, "RPCLAB_NEW": "new", "RPCLAB_NEVER": None}
    assert run([sys.executable, "-c", code], env) == ["kept", "None", "new"]


def test_a_variable_is_a_string():
    with pytest.raises(TypeError, match="the variable PORT must be a string or None, not 8080"):
        add_to_environment({"PORT": 8080})


def test_on_windows_two_names_that_differ_in_case_are_one(monkeypatch):
    monkeypatch.setenv("PATH", "old")
    monkeypatch.setattr(sys, "platform", "win32")
    assert add_to_environment({"Path": "new"})["PATH"] == "new"


def test_a_program_starts_in_the_folder_that_it_is_given(folder):
    (folder / "project").mkdir()
    code = "import os; print(os.getcwd())"
    (where,) = run([sys.executable, "-c", code], cwd="project")
    assert Path(where).samefile("project")


# Why it cannot be started


def test_there_is_no_such_program():
    assert refusal(["no-such-program"]) == (
        FileNotFoundError,
        "There is no program 'no-such-program' on the PATH.",
    )


def test_a_name_may_be_too_long_to_be_looked_for():
    kind, sentence = refusal(["x" * 5000])
    assert kind is FileNotFoundError
    assert sentence.startswith("There is no program 'xxx")


@POSIX
def test_a_place_on_the_path_may_be_closed_to_us(folder):
    (folder / "closed").mkdir(mode=0)
    kind, _ = refusal(["no-such-program"], {"PATH": str(folder / "closed")})
    assert kind is FileNotFoundError


def test_there_is_no_such_file(folder):
    kind, sentence = refusal(["./server"])
    assert (kind, sentence) == (FileNotFoundError, f"There is no file {str(folder / 'server')!r}.")


@POSIX
def test_a_path_that_is_relative_to_our_own_folder_is_not_found(folder):
    make(folder / "server", HELLO)
    (folder / "project").mkdir()
    kind, sentence = refusal(["./server"], cwd="project")
    assert kind is FileNotFoundError
    assert sentence == (
        f"There is no file {str(folder / 'project' / 'server')!r};"
        " a path is relative to the folder that the program starts in."
    )


@POSIX
def test_a_program_that_is_a_file_of_this_folder_needs_a_path(folder):
    make(folder / "server", HELLO)
    assert refusal(["server"])[1].endswith(
        f"; if you mean the file in {str(folder)!r}, write './server'."
    )


@pytest.mark.parametrize("program", ["npx -y server", "./server --stdio"])
def test_a_command_in_one_item_is_taken_apart(program):
    kind, sentence = refusal([program])
    assert kind is FileNotFoundError
    assert sentence.endswith("; in a command, each argument is an item of its own.")


def test_a_folder_is_not_a_program(folder):
    (folder / "server").mkdir()
    kind, sentence = refusal(["./server"])
    assert kind is IsADirectoryError
    assert sentence == f"{str(folder / 'server')!r} is a folder, not a program."


@POSIX
@pytest.mark.parametrize("program", ["./bin/server", "server"])
def test_a_file_that_is_not_executable(folder, program):
    file = make(folder / "bin" / "server", HELLO, 0o644)
    kind, sentence = refusal([program], {"PATH": str(folder / "bin")})
    assert kind is PermissionError
    assert sentence.startswith(f"{str(file)!r} is there, but it is not executable: ")


@POSIX
@pytest.mark.parametrize(
    ("first_line", "why"),
    [
        (
            b"#!/no/such/python3",
            "but '/no/such/python3', which its first line asks for, is not there",
        ),
        (b"#! /no/such/python3 -u", "but '/no/such/python3', which"),
        (
            b"#!/usr/bin/env no-such-node",
            "but 'no-such-node', which its first line asks for, is not",
        ),
        (
            b"#!/bin/sh\r",
            "so it asks for '/bin/sh\\r', which is not there: save it with Unix line ends",
        ),
        (b"#!/usr/bin/env sh\r", "so it asks for 'sh\\r', which is not there: save it with Unix"),
        (b"#!./plain", "plain', which its first line asks for, is not executable"),
    ],
    ids=[
        "missing",
        "with an argument",
        "through env",
        "CRLF",
        "CRLF through env",
        "not executable",
    ],
)
def test_a_script_whose_interpreter_is_not_there(folder, first_line, why):
    make(folder / "plain", b"text", 0o644)
    script = make(folder / "script", first_line + b"\necho hello\n")
    kind, sentence = refusal(["./script"])
    assert kind is FileNotFoundError
    assert sentence.startswith(f"{str(script)!r} is there, ")
    assert why in sentence


@POSIX
@pytest.mark.parametrize("data", [b"echo hello\n", b""], ids=["no first line", "empty"])
def test_a_file_that_is_not_a_program_for_this_system(folder, data):
    make(folder / "script", data)
    kind, sentence = refusal(["./script"])
    assert kind is OSError
    assert sentence.endswith(
        "put the interpreter of a script in front of it, as in 'python script'."
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other binaries")
def test_a_binary_for_a_system_with_another_loader(folder):
    binary = Path(shutil.which("true")).resolve().read_bytes()
    loader = re.search(rb"/lib[^\0]*/ld-[^\0]*", binary)
    if not loader:
        pytest.skip("it is linked without one")
    other = b"/lib/ld-musl".ljust(len(loader[0]), b"x")
    make(folder / "server", binary.replace(loader[0], other))
    kind, sentence = refusal(["./server"])
    assert kind is FileNotFoundError
    assert f"it was built for a system with {other.decode()!r}, which is not here" in sentence


@POSIX
def test_what_the_system_refuses_for_another_reason_is_said_in_its_words():
    kind, sentence = refusal([sys.executable, "x" * 10_000_000])
    assert kind is OSError
    assert sentence.endswith(f" cannot be started: {os.strerror(errno.E2BIG)}.")


@pytest.mark.parametrize(
    ("name", "kind"), [("nowhere", FileNotFoundError), ("file", NotADirectoryError)]
)
def test_a_folder_to_start_in_that_is_not_there(folder, name, kind):
    make(folder / "file", b"")
    assert refusal([sys.executable], cwd=name) == (
        kind,
        f"{sys.executable!r} cannot be started in {str(folder / name)!r}, which is not a folder.",
    )


def test_a_command_is_a_list():
    with pytest.raises(TypeError, match="not one string"):
        start_program("python server.py", None, None)


@pytest.mark.parametrize("command", [[], [""]])
def test_a_command_names_a_program(command):
    with pytest.raises(ValueError, match="its program"):
        start_program(command, None, None)
