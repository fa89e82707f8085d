"""Set up the course and open it, or set up everything and test it.

    python3 lab.py              makes .venv, installs the course, opens JupyterLab on it
    python3 lab.py test         makes .venv, installs all tools, runs everything that CI runs
    python3 lab.py test --all   runs the long tests as well

Standard library only: this runs before anything is installed. A Python that is too
old for the course must still be able to read this file as far as ``OLDEST``, which
prints a sentence about it. So no syntax here is newer than an f-string, and no
annotation above ``OLDEST`` needs a newer Python.
"""

import argparse
import functools
import hashlib
import http.client
import json
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit


class Say:
    """Everything that a person reads, in one place."""

    OLD = (
        "The course needs Python {0[0]}.{0[1]} or newer, and this is Python {1[0]}.{1[1]}. "
        "Start lab.py with a newer one, for example: python3.12 lab.py"
    )
    USAGE = (
        "python3 lab.py [--port PORT] [--no-browser]\n       python3 lab.py test [--all | NAME ...]"
    )
    ABOUT = "Set up the course in .venv, beside this file, and open it in JupyterLab."
    PORT = "the port for JupyterLab (8888); if it is busy, the next free one is used"
    NO_BROWSER = "print the address and do not open a window"
    TEST = (
        "install all tools and run everything that CI runs, in about ten minutes; "
        "with names after it, only those steps: {}"
    )
    ALL = "with test: run the long tests as well, in about half an hour: {}"
    NOT_A_PORT = "a port is a number from 1 to 65535, not {!r}"
    NOT_A_COMMAND = "the only command is 'test', not {!r}"
    NOT_A_STEP = "there is no step {!r}; the steps are {}"
    ALL_ALONE = "--all goes with 'test' and without the name of a step"

    STEP = "[{}/{}] {}"
    DONE = "done"
    TIMED = "[{}/{}] {}, {:.1f} s"
    STILL = "  ... {:.0f} s, still running: {}"
    COMMAND = "  $ {}"
    READY = "Set-up is done already, nothing to install."
    MAKE = "Making .venv"
    UV = "Fetching uv, a fast installer"
    INSTALL = "Installing {}"
    SETTINGS = "Turning off JupyterLab's news pop-up"
    NO_UV = "uv is not available here: pip does the work, more slowly"
    UV_FAILED = "uv could not install everything. pip tries the same, more slowly."

    STARTING = "Starting JupyterLab ..."
    BUSY = "Port {} is busy, so JupyterLab took {}."
    OPEN = "The course is open, {:.1f} s after the start:\n\n    {}\n\nPress Ctrl-C here to end it."
    OVER_SSH = "Run this on your own machine first: ssh -L {0}:127.0.0.1:{0} THIS_MACHINE"
    ENDED = "JupyterLab has ended."
    STOPPED = "\nStopped before the end. You can start it again at any time."

    NO_CHROMIUM = "no Chromium on this machine"
    SKIPPED = "skipped: {}"
    PASSED = "Passed: {} of {} steps, {:.0f} s in all."
    LEFT_OUT = "Not run: {}. Run them with: python3 lab.py test --all"

    FAILED = "\nFailed at {}\n  {}\nWhat to do: {}"
    AT = "step {} of {}: {}"
    ENDED_WITH = "the command was: {}\n  it ended with exit status {}"
    AT_START = "the start"
    FIX_VENV = (
        "on Debian or Ubuntu install the missing part with: sudo apt install python3-venv "
        "(elsewhere, a Python from python.org has it). Then run this again."
    )
    FIX_NETWORK = (
        "read the last lines above. Usually the package registry cannot be reached: "
        "check the network and the proxy. Then run this again."
    )
    FIX_FILES = (
        "check that you may write here and that no other program uses .venv, or delete .venv."
    )
    FIX_START = "read the lines above. If they do not help, delete .venv and run this again."
    FIX_STEP = (
        "read the lines above, fix the fault, then run only this step: python3 lab.py test {}"
    )
    FIX_FOLDER = "this needs a complete checkout: fetch it again."
    FIX_CHROMIUM = "install Chromium (.ci/run does): in CI the browser tests are never skipped."
    NO_FOLDER = "this checkout has no folder {}"


