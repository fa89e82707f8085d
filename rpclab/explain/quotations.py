"""A message inside other text: in a log line, behind a prompt, as another language prints it.

People paste what their editor or host has written. The message in it is found, and
becomes JSON again if it was printed in another notation.

Interface:
  - ``find_quotation`` looks through a text that is not JSON from its start on
  - ``quote_value`` looks into a value that is JSON, but not a message
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from rpclab.codec import decode, encode
from rpclab.errors import ParseError
from rpclab.explain import lsp_trace
from rpclab.explain.encodings import guess_encoding
from rpclab.explain.members import KNOWN
from rpclab.explain.mistakes import mistake
from rpclab.explain.model import MANY, Mistake
from rpclab.explain.printed_values import Printed, read_printed
from rpclab.messages import Json

_TRIED: Final = 12  # brackets that may begin a message
_LONGEST: Final = 1_000_000

_OPENING: Final = re.compile(rb"[{\[]|\((?=:[a-z])")
_BRACKETS: Final = re.compile(rb'[{}\[\]]|"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PYTHON_BYTES: Final = re.compile(
    rb"(?<!\w)b(?:'(?:[^'\\\n]++|\\[^\n])*+'|\"(?:[^\"\\\n]++|\\[^\n])*+\")"
)
_CUT_OFF: Final = re.compile(rb'\{[ ]*"(?:jsonrpc|method|id|result|error|params)"[ ]*:')

ENCODED: Final = frozenset({"utf-16", "code-page"})
"""The mistakes that are about another encoding."""

WHOLE: Final = frozenset({"utf-16", "lsp-trace"})
"""The mistakes that are about all of the data, however many lines it has."""

_EVIDENCE: Final = {
    "python-dict": re.compile(rb"'|\b(?:True|False|None)\b"),
    "javascript-object": re.compile(rb"'|[{,]\s*[A-Za-z_$][\w$]*\s*:"),
    "lua-table": re.compile(rb"[A-Za-z_\]]\w*\s*="),
    "emacs-plist": re.compile(rb"\(:"),
}
"""What a language prints that JSON does not have."""

_AS_NODE: Final = re.compile(rb"\{\s+[A-Za-z_$][\w$]*: [^\n\"]*(?:'|undefined)")


class Quotation(NamedTuple):
    """What a text quotes: where, the messages as JSON, and what is said about them.

    There are no ``messages`` if they cannot be restored. ``by_hand`` is true if a person
    may have written it: no program prints it quite so.
    """

    start: int
    end: int
    messages: tuple[bytes, ...]
    mistake: Mistake
    by_hand: bool = False


def find_quotation(data: bytes, start: int = 0) -> Quotation | None:
    """Return the first message that is quoted in a text, or None.

    >>> found = find_quotation(b'INFO sent {"jsonrpc":"2.0","method":"ping"}')
    >>> found.start, found.messages
    (10, (b'{"jsonrpc":"2.0","method":"ping"}',))
    """
    if len(data) > _LONGEST:
        return None
    return (
        _in_other_encoding(data)
        or _in_trace(data)
        or _escaped(data, start)
        or next(_in_python_bytes(data), None)
        or next(_quotations(data, start), None)
    )


def _in_other_encoding(data: bytes) -> Quotation | None:
    encoding = guess_encoding(data)
    if encoding is None:
        return None
    at = 0 if encoding.title == "UTF-16" else _first_foreign(data)
    text = data.decode(encoding.codec, errors="replace").encode(errors="replace")
    lines = tuple(islice((line for line in text.split(b"\n") if line.strip()), MANY))
    id = "utf-16" if encoding.title == "UTF-16" else "code-page"
    return Quotation(0, len(data), lines, mistake(id, at, encoding=encoding.title))


def _first_foreign(data: bytes) -> int:
    """Return the place of the first byte that is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return 0


def _in_trace(data: bytes) -> Quotation | None:
    """Restore the messages of a language client's trace, one a line."""
    traced = lsp_trace.read(data)
    if traced is None:
        return None
    messages = tuple(filter(None, map(_write, traced.messages)))
    return Quotation(traced.start, len(data), messages, mistake("lsp-trace", traced.start))


