"""What a message consists of: its members, its shape, and who owns each byte.

This is read from the tokens, so it works for broken JSON too, as far as the names
can be read. The decision tree of the shapes is that of ``rpclab.parsing``; here it
also takes names that are nearly right.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from rpclab.errors import InvalidRequest, InvalidResponse
from rpclab.explain.model import (
    BATCH,
    ERROR,
    JSON,
    MEMBER,
    NOTHING,
    NOTIFICATION,
    REQUEST,
    SUCCESS,
    Span,
)
from rpclab.explain.syntax import DEEP, Text, Token, read_name
from rpclab.messages import Json
from rpclab.parsing import looks_like_response, read_message

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

KINDS: Final = {
    "{": "opening brace",
    "}": "closing brace",
    "[": "opening bracket",
    "]": "closing bracket",
    ":": "colon",
    ",": "comma",
    "space": "white space",
    "colon": "in place of a colon",
    "comma": "in place of a comma",
    "torn_string": "string",
    "other": "stray bytes",
    "fault": "fault",
    "more": "more of the same",
}

_MANY: Final = 20  # names that are compared with the known ones

KNOWN: Final = ("jsonrpc", "method", "params", "id", "result", "error")

_WRONG_WORDS: Final = {
    "param": "params",
    "parameters": "params",
    "args": "params",
    "arguments": "params",
    "function": "method",
    "func": "method",
    "action": "method",
    "command": "method",
    "name": "method",
    "version": "jsonrpc",
    "rpc": "jsonrpc",
    "results": "result",
    "response": "result",
    "err": "error",
    "errors": "error",
    "request_id": "id",
    "requestid": "id",
    "uuid": "id",
}


class Part(NamedTuple):
    """A member of a message: its name, and where it begins and ends."""

    name: str
    start: int
    end: int


def find_parts(text: Text) -> list[Part]:
    """Return the members of the outermost object, in order."""
    parts: list[Part] = []
    for token in text.tokens:
        if token.depth == 1 and token.kind == "name":
            name = read_name(text.data[token.start : token.end])
            parts.append(Part(name, token.start, token.end))
        elif parts and token.depth >= 1 and token.kind not in {"space", ",", "comma"}:
            parts[-1] = parts[-1]._replace(end=token.end)
    return parts


def find_elements(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Yield where each element of the outermost array begins and ends."""
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


def find_duplicates(text: Text) -> Iterator[Token]:
    """Yield the name tokens whose name their object has already.

    Below the depth at which paths stop growing, two objects may share a path, so
    nothing is said there.
    """
    seen: set[tuple[str, str]] = set()
    for token in text.tokens:
        if token.kind == "name" and token.depth <= DEEP:
            name = token.path, read_name(text.data[token.start : token.end])
            if name in seen:
                yield token
            seen.add(name)


def spans_of(text: Text, shape: str) -> Iterator[Span]:
    """Yield the spans of a payload, with the white space around it."""
    yield from _space(0, text.start)
    yield from _token_spans(text.data, text.tokens, clauses_of(shape))
    yield from _space(text.end, len(text.data))


def _space(start: int, end: int) -> Iterator[Span]:
    if start < end:
        yield Span(start, end, JSON, KINDS["space"], "", "json.whitespace", "")


def _token_spans(data: bytes, tokens: list[Token], clauses: dict[str, str]) -> Iterator[Span]:
    """Yield one span for each token: it belongs to a member if it is inside one."""
    roots: dict[str, str] = {}  # the path of a member: its name
    base = "[" if tokens and tokens[0].kind == "[" else ""
    depth = 2 if base else 1
    name = ""
    for kind, start, end, path, level in tokens:
        if kind == "name" and level == depth:
            name = roots.setdefault(path, read_name(data[start:end]))
        if level < depth or (level == depth and kind in {",", "comma"}) or not name:
            clause = _JSON_CLAUSES.get(kind, "")
            yield Span(start, end, JSON, KINDS.get(kind, kind), path, clause, "")
            name = "" if level < depth else name
            continue
        says = f"{KINDS.get(kind, kind)}, in the member {name[:40]}"
        yield Span(start, end, MEMBER, name[:40], path, clauses.get(name, ""), says)


def clauses_of(shape: str) -> dict[str, str]:
    """Return the clause of each member that a shape has."""
    return RESPONSE_CLAUSES if shape in {SUCCESS, ERROR} else CALL_CLAUSES


def shape_of(value: Json) -> str:
    """Return the shape of a JSON value that is not a batch, or the nearest one."""
    if type(value) is not dict:
        return NOTHING
    if looks_like_response(value):
        return SUCCESS if "result" in value else ERROR
    if "method" in value:
        return REQUEST if "id" in value else NOTIFICATION
    return nearest_shape(b"{", {*islice(value, _MANY)})


def nearest_shape(first: bytes, names: set[str]) -> str:
    """Return the shape of an object with these names, or of an array, by its first byte.

    >>> nearest_shape(b"{", {"jsonrpc", "method", "id"}), nearest_shape(b"[", set())
    ('request', 'batch')
    >>> nearest_shape(b"{", {"Method"})
    'notification'
    """
    if first == b"[":
        return BATCH
    meant = {meant_name(name) or name for name in names}
    if "method" in meant:
        return REQUEST if "id" in meant else NOTIFICATION
    if "result" in meant or "error" in meant:
        return SUCCESS if "result" in meant else ERROR
    return REQUEST if meant & {"jsonrpc", "params"} else NOTHING


def meant_name(name: str) -> str:
    """Return the known name that a name is close to, or "" if there is none.

    >>> meant_name("Method"), meant_name("methd"), meant_name("args"), meant_name("trace")
    ('method', 'method', 'params', '')
    """
    lower = name[:20].lower().strip(" _-")
    if lower in KNOWN:
        return lower
    close = [known for known in KNOWN if len(known) > 3 and _is_one_letter_off(lower, known)]
    return _WRONG_WORDS.get(lower) or (close[0] if close else "")


def _is_one_letter_off(word: str, known: str) -> bool:
    """Tell whether one letter is missing, added or wrong, or two are swapped."""
    if abs(len(word) - len(known)) > 1:
        return False
    pairs = zip(word, known, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(word), len(known)))
    rest, wanted = word[at:], known[at:]
    swapped = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]


def is_message(value: Json) -> bool:
    """Tell whether the transport takes a value as one of the four shapes.

    >>> is_message({"jsonrpc": "2.0", "method": "update"})
    True
    """
    try:
        read_message(value)
    except (InvalidRequest, InvalidResponse):
        return False
    return True
