"""The command ``rpclab course``, as a real process: the folder, JupyterLab, and Ctrl-C."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import pytest

from rpclab.cli import course
from rpclab.course.layout import FIRST, NOTE, source_folder

COMMAND = [sys.executable, "-m", "rpclab", "course"]
pytestmark = pytest.mark.timeout(180)


def run(folder, *words):
    return subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200", "PYTHONUTF8": "1"},
    )


def test_the_help_lists_the_command_and_its_options(tmp_path):
    done = subprocess.run([*COMMAND[:-1], "--help"], capture_output=True, text=True, check=True)
    assert re.search(r"\bcourse +Lay the course out", done.stdout)
    shown = run(tmp_path, "--help").stdout
    assert all(option in shown for option in ("--port", "--no-open", "--no-browser"))


def test_without_a_folder_the_course_goes_into_one_of_its_own(tmp_path):
    done = run(tmp_path, "--no-open")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"The course is in {tmp_path / 'rpclab-course'}\n"
    assert (tmp_path / "rpclab-course" / FIRST).is_file()


def test_inside_the_course_no_second_one_is_made(tmp_path):
    run(tmp_path, "--no-open", ".")
    done = run(tmp_path, "--no-open")
    assert done.stdout == f"The course is in {tmp_path}\n"
    assert not (tmp_path / "rpclab-course").exists()


def test_a_checkout_is_opened_as_it_is():
    done = run(source_folder(), "--no-open")
    assert done.stdout == f"The course is in {source_folder()}\n"
    assert not (source_folder() / NOTE).exists()


def test_what_was_kept_is_named_with_the_place_of_the_new_one(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / FIRST).write_text("mine")
    done = run(tmp_path, "--no-open", ".")
    assert done.stdout.splitlines()[1:] == [
        f"{FIRST} has your changes, so it was kept. The new version is new/{FIRST}"
    ]
    assert (tmp_path / FIRST).read_text() == "mine"
    assert (tmp_path / "new" / FIRST).read_bytes() == (source_folder() / FIRST).read_bytes()


@pytest.mark.parametrize("words", [["file"], ["file", "--no-open"]])
def test_a_file_is_not_a_folder(tmp_path, words):
    (tmp_path / "file").write_text("")
    done = run(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "file is a file. Give a folder for the course.\n"


def test_a_folder_that_cannot_be_made_gets_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    done = run(tmp_path, "file/course", "--no-open")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"Cannot use file\S*: \w[^\n]+\n", done.stderr)


@pytest.mark.parametrize("port", ["0", "65536", "http"])
def test_a_port_that_is_none_is_refused(tmp_path, port):
    done = run(tmp_path, "--port", port)
    assert (done.returncode, "--port" in done.stderr, "Traceback" in done.stderr) == (
        2,
        True,
        False,
    )
    assert list(tmp_path.iterdir()) == []


def test_without_the_packages_of_the_course_one_sentence_says_what_to_install(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(course, "_PACKAGES", ("typer", "no_such_package_of_a_course"))
    assert course.start_course(tmp_path / "new", 8888, window=False) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "pip install 'rpclab[course]'" in said
    assert not (tmp_path / "new").exists()
    assert course.start_course(tmp_path / "new", 8888, window=False, no_open=True) == 0


@pytest.mark.parametrize(
    ("platform", "environment", "seen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"}, False),
        ("win32", {}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "1 2 3 4"}, False),
    ],
)
def test_a_window_is_opened_where_the_person_would_see_it(platform, environment, seen, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(course, "is_root", lambda: False)
    assert course.has_screen() is seen


# --- JupyterLab -------------------------------------------------------------------


@pytest.fixture
def busy_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def opened(tmp_path, busy_port):
    """Start the command over SSH on a port that is busy; return it, and what it printed."""
    names = ("CONFIG", "DATA", "RUNTIME")
    env = {f"JUPYTER_{name}_DIR": str(tmp_path / "jupyter" / name) for name in names}
    process = subprocess.Popen(
        [*COMMAND, "course", "--no-browser", "--port", str(busy_port)],
        cwd=tmp_path,
        env={**os.environ, **env, "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    printed = []
    for line in iter(process.stdout.readline, ""):
        printed.append(line.strip())
        if "Ctrl-C" in line:
            break
    yield process, printed
    process.kill()
    process.communicate()


def ask(address, path, token):
    request = urllib.request.Request(address + path, headers={"Authorization": f"token {token}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT, as a POSIX terminal does")
def test_jupyterlab_shows_the_folder_on_loopback_until_ctrl_c(opened, busy_port, tmp_path):
    process, printed = opened
    (address, token), *more = (
        line.split(f"lab/tree/{FIRST}?token=") for line in printed if "?token=" in line
    )
    port = urllib.parse.urlsplit(address).port
    assert (address, more) == (f"http://127.0.0.1:{port}/", [])
    assert printed == [
        f"The course is in {tmp_path / 'course'}",
        f"Port {busy_port} is busy, so JupyterLab took {port}.",
        f"Run this on your own machine first: ssh -L {port}:127.0.0.1:{port} THIS_MACHINE",
        "The course is open:",
        "",
        f"{address}lab/tree/{FIRST}?token={token}",
        "",
        "Press Ctrl-C here to end it.",
    ]
    shown = {row["name"] for row in ask(address, "api/contents", token)["content"]}
    assert {"notebooks", "exercises"} <= shown
    with pytest.raises(urllib.error.HTTPError, match="403"):
        ask(address, "api/contents", "guessed")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert (process.returncode, rest) == (0, "JupyterLab has ended.\n")


def give_up():
    with course.hidden_stderr():
        os.write(2, b"no free port\n")
        raise SystemExit(1)


def test_what_jupyterlab_says_when_it_gives_up_is_shown_and_nothing_else(capfd):
    with course.hidden_stderr():
        os.write(2, b"a warning\n")
    assert capfd.readouterr().err == ""
    with pytest.raises(SystemExit):
        give_up()
    assert capfd.readouterr().err == "no free port\n"
