"""A walk through the grammar: the state, the open brackets, the tokens so far.

Interface:
  - ``step`` takes one token through ``steps``, and says whether it fitted
  - ``keep`` takes a token that changes nothing
  - ``steps`` is ``STEPS`` up to the first fault, and ``REPAIRS`` after it
"""

import re
from typing import Final, NamedTuple

from rpclab.codec import decode
from rpclab.errors import ParseError
from rpclab.explain import grammar as g

ROOM: Final = 100_000
"""How many tokens are kept. What there is no room for is one token of its own."""

ROOM_INSIDE: Final = 50_000
"""The same for what is inside a member, so that there is room for the next."""

_DEEP: Final = 32  # from this depth on a path grows no longer
_LONG: Final = 40  # and this is the longest name in it

# All that tells how deep a sound text is: brackets, and strings that may hold some.
_BRACKETS: Final = re.compile(rb'[{}\[\]]|"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_DEPTHS: Final = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


class Token(NamedTuple):
    """A piece of the text, the path of its value, and how many brackets are open."""

    kind: str
    start: int
    end: int
    path: str
    depth: int


class Walk:
    """Where a reader of tokens stands. It never looks back."""

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
        """Take a token that changes nothing: white space, or what fits nowhere."""
        inside = self.open and self.open[-1] == "{" and self.state in {g.COLON, g.VALUE}
        self._add(kind, start, end, self._path if inside else self._container())

    def leap(self, end: int) -> int:
        """Leave all but the outermost bracket of a sound text, and say where that is done."""
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
        """Give the tokens up to ``end``. The last may be one for all that had no room."""
        if self.tokens and self.tokens[-1].end < end:
            self.tokens.append(Token("more", self.tokens[-1].end, end, "", 0))
        return self.tokens

    def has_room(self) -> bool:
        """Tell whether one more token is kept here."""
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
        return path if len(self.open) > _DEEP else f"{path}[{place}]"

    def _member(self, name: str) -> str:
        path = self._container()
        if len(self.open) > _DEEP:
            return path
        if not name.isidentifier():
            return f'{path}["{name[:_LONG]}"]'
        return f"{path}.{name[:_LONG]}" if path else name[:_LONG]


def read_name(text: bytes) -> str:
    r"""Give the name that a token spells, whatever its quotes.

    >>> read_name(b'"me\\u0074hod"'), read_name(b"'id'"), read_name(b"id")
    ('method', 'id', 'id')
    """
    if text[:1] == b'"' and b"\\" in text:
        try:
            return str(decode(text))
        except ParseError:
            pass
    return text.decode(errors="replace").strip("\"'`\u2018\u2019\u201c\u201d\u201e\u201f")
