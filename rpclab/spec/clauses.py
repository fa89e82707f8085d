"""The clauses: every rule that the course teaches, and its source.

The rows are data, in ``clauses.toml``; its head says what each field means.
The file is read when the first row is asked for, and only once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from rpclab.spec.rows import find, read_rows


@dataclass(frozen=True, slots=True)
class Source:
    """A text that clauses are taken from."""

    id: str
    title: str
    revision: str
    url: str
    anchors: Mapping[str, str] = field(default_factory=dict)


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

    def holds_in(self, revision: str) -> bool:
        """Tell whether a revision has the rule. A clause without revisions holds in all.

        >>> clause("mcp.ping").holds_in("2026-07-28"), clause("2.json").holds_in("2026-07-28")
        (False, True)
        """
        return not self.revisions or revision in self.revisions


@cache
def _sources() -> Mapping[str, Source]:
    return read_rows(Source, "clauses.toml", "source")


@cache
def _clauses() -> Mapping[str, Clause]:
    return read_rows(Clause, "clauses.toml", "clause")


def sources() -> tuple[Source, ...]:
    """Return every source that clauses are taken from."""
    return tuple(_sources().values())


def clauses() -> tuple[Clause, ...]:
    """Return every clause, in the order of the specifications."""
    return tuple(_clauses().values())


def source(id: str) -> Source:
    """Return one source, or raise LookupError."""
    return find(_sources(), "source", id)


def clause(id: str) -> Clause:
    """Return one clause, or raise LookupError.

    >>> clause("4.1.no-reply").says
    'A notification is never answered.'
    >>> clause("9.9")
    Traceback (most recent call last):
    LookupError: there is no clause '9.9'
    """
    return find(_clauses(), "clause", id)


def link(clause: Clause) -> str:
    """Return the address where the source has a clause, or "" if the source is our own.

    >>> link(clause("4.1.no-reply"))
    'https://www.jsonrpc.org/specification#notification'
    """
    origin = source(clause.source)
    anchor = origin.anchors.get(clause.section, "")
    return f"{origin.url}#{anchor}" if anchor else origin.url
