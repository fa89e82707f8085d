"""A text read by the grammar of JSON: its tokens, and its first fault.

The codec decides whether it is JSON. The tokens say where each piece is: every
byte belongs to one token. Up to the first fault the grammar decides what a
token is; after it, reading goes on as well as it can. There is no recursion, and
no byte is looked at more often than a fixed number of times. Source: RFC 8259.

Interface:
  - ``read_text`` reads a payload: this is what the rest of ``explain`` calls
  - ``read_tokens`` reads any text, ``read_sound_tokens`` one that the codec accepts
"""

import re
from typing import Final, NamedTuple

from rpclab.codec import JSON_SPACE, decode
from rpclab.errors import ParseError
from rpclab.explain import grammar as g
from rpclab.messages import Json

_SPACE: Final = JSON_SPACE.encode()

ROOM: Final = 100_000
"""How many tokens are kept. All that there is no room for becomes one token."""

ROOM_INSIDE: Final = 50_000
"""The same inside a member, so that there is room for the members after it."""

DEEP: Final = 32
"""Beyond this depth a path does not grow any longer."""

_LONG: Final = 40  # the longest name in a path

# What decides the depth in a sound text: brackets, and strings, which may contain some.
_BRACKETS: Final = re.compile(rb'[{}\[\]]|"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_DEPTHS: Final = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}

# The place in the grammar of a token whose kind has another name.
_ROLES: Final = {
    "torn_string": "string",
    "torn_number": "number",
    "torn_literal": "literal",
    "word": "literal",
    "colon": ":",
    "comma": ",",
}


class Token(NamedTuple):
    """A piece of the text, the path of its value, and how many brackets are open there."""

    kind: str
    start: int
    end: int
    path: str
    depth: int


class Fault(NamedTuple):
    """The first fault: the byte at ``at`` is the first that the grammar does not allow.

    ``start`` is where its token begins, ``expected`` what is allowed there,
    ``inside`` the kind of a token that breaks off ("" between two tokens), and
    ``open`` the brackets that are not closed yet.
    """

    at: int
    start: int
    expected: str
    inside: str
    open: str


class ReadTokens(NamedTuple):
    """The tokens of a text, and its first fault or None."""

    tokens: list[Token]
    fault: Fault | None


class Text(NamedTuple):
    """A payload that was read. ``start`` and ``end`` exclude the white space around it."""

    data: bytes
    start: int
    end: int
    value: Json
    tokens: list[Token]
    fault: Fault | None


def read_text(data: bytes) -> Text:
    """Ask the codec for the value, then read the tokens."""
    start = len(data) - len(data.lstrip(_SPACE))
    end = max(start, len(data.rstrip(_SPACE)))
    try:
        value, reading = decode(data), read_sound_tokens(data, start, end)
    except ParseError as error:
        too_deep = isinstance(error.__cause__, RecursionError)
        deepest = _deepest(data.count(b"[") + data.count(b"{")) if too_deep else None
        value, reading = None, read_tokens(data, start, end, deepest)
    return Text(data, start, end, value, *reading)


def _deepest(most: int) -> int:
    """Find how many nested brackets the codec can read at this moment."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        try:
            decode(b"[" * middle + b"]" * middle)
            low = middle
        except ParseError:
            high = middle - 1
    return low


def read_tokens(data: bytes, start: int, end: int, deepest: int | None = None) -> ReadTokens:
    """Read ``data[start:end]``, which has no white space at its ends.

    ``deepest`` is how many brackets may be open at once, if too many are the fault.

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
        return ReadTokens(_split(walk.close(end), data, fault.at), fault)
    return ReadTokens(walk.close(end), None)


def read_sound_tokens(data: bytes, start: int, end: int) -> ReadTokens:
    """Read a text that the codec has accepted.

    It skips the inside of a member if there is no room for more of its tokens,
    and stops when there is no room at all.
    """
    walk, at = Walk(data), start
    while at < end and len(walk.tokens) < ROOM:
        _read_strictly(walk, at, end, None, stop=True)
        at = end if walk.has_room() else walk.skip_inside(end)
    return ReadTokens(walk.close(end), None)


class Walk:
    """The state of a reader: what may come next, the open brackets, the tokens so far.

    ``steps`` is ``grammar.STEPS`` up to the first fault, and ``REPAIRS`` after it.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.state = g.VALUE
        self.steps = g.STEPS
        self.open: list[str] = []
        self.tokens: list[Token] = []
        self._room = ROOM
        self._paths: list[str] = []  # of each open bracket
        self._counts: list[int] = []  # the place reached in it
        self._path = ""  # of the value that comes next
        self._do = {
            g.HOLD: self._hold,
            g.OPEN: self._enter,
            g.CLOSE: self._leave,
            g.NAMED: self._name,
            g.NEXT: self._next,
            g.ASSIGN: self._assign,
        }

    def step(self, step: str, kind: str, start: int, end: int) -> None:
        """Take one token, and move to the next state."""
        self._do[step](kind, start, end)

    def keep(self, kind: str, start: int, end: int) -> None:
        """Take a token that changes nothing: white space, or one that fits nowhere."""
        inside = self.open and self.open[-1] == "{" and self.state in {g.COLON, g.VALUE}
        self._add(kind, start, end, self._path if inside else self._container())

    def skip_inside(self, end: int) -> int:
        """Skip to where only the outermost bracket is open, and return that place."""
        depth = len(self.open)
        for found in _BRACKETS.finditer(self.data, self.tokens[-1].end, end):
            depth += _DEPTHS.get(found[0], 0)
            if depth == 1:
                end = found.end()
                break
        while len(self.open) > 1:
            self._pop()
        self.state = self._after()
        return end

    def close(self, end: int) -> list[Token]:
        """Return the tokens up to ``end``. The last may stand for all that had no room."""
        if self.tokens and self.tokens[-1].end < end:
            self.tokens.append(Token("more", self.tokens[-1].end, end, "", 0))
        return self.tokens

    def has_room(self) -> bool:
        """Tell whether there is room for one more token here."""
        return len(self.tokens) < self._room

    def _add(self, kind: str, start: int, end: int, path: str) -> None:
        if len(self.tokens) >= self._room:
            return
        depth = len(self.open)
        if self.tokens and self.tokens[-1].end < start:
            self.tokens.append(Token("more", self.tokens[-1].end, start, self._container(), depth))
        self.tokens.append(Token(kind, start, end, path, depth))

    def _container(self) -> str:
        return self._paths[-1] if self._paths else ""

    def _after(self) -> str:
        if not self.open:
            return g.END
        return g.IN_ARRAY if self.open[-1] == "[" else g.IN_OBJECT

    def _hold(self, kind: str, start: int, end: int) -> None:
        self._add(kind, start, end, self._path)
        self.state = self._after()

    def _enter(self, kind: str, start: int, end: int) -> None:
        self._add(kind, start, end, self._path)
        self.open.append(kind)
        self._paths.append(self._path)
        self._counts.append(0)
        self._room = ROOM if len(self.open) == 1 else ROOM_INSIDE
        if kind == "[":
            self._path = self._element(0)
        self.state = g.ELEMENT if kind == "[" else g.MEMBER

    def _leave(self, kind: str, start: int, end: int) -> None:
        self._pop()
        self._add(kind, start, end, self._path)
        self.state = self._after()

    def _pop(self) -> None:
        self.open.pop()
        self._counts.pop()
        self._path = self._paths.pop()
        self._room = ROOM if len(self.open) <= 1 else ROOM_INSIDE

    def _name(self, kind: str, start: int, end: int) -> None:
        if self.has_room():
            self._path = self._member(read_name(self.data[start:end]))
        self._add("name", start, end, self._path)
        self.state = g.COLON

    def _next(self, kind: str, start: int, end: int) -> None:
        self._add(kind, start, end, self._container())
        if self.open and self.open[-1] == "[":
            self._counts[-1] += 1
            if self.has_room():
                self._path = self._element(self._counts[-1])
            self.state = g.VALUE
        elif self.open:
            self.state = g.NAME

    def _assign(self, kind: str, start: int, end: int) -> None:
        self._add(kind, start, end, self._path)
        self.state = g.VALUE

    def _element(self, place: int) -> str:
        path = self._container()
        return path if len(self.open) > DEEP else f"{path}[{place}]"

    def _member(self, name: str) -> str:
        path = self._container()
        if len(self.open) > DEEP:
            return path
        if not name.isidentifier():
            return f'{path}["{name[:_LONG]}"]'
        return f"{path}.{name[:_LONG]}" if path else name[:_LONG]


def read_name(text: bytes) -> str:
    r"""Return the name that a token spells, whatever its quotes.

    >>> read_name(b'"me\\u0074hod"'), read_name(b"'id'"), read_name(b"id")
    ('method', 'id', 'id')
    """
    if text[:1] == b'"' and b"\\" in text:
        try:
            return str(decode(text))
        except ParseError:
            pass
    return text.decode(errors="replace").strip("\"'`\u2018\u2019\u201c\u201d\u201e\u201f")


def character_length(data: bytes, at: int) -> int:
    """Return how many bytes the character at ``at`` has: one, if it is not UTF-8.

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


def _readable_end(data: bytes, start: int, end: int) -> int:
    """Return the place of the first byte that is not UTF-8, or ``end``."""
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
    """Read tokens to the end or the first fault or, with ``stop``, until the room is full."""
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
        if kind == "number" and not _fits_codec(found[0]):
            return _fault(walk, at, at, "number limit")
        take(step, kind, at, found.end())
    return None


def _fits_codec(number: bytes) -> bool:
    """Tell whether the codec can hold a number. It is asked only about extreme ones."""
    if len(number) < 300 and b"e" not in number and b"E" not in number:
        return True
    try:
        decode(number)
    except ParseError:
        return False
    return True


def _read_loosely(walk: Walk, start: int, end: int) -> None:
    """Read on after a fault, as if missing tokens were there."""
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


def _split(tokens: list[Token], data: bytes, at: int) -> list[Token]:
    """Cut the token with the fault into what is before, the fault, and what follows."""
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
