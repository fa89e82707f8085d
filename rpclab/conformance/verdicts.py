"""What a run found: a verdict for each case, and the report that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from rpclab.conformance.targets import State

Finding: TypeAlias = Literal["kept", "broken", "free", "not judged"]
OTHER: Final = "other"
"""The vote of a target that takes no reading of a ruling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a case found, and the bytes that show it."""

    case: str
    clause: str
    level: str
    found: Finding
    why: str = ""
    delivery: str = ""
    sent: bytes = b""
    came: tuple[bytes, ...] = ()
    wanted: tuple[tuple[str, ...], ...] = ()
    ruling: str = ""
    reading: str = ""
    state: State = "alive"
    status: int | None = None
    stderr: str = ""
    wrote: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The verdicts of one run."""

    target: str
    profile: str
    framing: str
    verdicts: tuple[Verdict, ...]
    missing: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    command: str = "conform"

    def count(self, found: Finding, level: str = "") -> int:
        """Count the verdicts of a kind."""
        return sum(v.found == found and level in ("", v.level) for v in self.verdicts)

    @property
    def ran(self) -> int:
        """How many cases were judged."""
        return len(self.verdicts) - self.count("not judged")

    @property
    def keeps_every_must(self) -> bool:
        """Whether no MUST is broken, and none went unasked because the target hung."""
        spent = any(verdict.state == "spent" for verdict in self.verdicts)
        return not self.count("broken", "must") and not spent

    @property
    def never_worked(self) -> bool:
        """Whether the target could not even be started."""
        return bool(self.verdicts) and all(v.state == "absent" for v in self.verdicts)

    def clauses(self) -> dict[str, Finding]:
        """Give what was found of each clause: broken, else kept, else free, else not judged."""
        order: tuple[Finding, ...] = ("broken", "kept", "free", "not judged")
        found: dict[str, Finding] = {}
        for one in self.verdicts:
            before = found.get(one.clause, "not judged")
            found[one.clause] = min(before, one.found, key=order.index)
        return found

    def votes(self) -> dict[str, str]:
        """Give the reading that the target takes of each ruling, or readings where it wavers."""
        votes: dict[str, list[str]] = {}
        for one in self.verdicts:
            if one.reading:
                readings = votes.setdefault(one.ruling, [])
                readings += [one.reading] if one.reading not in readings else []
        return {ruling: ", ".join(readings) for ruling, readings in votes.items()}