OLDEST = (3, 11)
if sys.version_info[:2] < OLDEST:
    sys.exit(Say.OLD.format(OLDEST, sys.version_info))


class Step(NamedTuple):
    """One step of the tests: what it needs to find and what it runs."""

    name: str
    title: str
    folder: str
    commands: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()


NBVAL = (
    "python -m pytest -p tests.kernel_sockets -n 2 --dist loadfile "
    "--nbval-cell-timeout 60 notebooks"
)
UNIT = "pytest -n 2 --dist worksteal tests rpclab --ignore=tests/browser --ignore=tests/long"
LONG = "pytest -n 2 --dist loadfile tests/long"
# Steps of one group run at the same time. The quick ones come first, to fail early.
GROUPS = (
    (
        Step("lint", "layout and lint", "rpclab", ("ruff format --check .", "ruff check .")),
        Step("types", "types, strictly", "rpclab", ("mypy",)),
        Step("floors", "which module may import which", "rpclab", ("lint-imports",)),
    ),
    (
        Step(
            "unit",
            "unit and property tests, and their coverage",
            "tests",
            ("coverage erase", UNIT, "python tests/coverage_by_file.py"),
            (("RPCLAB_COVERAGE", "on"),),
        ),
    ),
    (
        Step(
            "notebooks",
            "notebooks against their saved outputs",
            "notebooks",
            (f"{NBVAL} --nbval",),
        ),
        Step(
            "solutions",
            "notebooks, judged with the solutions",
            "notebooks",
            (f"{NBVAL} --nbval-lax",),
            (("RPCLAB_ANSWERS", "solution"),),
        ),
        Step(
            "browser",
            "notebooks in a real browser",
            "tests/browser",
            ("pytest -n 2 --dist loadgroup tests/browser",),
        ),
    ),
    (
        Step(
            "long",
            "the tests that take long",
            "tests/long",
            (LONG,),
            (("RPCLAB_EXAMPLES", "long"),),
        ),
    ),
)
STEPS = tuple(step for group in GROUPS for step in group)
LONG_STEPS = ("long",)  # only with --all, or by name
SHORT_STEPS = tuple(step for step in STEPS if step.name not in LONG_STEPS)
HEARTBEAT = 15  # seconds between two lines about steps that still run
PERCENT = re.compile(rb"\[ *(\d+)%\]")  # how pytest reports its progress

COURSE = frozenset({"course"})
EVERYTHING = frozenset({"course", "wires", "classroom", "dev"})

ROOT = Path(__file__).resolve().parent
PYPROJECT = ROOT / "pyproject.toml"
PINS = ROOT / "requirements.lock.txt"
FIRST = "notebooks/00_start_here.ipynb"
WINDOWS = sys.platform == "win32"
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if WINDOWS else "bin")
# Empty while set-up is under way, so that an interrupted one is seen.
STAMP = VENV / "rpclab-stamp.json"
LAST_PORT = 65535
# A kernel's socket has about 100 bytes for its path, and its own name takes 50.
SOCKET_ROOM = 50
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")


class Failed(Exception):
    """A step did not work out. It knows what to tell the person."""

    def __init__(self, reason: str, fix: str, code: int = 1) -> None:
        """Keep the reason, what to do about it, and the exit status."""
        super().__init__(reason)
        self.reason, self.fix, self.code = reason, fix, code
        self.place = Say.AT_START


def say(text: str) -> None:
    """Print at once, so that our lines and a command's stay in order."""
    print(text, flush=True)


# Commands


def tool(name: str) -> str:
    """Return the path of a program in .venv."""
    return str(BIN / (name + ".exe" if WINDOWS else name))


def surroundings(**more: str) -> dict[str, str]:
    """Return the environment of a command: .venv comes first, caches stay inside it."""
    env = {"UV_CACHE_DIR": str(VENV / "cache"), "PIP_CACHE_DIR": str(VENV / "cache" / "pip")}
    env.update(os.environ)
    env["PATH"] = str(BIN) + os.pathsep + env.get("PATH", os.defpath)
    env["VIRTUAL_ENV"] = str(VENV)
    env.update(more)
    return env


