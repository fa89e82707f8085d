"""One JSON value, judged clause by clause.

A rule looks at one member, or at a pair of them, and decides once: it yields a
finding, and the likely mistake if the finding points to one. If the text of the
specification is open, the profile says which reading to take. Source: JSON-RPC
2.0, sections 4 to 6, and the rulings.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rpclab.errors import ABSENT
from rpclab.explain.error_words import meaning_of
from rpclab.explain.findings import FINDINGS, found
from rpclab.explain.members import KNOWN, Part, clauses_of, find_duplicates, meant_name
from rpclab.explain.mistakes import mistake
from rpclab.explain.model import BROKEN, Finding, Judged
from rpclab.explain.syntax import Text, read_name
from rpclab.messages import Json
from rpclab.parsing import VERSION, looks_like_response
from rpclab.spec import Profile, clause, ruling

_REFUSALS: Final = {"forbidden", "refused"}
_PREDEFINED: Final = {-32700, -32600, -32601, -32602, -32603}
_QUIET: Final = (
    "notifications/",
    "$/",
    "textDocument/",
    "rpc.",
)  # methods that are meant as notifications
_INTEGER: Final = re.compile(r"-?[0-9]{1,18}")
_ESCAPE: Final = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SEPARATORS: Final = re.compile(rb"\xe2\x80[\xa8\xa9]")
_LOG_TEXTS: Final = {"msg", "message", "log", "event", "text"}
_LOG_TIMES: Final = {"level", "time", "ts", "timestamp", "severity", "lvl", "stream"}
_MANY: Final = 20  # findings of one kind, and members that are compared with known names
_LONG: Final = 40  # characters of a name


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged: a value, the places of its members, and the profile."""

    value: Json
    parts: tuple[Part, ...]
    start: int
    end: int
    profile: Profile

    def get(self, name: str) -> Json:
        """Return the value of a member, or ``ABSENT``."""
        return self.value.get(name, ABSENT)

    def place(self, name: str = "") -> tuple[int, int]:
        """Return the place of a member, the last of that name, or of the whole value."""
        named = (part for part in reversed(self.parts) if name and part.name == name)
        last = next(named, None)
        return (last.start, last.end) if last else (self.start, self.end)

    def has_nearly(self, name: str) -> bool:
        """Tell whether a member has nearly this name."""
        return any(meant_name(part.name) == name for part in self.parts[:_MANY])

    def find(self, key: str, name: str = "", *, points_to: str = "") -> Iterator[Judged]:
        """Yield a finding about a member, or the whole, and the mistake it points to."""
        start, end = self.place(name)
        yield found(key, start, end)
        if points_to:
            yield mistake(points_to, start)

    def read(
        self, key: str, name: str = "", *, points_to: str = "", refused: str = ""
    ) -> Iterator[Judged]:
        """Yield a finding about an open point, which the profile may refuse.

        If it does, the finding points to the mistake ``refused``.
        """
        id = FINDINGS[key].ruling
        does = refusal(self.profile, id)
        if self.profile.readings.get(id) not in _REFUSALS:
            yield from self.find(key, name, points_to=points_to)
            return
        start, end = self.place(name)
        point = ruling(id).point.replace("`", "")
        says = f"{self.profile.title} does not take this ({point}): {does}."
        yield Finding(_protocol_clause(self.profile, id), BROKEN, says, start, end, id)
        if points_to or refused:
            yield mistake(points_to or refused, start)


def refusal(profile: Profile, id: str) -> str:
    """Return what a profile does about a point that it refuses, or ""."""
    taken = profile.readings.get(id)
    others = ruling(id).others if taken in _REFUSALS else ()
    does = next((other.does for other in others if other.reading == taken), "")
    return does.removeprefix("refused: ")


def _protocol_clause(profile: Profile, id: str) -> str:
    """Return the clause by which a profile reads a point: its own, if it has one."""
    ids = ruling(id).clauses
    return next((c for c in ids if clause(c).source.split("-")[0] == profile.id), ids[0])


def judge_value(subject: Subject, shape: str, *, in_batch: bool) -> Iterator[Judged]:
    """Judge a value as the message that it is meant to be."""
    yield from subject.find("json")
    match subject.value:
        case dict() as value:
            if looks_like_response(value):
                yield from _judge_response(subject, in_batch)
            else:
                yield from _judge_call(subject)
            if not value.keys() & {"method", "result", "error"}:
                yield from subject.find("neither", points_to="json-log" if _is_log(value) else "")
            yield from _judge_names(subject, shape)
        case list():
            yield from subject.find("nested batch", points_to="nested-batch")
        case str() as value if value.lstrip()[:1] in {"{", "["}:
            yield from subject.find("no object", points_to="double-encoded")
        case _:
            scalar = "scalar-in-batch" if in_batch else "scalar"
            yield from subject.find("no object", points_to=scalar)


