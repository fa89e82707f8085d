"""Set up the course and open it, or set up everything and test it.

    python3 lab.py          makes .venv, installs the course, opens JupyterLab on it
    python3 lab.py test     makes .venv, installs all tools, runs everything that CI runs

Standard library only: this runs before anything is installed. A Python too old
for the course must still be able to read this file, to be told so in a sentence.
So no syntax here is newer than an f-string, and no annotation that an old Python
cannot evaluate stands above ``OLDEST``.
"""

import argparse
import functools
import hashlib
import http.client
import json
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit


class Say:
    """Everything that a person reads, in one place."""

    OLD = (
        "The course needs Python {0[0]}.{0[1]} or newer, and this is Python {1[0]}.{1[1]}. "
        "Start lab.py with a newer one, for example: python3.12 lab.py"
    )
    USAGE = "python3 lab.py [--port PORT] [--no-browser]\n       python3 lab.py test [NAME ...]"
    ABOUT = "Set up the course in .venv, beside this file, and open it in JupyterLab."
    PORT = "ask JupyterLab for this port (8888); when it is busy the next free one is used"
    NO_BROWSER = "print the address and open no window"
    TEST = (
        "install all tools and run everything that CI runs; with names after it, "
        "only those steps of: {}"
    )
    NOT_A_PORT = "a port is a number from 1 to 65535, not {!r}"
    NOT_A_COMMAND = "the only command is 'test', not {!r}"
    NOT_A_STEP = "there is no step {!r}; the steps are {}"

    STEP = "[{}/{}] {}"
    DONE = "done"
    TIMED = "[{}/{}] {}, {:.1f} s"
    COMMAND = "  $ {}"
    READY = "Set-up is done already, nothing to install."
    MAKE = "Making .venv"
    UV = "Fetching uv, a fast installer"
    INSTALL = "Installing {}"
    SETTINGS = "Turning off JupyterLab's news pop-up"
    NO_UV = "uv cannot be had here: pip will do it, more slowly"
    UV_FAILED = "uv could not install everything. pip tries the same, more slowly."

    STARTING = "Starting JupyterLab ..."
    BUSY = "Port {} is busy, so JupyterLab took {}."
    OPEN = "The course is open, {:.1f} s after the start:\n\n    {}\n\nCtrl-C here ends it."
    OVER_SSH = "From your own machine, first: ssh -L {0}:127.0.0.1:{0} THIS_MACHINE"
    ENDED = "JupyterLab has ended."
    STOPPED = "\nStopped before the end. Start it again when you like."

    NO_CHROMIUM = "no Chromium on this machine"
    SKIPPED = "skipped: {}"
    PASSED = "Passed: {} of {} steps, {:.0f} s in all."

    FAILED = "\nFailed at {}\n  {}\nWhat to do: {}"
    AT = "step {} of {}: {}"
    ENDED_WITH = "the command was: {}\n  it ended with exit status {}"
    AT_START = "the start"
    MEND_VENV = (
        "on Debian or Ubuntu install the missing part, with: sudo apt install python3-venv "
        "(elsewhere a Python from python.org has it). Then run this again."
    )
    MEND_NETWORK = (
        "read the last lines above. Most often there is no way to the package registry: "
        "check the network and the proxy. Then run this again."
    )
    MEND_FILES = (
        "see that you may write here and that no other program uses .venv, or delete .venv."
    )
    MEND_START = "read the lines above. If they do not help, delete .venv and run this again."
    MEND_STEP = "read the lines above, mend it, then run only this: python3 lab.py test {}"
    MEND_FOLDER = "this needs a whole checkout: fetch it again."
    MEND_CHROMIUM = "install Chromium (.ci/run does): in CI the browser tests are never skipped."
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


NBVAL = "pytest --nbval-cell-timeout 30 notebooks"
UNIT = "pytest tests rpclab --ignore=tests/browser --ignore=tests/long"
STEPS = (
    Step("lint", "layout and lint", "rpclab", ("ruff format --check .", "ruff check .")),
    Step("types", "types, strictly", "rpclab", ("mypy",)),
    Step("floors", "who may import whom", "rpclab", ("lint-imports",)),
    Step(
        "unit",
        "unit and property tests",
        "tests",
        (f"coverage run -m {UNIT}", "coverage report"),
    ),
    Step("notebooks", "notebooks against their saved outputs", "notebooks", (f"{NBVAL} --nbval",)),
    Step(
        "solutions",
        "notebooks, judged with the solutions",
        "notebooks",
        (f"{NBVAL} --nbval-lax",),
        (("RPCLAB_ANSWERS", "solution"),),
    ),
    Step("browser", "notebooks in a real browser", "tests/browser", ("pytest tests/browser",)),
    Step("long", "what takes long", "tests/long", ("pytest tests/long",)),
)

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

    def __init__(self, reason: str, mend: str, code: int = 1) -> None:
        """Keep the reason, what to do about it, and the exit status."""
        super().__init__(reason)
        self.reason, self.mend, self.code = reason, mend, code
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


