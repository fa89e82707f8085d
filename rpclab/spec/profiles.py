"""The profiles: named sets of readings, such as ``core`` or ``mcp``.

The rows are data, in ``profiles.toml``; its head says what each field means.
The file is read when the first row is asked for, and only once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rpclab.spec.rows import read_rows


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


@cache
def _profiles() -> Mapping[str, Profile]:
    return read_rows(Profile, "profiles.toml", "profile")


def profiles() -> tuple[Profile, ...]:
    """Return every profile.

    >>> [profile.id for profile in profiles()]
    ['core', 'mcp', 'lsp', 'acp', 'a2a']
    """
    return tuple(_profiles().values())


def profile(id: str) -> Profile:
    """Return one profile, or raise LookupError with the ids that exist.

    >>> dict(profile("mcp").readings)["id-null"]
    'forbidden'
    """
    if id not in _profiles():
        known = ", ".join(_profiles())
        raise LookupError(f"there is no profile {id!r}; the profiles are {known}")
    return _profiles()[id]
