"""What came and settles no call: kept, logged, and told to the callers.

It may be the reason why a call gets no reply: a server that cannot read a
request cannot name it either.
"""

import logging
from collections import deque
from typing import Final

from rpclab.errors import InvalidRequest, ParseError
from rpclab.peer.pending import LATE, Stray, show

_log = logging.getLogger(__name__)

PROGRESS_LATE: Final = "progress of a call that has ended"
PROGRESS_UNKNOWN: Final = "progress with a token that no call gave"

_QUIET: Final = (LATE, PROGRESS_LATE)  # to be expected after giving up
_KEPT: Final = 100
_TOLD: Final = 5
_NOISE: Final = (ParseError.title, InvalidRequest.title)


class StrayLog:
    """The last hundred strays of one connection."""

    def __init__(self) -> None:
        self.last: deque[Stray] = deque(maxlen=_KEPT)
        self.count = 0  # how many came since the beginning

    def add(self, stray: Stray) -> None:
        """Keep a stray, and log it so that it can be looked into."""
        stray = stray._replace(value=show(stray.value))
        self.last.append(stray)
        self.count += 1
        if stray.reason not in _QUIET:
            _log.warning(": ".join(filter(None, stray)))

    def since(self, count: int) -> tuple[Stray, ...]:
        """Return those after the first ``count`` that may say why a call got no reply.

        Of many, the last few; responses before lines that are not messages.
        """
        new = [*self.last][max(0, len(self.last) - (self.count - count)) :]
        told = [stray for stray in reversed(new) if stray.reason not in _QUIET]
        told.sort(key=_is_noise)
        return tuple(told[:_TOLD][::-1])


def _is_noise(stray: Stray) -> bool:
    return bool(stray.value) and stray.reason.startswith(_NOISE)
