"""The frame around the messages, judged: marks, line ends, headers, HTTP, events.

The profile says which frame is right: a header block is LSP's frame, but on a
newline stream it is a line that is not a message.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rpclab.explain import frame as f
from rpclab.explain.findings import found
from rpclab.explain.frame import Piece
from rpclab.explain.mistakes import mistake
from rpclab.explain.model import FRAME, Explanation, Finding, Judged, Mistake, Span
from rpclab.spec import Profile

_FRAMINGS: Final = {
    f.LINES: "newline",
    f.FRAMES: "content-length",
    f.HTTP_REQUEST: "http",
    f.HTTP_RESPONSE: "http",
    f.EVENTS: "http",
}
_MISTAKES: Final = {
    f.FRAMES: "content-length-header",
    f.HTTP_REQUEST: "http-request",
    f.HTTP_RESPONSE: "http-response",
    f.EVENTS: "sse-event",
}

# The clause and the sentence of each kind of piece that is not a payload.
PIECES: Final = {
    f.MARK: ("json.no-bom", "Three bytes that mark UTF-8. Nobody may send them here."),
    f.BLANK: ("newline.blank-skipped", "White space alone: skipped, and not answered."),
    f.LINE_END: ("newline.lf-only", "The byte 0A ends the message."),
    f.CR_LINE_END: (
        "newline.crlf-read",
        "0D 0A: the line feed ends the message, the carriage return is white space.",
    ),
    f.HEADER: ("lsp.length-required", "A field of a header block."),
    f.HEAD_END: ("lsp.header-then-content", "The empty line that ends a header block."),
    f.START_LINE: ("", "The first line of an HTTP message."),
    f.FIELD: ("sse.data-joined", "A field of a server-sent event."),
    f.COMMENT: ("sse.comments", "A comment in an event stream."),
    f.STRAY: ("lsp.length-exact", "Bytes that belong to no frame."),
    f.REST: ("", "Lines that are judged, and not explained one by one."),
}


class Framed(NamedTuple):
    """Data cut into pieces, with what is said about all of it except the payloads."""

    data: bytes
    profile: Profile
    form: str
    pieces: tuple[Piece, ...]
    payloads: tuple[Piece, ...]
    findings: tuple[Finding, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def is_lines(self) -> bool:
        """Tell whether every line is a message."""
        return self.form == f.LINES and self.profile.framing == "newline"

    @property
    def is_foreign(self) -> bool:
        """Tell whether the data has a frame that the profile does not use."""
        return self.form != f.LINES and not is_expected(self.form, self.profile)

    @property
    def has_length(self) -> bool:
        """Tell whether Content-Length frames the data, as the profile expects."""
        return self.form == f.FRAMES and self.profile.framing == "content-length"


def read_frame(data: bytes, profile: Profile) -> Framed:
    """Cut the data into pieces, and judge all that is not a payload."""
    form = f.form_of(data)
    pieces = tuple(f.cut(data, form, whole=profile.framing != "newline"))
    judged = list(_judge(data, form, pieces, profile))
    return Framed(
        data,
        profile,
        form,
        pieces,
        payloads=tuple(piece for piece in pieces if piece.kind == f.PAYLOAD),
        findings=tuple(one for one in judged if isinstance(one, Finding)),
        mistakes=tuple(one for one in judged if isinstance(one, Mistake)),
    )


def is_expected(form: str, profile: Profile) -> bool:
    """Tell whether a profile uses a form.

    >>> from rpclab.spec import profile
    >>> is_expected("frames", profile("lsp")), is_expected("frames", profile("core"))
    (True, False)
    """
    return _FRAMINGS[form] in (profile.framing, *profile.also)


def spans_around(framed: Framed, parts: list[Explanation]) -> Iterator[Span]:
    """Yield the spans of the frame, and of each payload that was explained."""
    explained = {part.at: part for part in parts}
    for piece in framed.pieces:
        if piece.kind != f.PAYLOAD:
            clause, says = PIECES[piece.kind]
            yield Span(piece.start, piece.end, FRAME, piece.kind, "", clause, says)
        elif piece.start in explained:
            part = explained[piece.start]
            yield from (span.shifted(part.at) for span in part.spans)
        else:
            yield Span(piece.start, len(framed.data), FRAME, "more of the same", "", "", "")
            return


def _judge(data: bytes, form: str, pieces: tuple[Piece, ...], profile: Profile) -> Iterator[Judged]:
    yield from _judge_marks(pieces)
    if form == f.LINES:
        if profile.framing == "content-length" and any(p.kind == f.PAYLOAD for p in pieces):
            yield _found("no header", pieces[0])
    elif not is_expected(form, profile):
        yield from _judge_foreign(form, pieces)
    elif form == f.FRAMES:
        yield from _judge_blocks(data, pieces)
    else:
        yield _found("sse" if form == f.EVENTS else "http", pieces[0])


def _found(key: str, piece: Piece, **words: object) -> Finding:
    return found(key, piece.start, piece.end, **words)


def _judge_marks(pieces: tuple[Piece, ...]) -> Iterator[Judged]:
    """Judge a byte order mark, and the first blank line and the first CR LF."""
    keys = {f.CR_LINE_END: "crlf", f.BLANK: "blank"}
    for piece in pieces:
        if piece.kind == f.MARK:
            yield _found("bom", piece)
            yield mistake("bom-first", piece.start)
        elif piece.kind in keys:
            yield _found(keys.pop(piece.kind), piece)


def _judge_foreign(form: str, pieces: tuple[Piece, ...]) -> Iterator[Judged]:
    """Judge a frame that this profile does not use."""
    skipped = {f.PAYLOAD, f.MARK, f.BLANK, f.LINE_END, f.CR_LINE_END}
    foreign = next(piece for piece in pieces if piece.kind not in skipped)
    yield _found("header on lines" if form == f.FRAMES else "not message", foreign)
    yield mistake(_MISTAKES[form], foreign.start)


def _judge_blocks(data: bytes, pieces: tuple[Piece, ...]) -> Iterator[Judged]:
    """Judge each header block by the payload that follows it."""
    head: list[Piece] = []
    has_stray = False
    for place, piece in enumerate(pieces):
        if piece.kind in {f.HEADER, f.HEAD_END}:
            head.append(piece)
        elif piece.kind == f.PAYLOAD:
            after = pieces[place + 1] if place + 1 < len(pieces) else None
            yield from _judge_length(data, head, piece, after)
            head = []
        elif piece.kind == f.STRAY and not has_stray:
            has_stray = True
            yield _found("stray", piece)
            yield mistake("stray-bytes", piece.start)
    if head and f.declared_length(data, head) != 0:
        yield _found("no body", head[0])
        yield mistake("header-without-body", head[-1].end)


def _judge_length(
    data: bytes, head: list[Piece], payload: Piece, after: Piece | None
) -> Iterator[Judged]:
    """Judge the length that a header block declares, by the bytes that follow it."""
    declared = f.declared_length(data, head)
    if declared is None:
        first = head[0] if head else payload
        yield _found("no length", first)
        yield mistake("header-without-length", first.start)
        return
    actual = payload.end - payload.start
    if after and after.kind == f.STRAY:
        actual += len(data[after.start : after.end].rstrip())
    if actual == declared:
        yield _found("frame", head[0])
        return
    length = next(piece for piece in head if f.declared_length(data, [piece]) is not None)
    digits = next(i for i in range(length.start, length.end) if data[i : i + 1].isdigit())
    yield _found("length", length, declared=declared, actual=actual)
    yield mistake("wrong-length", digits)