def _is_log(value: Mapping[str, Json]) -> bool:
    """Tell whether an object is a log line as logging libraries write it in JSON."""
    if len(value) > _MANY:
        return False
    names = {name.lower().lstrip("@") for name in value} - {"jsonrpc"}
    return bool(names & _LOG_TEXTS) and bool(names & _LOG_TIMES)


def judge_batch(subject: Subject) -> Iterator[Judged]:
    """Judge an array that is not inside another (section 6)."""
    yield from subject.find("json")
    if subject.value:
        yield from subject.read("batch", refused="batch-refused")
    else:
        yield from subject.find("empty batch", points_to="empty-batch")


# --- a call: section 4 ----------------------------------------------------------------


def _judge_call(subject: Subject) -> Iterator[Judged]:
    yield from _version(subject, "4")
    yield from _method(subject)
    yield from _params(subject)
    yield from _id(subject)
    for name in ("result", "error"):
        if name in subject.value and "method" in subject.value:
            yield from subject.find("method decides", name)


def _version(subject: Subject, section: str) -> Iterator[Judged]:
    version = subject.get("jsonrpc")
    if version is ABSENT:
        missing = "" if subject.has_nearly("jsonrpc") else "no-jsonrpc"
        yield from subject.find(f"{section} no version", points_to=missing)
    elif version == VERSION:
        yield from subject.find(f"{section} version", "jsonrpc")
    else:
        if type(version) in {int, float}:
            wrong = "jsonrpc-number"
        else:
            wrong = "jsonrpc-old" if version in ("1.0", "1.1") else "jsonrpc-other"
        yield from subject.find(f"{section} other version", "jsonrpc", points_to=wrong)


def _method(subject: Subject) -> Iterator[Judged]:
    match subject.get("method"):
        case str() as method if method.startswith("rpc."):
            yield from subject.find("rpc method", "method", points_to="rpc-prefix")
        case str() as method:
            yield from subject.find("method" if method else "empty method", "method")
        case method if method is ABSENT:
            missing = "" if subject.has_nearly("method") else "no-method"
            yield from subject.find("no method", points_to=missing)
        case _:
            yield from subject.find("method type", "method", points_to="method-type")


def _params(subject: Subject) -> Iterator[Judged]:
    match subject.get("params"):
        case list():
            yield from subject.read("params by position", "params")
        case dict():
            yield from subject.find("params by name", "params")
        case None:
            yield from subject.find("params type", "params", points_to="params-null")
        case params if params is ABSENT:
            yield from subject.find("no params")
        case _:
            yield from subject.find("params type", "params", points_to="params-scalar")


def _id(subject: Subject) -> Iterator[Judged]:
    match subject.get("id"):
        case bool() | list() | dict():
            yield from subject.find("id type", "id", points_to="id-type")
        case None:
            yield from subject.read("id null", "id", points_to="id-null")
        case float() as id if id.is_integer():
            yield from subject.find("id whole", "id")
        case float():
            yield from subject.read("id fraction", "id", points_to="id-fraction")
        case int() as id if not -_largest(subject) - 1 <= id <= _largest(subject):
            yield from subject.read("id large", "id")
        case str() as id if _INTEGER.fullmatch(id):
            yield from subject.find("id", "id", points_to="id-numeric-string")
        case id if id is ABSENT:
            method = subject.get("method")
            awaited = type(method) is str and not method.startswith(_QUIET)
            yield from subject.find("no id", points_to="no-id" if awaited else "")
        case _:
            yield from subject.find("id", "id")


def _largest(subject: Subject) -> int:
    """Return the largest integer that every reader holds: in LSP, one of 32 bits."""
    return 2**31 - 1 if "id-large" in subject.profile.readings else 2**53 - 1


# --- a response: section 5 ------------------------------------------------------------


def _judge_response(subject: Subject, in_batch: bool) -> Iterator[Judged]:
    yield from _version(subject, "5")
    yield from _response_id(subject)
    result, error = subject.get("result"), subject.get("error")
    if result is ABSENT:
        yield from _error(subject, error)
    elif error is None:
        yield from subject.find("error null", "error", points_to="error-null")
    elif error is not ABSENT:
        yield from subject.find("both", "error", points_to="result-and-error")
    elif type(result) is dict:
        yield from subject.find("result", "result")
    else:
        yield from subject.read("result form", "result")
    yield mistake("response-to-server", subject.place()[0])
    if in_batch:
        yield from subject.find("response in batch")


