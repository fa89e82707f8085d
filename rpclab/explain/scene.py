"""What is looked at to tell a mistake: the fault, and a few bytes beside it."""

import re
from typing import Final, NamedTuple

from rpclab.explain.tokens import Fault

_WORD: Final = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]{0,40}")


class Scene(NamedTuple):
    """What a rule may look at."""

    data: bytes
    start: int
    end: int
    fault: Fault

    @property
    def byte(self) -> bytes:
        """The byte that does not fit, or b"" at the end."""
        return self.data[self.fault.at : min(self.fault.at + 1, self.end)]

    @property
    def rest(self) -> bytes:
        """The text from that byte on, as far as a rule may look."""
        return self.data[self.fault.at : min(self.fault.at + 64, self.end)]

    @property
    def before(self) -> bytes:
        """The byte before the one that does not fit."""
        return self.data[max(self.start, self.fault.at - 1) : self.fault.at]

    @property
    def word(self) -> bytes:
        """The word that begins at the token with the fault, or b""."""
        found = _WORD.match(self.data, self.fault.start, self.end)
        return found[0] if found else b""
