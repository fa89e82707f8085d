"""The README's first command, for real: an empty home, a fresh copy, the registry."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
PORT = "9437"
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT, as a POSIX terminal does"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkout") / "rpclab"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: which files belong to it is not known")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def start(copy, home):
    started = []
    unset = ("JUPYTER", "UV_", "PIP_CACHE", "XDG_")
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(unset)}

    def start_lab(**more):
        process = subprocess.Popen(
            [sys.executable, "lab.py", "--no-browser", "--port", PORT],
            cwd=copy,
            env={**kept, "HOME": str(home), **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start_lab
    for process in started:
        process.terminate()
        process.communicate(timeout=60)


def read_to(word, process):
    lines = []
    for line in process.stdout:
        lines.append(line)
        if word in line:
            return "".join(lines)
    pytest.fail(f"{word!r} never came:\n" + "".join(lines))


def ask(address, verb, path=None):
    url = urlsplit(address)
    token = {"Authorization": "token " + url.query.partition("=")[2]}
    with closing(http.client.HTTPConnection(url.hostname, url.port, timeout=30)) as connection:
        connection.request(verb, path or f"{url.path}?{url.query}", headers=token)
        response = connection.getresponse()
        return response.status, response.read().decode()


def of_the_copy(copy):
    """Every live process that was started from the copy's .venv, kernels included."""
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    return [words for words in commands if any(str(copy) in word for word in words)]


def test_the_first_command_opens_the_course_and_ctrl_c_ends_it(copy, start):
    process = start()
    log = read_to("http://", process)
    address = log.split()[-1]
    status, page = ask(address, "GET")
    assert status == 200
    assert "JupyterLab" in page

    assert "[4/4]" in log
    assert ask(address, "POST", "/api/kernels")[0] == 201
    assert len(of_the_copy(copy)) == 2

    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in rest
    assert rest.strip().endswith("JupyterLab has ended.")
    assert of_the_copy(copy) == []


def test_a_second_run_skips_set_up(start):
    process = start()
    log = read_to("http://", process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert log.startswith("Set-up is done already")
    assert "[1/4]" not in log


def test_the_page_is_for_those_who_hold_the_token(start):
    process = start()
    address = read_to("http://", process).split()[-1]
    stranger = ask(address.partition("?")[0] + "?token=guessed", "GET", "/api/contents")[0]
    friend = ask(address, "GET", "/api/contents")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert stranger == 403
    assert friend[0] == 200
    assert "lab.py" in {file["name"] for file in json.loads(friend[1])["content"]}


def test_an_interrupted_set_up_is_made_anew(copy, start):
    (copy / ".venv" / "rpclab-stamp.json").write_text("")
    process = start()
    log = read_to("[2/4]", process)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert "-m venv" in log
    assert process.returncode == 130
    assert "Stopped before the end" in rest
    assert of_the_copy(copy) == []


def test_without_a_way_to_the_registry_it_says_so(start):
    process = start(PIP_NO_INDEX="1", PIP_FIND_LINKS="", UV_OFFLINE="1")
    log, _ = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "Failed at step 3 of 4" in log
    assert "check the network" in log
    assert "Traceback" not in log


def test_the_locks_are_made_again_from_the_same_dependencies(copy, home):
    names = ("requirements.lock.txt", "requirements.course.lock.txt")
    before = {name: (copy / name).read_text() for name in names}
    done = subprocess.run(
        [sys.executable, "lab.py", "lock"],
        cwd=copy,
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for name in names:
        after = (copy / name).read_text()
        # A registry may have new files of a version, and so new hashes, but the versions stay.
        pins = [re.findall(r"^\S+==.+$", text, re.MULTILINE) for text in (before[name], after)]
        assert pins[0] == pins[1] != []
        assert "://" not in after