def _response_id(subject: Subject) -> Iterator[Judged]:
    if "id" in subject.value:
        wrong = type(subject.get("id")) in {bool, list, dict}
        yield from subject.find("response id type" if wrong else "response id", "id")
        return
    allowed = subject.profile.readings.get("error-without-id") == "allowed"
    key = "id missing allowed" if allowed and "result" not in subject.value else "id missing"
    yield from subject.find(key, points_to="response-without-id")


def _error(subject: Subject, error: Json) -> Iterator[Judged]:
    """Judge an error object (section 5.1)."""
    if type(error) is not dict:
        yield from subject.find("error type", "error", points_to="error-not-object")
        return
    code, message = error.get("code", ABSENT), error.get("message", ABSENT)
    if code is ABSENT:
        yield from subject.find("no code", "error", points_to="no-code")
    elif type(code) is not int:
        yield from subject.find("code type", "error", points_to="code-type")
    else:
        yield from _code(subject, code)
    if message is ABSENT:
        yield from subject.find("no message", "error", points_to="no-message")
    elif type(message) is not str:
        yield from subject.find("message type", "error", points_to="message-type")
    else:
        yield from subject.find("message long" if "\n" in message else "message", "error")


def _code(subject: Subject, code: int) -> Iterator[Judged]:
    """Judge a code by its range, and say what it means to the profile's protocol."""
    key = _code_key(code)
    known = meaning_of(code, subject.profile.id)
    if known is None or subject.profile.id == "core":
        yield from subject.find(key, "error")
        return
    template = FINDINGS[key]
    says = f"code {code} is {known.sentence}."
    if known.is_of_library:
        says = f"{template.says} A client's own library uses it too, for {known.name}."
    yield Finding(template.clause, template.verdict, says, *subject.place("error"))


def _code_key(code: int) -> str:
    if code in _PREDEFINED:
        return "code predefined"
    if -32099 <= code <= -32000:
        return "code server"
    return "code reserved" if -32768 <= code <= -32100 else "code application"


# --- names, and what the value does not show ------------------------------------------


def _judge_names(subject: Subject, shape: str) -> Iterator[Judged]:
    """Judge the members that the shape does not know: some have nearly a known name."""
    known = {*clauses_of(shape), "result", "error"}
    compared = subject.parts[:_MANY]
    unknown = [part for part in subject.parts if part.name not in known]
    for part in unknown[:_MANY]:
        name = part.name[:_LONG]
        yield found("unknown member", part.start, part.end, member=name)
        meant = meant_name(part.name) if part in compared and part.name not in KNOWN else ""
        if meant and meant not in subject.value:
            wrong = "wrong-case" if part.name.lower() == meant else "misspelt-name"
            yield mistake(wrong, part.start, name=name, meant=meant)


def judge_text(text: Text) -> Iterator[Judged]:
    """Judge what a value no longer shows: repeated names, halves of characters, U+2028."""
    yield from _judge_duplicates(text)
    for at in _lone_surrogates(text.data):
        yield found("surrogate", at, at + 6)
        yield mistake("lone-surrogate", at)
    if separator := _SEPARATORS.search(text.data):
        yield found("line separator", *separator.span())
        yield mistake("line-separator", separator.start())


def _judge_duplicates(text: Text) -> Iterator[Judged]:
    """Judge names that their object has already. Only the message's own point to a mistake."""
    own = 0
    for count, token in enumerate(find_duplicates(text)):
        if count < _MANY:
            yield found("duplicate", token.start, token.end)
        if token.depth == 1 and own < _MANY:
            own += 1
            name = read_name(text.data[token.start : token.end])[:_LONG]
            yield mistake("duplicate-name", token.start, name=name)


def _lone_surrogates(data: bytes) -> Iterator[int]:
    r"""Yield the place of the first ``\ud800``..``\udfff`` without its other half."""
    if b"\\u" not in data:
        return
    high = -1
    for escape in _ESCAPE.finditer(data):
        code = int(escape[1], 16) if escape[1] else 0
        pair = high >= 0 and escape.start() == high + 6 and 0xDC00 <= code <= 0xDFFF
        if (high >= 0 and not pair) or (0xDC00 <= code <= 0xDFFF and not pair):
            yield high if high >= 0 else escape.start()
            return
        high = escape.start() if 0xD800 <= code <= 0xDBFF else -1
    if high >= 0:
        yield high
