"""The framings by the name that an option gives them."""

from collections.abc import Callable
from typing import Final

from rpclab.framing import ContentLengthFraming, Framing, NewlineFraming

FRAMINGS: Final[dict[str, Callable[[], Framing]]] = {
    "newline": NewlineFraming,
    "content-length": ContentLengthFraming,
}
