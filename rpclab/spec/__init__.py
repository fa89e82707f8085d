"""The specification as rows: clauses, rulings and profiles.

The rows are data, in three TOML files beside this one; their heads say what
each field means. A file is read when the first row of it is asked for, so the
transport, which needs none, never pays for them.

Interface:
  - ``clauses``, ``rulings``, ``profiles``, ``sources``: all rows, in the file's order
  - ``clause``, ``ruling``, ``profile``, ``source``: one row by its id
  - a row never changes
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True)
class Source:
    """A text that clauses are taken from."""

    id: str
    title: str
    revision: str
    url: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule of a specification, in our own words."""

    id: str
    section: str
    source: str
    title: str
    level: str
    actor: str
    profiles: tuple[str, ...]
    says: str
    form: str
    given: str
    keeps: str
    keeps_why: str
    breaks: str
    breaks_why: str
    notebook: str
    exercise: str
    exercise_none: str
    cases: tuple[str, ...]
    untestable: str
    specimen: str
    given_bytes: str = ""
    keeps_bytes: str = ""
    breaks_bytes: str = ""
    revisions: tuple[str, ...] = ()
    no_specimen: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to read a point, what such a peer does, and who reads it so."""

    reading: str
    does: str
    who: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """How this project reads a point that the specification leaves open."""

    id: str
    point: str
    origin: str
    actor: str
    reading: str
    default: str
    others: tuple[Reading, ...]
    clauses: tuple[str, ...]
    why: str
    example: str
    profiles: Mapping[str, str]
    switch: str
    reports: tuple[str, ...]
    example_bytes: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of readings."""

    id: str
    title: str
    about: str
    extends: str
    framing: str
    also: tuple[str, ...]
    sources: tuple[str, ...]
    revisions: Mapping[str, str]
    readings: Mapping[str, str]


Row = TypeVar("Row", Source, Clause, Ruling, Profile)


@cache
def _table(name: str) -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _frozen(value: Any) -> Any:
    """Give a TOML value in a form that cannot be changed."""
    match value:
        case list():
            return tuple(_frozen(item) for item in value)
        case {"reading": _, "does": _, "who": _}:
            return Reading(**value)
        case dict():
            return MappingProxyType(value)
        case _:
            return value


def _rows(kind: type[Row], file: str, name: str) -> Mapping[str, Row]:
    """Give the rows of one kind by id, in the file's order."""
    rows = (kind(**{field: _frozen(row[field]) for field in row}) for row in _table(file)[name])
    return MappingProxyType({row.id: row for row in rows})


@cache
def _sources() -> Mapping[str, Source]:
    return _rows(Source, "clauses", "source")


@cache
def _clauses() -> Mapping[str, Clause]:
    return _rows(Clause, "clauses", "clause")


@cache
def _rulings() -> Mapping[str, Ruling]:
    return _rows(Ruling, "rulings", "ruling")


@cache
def _profiles() -> Mapping[str, Profile]:
    return _rows(Profile, "profiles", "profile")


def _one(rows: Mapping[str, Row], kind: str, id: str) -> Row:
    if id not in rows:
        raise LookupError(f"there is no {kind} {id!r}")
    return rows[id]


def sources() -> tuple[Source, ...]:
    """Give every source that clauses are taken from."""
    return tuple(_sources().values())


def clauses() -> tuple[Clause, ...]:
    """Give every clause, in the order of the specifications."""
    return tuple(_clauses().values())


def rulings() -> tuple[Ruling, ...]:
    """Give every ruling: first those of the design, then those of the field."""
    return tuple(_rulings().values())


def profiles() -> tuple[Profile, ...]:
    """Give every profile.

    >>> [profile.id for profile in profiles()]
    ['core', 'mcp', 'lsp', 'acp', 'a2a']
    """
    return tuple(_profiles().values())


def source(id: str) -> Source:
    """Give one source, or raise LookupError."""
    return _one(_sources(), "source", id)


def clause(id: str) -> Clause:
    """Give one clause.

    >>> clause("4.1.no-reply").says
    'A notification is never answered.'
    >>> clause("9.9")
    Traceback (most recent call last):
    LookupError: there is no clause '9.9'
    """
    return _one(_clauses(), "clause", id)


def ruling(id: str) -> Ruling:
    """Give one ruling.

    >>> ruling("id-null").default
    'A request; it is answered with `id: null`.'
    """
    return _one(_rulings(), "ruling", id)


def profile(id: str) -> Profile:
    """Give one profile.

    >>> dict(profile("mcp").readings)["id-null"]
    'forbidden'
    """
    if id not in _profiles():
        known = ", ".join(_profiles())
        raise LookupError(f"there is no profile {id!r}; the profiles are {known}")
    return _profiles()[id]
