"""What the bytes are at the outside: lines, Content-Length frames, HTTP, events.

A form is told by how the data begins. Its pieces tile the data; one that may
hold a message is a ``payload``. This says what is there, not whether it should
be: that is the profile's to judge.
"""

import re
from typing import Final, NamedTuple

from rpclab.framing import BYTE_ORDER_MARK

LINES: Final = "lines"
FRAMES: Final = "frames"
REQUEST: Final = "http request"
RESPONSE: Final = "http response"
EVENTS: Final = "events"

MARK: Final = "byte order mark"
BLANK: Final = "blank line"
LINE_END: Final = "line end"
CR_LINE_END: Final = "line end with a carriage return"
HEADER: Final = "header field"
HEAD_END: Final = "end of the header"
START_LINE: Final = "start line"
FIELD: Final = "event field"
COMMENT: Final = "event comment"
STRAY: Final = "stray bytes"
PAYLOAD: Final = "payload"
REST: Final = "more lines"

MANY: Final = 1_000
"""How many messages are explained one by one. What follows is one piece, and only judged."""


class Piece(NamedTuple):
    """Bytes of one kind, between two marks."""

    kind: str
    start: int
    end: int


BLANKS: Final = re.compile(rb"(?:[ \t\r]*+\n)++")
"""Lines of white space alone."""

_BLOCK: Final = re.compile(
    rb"(?i)(?:(?!content-)[!#$%&'*+.^_`|~0-9A-Z-]++:[^\n]*+\n){0,20}+content-(?:length|type)[ \t]*:"
)
_LENGTH: Final = re.compile(rb"(?i)content-length[ \t]*:[ \t]*([0-9]{1,15})[ \t\r]*\n?\Z")
_REQUEST: Final = re.compile(rb"[A-Z]{3,10} [^ \r\n]++ HTTP/[0-9.]++[ \t\r]*(?:\n|\Z)")
_RESPONSE: Final = re.compile(rb"HTTP/[0-9.]++ [0-9]{3}\b[^\n]*+(?:\n|\Z)")
_EVENT: Final = re.compile(
    rb"(?:data|event|id|retry)[ ]*:|:[^\n]*+\n(?:data|event|id|retry|:|\r?\n)"
)


def form_of(data: bytes) -> str:
    r"""Say which form the data has, by how it begins.

    >>> form_of(b'Content-Length: 2\r\n\r\n{}'), form_of(b'{}')
    ('frames', 'lines')
    """
    start = len(BYTE_ORDER_MARK) * data.startswith(BYTE_ORDER_MARK)
    start = found.end() if (found := BLANKS.match(data, start)) else start
    forms = {FRAMES: _BLOCK, REQUEST: _REQUEST, RESPONSE: _RESPONSE, EVENTS: _EVENT}
    return next((form for form, begins in forms.items() if begins.match(data, start)), LINES)


def declared_length(data: bytes, head: list[Piece]) -> int | None:
    """Give the Content-Length of a header block, or None if it is not usable."""
    fields = [data[piece.start : piece.end] for piece in head if piece.kind == HEADER]
    lengths = {int(found[1]) for field in fields if (found := _LENGTH.match(field))}
    return lengths.pop() if len(lengths) == 1 else None
