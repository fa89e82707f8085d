"""The rulings: how rpclab reads what a specification leaves open.

The rows are data, in ``rulings.toml``; its head says what each field means.
The file is read when the first row is asked for, and only once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rpclab.spec.rows import find, read_rows


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to read a point: what such a peer does, and who does it."""

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


def _make_ruling(*, others: tuple[Mapping[str, str], ...], **fields: Any) -> Ruling:
    return Ruling(others=tuple(Reading(**other) for other in others), **fields)


@cache
def _rulings() -> Mapping[str, Ruling]:
    return read_rows(_make_ruling, "rulings.toml", "ruling")


def rulings() -> tuple[Ruling, ...]:
    """Return every ruling: those of the design, then those of the field."""
    return tuple(_rulings().values())


def ruling(id: str) -> Ruling:
    """Return one ruling, or raise LookupError.

    >>> ruling("id-null").default
    'A request; it is answered with `id: null`.'
    """
    return find(_rulings(), "ruling", id)