def run(command: list[str], mend: str, **more: str) -> None:
    """Run one command, shown, in the checkout.

    Raises:
        Failed: it cannot be started, or its exit status is not 0.
    """
    say(Say.COMMAND.format(shlex.join(command)))
    try:
        code = subprocess.run(command, cwd=ROOT, env=surroundings(**more), check=False).returncode
    except OSError as error:
        raise Failed(str(error), mend) from error
    if code:
        # A command ended by signal N has the status -N: shells say 128 + N.
        code = code if code > 0 else 128 - code
        raise Failed(Say.ENDED_WITH.format(shlex.join(command), code), mend, code)


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
            failed = error if isinstance(error, Failed) else Failed(str(error), Say.MEND_FILES)
            failed.place = Say.AT.format(number, len(steps), title)
            raise failed from error
        spent = time.monotonic() - began
        say(Say.TIMED.format(number, len(steps), outcome or Say.DONE, spent))


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
        raise Failed(str(error), Say.MEND_FOLDER) from error


def is_usable() -> bool:
    """Tell whether what stands in .venv can be built on."""
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
        run([python, "-m", "venv", str(VENV)], Say.MEND_VENV)


def fetch_uv() -> str | None:
    """Install uv into .venv; without it pip does the work."""
    try:
        run([tool("python"), "-m", "pip", "install", "--upgrade", "uv"], Say.MEND_NETWORK)
    except Failed:
        return Say.NO_UV
    return None


def install(extras: frozenset[str]) -> None:
    """Install the package, editable, with the pinned versions of what it needs."""
    what = ["install", "-c", PINS.name, "-e", f".[{','.join(sorted(extras))}]"]
    if Path(tool("uv")).exists():
        try:
            run([tool("uv"), "pip", *what, "--python", tool("python")], Say.MEND_NETWORK)
        except Failed:
            # pip may know a mirror, by its own settings, that uv does not.
            say(Say.UV_FAILED)
        else:
            return
    run([tool("python"), "-m", "pip", *what], Say.MEND_NETWORK)


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


def run_step(step: Step) -> str | None:
    """Run one step's commands, to the first that fails."""
    if not (ROOT / step.folder).is_dir():
        raise Failed(Say.NO_FOLDER.format(step.folder), Say.MEND_FOLDER)
    if step.name == "browser" and not any(map(shutil.which, CHROMIUMS)):
        if os.environ.get("CI"):
            raise Failed(Say.NO_CHROMIUM, Say.MEND_CHROMIUM)
        return Say.SKIPPED.format(Say.NO_CHROMIUM)
    for command in step.commands:
        name, *rest = shlex.split(command)
        settings = {"RPCLAB_PROGRESS": "off", **dict(step.settings)}  # tests are no learner
        run([tool(name), *rest], Say.MEND_STEP.format(step.name), **settings)
    return None


def test(names: list[str]) -> None:
    """Run the named steps of the tests, or all, in their order."""
    began = time.monotonic()
    chosen = [step for step in STEPS if not names or step.name in names]
    in_turn([(f"{step.name}: {step.title}", functools.partial(run_step, step)) for step in chosen])
    say(Say.PASSED.format(len(chosen), len(STEPS), time.monotonic() - began))


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
        raise Failed(Say.ENDED_WITH.format(shlex.join(self.command), code), Say.MEND_START)

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
    parser.add_argument("test", nargs="*", help=Say.TEST.format(" ".join(names)))
    options = parser.parse_args(words)
    if options.test and options.test[0] != "test":
        parser.error(Say.NOT_A_COMMAND.format(options.test[0]))
    for name in options.test[1:]:
        if name not in names:
            parser.error(Say.NOT_A_STEP.format(name, " ".join(names)))
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
            test(options.test[1:])
        else:
            set_up(COURSE)
            open_course(options.port, window=has_screen() and not options.no_browser)
    except Failed as failed:
        say(Say.FAILED.format(failed.place, failed.reason, failed.mend))
        return failed.code
    except KeyboardInterrupt:
        say(Say.STOPPED)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
