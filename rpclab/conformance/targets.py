"""What is judged: the seam between the cases and everything that can be a target.

A target carries a script over, and says what it observed. It knows no clause
and gives no verdict. A command and a function are targets; a URL can be one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from rpclab.conformance.cases import Piece
from rpclab.errors import FramingError

DEADLINE: Final = 5.0
"""How many seconds a target has for one case, unless the run says otherwise."""

Came: TypeAlias = bytes | FramingError | Literal["<pause>"]
State: TypeAlias = Literal["alive", "ends", "hangs", "floods", "absent", "mute", "spent"]
"""What became of the target. Three were not put through the case at all: ``absent`` cannot
be started, ``mute`` never answered a good request, ``spent`` hung too often."""

UNASKED: Final[tuple[State, ...]] = ("absent", "mute", "spent")


def _always(came: Sequence[Came]) -> bool:
    del came
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What a target is put through: one case, in one delivery.

    ``enough`` tells whether what came so far can be all: a target waits a
    little longer for what is missing.
    """

    pieces: tuple[Piece, ...]
    delivery: str = "whole"
    isolated: bool = False
    end: str = ""
    deadline: float = 0.0
    enough: Callable[[Sequence[Came]], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What came, and what became of the target.

    ``state`` is ``alive`` where it went as it should: the good request was
    answered, or the session ended by itself where the script ends it.
    """

    state: State
    came: tuple[Came, ...] = ()
    sent: bytes = b""
    raw: bytes = field(default=b"", repr=False)
    status: int | None = None
    stderr: str = ""
    note: str = ""


class Target(Protocol):
    """Anything that can be judged."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def framing(self) -> str:
        """How it sets messages apart."""

    def exchange(self, script: Script) -> Observation:
        """Put it through a script. Never raises because of what the target does."""

    def close(self) -> None:
        """End it, and all that it started."""
