"""What is known about some bytes before any payload in them is read."""

from collections.abc import Iterator
from typing import NamedTuple

from rpclab.dispatch import unpack
from rpclab.explain import frames, strings
from rpclab.explain.answers import answer_several, answer_to
from rpclab.explain.cutting import cut
from rpclab.explain.frames import Piece
from rpclab.explain.model import FRAME, Answer, Explanation, Finding, Mistake, Span
from rpclab.explain.moving import moved_spans
from rpclab.explain.outside import frame_span, is_expected, judge_frame
from rpclab.framing import ContentLengthFraming, Framing, NewlineFraming
from rpclab.spec import Profile


class Outlook(NamedTuple):
    """The form of the data, its pieces, and what is said about all but the payloads."""

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
        return self.form == frames.LINES and self.profile.framing == "newline"

    @property
    def is_foreign(self) -> bool:
        """Tell whether there is a frame that the profile does not use."""
        return self.form != frames.LINES and not is_expected(self.form, self.profile)


def look(data: bytes, profile: Profile) -> Outlook:
    """Look at some bytes from outside."""
    form = frames.form_of(data)
    pieces = tuple(cut(data, form, whole=profile.framing != "newline"))
    judged = list(judge_frame(data, form, pieces, profile))
    return Outlook(
        data,
        profile,
        form,
        pieces,
        tuple(piece for piece in pieces if piece.kind == frames.PAYLOAD),
        tuple(one for one in judged if isinstance(one, Finding)),
        tuple(one for one in judged if isinstance(one, Mistake)),
    )


def spans_around(outlook: Outlook, parts: list[Explanation]) -> Iterator[Span]:
    """Give the spans of the frame, and of each payload that was explained."""
    explained = {part.at: part for part in parts}
    for piece in outlook.pieces:
        if piece.kind != frames.PAYLOAD:
            yield frame_span(piece)
        elif piece.start in explained:
            yield from moved_spans(explained[piece.start])
        else:
            more = strings.KINDS["more"]
            yield Span(piece.start, len(outlook.data), FRAME, more, "", "", "")
            return


def answer_around(outlook: Outlook, parts: list[Explanation]) -> Answer:
    """Say what a server must answer to all of it.

    Where the profile has this form, each payload earns its own answer. Where it
    has not, the server cuts the data by its own framing, and answers that.
    """
    by_length = outlook.profile.framing == "content-length" and outlook.form == frames.FRAMES
    if outlook.is_foreign or by_length:
        framing: Framing = ContentLengthFraming() if by_length else NewlineFraming()
        payloads = framing.feed(outlook.data) + framing.feed(b"")
        answers = [answer_to(unpack(payload)) for payload in payloads[: frames.MANY]]
        if by_length and len(payloads) == len(parts) == 1:
            return parts[0].answer
    else:
        answers = [part.answer for part in parts]
    return answers[0] if len(answers) == 1 else answer_several(answers)