def _escaped(data: bytes, start: int) -> Quotation | None:
    r"""Read a text whose quotes are all escaped, such as ``{\"id\":1}``."""
    text = data[start:].strip()
    if not re.match(rb"[{\[][ ]*\\\"", text):
        return None
    inner = quote_value(_read(b'"' + text + b'"'))
    return _quote(start, len(data), inner) if inner else None


def _quote(start: int, end: int, message: bytes) -> Quotation:
    return Quotation(start, end, (message,), mistake("message-inside", start))


def _in_python_bytes(data: bytes) -> Iterator[Quotation]:
    """Read the bytes that Python's ``repr`` shows, with its escapes."""
    for found in islice(_PYTHON_BYTES.finditer(data), _TRIED):
        with suppress(ValueError, SyntaxError, MemoryError):
            text = ast.literal_eval(found[0].decode("ascii", errors="ignore")).strip()
            if is_message(_read(text)):
                yield _quote(found.start(), found.end(), text)


def _quotations(data: bytes, start: int) -> Iterator[Quotation]:
    """Yield what begins at a bracket and is a message. A value is looked into only once."""
    after = start
    for _ in range(_TRIED):
        opening = _OPENING.search(data, after)
        if opening is None:
            return
        at, after = opening.span()
        end = _closing(data, at)
        value = _read(data[at:end]) if end else None
        if end and value is not None:
            after = end
        if end and is_message(value):
            yield _quote(at, end, data[at:end])
        elif end and (inner := quote_value(value)):
            yield _quote(at, end, inner)
        elif (printed := read_printed(data, at)) is not None and _is_worth_it(data, at, printed):
            yield _quote_printed(data, at, printed)
        elif at > start and value is None and _CUT_OFF.match(data, at):
            end = end or len(data)
            yield _quote(at, end, data[at:end].rstrip())


def _is_worth_it(data: bytes, at: int, printed: Printed) -> bool:
    """Tell whether a printed value is a message, and not JSON with a slip in it."""
    if not (is_message(printed.value) or (printed.value is None and printed.lost)):
        return False
    return _EVIDENCE[printed.id].search(data, at, printed.end) is not None


def _quote_printed(data: bytes, at: int, printed: Printed) -> Quotation:
    """Restore a printed message, unless its printer has left something out."""
    said = mistake(printed.id, at, lost=printed.lost)
    text = b"" if printed.lost else _write(printed.value)
    by_hand = not printed.lost and not _AS_NODE.match(data, at)
    return Quotation(at, printed.end, (text,) if text else (), said, by_hand)


def _closing(data: bytes, start: int) -> int | None:
    """Return where a bracket of JSON is closed, or None."""
    depth = 0
    for found in _BRACKETS.finditer(data, start):
        depth += (found[0] in {b"{", b"["}) - (found[0] in {b"}", b"]"})
        if depth <= 0:
            return found.end()
    return None


def _read(text: bytes) -> Json:
    try:
        return decode(text)
    except ParseError:
        return None


def _write(value: Json) -> bytes:
    """Return a value as JSON, or b"" if it is too deep, or has a number JSON does not have."""
    try:
        return encode(value).encode()
    except (ValueError, RecursionError):
        return b""


def quote_value(value: Json) -> bytes:
    """Return the message inside a value that is JSON: in a member, or in a string, or b"".

    >>> quote_value({"log": '{"jsonrpc":"2.0","method":"ping"}'})
    b'{"jsonrpc":"2.0","method":"ping"}'
    """
    inner = list(islice(value.values(), 20)) if isinstance(value, dict) else [value]
    for one in inner:
        if isinstance(one, str) and one.lstrip()[:1] in {"{", "["}:
            text = one.strip().encode(errors="replace")
            if is_message(_read(text)):
                return text
        if one is not value and is_message(one):
            return _write(one)
    return b""


def is_message(value: Json) -> bool:
    """Tell whether a value is meant as a message: by its names, or as a batch of such.

    >>> is_message({"jsonrpc": "1.0"}), is_message({"debug": True}), is_message([])
    (True, False, False)
    """
    members = value[:3] if isinstance(value, list) else [value]
    return bool(members) and all(map(_has_known_names, members))


def _has_known_names(value: Json) -> bool:
    names = value.keys() & set(KNOWN) if isinstance(value, dict) else set()
    return "jsonrpc" in names or len(names) > 1
