"""What the bytes are from outside: lines, Content-Length frames, HTTP, events.

The form is known from how the data begins. The pieces cover the data without a gap;
one that may hold a message is a ``payload``. This module says what is there, not
whether it should be: ``frame_rules`` judges that by the profile.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rpclab.explain.model import MANY
from rpclab.framing import BYTE_ORDER_MARK

LINES: Final = "lines"
FRAMES: Final = "frames"
HTTP_REQUEST: Final = "http request"
HTTP_RESPONSE: Final = "http response"
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


class Piece(NamedTuple):
    """Bytes of one kind, between two marks."""

    kind: str
    start: int
    end: int


_BLANKS: Final = re.compile(rb"(?:[ \t\r]*+\n)++")  # lines of white space alone
_BLOCK: Final = re.compile(
    rb"(?i)(?:(?!content-)[!#$%&'*+.^_`|~0-9A-Z-]++:[^\n]*+\n){0,20}+content-(?:length|type)[ \t]*:"
)
_LENGTH: Final = re.compile(rb"(?i)content-length[ \t]*:[ \t]*([0-9]{1,15})[ \t\r]*\n?\Z")
_REQUEST: Final = re.compile(rb"[A-Z]{3,10} [^ \r\n]++ HTTP/[0-9.]++[ \t\r]*(?:\n|\Z)")
_RESPONSE: Final = re.compile(rb"HTTP/[0-9.]++ [0-9]{3}\b[^\n]*+(?:\n|\Z)")
_EVENT: Final = re.compile(
    rb"(?:data|event|id|retry)[ ]*:|:[^\n]*+\n(?:data|event|id|retry|:|\r?\n)"
)
_HEADER: Final = re.compile(rb"(?i)content-(?:length|type)[ \t]*:")
_FIELD: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++[ \t]*:[^\n]*+\n?")
_EVENT_FIELD: Final = re.compile(rb"(?:(:)|(data:[ ]?)|[a-z]++:?)?")


def form_of(data: bytes) -> str:
    r"""Return the form of the data, known from how it begins.

    >>> form_of(b'Content-Length: 2\r\n\r\n{}'), form_of(b'{}')
    ('frames', 'lines')
    """
    start = after_mark(data)
    start = found.end() if (found := _BLANKS.match(data, start)) else start
    forms = {FRAMES: _BLOCK, HTTP_REQUEST: _REQUEST, HTTP_RESPONSE: _RESPONSE, EVENTS: _EVENT}
    return next((form for form, begins in forms.items() if begins.match(data, start)), LINES)


def after_mark(data: bytes) -> int:
    """Return where the data goes on after a byte order mark: at 3, or at 0 without one."""
    return len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0


def cut(data: bytes, form: str, *, whole: bool = False) -> Iterator[Piece]:
    r"""Cut data of one form into pieces, in order, without a gap.

    With ``whole``, a line feed does not end a message if the form is lines.

    >>> [piece.kind for piece in cut(b'{}\r\n', "lines")]
    ['payload', 'line end with a carriage return']
    """
    at = after_mark(data)
    if at:
        yield Piece(MARK, 0, at)
    if form == FRAMES:
        yield from _cut_frames(data, at)
    elif form in (HTTP_REQUEST, HTTP_RESPONSE):
        yield from _cut_http(data, at)
    elif form == EVENTS:
        yield from _cut_events(data, at)
    elif whole:
        yield from _cut_whole(data, at)
    else:
        yield from _cut_lines(data, at)


def _cut_whole(data: bytes, at: int) -> Iterator[Piece]:
    if data[at:].strip(b" \t\r\n"):
        yield Piece(PAYLOAD, at, len(data))
    elif at < len(data):
        yield Piece(BLANK, at, len(data))


def _line_end(data: bytes, at: int) -> tuple[int, int]:
    """Return where the text of a line ends, and where the next line begins."""
    newline = data.find(b"\n", at)
    if newline < 0:
        return len(data), len(data)
    has_return = newline > at and data[newline - 1 : newline] == b"\r"
    return newline - 1 if has_return else newline, newline + 1


def _end_piece(end: int, after: int) -> Iterator[Piece]:
    if after > end:
        yield Piece(CR_LINE_END if after - end == 2 else LINE_END, end, after)


def _cut_lines(data: bytes, at: int) -> Iterator[Piece]:
    count = 0
    while at < len(data):
        if count == MANY:
            yield Piece(REST, at, len(data))
            return
        if blank := _BLANKS.match(data, at):
            yield Piece(BLANK, at, blank.end())
            at = blank.end()
            continue
        end, after = _line_end(data, at)
        yield Piece(PAYLOAD if data[at:end].strip(b" \t\r") else BLANK, at, end)
        yield from _end_piece(end, after)
        at, count = after, count + 1


def _cut_head(data: bytes, at: int) -> Iterator[Piece]:
    """Cut header fields, and the empty line after them if there is one."""
    while at < len(data):
        end, after = _line_end(data, at)
        if end == at:
            yield Piece(HEAD_END, at, after)
            return
        if not _FIELD.match(data, at):
            return
        yield Piece(HEADER, at, after)
        at = after


def _cut_frames(data: bytes, at: int) -> Iterator[Piece]:
    while at < len(data):
        if blank := _BLANKS.match(data, at):
            yield Piece(BLANK, at, blank.end())
            at = blank.end()
        head = list(_cut_head(data, at))
        if not head and at < len(data):
            following = _HEADER.search(data, at)
            end = following.start() if following else len(data)
            yield Piece(STRAY, at, end)
            at = end
            continue
        yield from head
        at = head[-1].end if head else at
        if head and head[-1].kind == HEAD_END and at < len(data):
            length = declared_length(data, head)
            end = _frame_end(data, at, length)
            if end > at:
                yield Piece(PAYLOAD, at, end)
            at = end


def _frame_end(data: bytes, at: int, length: int | None) -> int:
    """Return where a payload ends: by its length, or where the next header begins."""
    if length is not None:
        return min(at + length, len(data))
    following = _HEADER.search(data, at)
    return following.start() if following else len(data)


def _cut_http(data: bytes, at: int) -> Iterator[Piece]:
    if blank := _BLANKS.match(data, at):
        yield Piece(BLANK, at, blank.end())
        at = blank.end()
    _, after = _line_end(data, at)
    yield Piece(START_LINE, at, after)
    at = after
    for piece in _cut_head(data, at):
        yield piece
        at = piece.end
    if form_of(data[at : at + 64]) == EVENTS:
        yield from _cut_events(data, at)
    else:
        yield from _cut_whole(data, at)


def _cut_events(data: bytes, at: int) -> Iterator[Piece]:
    while at < len(data):
        if blank := _BLANKS.match(data, at):
            yield Piece(BLANK, at, blank.end())
            at = blank.end()
            continue
        end, after = _line_end(data, at)
        found = _EVENT_FIELD.match(data, at, end)
        if found and found[2] and data[found.end() : end].strip(b" \t\r"):
            yield Piece(FIELD, at, found.end())
            yield Piece(PAYLOAD, found.end(), end)
            yield from _end_piece(end, after)
        else:
            yield Piece(COMMENT if found and found[1] else FIELD, at, after)
        at = after


def declared_length(data: bytes, head: list[Piece]) -> int | None:
    """Return the Content-Length of a header block, or None if it cannot be used."""
    fields = [data[piece.start : piece.end] for piece in head if piece.kind == HEADER]
    lengths = {int(found[1]) for field in fields if (found := _LENGTH.match(field))}
    return lengths.pop() if len(lengths) == 1 else None
