"""Bytes to pieces: where each mark, header, line end and payload begins and ends."""

import re
from collections.abc import Iterator
from typing import Final

from rpclab.explain.frames import (
    BLANK,
    BLANKS,
    COMMENT,
    CR_LINE_END,
    EVENTS,
    FIELD,
    FRAMES,
    HEAD_END,
    HEADER,
    LINE_END,
    MANY,
    MARK,
    PAYLOAD,
    REQUEST,
    RESPONSE,
    REST,
    START_LINE,
    STRAY,
    Piece,
    declared_length,
    form_of,
)
from rpclab.framing import BYTE_ORDER_MARK

_HEADER: Final = re.compile(rb"(?i)content-(?:length|type)[ \t]*:")
_FIELD: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++[ \t]*:[^\n]*+\n?")
_EVENT_FIELD: Final = re.compile(rb"(?:(:)|(data:[ ]?)|[a-z]++:?)?")


def cut(data: bytes, form: str, *, whole: bool = False) -> Iterator[Piece]:
    r"""Cut data of one form into pieces, in order, without a gap.

    ``whole`` says that a line feed ends no message, where the form is lines.

    >>> [piece.kind for piece in cut(b'{}\r\n', "lines")]
    ['payload', 'line end with a carriage return']
    """
    at = len(BYTE_ORDER_MARK) * data.startswith(BYTE_ORDER_MARK)
    if at:
        yield Piece(MARK, 0, at)
    if form == FRAMES:
        yield from _cut_frames(data, at)
    elif form in (REQUEST, RESPONSE):
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
    """Give where the text of a line ends, and where the next line begins."""
    newline = data.find(b"\n", at)
    if newline < 0:
        return len(data), len(data)
    return newline - (newline > at and data[newline - 1] == 0x0D), newline + 1


def _end_piece(end: int, after: int) -> Iterator[Piece]:
    if after > end:
        yield Piece(CR_LINE_END if after - end == 2 else LINE_END, end, after)


def _cut_lines(data: bytes, at: int) -> Iterator[Piece]:
    count = 0
    while at < len(data):
        if count == MANY:
            yield Piece(REST, at, len(data))
            return
        if blank := BLANKS.match(data, at):
            yield Piece(BLANK, at, blank.end())
            at = blank.end()
            continue
        end, after = _line_end(data, at)
        yield Piece(PAYLOAD if data[at:end].strip(b" \t\r") else BLANK, at, end)
        yield from _end_piece(end, after)
        at, count = after, count + 1


def _cut_head(data: bytes, at: int) -> Iterator[Piece]:
    """Cut header fields and the blank line after them, as far as they go."""
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
        if blank := BLANKS.match(data, at):
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
    """Give where a payload ends: by its length, or where the next header begins."""
    if length is not None:
        return min(at + length, len(data))
    following = _HEADER.search(data, at)
    return following.start() if following else len(data)


def _cut_http(data: bytes, at: int) -> Iterator[Piece]:
    if blank := BLANKS.match(data, at):
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
        if blank := BLANKS.match(data, at):
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