def run(command: list[str], fix: str, **more: str) -> None:
    """Run one command in the checkout and show it.

    Raises:
        Failed: it cannot be started, or its exit status is not 0.
    """
    say(Say.COMMAND.format(shlex.join(command)))
    try:
        code = subprocess.run(command, cwd=ROOT, env=surroundings(**more), check=False).returncode
    except OSError as error:
        raise Failed(str(error), fix) from error
    check_status(command, code, fix)


def check_status(command: list[str], code: int, fix: str) -> None:
    """Raise ``Failed`` unless a command ended with status 0."""
    if code:
        # A command ended by signal N has the status -N: shells say 128 + N.
        code = code if code > 0 else 128 - code
        raise Failed(Say.ENDED_WITH.format(shlex.join(command), code), fix, code)


def in_turn(steps: list[tuple[str, Callable[[], str | None]]]) -> None:
    """Do the steps one after another, each announced, with its time at the end.

    A step may return a word to show in place of "done".
    """
    for number, (title, work) in enumerate(steps, 1):
        say(Say.STEP.format(number, len(steps), title))
        began = time.monotonic()
        try:
            outcome = work()
        except (Failed, OSError) as error:
            raise placed(error, number, len(steps), title) from error
        spent = time.monotonic() - began
        say(Say.TIMED.format(number, len(steps), outcome or Say.DONE, spent))


def placed(error: Exception, number: int, count: int, title: str) -> Failed:
    """Return the failure, with the step at which it happened."""
    failed = error if isinstance(error, Failed) else Failed(str(error), Say.FIX_FILES)
    failed.place = Say.AT.format(number, count, title)
    return failed


# Set-up


def origin() -> str:
    """Say what .venv belongs to: it cannot move to another Python or folder."""
    return f"Python {sys.version_info[0]}.{sys.version_info[1]} in {ROOT}"


def pins() -> str:
    """Return one hash of everything that says what to install.

    Raises:
        Failed: a file of the checkout is missing.
    """
    try:
        return hashlib.sha256(PYPROJECT.read_bytes() + PINS.read_bytes()).hexdigest()
    except OSError as error:
        raise Failed(str(error), Say.FIX_FOLDER) from error


