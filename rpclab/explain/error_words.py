"""Words and codes that people look up: who made the error, and where to look next.

A person often has only the words of a client, such as "MCP error -32000: Connection
closed". The rows are in ``error_words.toml``; docs/codes.md is printed from them.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from rpclab.explain.model import Mistake

_LONGEST: Final = 2000  # bytes of words that are looked up
_SHORT: Final = 80  # characters around a code, if it is to be what the text is about
_CODE: Final = re.compile(r"(?<![\w.-])-(?:32[0-9]{3})\b")
_NUMBER: Final = "error-code"  # the id of a mistake about a code


class Code(NamedTuple):
    """What a code means to those who use it. ``used_by`` is a profile, or "" for all."""

    code: int
    used_by: str
    name: str
    made_by: str
    says: str
    look: str

    @property
    def sentence(self) -> str:
        """The name, its maker and what happened, without a full stop."""
        return f"{self.name}, made by {self.made_by}: {self.says}"

    @property
    def is_of_library(self) -> bool:
        """Tell whether a client's library makes the error itself, without any message."""
        return "client's own library" in self.made_by


class CodeRange(NamedTuple):
    """What is known of a code that has no meaning of its own."""

    first: int
    last: int
    says: str
    look: str


class Words(NamedTuple):
    """Words of an error that is not a message, and what is behind them."""

    id: str
    example: str
    pattern: re.Pattern[str]
    clause: str
    says: str
    look: str


@cache
def _tables() -> dict[str, list[dict[str, Any]]]:
    text = files(__package__).joinpath("error_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def codes() -> tuple[Code, ...]:
    """Return every meaning of a code, in the order of the file."""
    return tuple(Code(**row) for row in _tables()["code"])


@cache
def ranges() -> tuple[CodeRange, ...]:
    """Return the ranges of codes without a meaning of their own."""
    return tuple(CodeRange(**row) for row in _tables()["range"])


@cache
def words() -> tuple[Words, ...]:
    """Return every row of words, in the order in which they are tried."""
    return tuple(
        Words(**row | {"pattern": re.compile(row["pattern"], re.IGNORECASE)})
        for row in _tables()["words"]
    )


def meaning_of(code: int, profile: str) -> Code | None:
    """Return what a code means to a protocol, or None if it gives the code no meaning.

    >>> meaning_of(-32800, "lsp").name
    'RequestCancelled'
    >>> meaning_of(-32800, "mcp") is None
    True
    """
    return next((row for row in codes() if (row.code, row.used_by) == (code, profile)), None)


def clause_of(mistake: Mistake) -> str:
    """Return the clause that looked-up words are about, or "" for any other mistake."""
    if mistake.id == _NUMBER:
        return "5.1.code-integer"
    return next((row.clause for row in words() if row.id == mistake.id), "")


def look_up(text: bytes, profile: str) -> Mistake | None:
    """Return what is behind the words of an error, or None if they are not known.

    >>> look_up(b"McpError: MCP error -32001: Request timed out", "core").id
    'timed-out'
    >>> look_up(b"hello", "core") is None
    True
    """
    if len(text) > _LONGEST:
        return None
    said = text.decode(errors="replace")
    bare = said.strip().removeprefix("MCP error ").rstrip(":")
    if _CODE.fullmatch(bare):
        return explain_code(int(bare), profile)
    for row in words():
        if found := row.pattern.search(said):
            at = len(said[: found.start()].encode(errors="replace"))
            return Mistake(row.id, row.says, at, row.look)
    if len(said) > _SHORT:
        return None
    found = _CODE.search(said)
    return explain_code(int(found[0]), profile) if found else _named(said, profile)


def _named(said: str, profile: str) -> Mistake | None:
    """Look for the name of a code, such as "Method not found" or "ContentModified"."""
    plain = said.lower().replace(" ", "")
    for row in codes():
        name = row.name.lower().replace(" ", "")
        if len(name) > 10 and name in plain:
            return explain_code(row.code, profile)
    return None


def explain_code(code: int, profile: str) -> Mistake | None:
    """Return what a code means: to the profile's protocol, or else to each that uses it.

    >>> explain_code(-32800, "core").says
    '-32800 in LSP is RequestCancelled, made by the server: the client cancelled the request,
    so this is the answer that it asked for'
    """
    rows = [row for row in codes() if row.code == code]
    rows = [row for row in rows if row.used_by in {profile, ""}] or rows
    if not rows:
        return _in_range(code)
    meanings = "; ".join(f"{_where(row)}is {row.sentence}" for row in rows)
    look = rows[0].look
    if len(rows) > 1:
        look = " ".join(f"{row.used_by.upper()}: {row.look}" for row in rows)
    return Mistake(_NUMBER, f"{code} {meanings}", 0, look)


def _where(row: Code) -> str:
    return f"in {row.used_by.upper()} " if row.used_by else ""


def _in_range(code: int) -> Mistake | None:
    for row in ranges():
        if row.first <= code <= row.last:
            return Mistake(_NUMBER, f"{code} is {row.says}", 0, row.look)
    return None
