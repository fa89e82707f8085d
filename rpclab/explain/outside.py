"""The frame around the messages, judged: marks, line ends, headers, HTTP, events.

Which frame is right is the profile's to say: a header block is LSP's frame,
and on a newline stream it is a line that is no message.
"""

from collections.abc import Iterator
from typing import Final

from rpclab.explain import advice, frames, strings
from rpclab.explain.frames import Piece
from rpclab.explain.model import FRAME, Finding, Mistake, Span
from rpclab.spec import Profile

Judged = Finding | Mistake

_FRAMINGS: Final = {
    frames.LINES: "newline",
    frames.FRAMES: "content-length",
    frames.REQUEST: "http",
    frames.RESPONSE: "http",
    frames.EVENTS: "http",
}
_MISTAKES: Final = {
    frames.FRAMES: "content-length-header",
    frames.REQUEST: "http-request",
    frames.RESPONSE: "http-response",
    frames.EVENTS: "sse-event",
}


def is_expected(form: str, profile: Profile) -> bool:
    """Tell whether a profile uses a form.

    >>> from rpclab.spec import profile
    >>> is_expected(frames.FRAMES, profile("lsp")), is_expected(frames.FRAMES, profile("core"))
    (True, False)
    """
    return _FRAMINGS[form] in (profile.framing, *profile.also)


def frame_span(piece: Piece) -> Span:
    """Give the span of a piece that is no payload."""
    clause, says = strings.FRAMES[piece.kind]
    return Span(piece.start, piece.end, FRAME, piece.kind, "", clause, says)


def judge_frame(
    data: bytes, form: str, pieces: tuple[Piece, ...], profile: Profile
) -> Iterator[Judged]:
    """Give findings and mistakes about everything that is not a payload."""
    yield from _judge_marks(pieces)
    if form == frames.LINES:
        if profile.framing == "content-length" and any(p.kind == frames.PAYLOAD for p in pieces):
            yield _found("no header", pieces[0])
    elif not is_expected(form, profile):
        yield from _judge_foreign(form, pieces)
    elif form == frames.FRAMES:
        yield from _judge_blocks(data, pieces)
    else:
        yield _found("sse" if form == frames.EVENTS else "http", pieces[0])


def _found(key: str, piece: Piece, **words: object) -> Finding:
    row = strings.FINDINGS[key]
    says = row.says.format(**words)
    return Finding(row.clause, row.verdict, says, piece.start, piece.end, row.ruling)


def _judge_marks(pieces: tuple[Piece, ...]) -> Iterator[Judged]:
    """Judge a byte order mark, and the first line end and blank line of their kind."""
    keys = {frames.CR_LINE_END: "crlf", frames.BLANK: "blank"}
    for piece in pieces:
        if piece.kind == frames.MARK:
            yield advice.mistake("bom-first", piece.start)
            yield _found("bom", piece)
        elif piece.kind in keys:
            yield _found(keys.pop(piece.kind), piece)


def _judge_foreign(form: str, pieces: tuple[Piece, ...]) -> Iterator[Judged]:
    """Judge a frame that this profile does not use."""
    key = "header on lines" if form == frames.FRAMES else "not message"
    skipped = {frames.PAYLOAD, frames.MARK, frames.BLANK, frames.LINE_END, frames.CR_LINE_END}
    foreign = [piece for piece in pieces if piece.kind not in skipped]
    yield advice.mistake(_MISTAKES[form], foreign[0].start)
    yield _found(key, foreign[0])


def _judge_blocks(data: bytes, pieces: tuple[Piece, ...]) -> Iterator[Judged]:
    """Judge each header block by the payload that follows it."""
    head: list[Piece] = []
    stray = False
    for place, piece in enumerate(pieces):
        if piece.kind in {frames.HEADER, frames.HEAD_END}:
            head.append(piece)
        elif piece.kind == frames.PAYLOAD:
            after = pieces[place + 1] if place + 1 < len(pieces) else None
            yield from _judge_length(data, head, piece, after)
            head = []
        elif piece.kind == frames.STRAY and not stray:
            stray = True
            yield advice.mistake("stray-bytes", piece.start)
            yield _found("stray", piece)
    if head and frames.declared_length(data, head) != 0:
        yield advice.mistake("header-without-body", head[-1].end)
        yield _found("no length", head[0])._replace(clause="lsp.header-then-content", ruling="")


def _judge_length(
    data: bytes, head: list[Piece], payload: Piece, after: Piece | None
) -> Iterator[Judged]:
    declared = frames.declared_length(data, head)
    if declared is None:
        yield advice.mistake("header-without-length", head[0].start if head else payload.start)
        yield _found("no length", head[0] if head else payload)
        return
    text = data[payload.start : payload.end]
    left = (
        len(data[after.start : after.end].rstrip()) if after and after.kind == frames.STRAY else 0
    )
    actual = len(text) + left
    if actual == declared:
        yield _found("frame", head[0])
        return
    length = next(piece for piece in head if frames.declared_length(data, [piece]) is not None)
    digits = next(i for i in range(length.start, length.end) if data[i : i + 1].isdigit())
    yield advice.mistake("wrong-length", digits)
    yield _found("length", length, declared=declared, actual=actual)
