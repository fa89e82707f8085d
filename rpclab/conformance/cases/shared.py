"""What server cases and client cases share: how they may end, and where they hold.

One rule: a case never asks for more than its clause does, and a row that tries
to is refused when it is read.
"""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from rpclab.spec import Profile, clause, profile, ruling

LEVELS: Final = ("must", "should", "free")
PAUSE: Final = "<pause>"
"""In a list of expected payloads: a pause in what was sent ended here."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which a case may end.

    With the state ``alive``, ``lines`` are the payloads that came. ``ends`` and
    ``hangs`` are what a target may do instead.
    """

    lines: tuple[str, ...] = ()
    state: str = "alive"
    reading: str = ""
    keeps: bool = True


class AnyCase(Protocol):
    """What every case has, whether it judges a server or a client."""

    @property
    def id(self) -> str:
        """The name of the case."""

    @property
    def clause(self) -> str:
        """The clause that it judges."""

    @property
    def level(self) -> str:
        """What the clause demands."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The ways in which it may end."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles in which it holds."""

    @property
    def framing(self) -> str:
        """The framing in which it holds, or ``both``."""

    @property
    def ruling(self) -> str:
        """The ruling that its readings belong to."""

    @property
    def compare(self) -> tuple[str, ...]:
        """The parts of an error object that are compared, besides its code."""

    @property
    def ordered(self) -> bool:
        """Whether the order of the payloads counts."""

    def holds_under(self, speaks: Profile) -> bool:
        """Tell whether it holds under a profile."""


AnyCaseT = TypeVar("AnyCaseT", bound=AnyCase)


@dataclass(frozen=True, slots=True)
class Choice:
    """A profile, and the ids of the wanted cases; without ids, all cases are wanted.

    The profile may name a revision, as in ``mcp@2025-06-18``. Then the cases of
    clauses that the revision does not have are left out.
    """

    profile: str = "core"
    only: tuple[str, ...] = ()

    def of(self, cases: Iterable[AnyCaseT], framing: str) -> list[AnyCaseT]:
        """Return the cases that fit, in their order."""
        speaks = profile(self.profile)
        return [
            case
            for case in cases
            if case.holds_under(speaks)
            and (not speaks.revision or clause(case.clause).holds_in(speaks.revision))
            and case.framing in ("both", framing)
            and (not self.only or case.id in self.only)
        ]


def read_outcomes(row: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Read ``expect``, ``expect_any`` or ``readings``.

    >>> read_outcomes({"expect": ['{"id":1}']})
    (Outcome(lines=('{"id":1}',), state='alive', reading='', keeps=True),)
    """
    match row:
        case {"expect": list(lines)}:
            return (_read_outcome(lines),)
        case {"expect_any": list(several)}:
            return tuple(_read_outcome(lines) for lines in several)
        case {"readings": dict(readings)}:
            breaks = row.get("breaks", [])
            return tuple(
                _read_outcome(readings[name], name, name not in breaks) for name in readings
            )
    raise ValueError("expect, expect_any or readings must be there, as a list or a table")


def _read_outcome(wanted: list[str] | str, reading: str = "", keeps: bool = True) -> Outcome:
    if isinstance(wanted, str):
        if wanted not in ("ends", "hangs"):
            raise ValueError(f"a reading is a list of payloads, or ends, or hangs, not {wanted!r}")
        return Outcome((), wanted, reading, keeps)
    for line in wanted:
        if line != PAUSE:
            json.loads(line)
    return Outcome(tuple(wanted), "alive", reading, keeps)


def check_row(row: Mapping[str, Any], fields: frozenset[str]) -> None:
    """Check the fields of a row, and that its level is the level of its clause.

    Raises:
        ValueError: the row is not a case; the text says why.
        LookupError: its clause or its ruling does not exist.
    """
    if unknown := row.keys() - fields - {"expect", "expect_any", "readings", "breaks"}:
        raise ValueError(f"there is no field {sorted(unknown)[0]}")
    if missing := {"id", "clause", "level", "about"} - row.keys():
        raise ValueError(f"{sorted(missing)[0]} is missing")
    if len(row.keys() & {"expect", "expect_any", "readings"}) != 1:
        raise ValueError("exactly one of expect, expect_any and readings must be there")
    demanded = clause(row["clause"]).level.split()[0].lower()
    if row["level"] not in (demanded, "free") or row["level"] not in LEVELS:
        raise ValueError(f"level: {row['level']}, but the clause says {demanded}")
    _check_readings(row)


def _check_readings(row: Mapping[str, Any]) -> None:
    if ("ruling" in row) != ("readings" in row):
        raise ValueError("ruling and readings go together")
    if "ruling" in row:
        point = ruling(row["ruling"])
        known = {point.reading, *(other.reading for other in point.others)}
        if strange := row["readings"].keys() - known:
            raise ValueError(f"the ruling has no reading {sorted(strange)[0]}")
    if strange := set(row.get("breaks", [])) - row.get("readings", {}).keys():
        raise ValueError(f"breaks: there is no reading {sorted(strange)[0]}")
    if row.get("breaks") and row["level"] == "free":
        raise ValueError("breaks: a case of level free breaks nothing")


def _read_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def read_rows(folder: Path, read: Callable[[Mapping[str, Any]], AnyCaseT]) -> tuple[AnyCaseT, ...]:
    """Read every ``[[case]]`` in a folder's files, in order.

    Raises:
        ValueError: a row is not a case, or an id is used twice; the text says where.
    """
    rows: dict[str, AnyCaseT] = {}
    for path in sorted(folder.glob("*.toml")):
        for row in _read_table(path).get("case", []):
            try:
                case = read(row)
            except (ValueError, LookupError, TypeError, RecursionError) as error:
                raise ValueError(f"{path.name}, case {row.get('id', '?')}: {error}") from error
            if case.id in rows:
                raise ValueError(f"{path.name}, case {case.id}: this id is used twice")
            rows[case.id] = case
    return tuple(rows.values())
