"""What people paste in place of a message: its words are looked up, its message is found.

This looks at an explanation of bytes that are not a message, and says more about them.
What the transport makes of the bytes does not change.
"""

from typing import Final, NamedTuple

from rpclab.explain.error_words import explain_code, look_up
from rpclab.explain.mistakes import MISTAKES, mistake
from rpclab.explain.model import FRAME, Explanation, Mistake, Span
from rpclab.explain.not_json import NOISE, NOT_JSON, name_text
from rpclab.explain.quotations import ENCODED, Quotation, find_quotation, quote_value
from rpclab.messages import Json

_ENCODINGS: Final = {"utf-16", "latin-1", "not-utf-8"}
_PRINTED: Final = {"single-quotes", "unquoted-name"}
_LOOKED_THROUGH: Final = (
    NOT_JSON - {"quotes-eaten"}
    | _ENCODINGS
    | _PRINTED
    | {"ansi-colours", "bom-elsewhere", "escaped-quotes"}
)


class Pasted(NamedTuple):
    """The likely mistakes in a text that people pasted, and what it quotes."""

    mistakes: tuple[Mistake, ...]
    quotation: Quotation | None


def read_pasted(it: Explanation) -> Pasted:
    """Return what is behind a text that is not JSON."""
    first = it.mistake
    start = len(it.data) - len(it.data.lstrip())
    is_text = it.data[start : start + 1] not in {b"{", b"[", b'"', b"`", b""}
    if first is None or first.id == "quotes-eaten" or not (is_text or first.id in _LOOKED_THROUGH):
        return Pasted(it.mistakes, None)
    found = find_quotation(it.data, start)
    is_encoding = found is not None and found.mistake.id in ENCODED
    if found is not None and not is_encoding:
        return _with_quotation(start, first, found)
    known = look_up(it.data, it.profile) if is_text or first.id in NOISE else None
    if known is not None:
        noise = (first,) if first.id in NOISE - {"plain-text"} else ()
        return Pasted((known, *noise), None)
    if found is not None:
        return Pasted(_in_encoding(first, found), found)
    return Pasted(it.mistakes, None)


def _with_quotation(start: int, first: Mistake, found: Quotation) -> Pasted:
    """Return what the text is, and what is quoted in it."""
    said = found.mistake
    if said.id == first.id:
        return Pasted((said._replace(offset=first.offset),), found)
    if first.id in NOISE:
        first = first._replace(says=f"{first.says}, with a message in it")
    if first.id not in _PRINTED:
        return Pasted((first, said), found)
    if found.start > start:
        return Pasted((first,), None)
    if said.id == "javascript-object" and found.by_hand:
        return Pasted((first,), found)
    if said.id == "python-dict" and found.messages:
        return Pasted((first, said), found)
    return Pasted((said._replace(offset=first.offset),), found)


def _in_encoding(first: Mistake, found: Quotation) -> tuple[Mistake, ...]:
    """Return what the text is, and which encoding it is in."""
    said = found.mistake
    if said.id == first.id or (first.id == "latin-1" and "1252" in said.says):
        return (first,)
    if first.id not in _ENCODINGS:
        return (first, said)
    text = found.messages[0]
    noise = name_text(text, 0, len(text), first.offset)  # before it, all is ASCII
    if noise in NOISE or text[:1] > b"\x7f":
        return (mistake(noise or "plain-text", first.offset), said)
    return (said._replace(offset=first.offset),)


def read_value(value: Json, profile: str) -> Mistake | bytes:
    """Return what is behind a value that is JSON but not a message.

    That is the meaning of a bare code, or a message inside a member or a string.
    """
    if type(value) is int and (known := explain_code(value, profile)):
        return known
    return quote_value(value) if isinstance(value, str | dict) else b""


def spans_with_quotation(it: Explanation, quoted: Explanation) -> tuple[Span, ...]:
    """Return the spans of a text, with those of the message inside it in their places."""
    start, end = quoted.at, quoted.at + len(quoted.data)
    if it.data[start:end] != quoted.data:
        return it.spans
    clause = MISTAKES[it.mistakes[0].id].clause if it.mistakes else ""
    before = Span(0, start, FRAME, "text before", "", clause, "")
    after = Span(end, len(it.data), FRAME, "text after", "", clause, "")
    inside = (span.shifted(start) for span in quoted.spans)
    return tuple(span for span in (before, *inside, after) if span.start < span.end)
