"""What a case may end in: the part of the format that servers and clients share."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from rpclab.spec import clause, ruling

LEVELS: Final = ("must", "should", "free")
PAUSE: Final = "<pause>"
"""Stands in a list of expected payloads for a pause in what was sent."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way that a case may end.

    ``state`` is ``alive`` where ``lines`` say what came; ``ends`` and ``hangs``
    are what a target may do instead.
    """

    lines: tuple[str, ...] = ()
    state: str = "alive"
    reading: str = ""
    keeps: bool = True


def read_outcomes(row: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Read ``expect``, ``expect_any`` or ``readings``.

    >>> read_outcomes({"expect": ['{"id":1}']})
    (Outcome(lines=('{"id":1}',), state='alive', reading='', keeps=True),)
    """
    match row:
        case {"expect": list(lines)}:
            return (_outcome(lines),)
        case {"expect_any": list(several)}:
            return tuple(_outcome(lines) for lines in several)
        case {"readings": dict(readings)}:
            breaks = row.get("breaks", [])
            return tuple(_outcome(readings[name], name, name not in breaks) for name in readings)
    raise ValueError("one of expect, expect_any and readings must be there")


def _outcome(wanted: list[str] | str, reading: str = "", keeps: bool = True) -> Outcome:
    if isinstance(wanted, str):
        if wanted not in ("ends", "hangs"):
            raise ValueError(f"a reading is a list of payloads, or ends, or hangs, not {wanted!r}")
        return Outcome((), wanted, reading, keeps)
    for line in wanted:
        if line != PAUSE:
            json.loads(line)
    return Outcome(tuple(wanted), "alive", reading, keeps)


def check_row(row: Mapping[str, Any], fields: frozenset[str]) -> None:
    """Refuse a row that asks for more, or less, than its clause does."""
    if unknown := row.keys() - fields - {"expect", "expect_any", "readings", "breaks"}:
        raise ValueError(f"there is no field {sorted(unknown)[0]}")
    if missing := {"id", "clause", "level", "about"} - row.keys():
        raise ValueError(f"{sorted(missing)[0]} is missing")
    if len(row.keys() & {"expect", "expect_any", "readings"}) != 1:
        raise ValueError("exactly one of expect, expect_any and readings must be there")
    demanded = clause(row["clause"]).level.split()[0].lower()
    if row["level"] not in (demanded, "free") or row["level"] not in LEVELS:
        raise ValueError(f"level: {row['level']}, where the clause says {demanded}")
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
        raise ValueError("breaks: what is free breaks nothing")


class _Row(Protocol):
    @property
    def id(self) -> str:
        """The row's own name."""


Read = TypeVar("Read", bound=_Row)


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def read_rows(folder: Path, read: Callable[[Mapping[str, Any]], Read]) -> tuple[Read, ...]:
    """Read every ``[[case]]`` of a folder's files, in order.

    Raises:
        ValueError: a row is no case, or an id is used twice; the text says where.
    """
    rows: dict[str, Read] = {}
    for path in sorted(folder.glob("*.toml")):
        for row in _table(path).get("case", []):
            try:
                case = read(row)
            except (ValueError, LookupError, TypeError, RecursionError) as error:
                raise ValueError(f"{path.name}, case {row.get('id', '?')}: {error}") from error
            if case.id in rows:
                raise ValueError(f"{path.name}, case {case.id}: this id is used twice")
            rows[case.id] = case
    return tuple(rows.values())
