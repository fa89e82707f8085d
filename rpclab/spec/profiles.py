"""The profiles: named sets of readings, such as ``core`` or ``mcp``.

The rows are data, in ``profiles.toml``; its head says what each field means.
The file is read when the first row is asked for, and only once. A name such as
``mcp@2025-06-18`` is a profile in one revision of its protocol.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

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
    versions: tuple[str, ...] = ()
    only_in: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    revision: str = ""

    @property
    def name(self) -> str:
        """The id, with the revision behind it if one was chosen."""
        return f"{self.id}@{self.revision}" if self.revision else self.id

    def at(self, revision: str) -> "Profile":
        """Return the profile in one revision of its protocol.

        Raises:
            LookupError: the profile has no such revision; the text lists those it has.
        """
        if revision not in self.versions:
            known = ", ".join(self.versions)
            has = f"the revisions are {known}" if known else "it has no revisions to choose from"
            raise LookupError(f"there is no revision {revision!r} of {self.id}; {has}")
        readings = MappingProxyType({**self.readings, **self.only_in.get(revision, {})})
        return replace(self, revision=revision, readings=readings)


@cache
def _profiles() -> Mapping[str, Profile]:
    return read_rows(Profile, "profiles.toml", "profile")


def profiles() -> tuple[Profile, ...]:
    """Return every profile.

    >>> [profile.id for profile in profiles()]
    ['core', 'mcp', 'lsp', 'acp', 'a2a']
    """
    return tuple(_profiles().values())


def profile(name: str) -> Profile:
    """Return one profile, or raise LookupError with the names that exist.

    >>> dict(profile("mcp").readings)["id-null"]
    'forbidden'
    >>> profile("mcp@2025-03-26").readings["batches"]
    'answered'
    """
    id, at, revision = name.partition("@")
    if id not in _profiles():
        known = ", ".join(_profiles())
        raise LookupError(f"there is no profile {id!r}; the profiles are {known}")
    return _profiles()[id].at(revision) if at else _profiles()[id]
