"""Bytes to tokens, and the byte at which the grammar is left.

Every byte belongs to one token. Up to the first fault the grammar decides
what a token is; after it the reading goes on as well as it can. There is no
recursion, and no byte is looked at more often than a fixed number of times.
Source: RFC 8259.
"""

from typing import Final, NamedTuple

from rpclab.codec import decode
from rpclab.errors import ParseError
from rpclab.explain import grammar as g
from rpclab.explain.walk import ROOM, Token, Walk

# What a token stands for, where its kind is not already its place in the grammar.
_ROLES: Final = {
    "torn_string": "string",
    "torn_number": "number",
    "torn_literal": "literal",
    "word": "literal",
    "colon": ":",
    "comma": ",",
}


class Fault(NamedTuple):
    """Where the grammar is left: the byte at ``at`` is the first that does not fit.

    ``start`` is where its token begins, ``expected`` what may stand there,
    ``inside`` the kind of a token that breaks off ("" between two tokens), and
    ``open`` the brackets that wait to be closed.
    """

    at: int
    start: int
    expected: str
    inside: str
    open: str


class Reading(NamedTuple):
    """The tokens of a text, and its first fault or None."""

    tokens: list[Token]
    fault: Fault | None


def read_tokens(data: bytes, start: int, end: int, deepest: int | None = None) -> Reading:
    """Read ``data[start:end]``, which has no white space at its ends.

    ``deepest`` is how many brackets may be open at once, where that is the fault.

    >>> read_tokens(b'[1,]', 0, 4).fault
    Fault(at=3, start=3, expected='a value', inside='', open='[')
    >>> read_tokens(b'{"a":[7]}', 0, 9).tokens[4]
    Token(kind='number', start=6, end=7, path='a[0]', depth=2)
    """
    walk = Walk(data)
    readable = _readable_end(data, start, end)
    fault = _read_strictly(walk, start, readable, deepest)
    if fault is None and readable < end:
        fault = _fault(walk, readable, readable, "encoding")
    elif fault is None and walk.state != g.END:
        fault = _fault(walk, end, end, "")
    elif fault is not None and fault.at == readable < end:
        fault = fault._replace(inside="encoding")
    if fault is not None:
        _read_loosely(walk, fault.start, end)
        return Reading(_split(walk.close(end), data, fault.at), fault)
    return Reading(walk.close(end), None)


def read_sound_tokens(data: bytes, start: int, end: int) -> Reading:
    """Read a text that the codec has accepted.

    It leaps over what is inside a member where there is no room for more tokens,
    and ends where there is room for none.
    """
    walk, at = Walk(data), start
    while at < end and len(walk.tokens) < ROOM:
        _read_strictly(walk, at, end, None, stop=True)
        at = end if walk.has_room() else walk.leap(end)
    return Reading(walk.close(end), None)


def _readable_end(data: bytes, start: int, end: int) -> int:
    """Give the place of the first byte that is not UTF-8, or ``end``."""
    try:
        data[start:end].decode()
    except UnicodeDecodeError as error:
        return start + error.start
    return end


def _fault(walk: Walk, at: int, start: int, inside: str) -> Fault:
    return Fault(at, start, walk.state, inside, "".join(walk.open))


def _read_strictly(
    walk: Walk, start: int, end: int, deepest: int | None, *, stop: bool = False
) -> Fault | None:
    """Read tokens up to the end or the first fault, or until there is no more room."""
    data, steps, take = walk.data, walk.steps, walk.step
    for found in g.LEXEME.finditer(data, start, end):
        if stop and not walk.has_room():
            return None
        at = found.start()
        kind = found.lastgroup or chr(data[at])
        if kind == "space":
            walk.keep(kind, at, found.end())
            continue
        step = steps[walk.state].get(kind)
        if step is None:
            torn = _ROLES.get(kind, "")
            fits = torn in steps[walk.state]
            return _fault(walk, found.end(), at, torn) if fits else _fault(walk, at, at, "")
        if step is g.OPEN and len(walk.open) == deepest:
            return _fault(walk, at, at, "depth limit")
        if kind == "number" and not _is_held(found[0]):
            return _fault(walk, at, at, "number limit")
        take(step, kind, at, found.end())
    return None


def _is_held(number: bytes) -> bool:
    """Ask the codec about a number that may be past its limits."""
    if len(number) < 300 and b"e" not in number and b"E" not in number:
        return True
    try:
        decode(number)
    except ParseError:
        return False
    return True


def _read_loosely(walk: Walk, start: int, end: int) -> None:
    """Read on after a fault, as if what is missing were there."""
    walk.steps = g.REPAIRS
    for found in g.LOOSE.finditer(walk.data, start, end):
        if not walk.has_room():
            return
        kind = found.lastgroup or chr(walk.data[found.start()])
        step = walk.steps[walk.state].get(_ROLES.get(kind, kind))
        if step is None or (step is g.CLOSE and not walk.open):
            walk.keep(kind, found.start(), found.end())
        else:
            walk.step(step, kind, found.start(), found.end())


def character_length(data: bytes, at: int) -> int:
    """Give how many bytes the character at ``at`` has: one, if it is not UTF-8.

    >>> character_length("[é]".encode(), 1), character_length(b"[", 1)
    (2, 0)
    """
    for length in (1, 2, 3, 4):
        try:
            data[at : at + length].decode()
        except UnicodeDecodeError:
            continue
        return min(length, len(data) - at)
    return 1


def _split(tokens: list[Token], data: bytes, at: int) -> list[Token]:
    """Cut the token that holds the fault: what is before, the fault, what follows."""
    after = at + character_length(data, at)
    cut: list[Token] = []
    for token in tokens:
        kind, start, end, path, depth = token
        if end <= at or start >= after:
            cut.append(token)
            continue
        parts = ((kind, start, at), ("fault", max(start, at), min(end, after)), (kind, after, end))
        cut += [Token(*part, path, depth) for part in parts if part[1] < part[2]]
    return cut
