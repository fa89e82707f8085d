"""A stranger installs the wheel with pip, far from a checkout, and takes the course."""

import json
import os
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import nbformat
import psutil
import pytest
from hatchling.build import build_wheel

from tests.browser.conftest import OpenNotebook, chromium, forget_outputs

ROOT = Path(__file__).resolve().parents[2]
PORT = "9471"
STDERR = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
SOLUTION = (ROOT / "exercises" / "ex01_shapes" / "solution.py").read_text("utf-8")
__all__ = ["chromium"]  # the fixture of the browser tests
pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT, as a POSIX terminal does"),
]


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """Make a fresh environment with the wheel in it, and an empty home."""
    folder, before = tmp_path_factory.mktemp("stranger"), Path.cwd()
    os.chdir(ROOT)  # a build backend builds the project of the current folder
    try:
        wheel = folder / build_wheel(folder)
    finally:
        os.chdir(before)
    venv.create(folder / "venv", with_pip=True)
    (folder / "home").mkdir()
    yield Stranger(folder, wheel)
    shutil.rmtree(folder)


class Stranger:
    """Somebody with a home and a Python of their own."""

    def __init__(self, folder, wheel):
        unset = ("JUPYTER", "XDG_", "RPCLAB", "PYTHON", "IPYTHON")
        kept = {name: os.environ[name] for name in os.environ if not name.startswith(unset)}
        self.folder, self.wheel = folder, wheel
        self.env = kept | {"HOME": str(folder / "home")}

    def program(self, name):
        return str(self.folder / "venv" / "bin" / name)

    def run(self, name, *words):
        return subprocess.run(
            [self.program(name), *words],
            cwd=self.folder / "home",
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )

    def install(self, extra=""):
        done = self.run("python", "-m", "pip", "install", "-q", f"{self.wheel}{extra}")
        assert done.returncode == 0, done.stderr

    def processes(self):
        """Every live process that was started from the environment, kernels included."""
        commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
        return [words for words in commands if any(str(self.folder) in word for word in words)]


@pytest.fixture(scope="module")
def course(stranger):
    """Install the course, lay it out, and answer an exercise in an editor."""
    stranger.install("[course]")
    assert stranger.run("rpclab", "course", "--no-open").stderr == ""
    notebooks = stranger.folder / "home" / "rpclab-course" / "notebooks"
    for path in notebooks.glob("*.ipynb"):
        forget_outputs(path)  # what the test sees was made by its own run
    path = notebooks / "01_messages.ipynb"
    notebook = nbformat.read(path, as_version=4)
    (cell,) = (cell for cell in notebook.cells if "def name_shape" in cell.source)
    cell.source = SOLUTION
    nbformat.write(notebook, path)
    return notebooks.parent


@pytest.fixture(scope="module")
def opened(stranger, course, chromium):
    """Start the command as it is typed; return what opens a notebook in Chromium."""
    process = subprocess.Popen(
        [stranger.program("rpclab"), "course", "--port", PORT, "--no-browser"],
        cwd=course.parent,
        env=stranger.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = iter(process.stdout.readline, "")
    address = next(line.strip() for line in lines if "http://" in line)
    assert next(line for line in lines if line.strip()) == "Press Ctrl-C here to end it.\n"
    base, _, token = address.partition("/lab/tree/notebooks/00_start_here.ipynb?token=")
    one = OpenNotebook((base, token), chromium)
    yield one
    one.close()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert (process.returncode, rest) == (0, "JupyterLab has ended.\n")  # and no warning
    assert stranger.processes() == []


def test_without_the_extra_one_sentence_says_what_to_install(stranger):
    stranger.install()
    done = stranger.run("rpclab", "course")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "pip install 'rpclab[course]'" in done.stderr
    assert not (stranger.folder / "home" / "rpclab-course").exists()


def test_the_first_notebook_runs_whole_and_its_console_answers(opened):
    page = opened.open("00_start_here")
    assert page.locator(STDERR).count() == 0
    assert page.locator(".Toastify__toast").count() == 0  # no question about JupyterLab's news
    line = page.locator(".rpclab-line input").first
    line.fill('{"jsonrpc":"2.0","method":"sum","params":[20,22],"id":"typed"}')
    line.press("Enter")
    log = page.locator(".rpclab-log").first
    log.get_by_text('{"jsonrpc":"2.0","result":42,"id":"typed"}').wait_for()
    assert page.faults == []


def test_an_answer_is_judged_and_the_progress_is_the_learners(opened, stranger):
    page = opened.open("01_messages")
    assert page.locator(STDERR).count() == 0
    assert page.faults == []
    where = "import rpclab.course.progress as p; print(p.progress_file())"
    file = Path(stranger.run("python", "-c", where).stdout.strip())
    assert file.is_relative_to(stranger.folder / "home")
    records = json.loads(file.read_text("utf-8"))["exercises"]
    assert {name: record["kept"] for name, record in records.items()} == {"ex01_shapes": True}
    said = stranger.run("rpclab", "exercises").stdout
    assert "Done: 1 of " in said


def test_what_the_learner_changed_is_still_there_the_next_time(course, stranger):
    before = (course / "notebooks" / "01_messages.ipynb").read_bytes()
    done = stranger.run("rpclab", "course", "--no-open")
    assert done.stdout == f"The course is in {course}\n"
    assert (course / "notebooks" / "01_messages.ipynb").read_bytes() == before
