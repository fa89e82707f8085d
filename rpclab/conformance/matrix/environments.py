"""The implementations of the matrix, and an environment for each.

An environment is a folder of the cache: a venv or a ``node_modules``, and a
copy of the adapters. Its name depends on what was installed, so another version
gets another folder. One rule: what pip and npm say goes into a log in the cache,
never into a report, because it names the registry of this machine.

Interface:
  - ``load_adapters`` returns every implementation, our own server first
  - ``prepare`` installs what is missing, and returns the command of the adapter
  - ``CannotInstall`` has a sentence for the row that cannot be judged
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.metadata import version
from pathlib import Path
from typing import Final

from rpclab.peer.child import OWN_GROUP, end_group

ADAPTERS: Final = Path(__file__).parents[1] / "adapters"
DEADLINE: Final = 600.0
"""How many seconds one step of an installation may take."""

OURS: Final = "the adapter answers for this, not the library"
_DONE: Final = "installed"


class CannotInstall(Exception):
    """An implementation cannot be installed here; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """An implementation, and how it is served on stdin and stdout."""

    id: str
    ecosystem: str
    install: tuple[str, ...]
    program: str
    framing: str
    kind: str
    note: str
    home: str
    profile: str = "core"
    ours: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """The version that is installed."""
        pin = self.install[0] if self.install else version("rpclab")
        return pin.replace("==", "@").rpartition("@")[2]

    def why_not(self, names: Iterable[str]) -> str:
        """Say why the library is not judged on a clause or a case; an empty text if it is."""
        ours = any(fnmatchcase(name, pattern) for pattern in self.ours for name in names)
        return OURS if ours else ""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where an adapter runs: its command, and the version of each installed package."""

    command: tuple[str, ...]
    packages: dict[str, str]


def load_adapters(path: Path = ADAPTERS / "adapters.toml") -> tuple[Adapter, ...]:
    """Return every implementation, by its row. The first is our own server.

    >>> load_adapters()[0].id, load_adapters()[1].version
    ('rpclab', '5.0.9')
    """
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["adapter"]
    lists = ("install", "ours")
    read = [row | {name: tuple(row.get(name, ())) for name in lists} for row in rows]
    return tuple(Adapter(**row) for row in read)


def folder_of(wanted: Adapter, cache: Path) -> Path:
    """Return the folder of an environment, whether it exists or not."""
    runtime = sys.version.split()[0] if wanted.ecosystem == "python" else "node"
    digest = hashlib.sha256("\n".join([runtime, *wanted.install]).encode()).hexdigest()[:8]
    return cache / f"{wanted.id}-{digest}"


def is_installed(wanted: Adapter, cache: Path) -> bool:
    """Tell whether the environment was made completely."""
    return (folder_of(wanted, cache) / _DONE).is_file()


def prepare(
    wanted: Adapter, cache: Path, say: Callable[[str], object] = lambda _: None
) -> Environment:
    """Return an environment; make it first if it does not exist.

    Args:
        wanted: the implementation.
        cache: the folder in which environments are kept.
        say: is called with each step that takes a while.

    Raises:
        CannotInstall: a tool is missing, failed or took too long.
    """
    folder = folder_of(wanted, cache)
    if not wanted.install:
        return Environment((sys.executable, "-m", "rpclab", "serve"), {})
    try:
        if not is_installed(wanted, cache):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            _MAKERS[wanted.ecosystem](wanted, folder, say)
            (folder / _DONE).touch()
        return _ready(wanted, folder)
    except OSError as error:
        raise CannotInstall(f"its environment cannot be made: {error.strerror}") from error


def _make_python(wanted: Adapter, folder: Path, say: Callable[[str], object]) -> None:
    say(f"{wanted.id}: making a venv")
    _run([sys.executable, "-m", "venv", "venv"], folder)
    say(f"{wanted.id}: pip install {' '.join(wanted.install)}")
    pip = [str(_python(folder)), "-m", "pip", "install", "--no-input"]
    _run([*pip, "--disable-pip-version-check", *wanted.install], folder)


def _make_node(wanted: Adapter, folder: Path, say: Callable[[str], object]) -> None:
    if not (shutil.which("npm") and shutil.which("node")):
        raise CannotInstall("there is no node or no npm on this machine")
    say(f"{wanted.id}: npm install {' '.join(wanted.install)}")
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    _run(["npm", "install", *quiet, "--prefix", str(folder), *wanted.install], folder)


_MAKERS: Final = {"python": _make_python, "node": _make_node}


def _run(command: Sequence[str], folder: Path) -> None:
    """Run one step in a group of its own, and end the whole group when its time is over."""
    log = folder.parent / f"{folder.name}.log"
    with log.open("ab") as written:
        step = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            **OWN_GROUP,
        )
        try:
            status = step.wait(DEADLINE)
        except subprocess.TimeoutExpired as error:
            raise CannotInstall(f"its installation took more than {DEADLINE:g} s") from error
        finally:
            end_group(step)
            step.wait()
    if status:
        tool = "npm" if command[0] == "npm" else "pip"
        raise CannotInstall(f"{tool} ended with status {status}; see {log.name} in the cache")


def _ready(wanted: Adapter, folder: Path) -> Environment:
    """Copy the adapters beside what was installed, and read what that is."""
    program = folder / "adapters" / wanted.program
    program.parent.mkdir(exist_ok=True)
    for file in [*ADAPTERS.glob("*.py"), *ADAPTERS.glob("*.js")]:
        shutil.copy(file, program.parent)
    if wanted.ecosystem == "node":
        return Environment(("node", str(program)), _node_packages(folder / "node_modules"))
    return Environment((str(_python(folder)), str(program)), _python_packages(folder / "venv"))


def _python(folder: Path) -> Path:
    venv = folder / "venv"
    return venv / "Scripts" / "python.exe" if sys.platform == "win32" else venv / "bin" / "python"


def _python_packages(venv: Path) -> dict[str, str]:
    names = sorted(path.stem for path in venv.rglob("site-packages/*.dist-info"))
    pairs = (name.rsplit("-", 1) for name in names)
    found = {name.replace("_", "-"): version for name, version in pairs}
    return {name: found[name] for name in found.keys() - {"pip", "setuptools"}}


def _node_packages(folder: Path) -> dict[str, str]:
    files = sorted([*folder.glob("*/package.json"), *folder.glob("@*/*/package.json")])
    read = (json.loads(file.read_text("utf-8")) for file in files)
    return {package["name"]: package["version"] for package in read}