def is_usable() -> bool:
    """Return whether the .venv that is there can be used."""
    if STAMP.exists() and read_stamp().get("origin") != origin():
        return False
    look = [tool("python"), "-c", f"import pip, sys; sys.exit(sys.version_info < {OLDEST})"]
    try:
        return subprocess.run(look, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def read_stamp() -> dict[str, object]:
    """Return what the last finished set-up wrote, or nothing."""
    try:
        stamp = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def make_venv() -> None:
    """Make .venv, or keep one that works."""
    usable = is_usable()
    if VENV.exists() and not usable:
        shutil.rmtree(VENV)
    VENV.mkdir(exist_ok=True)
    STAMP.write_text("", "utf-8")
    if not usable:
        # Inside a .venv that was removed a moment ago, only the base Python is left.
        python = getattr(sys, "_base_executable", sys.executable)
        run([python, "-m", "venv", str(VENV)], Say.FIX_VENV)


def fetch_uv() -> str | None:
    """Install uv into .venv; without it pip does the work."""
    try:
        run([tool("python"), "-m", "pip", "install", "--upgrade", "uv"], Say.FIX_NETWORK)
    except Failed:
        return Say.NO_UV
    return None


def install(extras: frozenset[str]) -> None:
    """Install the package, editable, with the pinned versions of what it needs."""
    what = ["install", "-c", PINS.name, "-e", f".[{','.join(sorted(extras))}]"]
    if Path(tool("uv")).exists():
        try:
            run([tool("uv"), "pip", *what, "--python", tool("python")], Say.FIX_NETWORK)
        except Failed:
            # pip may know a mirror, by its own settings, that uv does not.
            say(Say.UV_FAILED)
        else:
            return
    run([tool("python"), "-m", "pip", *what], Say.FIX_NETWORK)


def settle(extras: frozenset[str]) -> None:
    """Write JupyterLab's settings for this .venv, and that set-up has ended."""
    quiet = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
    overrides = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    overrides.parent.mkdir(parents=True, exist_ok=True)
    overrides.write_text(json.dumps({"@jupyterlab/apputils-extension:notification": quiet}))
    stamp = {"origin": origin(), "pins": pins(), "extras": sorted(extras)}
    STAMP.write_text(json.dumps(stamp), "utf-8")


def set_up(wanted: frozenset[str]) -> None:
    """Bring .venv to where it has the wanted extras; keep those it has."""
    stamp = read_stamp()
    there = stamp.get("extras")
    extras = wanted.union(there) if isinstance(there, list) else wanted
    done = {"origin": origin(), "pins": pins(), "extras": sorted(extras)}
    if stamp == done and is_usable():
        say(Say.READY)
        return
    in_turn(
        [
            (Say.MAKE, make_venv),
            (Say.UV, fetch_uv),
            (Say.INSTALL.format(", ".join(sorted(extras))), functools.partial(install, extras)),
            (Say.SETTINGS, functools.partial(settle, extras)),
        ]
    )


# Tests


class Attempt:
    """One step under way: its commands run one after another, to the first that fails.

    Interface:
      - ``work`` runs it; ``stop``, from any thread, ends it early
      - with a ``log``, what the commands print goes there, otherwise to the terminal
    """

    def __init__(self, number: int, step: Step, log: Path | None) -> None:
        """Remember what to run; nothing runs yet."""
        self.number, self.step, self.log = number, step, log
        self.title = f"{step.name}: {step.title}"
        self.began = time.monotonic()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def work(self) -> str | None:
        """Run the step; return a word to show in place of "done", or nothing.

        Raises:
            Failed: the step cannot run here, or one of its commands failed.
        """
        if not (ROOT / self.step.folder).is_dir():
            raise Failed(Say.NO_FOLDER.format(self.step.folder), Say.FIX_FOLDER)
        if self.step.name == "browser" and not any(map(shutil.which, CHROMIUMS)):
            if os.environ.get("CI"):
                raise Failed(Say.NO_CHROMIUM, Say.FIX_CHROMIUM)
            return Say.SKIPPED.format(Say.NO_CHROMIUM)
        fix = Say.FIX_STEP.format(self.step.name)
        for line in self.step.commands:
            name, *rest = shlex.split(line)
            if self.log is None:
                self._run([tool(name), *rest], fix, None)
            else:
                with self.log.open("ab") as output:
                    self._run([tool(name), *rest], fix, output)
        return None

    def _run(self, command: list[str], fix: str, output: BinaryIO | None) -> None:
        # Tests must not read or change the progress of a learner.
        env = surroundings(RPCLAB_PROGRESS="off", **dict(self.step.settings))
        shown = Say.COMMAND.format(shlex.join(command))
        if output is None:
            say(shown)
        else:
            output.write(shown.encode() + b"\n")
            output.flush()
        with self._lock:
            if self._stopped:
                return
            try:
                self._process = subprocess.Popen(
                    command, cwd=ROOT, env=env, stdout=output, stderr=output
                )
            except OSError as error:
                raise Failed(str(error), fix) from error
        check_status(command, self._process.wait(), fix)

    def printed(self) -> bytes:
        """Return what the log holds so far."""
        return self.log.read_bytes() if self.log and self.log.exists() else b""

    def stop(self) -> None:
        """Interrupt what runs, as Ctrl-C does, so that it can clean up."""
        with self._lock:
            self._stopped = True
            process = self._process
        if process is not None and process.poll() is None:
            process.terminate() if WINDOWS else process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def run_group(steps: list[Step], first: int, count: int, folder: Path) -> None:
    """Run steps at the same time; the output of each is printed whole when it ends.

    A step that is alone prints to the terminal as it goes.

    Raises:
        Failed: a step failed; the others were stopped.
    """
    alone = len(steps) == 1
    attempts = [
        Attempt(number, step, None if alone else folder / step.name)
        for number, step in enumerate(steps, first)
    ]
    for attempt in attempts:
        say(Say.STEP.format(attempt.number, count, attempt.title))
    began = time.monotonic()
    with ThreadPoolExecutor(len(attempts)) as pool:
        running = {pool.submit(attempt.work): attempt for attempt in attempts}
        try:
            while running:
                ended, _ = wait(running, HEARTBEAT, FIRST_COMPLETED)
                for future in ended:
                    report(running.pop(future), future, count)
                if not (ended or alone):
                    names = ", ".join(map(progress, running.values()))
                    say(Say.STILL.format(time.monotonic() - began, names))
        finally:
            for attempt in running.values():
                attempt.stop()


def progress(attempt: Attempt) -> str:
    """Return the name of a step that runs and, where pytest tells it, how far it is."""
    seen = PERCENT.findall(attempt.printed())
    return f"{attempt.step.name} {int(seen[-1])} %" if seen else attempt.step.name


def report(attempt: Attempt, future: "Future[str | None]", count: int) -> None:
    """Print what a step printed, and how it ended.

    Raises:
        Failed: the step failed.
    """
    if attempt.log:
        say(attempt.printed().decode("utf-8", "replace").rstrip())
    try:
        outcome = future.result() or Say.DONE
    except (Failed, OSError) as error:
        raise placed(error, attempt.number, count, attempt.title) from error
    title = f"{attempt.step.name}: {outcome}"
    say(Say.TIMED.format(attempt.number, count, title, time.monotonic() - attempt.began))


def test(names: list[str], *, everything: bool) -> None:
    """Run the steps that are named, or all that the command line asks for."""
    began, done = time.monotonic(), 0
    wanted = names or [step.name for step in (STEPS if everything else SHORT_STEPS)]
    count = len(set(wanted))
    with tempfile.TemporaryDirectory(prefix="rpclab-") as folder:
        for group in GROUPS:
            steps = [step for step in group if step.name in wanted]
            if steps:
                run_group(steps, done + 1, count, Path(folder))
            done += len(steps)
    say(Say.PASSED.format(count, len(STEPS), time.monotonic() - began))
    if not names and not everything:
        say(Say.LEFT_OUT.format(", ".join(LONG_STEPS)))


# JupyterLab


class Lab:
    """A JupyterLab that this program started and will end.

    Interface:
      - ``start``, then ``wait_for_page``, then ``watch``; ``stop`` at any time
      - its folder is its own, and for this person alone: its address with the
        token, its kernels' sockets and its log lie there until ``stop``
    """

    def __init__(self, port: int) -> None:
        """Make its folder and its token; nothing runs yet."""
        self.folder = Path(tempfile.mkdtemp(prefix="rpclab-"))
        self.log = self.folder / "jupyterlab.log"
        self.token = secrets.token_hex(24)
        self.command = [tool("python"), "-m", "jupyterlab", *self.options(port)]
        self.process: subprocess.Popen[bytes] | None = None
        self.port, self.url = port, ""

    def options(self, port: int) -> list[str]:
        """Return JupyterLab's options: loopback only, in the checkout."""
        options = [
            "--no-browser",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            f"--ServerApp.root_dir={ROOT}",
        ]
        if is_root():
            options.append("--allow-root")
        if not WINDOWS and len(os.fsencode(self.folder)) < SOCKET_ROOM:
            options.append("--KernelManager.transport=ipc")
        return options

    def start(self) -> None:
        """Start it out of reach of Ctrl-C, which is for this program alone."""
        env = surroundings(JUPYTER_RUNTIME_DIR=str(self.folder), JUPYTER_TOKEN=self.token)
        group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=not WINDOWS,
                creationflags=group,
            )

    def wait_for_page(self) -> None:
        """Wait until it answers, on the port that it has found free.

        Raises:
            Failed: it ended, or said nothing for two minutes.
        """
        deadline = time.monotonic() + 120
        while self.is_alive() and time.monotonic() < deadline:
            try:
                for file in self.folder.glob("jpserver-*.json"):
                    found = json.loads(file.read_text("utf-8"))
                    self.port, self.url = found["port"], found["url"]
                    self.ask("GET", "api")
                    return
            except (OSError, ValueError, http.client.HTTPException):
                pass  # not yet: the file is half written, or nobody listens
            time.sleep(0.1)
        say("\n".join(self.log.read_text("utf-8", "replace").splitlines()[-20:]))
        code = self.process.poll() if self.process else None
        raise Failed(Say.ENDED_WITH.format(shlex.join(self.command), code), Say.FIX_START)

    def ask(self, verb: str, path: str) -> None:
        """Send one request; not through a proxy, which has no business here.

        Raises:
            OSError, HTTPException: nobody answers, or the answer is no.
        """
        target = urlsplit(self.url).path + path
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request(verb, target, headers={"Authorization": f"token {self.token}"})
            answer = connection.getresponse()
            answer.read()
        if answer.status >= 400:
            raise http.client.HTTPException(answer.status)

    def address(self) -> str:
        """Return the address of the first notebook, with the token."""
        page = f"lab/tree/{FIRST}" if (ROOT / FIRST).exists() else "lab"
        return f"{self.url}{page}?token={self.token}"

    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self.process is not None and self.process.poll() is None

    def watch(self) -> None:
        """Return when it has ended, by its own menu."""
        while self.is_alive():
            time.sleep(0.2)  # on Windows Ctrl-C interrupts a sleep, and not a wait

    def stop(self) -> None:
        """End it and its kernels: ask, then insist."""
        if self.process and self.is_alive():
            try:
                self.ask("POST", "api/shutdown")
            except (OSError, http.client.HTTPException):
                self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_root() -> bool:
    """Tell whether this is the superuser, for whom browsers and servers refuse to start."""
    return sys.platform != "win32" and os.geteuid() == 0


