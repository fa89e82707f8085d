"""Values as other languages print them: JavaScript, Python, Lua, Emacs Lisp.

A log shows a message as the printer of its language does. What was printed whole is
read here and becomes JSON again. A printer also leaves things out, such as
``[Object]``: then what is lost is named, and nothing is made up.

Interface:
  - ``read_printed`` reads the value that begins at a bracket
  - a value is read up to a depth and a length; beyond them it is not read at all
"""

import ast
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from rpclab.messages import Json

_LONGEST: Final = 100_000  # bytes of a printed value
_DEEPEST: Final = 60

_BRACKETS: Final = re.compile(
    rb"[{}\[\]()\n]|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'|`[^`]*+`", re.DOTALL
)

_TOKENS: Final = r"""\s*+(?:
      (?P<string>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)
    # What a printer left out: JavaScript in brackets, Lua, Python and Emacs in angle brackets.
    | (?P<lost>\[(?:Object|Array|Map|Set|Circular|Getter|Setter|Function|Symbol|class|[A-Z]\w*:\ )
        [^\[\]{}\n]*+\]
        |<(?:ref|function|table|userdata|metatable|thread|Buffer|(?:[\w.]+\ )?object)\b[^<>\n]*+>
        |\#<[^<>\n]*+>|(?:Map|Set)\(\d+\)\ \{[^{}]*+\}|\.\.\.(?:\ \d+\ more\ [a-z]+)?
        # The name of a class with its value behind it, and a call.
        |[A-Z]\w*(?:\(\d+\))?(?=\ [\[{])
        |[A-Za-z_][\w.]*+\([^()\n]*+\))
    | (?P<number>-?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?(?![\w.]))
    | (?P<word>WORD)
    | (?P<mark>[{}\[\](),:;=+])
    )"""


def _tokens(word: str) -> re.Pattern[str]:
    return re.compile(_TOKENS.replace("WORD", word), re.VERBOSE | re.DOTALL)


_ESCAPES: Final = re.compile(
    r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL
)
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}


class Unreadable(ValueError):
    """The text is not a value in this notation."""


class Dialect(NamedTuple):
    """How a language prints: the mark after a name, the words for JSON's literals, its tokens."""

    id: str
    assign: str
    words: Mapping[str, Json]
    tokens: re.Pattern[str]


class Printed(NamedTuple):
    """A printed value: the mistake that names its language, its end, and what it is.

    ``lost`` is the first thing that the printer left out, or "".
    """

    id: str
    end: int
    value: Json
    lost: str


_LITERALS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None}
_NAMES: Final = _tokens(r"[A-Za-z_$][\w$]*+(?:\.\w++)*+")
_DIALECTS: Final = (
    Dialect("lua-table", "=", {"true": True, "false": False, "nil": None, "vim.NIL": None}, _NAMES),
    Dialect("javascript-object", ":", {**_LITERALS, "undefined": None}, _NAMES),
    Dialect("python-dict", ":", {"True": True, "False": False, "None": None}, _NAMES),
    Dialect(
        "emacs-plist",
        "",
        {"t": True, ":json-false": False, "nil": None, ":null": None},
        _tokens(r":?[A-Za-z_$][\w$:/*?.-]*+"),
    ),
)
_PYTHONIC: Final = re.compile(r"<.*object at |[a-z_]\w*\.[\w.]*\(|(?!Map|Set)[A-Z]\w*\(")
_BEGINS: Final = {
    "lua-table": re.compile(rb"\{\s*[A-Za-z_]\w*+ = "),
    "javascript-object": re.compile(rb"\{\s*[A-Za-z_$][\w$]*+: '"),
}
"""How a printed value begins that cannot be read to its end, perhaps because it was cut."""


def read_printed(data: bytes, start: int) -> Printed | None:
    """Read the value that begins at a bracket, or return None if no language prints it so.

    >>> read_printed(b"-> {'id': 1, 'ok': True}", 3)
    Printed(id='python-dict', end=24, value={'id': 1, 'ok': True}, lost='')
    >>> read_printed(b"{ id = 1, params = { 7 } }", 0).value
    {'id': 1, 'params': [7]}
    >>> read_printed(b"{ id: 1, result: [Object] }", 0).lost
    '[Object]'
    """
    end = end_of_value(data, start)
    if end is None:
        return _name_unread(data, start)
    text = data[start:end].decode(errors="replace")
    readers: tuple[Callable[[str], Printed], ...] = (
        _read_python,
        *(_Reader(dialect).read for dialect in _DIALECTS),
    )
    for read in readers:
        try:
            return read(text)._replace(end=end)
        except ValueError:  # not this language, or a number of too many digits
            continue
    return _name_unread(data, start)


def _name_unread(data: bytes, start: int) -> Printed | None:
    """Name the language of a value that was not read, if its beginning tells it."""
    names = (id for id, begins in _BEGINS.items() if begins.match(data, start))
    id = next(names, "")
    return Printed(id, len(data), None, "What could not be read") if id else None


