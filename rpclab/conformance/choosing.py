"""Which cases of all are put to a target."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar


class Choosable(Protocol):
    """What a case of a server or of a client says about where it holds."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles in which it holds."""

    @property
    def framing(self) -> str:
        """The framing in which it holds, or ``both``."""


Chosen = TypeVar("Chosen", bound=Choosable)


@dataclass(frozen=True, slots=True)
class Choice:
    """A profile, and the ids of the cases that are wanted: all, if there are none."""

    profile: str = "core"
    only: tuple[str, ...] = ()

    def of(self, cases: Iterable[Chosen], framing: str) -> list[Chosen]:
        """Give the cases that fit, in their order."""
        return [
            case
            for case in cases
            if self.profile in case.profiles
            and case.framing in ("both", framing)
            and (not self.only or case.id in self.only)
        ]
