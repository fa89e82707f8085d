"""Which bytes belong to which member of a message, and to which message of a batch.

Told from the tokens, so it is told for broken JSON too, as far as names can be read.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rpclab.explain import strings
from rpclab.explain.model import JSON, MEMBER, Span
from rpclab.explain.walk import Token, read_name

CALL_CLAUSES: Final = {
    "jsonrpc": "4.jsonrpc-exact",
    "method": "4.method-string",
    "params": "4.2.structured",
    "id": "4.id-type",
}
RESPONSE_CLAUSES: Final = {
    "jsonrpc": "5.jsonrpc-exact",
    "result": "5.result-any",
    "error": "5.error-object",
    "id": "5.id-same",
}
_JSON_CLAUSES: Final = {
    "space": "json.whitespace",
    "{": "4.object",
    "}": "4.object",
    "[": "6.array",
    "]": "6.array",
}


class Part(NamedTuple):
    """A member of a message: its name, where it begins and ends, and its value's place."""

    name: str
    start: int
    end: int
    value_start: int
    value_kind: str


def find_parts(data: bytes, tokens: list[Token]) -> list[Part]:
    """Give the members of the outermost object, in order."""
    parts: list[Part] = []
    for token in tokens:
        if token.depth == 1 and token.kind == "name":
            name = read_name(data[token.start : token.end])
            parts.append(Part(name, token.start, token.end, token.end, ""))
        elif parts and token.depth >= 1 and token.kind not in {"space", ",", "comma"}:
            parts[-1] = _grown(parts[-1], token)
    return parts


def _grown(part: Part, token: Token) -> Part:
    """Take one more token into a member."""
    if part.value_kind or token.kind in {":", "colon"}:
        return part._replace(end=token.end)
    return part._replace(end=token.end, value_start=token.start, value_kind=token.kind)


def find_elements(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Give where the elements of the outermost array begin and end."""
    start = end = -1
    for token in tokens:
        if token.depth == 1 and token.kind in {",", "comma"}:
            yield start, end
            start = -1
        elif token.depth >= 1 and token.kind != "space":
            start = token.start if start < 0 else start
            end = token.end
    if start >= 0:
        yield start, end


def find_duplicates(data: bytes, tokens: list[Token]) -> Iterator[Token]:
    """Give the name tokens whose name their object has already.

    A path beyond the depth to which paths grow tells nothing, nor does a cut name.
    """
    seen: dict[str, Token] = {}
    for token in tokens:
        if token.kind != "name" or token.depth > 32:
            continue
        first = seen.setdefault(token.path, token)
        if first is not token and _spells(data, first) == _spells(data, token):
            yield token


def _spells(data: bytes, token: Token) -> str:
    return read_name(data[token.start : token.end])


def make_spans(data: bytes, tokens: list[Token], owners: dict[str, str]) -> Iterator[Span]:
    """Give one span a token: it is a member's if it stands inside one.

    ``owners`` has the clause for each name that the shape knows.
    """
    roots: dict[str, str] = {}  # the path of a member: its name
    base = "[" if tokens and tokens[0].kind == "[" else ""
    depth = 2 if base else 1
    name = ""
    for kind, start, end, path, level in tokens:
        if kind == "name" and level == depth:
            name = roots.setdefault(path, read_name(data[start:end]))
        if level < depth or (level == depth and kind in {",", "comma"}) or not name:
            clause = _JSON_CLAUSES.get(kind, "")
            yield Span(start, end, JSON, strings.KINDS.get(kind, kind), path, clause, "")
            name = "" if level < depth else name
            continue
        says = strings.IN_MEMBER.format(kind=strings.KINDS.get(kind, kind), name=name[:40])
        yield Span(start, end, MEMBER, name[:40], path, owners.get(name, ""), says)


def owners_of(shape: str) -> dict[str, str]:
    """Give the clause of each member that a shape has."""
    return RESPONSE_CLAUSES if shape in {strings.SUCCESS, strings.ERROR} else CALL_CLAUSES
