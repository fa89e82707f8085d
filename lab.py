"""Set up the course and open it, or set up everything and test it.

    python3 lab.py              makes .venv, installs the course, opens JupyterLab on it
    python3 lab.py test         makes .venv, installs all tools, runs everything that CI runs
    python3 lab.py test --all   runs the long tests as well
    python3 lab.py lock         makes the two lock files again, from pyproject.toml

Standard library only: this runs before anything is installed. A Python that is too
old for the course must still be able to read this file as far as ``OLDEST``, which
prints a sentence about it. So no syntax here is newer than an f-string, and no
annotation above ``OLDEST`` needs a newer Python.
"""

import argparse
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import BinaryIO, NamedTuple


class Say:
    """Everything that a person reads, in one place."""

    OLD = (
        "The course needs Python {0[0]}.{0[1]} or newer, and this is Python {1[0]}.{1[1]}. "
        "Start lab.py with a newer one, for example: python3.12 lab.py"
    )
    USAGE = (
        "python3 lab.py [--port PORT] [--no-browser]\n"
        "       python3 lab.py test [--all | NAME ...]\n"
        "       python3 lab.py lock"
    )
    ABOUT = "Set up the course in .venv, beside this file, and open it in JupyterLab."
    PORT = "the port for JupyterLab (8888); if it is busy, the next free one is used"
    NO_BROWSER = "print the address and do not open a window"
    COMMANDS = (
        "test: install all tools and run everything that CI runs, in about ten minutes; "
        "with names after it, only those steps: {}. "
        "lock: make the lock files again, with the versions that they have where those still fit"
    )
    ALL = "with test: run the long tests as well, in about half an hour: {}"
    NOT_A_PORT = "a port is a number from 1 to 65535, not {!r}"
    NOT_A_COMMAND = "the commands are 'test' and 'lock', not {!r}"
    LOCK_ALONE = "'lock' takes no other word"
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
    FINISH = "Noting what was installed"
    LOCK = "Locking {}"
    NEEDS_UV = "only uv can make the lock files"
    NO_UV = "uv is not available here: pip does the work, more slowly"
    UV_FAILED = "uv could not install everything. pip tries the same, more slowly."

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
# On another system some tests are skipped, and some branches are never reached.
MEASURED_UNIT = ("coverage erase", UNIT, "python tests/coverage_by_file.py")
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
            MEASURED_UNIT if sys.platform == "linux" else (UNIT,),
            (("RPCLAB_COVERAGE", "on" if sys.platform == "linux" else "off"),),
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

# Two lock files: what a learner needs, and that with every tool and extra.
COURSE = "requirements.course.lock.txt"
EVERYTHING = "requirements.lock.txt"
# What of pyproject.toml each of them locks. The smaller one follows the larger one.
LOCKS = {
    EVERYTHING: ("--all-extras", "--group", "dev"),
    COURSE: ("--extra", "course"),
}

ROOT = Path(__file__).resolve().parent
PYPROJECT = ROOT / "pyproject.toml"
WINDOWS = sys.platform == "win32"
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if WINDOWS else "bin")
# Empty while set-up is under way, so that an interrupted one is seen.
STAMP = VENV / "rpclab-stamp.json"
LAST_PORT = 65535
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
    files = (PYPROJECT, *(ROOT / name for name in LOCKS))
    try:
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
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


def install(lock: str) -> None:
    """Install what a lock file pins, each part by its hash, and then the project, editable."""
    use_installer("install", "--require-hashes", "-r", lock)
    use_installer("install", "--no-deps", "-e", ".")


def use_installer(*words: str) -> None:
    """Call uv or, where it is missing or fails, pip, which takes the same words."""
    if Path(tool("uv")).exists():
        try:
            run([tool("uv"), "pip", *words, "--python", tool("python")], Say.FIX_NETWORK)
        except Failed:
            # pip may know a mirror, by its own settings, that uv does not.
            say(Say.UV_FAILED)
        else:
            return
    run([tool("python"), "-m", "pip", *words], Say.FIX_NETWORK)


def finish(lock: str) -> None:
    """Write down that set-up has ended, and from which lock file."""
    stamp = {"origin": origin(), "pins": pins(), "lock": lock}
    STAMP.write_text(json.dumps(stamp), "utf-8")


def set_up(wanted: str) -> None:
    """Bring .venv to where it has what a lock file pins; it keeps what else it has."""
    stamp = read_stamp()
    lock = EVERYTHING if stamp.get("lock") == EVERYTHING else wanted
    if stamp == {"origin": origin(), "pins": pins(), "lock": lock} and is_usable():
        say(Say.READY)
        return
    in_turn(
        [
            (Say.MAKE, make_venv),
            (Say.UV, fetch_uv),
            (Say.INSTALL.format(lock), functools.partial(install, lock)),
            (Say.FINISH, functools.partial(finish, lock)),
        ]
    )


# The lock files


def make_lock(name: str) -> None:
    """Make one lock file again: every platform, every hash, no address.

    A version that is in the file stays while it fits. Delete the file to take
    the newest versions of everything.
    """
    if not Path(tool("uv")).exists():
        raise Failed(Say.NEEDS_UV, Say.FIX_NETWORK)
    larger = ROOT / EVERYTHING
    if name != EVERYTHING:
        shutil.copyfile(larger, ROOT / name)  # so that both have the same versions
    oldest = "{}.{}".format(*OLDEST)
    options = ("--universal", "--python-version", oldest, "--generate-hashes", "--quiet")
    without = ("--no-emit-index-url", "--no-emit-find-links")
    title = ("--custom-compile-command", "python3 lab.py lock")
    command = [tool("uv"), "pip", "compile", PYPROJECT.name, *LOCKS[name], "--output-file", name]
    run([*command, *options, *without, *title], Say.FIX_NETWORK)


def make_locks() -> None:
    """Make both lock files again from pyproject.toml."""
    steps = [(Say.LOCK.format(name), functools.partial(make_lock, name)) for name in LOCKS]
    in_turn([(Say.MAKE, make_venv), (Say.UV, fetch_uv), *steps])


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


def open_course(port: int, *, window: bool) -> int:
    """Let ``rpclab course`` open this checkout, and return its exit status."""
    words = [tool("rpclab"), "course", str(ROOT), "--port", str(port)]
    command = words if window else [*words, "--no-browser"]
    try:
        if not WINDOWS:
            os.execve(command[0], command, surroundings())  # Ctrl-C is for that program alone
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return subprocess.run(command, env=surroundings(), check=False).returncode
    except OSError as error:
        raise Failed(str(error), Say.FIX_START) from error


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
    parser.add_argument("command", nargs="*", help=Say.COMMANDS.format(" ".join(names)))
    options = parser.parse_intermixed_args(words)
    command, *words = options.command or [""]
    if command not in ("", "test", "lock"):
        parser.error(Say.NOT_A_COMMAND.format(command))
    if command == "lock" and words:
        parser.error(Say.LOCK_ALONE)
    for name in words:
        if name not in names:
            parser.error(Say.NOT_A_STEP.format(name, " ".join(names)))
    if options.all and options.command != ["test"]:
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
        if options.command == ["lock"]:
            make_locks()
        elif options.command:
            set_up(EVERYTHING)
            test(options.command[1:], everything=options.all)
        else:
            set_up(COURSE)
            return open_course(options.port, window=not options.no_browser)
    except Failed as failed:
        say(Say.FAILED.format(failed.place, failed.reason, failed.fix))
        return failed.code
    except KeyboardInterrupt:
        say(Say.STOPPED)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
