"""One JSON value, judged clause by clause.

A rule looks at one member, or at one pair of them, and gives a finding. Which
reading it takes where the text is open is the profile's. Source: JSON-RPC 2.0,
sections 4 to 6, and the rulings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rpclab.errors import ABSENT
from rpclab.explain import strings
from rpclab.explain.members import Part
from rpclab.explain.model import BROKEN, Finding
from rpclab.messages import Json
from rpclab.parsing import VERSION
from rpclab.spec import Profile, clause, ruling

_REFUSALS: Final = {"forbidden", "refused"}
_PREDEFINED: Final = {-32700, -32600, -32601, -32602, -32603}
_MANY: Final = 20  # of these findings, and no more


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged: a value, where its members stand, and by which profile."""

    value: Json
    parts: tuple[Part, ...]
    start: int
    end: int
    profile: Profile

    def get(self, name: str) -> Json:
        """Give the value of a member, or ``ABSENT``."""
        return self.value.get(name, ABSENT)

    def place(self, name: str = "") -> tuple[int, int]:
        """Give where a member stands: the last of that name, or the whole."""
        last = next((part for part in reversed(self.parts) if part.name == name), None)
        return (last.start, last.end) if last else (self.start, self.end)

    def find(self, key: str, name: str = "", **words: object) -> Finding:
        """Make the finding of that key about a member, or about the whole."""
        row = strings.FINDINGS[key]
        says = row.says.format(**words) if words else row.says
        return Finding(row.clause, row.verdict, says, *self.place(name), row.ruling)

    def read(self, key: str, name: str = "") -> Finding:
        """Make a finding whose ruling the profile may read another way."""
        id = strings.FINDINGS[key].ruling
        if self.profile.readings.get(id) not in _REFUSALS:
            return self.find(key, name)
        says = strings.PROFILE_REFUSES.format(
            profile=self.profile.title, point=ruling(id).point, does=refusal(self.profile, id)
        )
        return Finding(binding_clause(self.profile, id), BROKEN, says, *self.place(name), id)


def refusal(profile: Profile, id: str) -> str:
    """Say what a profile does about a point that it refuses, or ""."""
    taken = profile.readings.get(id)
    others = ruling(id).others if taken in _REFUSALS else ()
    return next((other.does for other in others if other.reading == taken), "")


def binding_clause(profile: Profile, id: str) -> str:
    """Give the clause by which a profile reads a point: its own, if it has one."""
    ids = ruling(id).clauses
    return next((c for c in ids if clause(c).source.split("-")[0] == profile.id), ids[0])


def judge_call(subject: Subject) -> Iterator[Finding]:
    """Judge an object that is meant as a call (section 4)."""
    yield _version(subject, "4")
    yield _method(subject)
    yield _params(subject)
    yield _id(subject)
    for name in ("result", "error"):
        if subject.get(name) is not ABSENT and subject.get("method") is not ABSENT:
            yield subject.find("method decides", name)


def judge_response(subject: Subject) -> Iterator[Finding]:
    """Judge an object that is meant as a response (section 5)."""
    yield _version(subject, "5")
    result, error, id = subject.get("result"), subject.get("error"), subject.get("id")
    if id is ABSENT:
        allowed = subject.profile.readings.get("error-without-id") == "allowed"
        yield subject.find("id missing allowed" if allowed and result is ABSENT else "id missing")
    else:
        wrong = type(id) in {bool, list, dict}
        yield subject.find("response id type" if wrong else "response id", "id")
    if result is not ABSENT and error is not ABSENT:
        yield subject.find("error null" if error is None else "both", "error")
    elif result is not ABSENT:
        kept = type(result) is dict
        yield subject.find("result", "result") if kept else subject.read("result form", "result")
    else:
        yield from _error(subject, error)


def _version(subject: Subject, section: str) -> Finding:
    version = subject.get("jsonrpc")
    if version is ABSENT:
        return subject.find(f"{section} no version")
    wrong = type(version) is not str or version != VERSION
    return subject.find(f"{section} {'other version' if wrong else 'version'}", "jsonrpc")


def _method(subject: Subject) -> Finding:
    method = subject.get("method")
    if method is ABSENT:
        return subject.find("no method")
    if type(method) is not str:
        return subject.find("method type", "method")
    if method.startswith("rpc."):
        return subject.find("rpc method", "method")
    return subject.find("method" if method else "empty method", "method")


def _params(subject: Subject) -> Finding:
    params = subject.get("params")
    if params is ABSENT:
        return subject.find("no params")
    match params:
        case list():
            return subject.read("params by position", "params")
        case dict():
            return subject.find("params by name", "params")
        case _:
            return subject.find("params type", "params")


def _id(subject: Subject) -> Finding:
    id = subject.get("id")
    if id is ABSENT:
        return subject.find("no id")
    match id:
        case bool() | list() | dict():
            return subject.find("id type", "id")
        case None:
            return subject.read("id null", "id")
        case float():
            whole = id.is_integer()
            return subject.find("id whole", "id") if whole else subject.read("id fraction", "id")
        case int() if not -_largest(subject) - 1 <= id <= _largest(subject):
            return subject.read("id large", "id")
        case _:
            return subject.find("id", "id")


def _largest(subject: Subject) -> int:
    """Give the largest integer that every reader holds: LSP's are of 32 bits."""
    return 2**31 - 1 if "id-large" in subject.profile.readings else 2**53 - 1


def _error(subject: Subject, error: Json) -> Iterator[Finding]:
    """Judge an error object (section 5.1)."""
    if type(error) is not dict:
        yield subject.find("error type", "error")
        return
    code, message = error.get("code", ABSENT), error.get("message", ABSENT)
    if code is ABSENT:
        yield subject.find("no code", "error")
    elif type(code) is not int:
        yield subject.find("code type", "error")
    else:
        yield subject.find(_code_key(code), "error")
    if message is ABSENT:
        yield subject.find("no message", "error")
    elif type(message) is not str:
        yield subject.find("message type", "error")
    else:
        yield subject.find("message long" if "\n" in message else "message", "error")


def _code_key(code: int) -> str:
    if code in _PREDEFINED:
        return "code predefined"
    if -32099 <= code <= -32000:
        return "code server"
    return "code reserved" if -32768 <= code <= -32100 else "code application"


def judge_names(subject: Subject, known: set[str]) -> Iterator[Finding]:
    """Judge the members that the shape does not know."""
    unknown = [part for part in subject.parts if part.name not in known]
    for part in unknown[:_MANY]:
        found = subject.find("unknown member", part.name, member=part.name[:40])
        yield found._replace(start=part.start, end=part.end)
