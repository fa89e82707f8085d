"""A payload, and what the codec and the tokeniser make of it.

Whether it is JSON is the codec's to say. The tokens say where each piece is,
and where the grammar is left.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rpclab.codec import JSON_SPACE, decode
from rpclab.errors import ParseError
from rpclab.explain import members, strings
from rpclab.explain.model import JSON, Span
from rpclab.explain.tokens import Fault, read_sound_tokens, read_tokens
from rpclab.explain.walk import Token
from rpclab.messages import Json
from rpclab.spec import Profile

_SPACE: Final = JSON_SPACE.encode()


class Text(NamedTuple):
    """A payload that was read. ``start`` and ``end`` leave the white space around it away."""

    data: bytes
    profile: Profile
    start: int
    end: int
    value: Json
    tokens: list[Token]
    fault: Fault | None


def read_text(data: bytes, profile: Profile) -> Text:
    """Ask the codec, then read the tokens."""
    start = len(data) - len(data.lstrip(_SPACE))
    end = max(start, len(data.rstrip(_SPACE)))
    try:
        value, reading = decode(data), read_sound_tokens(data, start, end)
    except ParseError as error:
        too_deep = isinstance(error.__cause__, RecursionError)
        deepest = _deepest(data.count(b"[") + data.count(b"{")) if too_deep else None
        value, reading = None, read_tokens(data, start, end, deepest)
    return Text(data, profile, start, end, value, *reading)


def _deepest(most: int) -> int:
    """Find how many brackets the codec opens at once, here and now."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        try:
            decode(b"[" * middle + b"]" * middle)
            low = middle
        except ParseError:
            high = middle - 1
    return low


def spans_of(text: Text, shape: str) -> Iterator[Span]:
    """Give the spans of a payload, with the white space around it."""
    yield from _space(0, text.start)
    yield from members.make_spans(text.data, text.tokens, members.owners_of(shape))
    yield from _space(text.end, len(text.data))


def _space(start: int, end: int) -> Iterator[Span]:
    if start < end:
        yield Span(start, end, JSON, strings.KINDS["space"], "", "json.whitespace", "")
