"""Servers and clients with one defect each, made to be caught.

A specimen is a row of ``server_specimens.toml`` or ``client_specimens.toml``. It
names a program in ``bases/`` that keeps every rule, and the change that breaks one.
docs/conformance.md has the form of a row.

Interface:
  - ``source`` returns the whole program and writes no file: it works in a browser
  - ``path`` and ``command`` write the program into a temporary folder, which is
    removed when this process ends
"""

import atexit
import difflib
import shutil
import sys
import tempfile
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from rpclab.spec import clause

ROLES: Final = ("server", "client")
_OWN: Final = files("rpclab.conformance")
_QUOTES: Final = '"""'
_CUT: Final = "@@"
_writing: Final = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A program with one defect: a base, and a change to it.

    ``role`` is ``server`` or ``client``. ``caught_by`` are cases of the clause
    that it ``breaks``. ``change`` is in the form that ``read_change`` reads.
    """

    id: str
    role: str
    about: str
    breaks: str
    caught_by: tuple[str, ...]
    report: str
    base: str
    change: str
    framing: str = "newline"
    profile: str = "core"

    @property
    def path(self) -> Path:
        """The file with the program, written when it is first asked for."""
        with _writing:
            path = _folder() / f"{self.id}.py"
            if not path.exists():
                path.write_text(source(self), encoding="utf-8")
            return path

    @property
    def command(self) -> list[str]:
        """The command that runs it, for as long as this process lives."""
        return [sys.executable, "-I", "-S", str(self.path)]


class Replacement(NamedTuple):
    """Lines of a base, and the lines that a specimen has in their place."""

    old: tuple[str, ...]
    new: tuple[str, ...]


@cache
def specimens() -> tuple[Specimen, ...]:
    """Return every specimen, servers first."""
    rows = [
        (role, row)
        for role in ROLES
        for row in tomllib.loads(_OWN.joinpath(f"{role}_specimens.toml").read_text("utf-8"))[
            "specimen"
        ]
    ]
    return tuple(read_specimen(role, row) for role, row in rows)


def find_specimen(id: str) -> Specimen:
    """Return the specimen with this id.

    >>> find_specimen("banner").breaks
    'newline.stdout-clean'

    Raises:
        LookupError: there is none; the text names those with a similar id.
    """
    known = {one.id: one for one in specimens()}
    if id in known:
        return known[id]
    near = difflib.get_close_matches(id.replace("_", "-"), known)
    hint = f": did you mean {' or '.join(near)}?" if near else ""
    raise LookupError(f"there is no specimen {id!r}{hint}")


def read_specimen(role: str, row: Mapping[str, Any]) -> Specimen:
    """Read one row, and check that its change fits its base.

    Raises:
        ValueError: a field is missing, unknown or wrong; the text says which.
        LookupError: there is no such clause.
    """
    id = row.get("id", "a specimen without an id")
    known = {field.name for field in fields(Specimen)} - {"role"}
    if unknown := sorted(row.keys() - known):
        raise ValueError(f"{id}: unknown field {', '.join(unknown)}")
    if missing := sorted(known - {"framing", "profile"} - row.keys()):
        raise ValueError(f"{id}: {', '.join(missing)} is missing")
    if not row["caught_by"] or not all(row[name] for name in ("about", "report", "base")):
        raise ValueError(f"{id}: about, caught_by, report and base are not empty")
    one = Specimen(role=role, **{**row, "caught_by": tuple(row["caught_by"])})
    clause(one.breaks)
    source(one)
    return one


def base_names() -> tuple[str, ...]:
    """Return the names of all bases."""
    names = (entry.name for entry in _OWN.joinpath("bases").iterdir())
    return tuple(
        sorted(
            name.removesuffix(".py")
            for name in names
            if name.endswith(".py") and name != "__init__.py"
        )
    )


@cache
def base_source(name: str) -> str:
    """Return the program of a base.

    Raises:
        ValueError: there is no base of that name.
    """
    if name not in base_names():
        raise ValueError(f"there is no base {name!r}")
    return _OWN.joinpath("bases", f"{name}.py").read_text("utf-8")


def source(specimen: Specimen) -> str:
    """Return the whole program of a specimen.

    Raises:
        ValueError: its change does not fit its base; the text says where.
    """
    lines = _without_docstring(base_source(specimen.base))
    try:
        changed = change_lines(lines, read_change(specimen.change))
    except ValueError as error:
        raise ValueError(f"{specimen.id}: {error}") from None
    return _program(specimen, changed)


def difference(specimen: Specimen) -> str:
    """Return what a specimen changes in its base, as a unified diff."""
    before = _program(specimen, _without_docstring(base_source(specimen.base)))
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        source(specimen).splitlines(keepends=True),
        f"bases/{specimen.base}.py",
        f"{specimen.id}.py",
    )
    return "".join(lines)


def read_change(text: str) -> list[Replacement]:
    r"""Read a change: lines with a mark in front, in parts with ``@@`` between them.

    A line with ``-`` is taken out, one with ``+`` is put in, and one with a space
    (or an empty line) is there before and after.

    >>> read_change(" def f():\n-    return 1\n+    return 2\n")
    [Replacement(old=('def f():', '    return 1'), new=('def f():', '    return 2'))]

    Raises:
        ValueError: a line has another mark.
    """
    found = []
    old: list[str] = []
    new: list[str] = []
    for line in [*text.splitlines(), _CUT]:
        if line == _CUT:
            if old or new:
                found.append(Replacement(tuple(old), tuple(new)))
            old, new = [], []
            continue
        mark, rest = line[:1] or " ", line[1:]
        if mark not in " -+":
            raise ValueError(f"a line of a change begins with a space, - or +: {line!r}")
        if mark != "+":
            old.append(rest)
        if mark != "-":
            new.append(rest)
    return found


def change_lines(lines: list[str], change: list[Replacement]) -> list[str]:
    """Return lines with each replacement made, in the place of its old lines.

    Raises:
        ValueError: old lines are not there exactly once, or two replacements overlap.
    """
    places = []
    for old, new in change:
        size = len(old)
        starts = [at for at in range(len(lines) - size + 1) if tuple(lines[at : at + size]) == old]
        if not old:
            raise ValueError("a part of a change names no line of its base")
        if len(starts) != 1:
            text = "\n".join(old)
            raise ValueError(f"the base has these lines {len(starts)} times, not once:\n{text}")
        places.append((starts[0], starts[0] + size, new))
    places.sort()
    changed, done = [], 0
    for start, end, new in places:
        if start < done:
            raise ValueError(f"two replacements overlap at {lines[start]!r}")
        changed += [*lines[done:start], *new]
        done = end
    return changed + lines[done:]


def _without_docstring(program: str) -> list[str]:
    """Return the lines of a program after its docstring."""
    _, _, body = program.removeprefix(_QUOTES).partition(_QUOTES + "\n")
    return body.splitlines()


def _program(specimen: Specimen, lines: list[str]) -> str:
    """Return a program with the docstring that tells what is wrong with it."""
    header = [
        _QUOTES + specimen.about,
        "",
        f"breaks: {specimen.breaks}",
        f"caught by: {', '.join(specimen.caught_by)}",
        f"report: {specimen.report}",
    ]
    if specimen.framing != "newline":
        header.append(f"framing: {specimen.framing}")
    if specimen.profile != "core":
        header.append(f"profile: {specimen.profile}")
    return "\n".join([*header, _QUOTES, *lines, ""])


@cache
def _folder() -> Path:
    """Return the folder for programs that are run, which goes with this process."""
    folder = tempfile.mkdtemp(prefix="rpclab-specimens-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
