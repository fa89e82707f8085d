"""The likely mistakes in what is JSON: told from its members, not from its text."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from rpclab.errors import ABSENT
from rpclab.explain import advice
from rpclab.explain.judgement import Subject
from rpclab.explain.model import Mistake
from rpclab.explain.shapes import KNOWN, meant_name
from rpclab.explain.text import Text
from rpclab.parsing import looks_like_response

_ESCAPE: Final = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SEPARATORS: Final = re.compile(rb"\xe2\x80[\xa8\xa9]")
_QUIET: Final = ("notifications/", "$/", "textDocument/", "rpc.")  # meant to have no reply
_MANY: Final = 20  # of these, and no more
_INTEGER: Final = re.compile(r"-?[0-9]{1,18}")


def find_mistakes(subject: Subject, text: Text, *, inside: bool) -> Iterator[Mistake]:
    """Give the mistakes of one message, the likeliest first."""
    value = subject.value
    match value:
        case dict():
            yield from _names(subject)
            yield from _response(subject) if looks_like_response(value) else _call(subject)
            yield from _doubles(subject)
        case list():
            yield _at(subject, "nested-batch" if inside else "empty-batch")
        case str() if value.lstrip()[:1] in {"{", "["}:
            yield _at(subject, "double-encoded")
        case _:
            yield _at(subject, "scalar-in-batch" if inside else "scalar")
    for key, at, _ in find_oddities(text):
        yield advice.mistake(ODD_MISTAKES[key], at)


def find_batch_mistakes(subject: Subject) -> Iterator[Mistake]:
    """Give the mistakes of an array as such."""
    if not subject.value:
        yield _at(subject, "empty-batch")
    elif "batches" in subject.profile.readings:
        yield _at(subject, "batch-refused")


ODD_MISTAKES: Final = {"surrogate": "lone-surrogate", "line separator": "line-separator"}


def find_oddities(text: Text) -> Iterator[tuple[str, int, int]]:
    """Give what a value no longer shows: halves of characters, and U+2028."""
    for at in _lone_surrogates(text):
        yield "surrogate", at, 6
    for found in _SEPARATORS.finditer(text.data):
        yield "line separator", found.start(), 3
        return


def _lone_surrogates(text: Text) -> Iterator[int]:
    r"""Give the place of the first ``\ud800``..``\udfff`` without its other half."""
    if b"\\u" not in text.data:
        return
    high = -1
    for found in _ESCAPE.finditer(text.data):
        code = int(found[1], 16) if found[1] else 0
        pair = high >= 0 and found.start() == high + 6 and 0xDC00 <= code <= 0xDFFF
        if (high >= 0 and not pair) or (0xDC00 <= code <= 0xDFFF and not pair):
            yield high if high >= 0 else found.start()
            return
        high = found.start() if 0xD800 <= code <= 0xDBFF else -1
    if high >= 0:
        yield high


def _at(subject: Subject, id: str, name: str = "") -> Mistake:
    return advice.mistake(id, subject.place(name)[0], name=name[:40])


def _names(subject: Subject) -> Iterator[Mistake]:
    """Look for names that are nearly one of the known ones, where that one is missing."""
    for part in subject.parts[:_MANY]:
        meant = meant_name(part.name)
        if part.name in KNOWN or not meant or meant in subject.value:
            continue
        id = "wrong-case" if part.name.lower() == meant else "misspelt-name"
        yield advice.mistake(id, part.start, name=part.name[:40], meant=meant)


def _doubles(subject: Subject) -> Iterator[Mistake]:
    """Look for names that stand there twice."""
    seen: set[str] = set()
    doubles = (part for part in subject.parts if _is_in(seen, part.name))
    for part in islice(doubles, _MANY):
        yield advice.mistake("duplicate-name", part.start, name=part.name[:40])


def _call(subject: Subject) -> Iterator[Mistake]:
    yield from _version(subject)
    method, params = subject.get("method"), subject.get("params")
    if method is ABSENT:
        if not any(meant_name(part.name) == "method" for part in subject.parts[:_MANY]):
            yield _at(subject, "no-method")
    elif type(method) is not str:
        yield _at(subject, "method-type", "method")
    elif method.startswith("rpc."):
        yield _at(subject, "rpc-prefix", "method")
    if params is None:
        yield _at(subject, "params-null", "params")
    elif params is not ABSENT and type(params) not in {list, dict}:
        yield _at(subject, "params-scalar", "params")
    yield from _id(subject)


def _version(subject: Subject) -> Iterator[Mistake]:
    version = subject.get("jsonrpc")
    if version is ABSENT:
        if not any(meant_name(part.name) == "jsonrpc" for part in subject.parts[:_MANY]):
            yield _at(subject, "no-jsonrpc")
    elif type(version) in {int, float}:
        yield _at(subject, "jsonrpc-number", "jsonrpc")
    elif version in ("1.0", "1.1"):
        yield _at(subject, "jsonrpc-old", "jsonrpc")
    elif version != "2.0":
        yield _at(subject, "jsonrpc-other", "jsonrpc")


def _id(subject: Subject) -> Iterator[Mistake]:
    id, method = subject.get("id"), subject.get("method")
    match id:
        case bool() | list() | dict():
            yield _at(subject, "id-type", "id")
        case None:
            yield _at(subject, "id-null", "id")
        case float() if not id.is_integer():
            yield _at(subject, "id-fraction", "id")
        case str() if _INTEGER.fullmatch(id):
            yield _at(subject, "id-numeric-string", "id")
        case _ if id is ABSENT and type(method) is str and not method.startswith(_QUIET):
            yield _at(subject, "no-id")


def _response(subject: Subject) -> Iterator[Mistake]:
    yield from _version(subject)
    result, error = subject.get("result"), subject.get("error")
    if result is not ABSENT and error is not ABSENT:
        yield _at(subject, "error-null" if error is None else "result-and-error", "error")
    elif error is not ABSENT:
        yield from _error(subject)
    if "id" not in subject.value:
        yield _at(subject, "response-without-id")
    yield _at(subject, "response-to-server")


def _error(subject: Subject) -> Iterator[Mistake]:
    error = subject.get("error")
    if type(error) is not dict:
        yield _at(subject, "error-not-object", "error")
        return
    code, message = error.get("code", ABSENT), error.get("message", ABSENT)
    if code is ABSENT:
        yield _at(subject, "no-code", "error")
    elif type(code) is not int:
        yield _at(subject, "code-type", "error")
    if message is ABSENT:
        yield _at(subject, "no-message", "error")
    elif type(message) is not str:
        yield _at(subject, "message-type", "error")


def _is_in(seen: set[str], name: str) -> bool:
    """Tell whether a name was seen before, and remember it."""
    before = name in seen
    seen.add(name)
    return before