def end_of_value(data: bytes, start: int) -> int | None:
    """Return where the bracket at ``start`` is closed, or None if it never is."""
    depth = 0
    for found in _BRACKETS.finditer(data, start, min(len(data), start + _LONGEST)):
        if found[0] in {b"{", b"[", b"("}:
            depth += 1
        elif found[0] in {b"}", b"]", b")"}:
            depth -= 1
        if depth == 0:
            return found.end()
        if depth > _DEEPEST:
            return None
    return None


def _read_python(text: str) -> Printed:
    """Read what Python's ``repr`` writes, with the standard library's own reader."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # do not warn of an unknown escape
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise Unreadable(str(error)) from error
    return Printed("python-dict", 0, _as_json(value), "")


def _as_json(value: object) -> Json:
    """Return the JSON value that a Python value stands for."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict() if all(isinstance(name, str) for name in value):
            return {name: _as_json(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_as_json(inner) for inner in value]
        case _:
            raise Unreadable(f"JSON has no {type(value).__name__}")


class _Reader:
    """A reader of one dialect: it goes through the tokens once."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.text = ""
        self.at = 0
        self.lost = ""

    def read(self, text: str) -> Printed:
        self.text = text
        value = self._value(*self._next())
        id = "python-dict" if _PYTHONIC.match(self.lost) else self.dialect.id
        return Printed(id, 0, value, self.lost)

    def _next(self) -> tuple[str, str]:
        found = self.dialect.tokens.match(self.text, self.at)
        if found is None:
            raise Unreadable(f"at character {self.at}")
        self.at = found.end()
        kind = found.lastgroup or ""
        return kind, found[kind]

    def _peek(self) -> str:
        found = self.dialect.tokens.match(self.text, self.at)
        return found[found.lastgroup or ""] if found else ""

    def _value(self, kind: str, token: str) -> Json:
        if kind == "string":
            return self._joined(unescape(token))
        if kind == "number":
            return float(token) if re.search(r"[.eE]", token) else int(token)
        if kind == "lost":
            return self._skip(token)
        if token in self.dialect.words:
            return self.dialect.words[token]
        if token == "{" and self.dialect.assign:
            return self._table()
        if token == "[" and self.dialect.assign != "=":
            return self._items("]")
        if token == "(" and not self.dialect.assign:
            return self._plist() if self._peek().startswith(":") else self._items(")")
        raise Unreadable(f"no value: {token}")

    def _joined(self, text: str) -> str:
        """Return a string with those that JavaScript's printer joins to it by a plus."""
        while self.dialect.assign == ":" and self._peek() == "+":
            self._next()
            kind, token = self._next()
            if kind != "string":
                raise Unreadable("a string is joined to something else")
            text += unescape(token)
        return text

    def _skip(self, token: str) -> Json:
        """Note what the printer left out. A name of a class has its value behind it."""
        if token == "vim.empty_dict()":
            return {}
        following = self._peek()
        if following in {"{", "["} and not token.startswith("["):
            return self._value(*self._next())
        self.lost = self.lost or token
        return None

    def _items(self, closing: str) -> list[Json]:
        items: list[Json] = []
        while (token := self._next())[1] != closing:
            if token[1] != ",":
                items.append(self._value(*token))
        return items

    def _plist(self) -> dict[str, Json]:
        members: dict[str, Json] = {}
        while (token := self._next())[1] != ")":
            if not token[1].startswith(":"):
                raise Unreadable(f"no keyword: {token[1]}")
            members[token[1][1:]] = self._value(*self._next())
        return members

    def _table(self) -> Json:
        """Read members or, of a Lua table without names, the elements of an array."""
        members: dict[str, Json] = {}
        items: list[Json] = []
        while (token := self._next())[1] != "}":
            if token[1] in {",", ";"}:
                continue
            name = self._name(*token)
            if name is None:
                items.append(self._value(*token))
            elif self._peek() == "undefined":  # JSON leaves such a member out
                self._next()
            else:
                members[name] = self._value(*self._next())
        if items and (members or self.dialect.assign == ":"):
            if not self.lost:
                raise Unreadable("names and elements in one table")
            return members
        return items or members

    def _name(self, kind: str, token: str) -> str | None:
        """Read a name and the mark after it. An element of a Lua table has no name."""
        if token == "[" and self.dialect.assign == "=":
            kind, token = self._next()
            if self._next()[1] != "]":
                raise Unreadable("a bracket is open")
        elif self._peek() != self.dialect.assign:
            return None
        if self._next()[1] != self.dialect.assign or kind not in {"word", "string", "number"}:
            raise Unreadable(f"no name: {token}")
        return unescape(token) if kind == "string" else token


def unescape(token: str) -> str:
    r"""Return the text of a string in quotes of any kind.

    >>> unescape(r"'it\'s\x21'")
    "it's!"
    """
    return _ESCAPES.sub(_character, token[1:-1])


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] in "ux" and len(code) > 1:
        number = int(code[1:].strip("{}"), 16)
        return chr(number) if number <= 0x10FFFF else code
    return _LETTERS.get(code, code)
