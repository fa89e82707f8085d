"""How the rows of the specification are read from the TOML files.

A row never changes: lists become tuples, and tables become read-only mappings.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Protocol, TypeVar


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


Kind = TypeVar("Kind", bound=_HasId)
"""The type of one row: a source, clause, ruling or profile."""


@cache
def read_tables(file: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a TOML file in this folder. It is read once."""
    return tomllib.loads(files(__package__).joinpath(file).read_text(encoding="utf-8"))


def read_rows(kind: Callable[..., Kind], file: str, table: str) -> Mapping[str, Kind]:
    """Return the rows of one table by id, in the order of the file."""
    rows = (
        kind(**{field: frozen(row[field]) for field in row}) for row in read_tables(file)[table]
    )
    return MappingProxyType({row.id: row for row in rows})


def frozen(value: Any) -> Any:
    """Return a TOML value in a form that cannot be changed.

    >>> frozen([1, [2]])
    (1, (2,))
    """
    match value:
        case list():
            return tuple(frozen(item) for item in value)
        case dict():
            return MappingProxyType(value)
        case _:
            return value


def find(rows: Mapping[str, Kind], kind: str, id: str) -> Kind:
    """Return the row with an id.

    Raises:
        LookupError: no row has this id.
    """
    if id not in rows:
        raise LookupError(f"there is no {kind} {id!r}")
    return rows[id]