def has_screen() -> bool:
    """Tell whether a window opened here would be seen by the person who asked."""
    if "SSH_CONNECTION" in os.environ or is_root():
        return False
    if WINDOWS or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_course(port: int, *, window: bool) -> None:
    """Start JupyterLab on the course and stay until Ctrl-C or its own end."""
    say(Say.STARTING)
    began = time.monotonic()
    lab = Lab(port)
    try:
        lab.start()
        lab.wait_for_page()
        if lab.port != port:
            say(Say.BUSY.format(port, lab.port))
        if "SSH_CONNECTION" in os.environ:
            say(Say.OVER_SSH.format(lab.port))
        say(Say.OPEN.format(time.monotonic() - began, lab.address()))
        if window:
            webbrowser.open(lab.address())
        lab.watch()
    except KeyboardInterrupt:
        # A second Ctrl-C must not leave kernels behind.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    finally:
        lab.stop()
    say(Say.ENDED)


# The command line


def port_number(text: str) -> int:
    """Read the value of --port."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(Say.NOT_A_PORT.format(text))
    return int(text)


def read_options(words: list[str] | None) -> argparse.Namespace:
    """Read the command line; leave with a sentence when it cannot be read."""
    names = [step.name for step in STEPS]
    parser = argparse.ArgumentParser(
        "lab.py", usage=Say.USAGE, description=Say.ABOUT, allow_abbrev=False
    )
    parser.add_argument("--port", type=port_number, default=8888, help=Say.PORT)
    parser.add_argument("--no-browser", action="store_true", help=Say.NO_BROWSER)
    parser.add_argument("--all", action="store_true", help=Say.ALL.format(" ".join(LONG_STEPS)))
    parser.add_argument("test", nargs="*", help=Say.TEST.format(" ".join(names)))
    options = parser.parse_intermixed_args(words)
    if options.test and options.test[0] != "test":
        parser.error(Say.NOT_A_COMMAND.format(options.test[0]))
    for name in options.test[1:]:
        if name not in names:
            parser.error(Say.NOT_A_STEP.format(name, " ".join(names)))
    if options.all and options.test != ["test"]:
        parser.error(Say.ALL_ALONE)
    return options


def heed_signals() -> None:
    """Let Ctrl-C, a polite end and a closed terminal all end us the same way."""
    # Set even where SIGINT is ignored: a shell does that to what it starts with "&".
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) != signal.SIG_IGN:
        signal.signal(hangup, signal.default_int_handler)


def main(words: list[str] | None = None) -> int:
    """Do what the command line asks and return the exit status."""
    options = read_options(words)
    heed_signals()
    try:
        if options.test:
            set_up(EVERYTHING)
            test(options.test[1:], everything=options.all)
        else:
            set_up(COURSE)
            open_course(options.port, window=has_screen() and not options.no_browser)
    except Failed as failed:
        say(Say.FAILED.format(failed.place, failed.reason, failed.fix))
        return failed.code
    except KeyboardInterrupt:
        say(Say.STOPPED)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
