"""Server cases: what is sent, what must come back, and which clause says so.

A case is a row of TOML in ``cases/*.toml``. docs/conformance.md explains the
format; these are all its fields:

    id         words; never changes
    clause     id of the clause that is judged (rpclab/spec/clauses.toml)
    level      must, should (as the clause has it) or free (the text leaves it open)
    about      what the text demands here, and where; for free: why it is open
    send       what goes to the server, in order. An item is
                 'text'                a payload: the framing's marks are put around it
                 { hex = "ff0a" }      the same, for bytes that are not text
                 { repeat = "a", times = 9, before = "", after = "" }   a big payload
                 { raw = "text" } or { raw_hex = "ff" }   bytes without marks
                 { pause = 0.2 }       send nothing for so many seconds
    expect     the payloads that must come back, in any order; [] is silence
    expect_any several such lists; any of them is right
    readings   the same by name: the reading of ``ruling``, and what such a server does:
               a list as above, or "ends" (it goes away) or "hangs". A case has exactly
               one of ``expect``, ``expect_any`` and ``readings``
    ruling     id of the ruling that ``readings`` belong to (rpclab/spec/rulings.toml)
    breaks     readings that break the clause; the others keep it (absent if level is free)
    profiles   where the case holds; the clause's own profiles if left out
    needs      demo methods that the server must have; if left out, those that a
               request in ``send`` names
    delivery   a list of ways to send it; each is tried: whole, joined, apart, bytes,
               cut-utf8, slow, stderr-flood. ["whole"] if left out
    framing    newline, content-length or both (if left out)
    isolated   true: the case gets a process of its own, to which nothing was sent before
    end        how the session ends, in a process of its own: eof (stdin is closed),
               gone (nobody reads its stdout any more), interrupt (SIGINT)
    reads_late true, with ``end``: for a moment after the end nobody reads what the server
               writes, so that a big reply fills the pipe
    compare    ["message", "data"]: parts of an error object that are compared, too
    ordered    true: the payloads must come in the order of ``expect``
    matches    a regular expression that must be found in the bytes that came
    lacks      one that must not be found there
    stderr_lacks   one that must not be found at the end of stderr
    status     with ``end``: the exit status that the server must have
    deadline   seconds, if the run's own deadline is too short or too long
    form       true: the clause is about the form of what is written. The case is judged by
               the bytes that came (``lacks``, ``matches``; with ``expect = []`` nothing may
               come), and not by what did not come
    carried    where the server lacks a method of ``needs``, another one carries the case
               (carriers.py), because the clause is not about results: "any" method, also
               one that no server has, or a "known" one that the profile guarantees
    presumes   more cases that must be kept before this one can be judged; premises.py has
               those that follow from what a case sends and expects
    presumes_not   cases that follow from it, and are not presumed all the same
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from rpclab.conformance.cases.shared import Outcome, check_row, read_outcomes, read_rows
from rpclab.spec import Profile, clause

FOLDER: Final = Path(__file__).parent
DELIVERIES: Final = ("whole", "joined", "apart", "bytes", "cut-utf8", "slow", "stderr-flood")
ENDS: Final = ("", "eof", "gone", "interrupt")
DEMO_METHODS: Final[Mapping[str, str]] = {
    "echo": "[]",
    "subtract": '{"minuend":2,"subtrahend":1}',
    "add": '{"first":1,"second":2}',
    "sum": "[1,2]",
    "slow": '{"seconds":0,"steps":1}',
    **dict.fromkeys(["get_data", "boom", "typeerr", "keyerr", "badresult"], "{}"),
    **dict.fromkeys(["update", "notify_hello", "notify_sum", "remember", "recall"], "{}"),
}
"""Each demo method, with the params of a good request."""


@dataclass(frozen=True, slots=True)
class Payload:
    """One payload. The target puts its framing's marks around it."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that are sent as they are."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which nothing is sent."""

    seconds: float


SendItem: TypeAlias = Payload | Raw | Pause


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test of a clause."""

    id: str
    clause: str
    level: str
    about: str
    send: tuple[str | Mapping[str, Any], ...]
    outcomes: tuple[Outcome, ...]
    profiles: tuple[str, ...]
    needs: frozenset[str]
    ruling: str = ""
    delivery: tuple[str, ...] = ("whole",)
    framing: str = "both"
    isolated: bool = False
    end: str = ""
    reads_late: bool = False
    compare: tuple[str, ...] = ()
    ordered: bool = False
    matches: str = ""
    lacks: str = ""
    stderr_lacks: str = ""
    status: int | None = None
    deadline: float = 0.0
    form: bool = False
    carried: str = ""
    carrier: str = ""  # the method that carries it in this run; no field of a row
    presumes: tuple[str, ...] = ()
    presumes_not: tuple[str, ...] = ()

    def pieces(self) -> tuple[SendItem, ...]:
        """Return what is sent. Big payloads are made here, not when a file is read."""
        return tuple(_read_piece(item) for item in self.send)

    def holds_under(self, speaks: Profile) -> bool:
        """Tell whether the case holds under a profile.

        Where a revision has batches and its profile has none otherwise, the core's cases
        with batches hold too, if their requests are those of the profile.
        """
        if speaks.id in self.profiles:
            return True
        adds_batches = speaks.only_in.get(speaks.revision, {}).get("batches") == "answered"
        rule = clause(self.clause)
        is_about_batches = rule.profiles == ("core", "a2a") and rule.section in ("4.1", "6", "7")
        return adds_batches and is_about_batches and not _FOREIGN.search(str(self.send))


_FOREIGN: Final = re.compile(r'"params"\s*:\s*\[|"id"\s*:\s*null')
"""Params by position, and an id that is null: MCP has neither."""


def _read_piece(item: str | Mapping[str, Any]) -> SendItem:
    """Read one item of ``send``."""
    match item:
        case str():
            return Payload(item.encode())
        case {"hex": str(text)}:
            return Payload(bytes.fromhex(text))
        case {"raw": str(text)}:
            return Raw(text.encode())
        case {"raw_hex": str(text)}:
            return Raw(bytes.fromhex(text))
        case {"pause": int() | float() as seconds}:
            return Pause(seconds)
        case {"repeat": str(part), "times": int(times)}:
            text = item.get("before", "") + part * times + item.get("after", "")
            return Payload(text.encode())
    raise ValueError(f"send: not an item: {item!r}")


_FIELDS: Final = frozenset(Case.__dataclass_fields__) - {"outcomes", "carrier"}
_TUPLES: Final = ("send", "delivery", "compare", "presumes", "presumes_not")


def read_case(row: Mapping[str, Any]) -> Case:
    """Read one row.

    Raises:
        ValueError: the row is not a case; the text says why.
        LookupError: its clause or its ruling does not exist.
    """
    check_row(row, _FIELDS)
    values = {name: value for name, value in row.items() if name in _FIELDS}
    values |= {name: tuple(values[name]) for name in _TUPLES if name in values}
    values["profiles"] = tuple(row.get("profiles", clause(row["clause"]).profiles))
    values["needs"] = frozenset(row.get("needs", _named_methods(row["send"])))
    case = Case(outcomes=read_outcomes(row), **values)
    _check_values(case)
    return case


def _check_values(case: Case) -> None:
    if unknown := [way for way in case.delivery if way not in DELIVERIES]:
        raise ValueError(f"delivery: there is no {unknown[0]}")
    if case.framing not in ("newline", "content-length", "both"):
        raise ValueError(f"framing: there is no {case.framing}")
    if case.end not in ENDS:
        raise ValueError(f"end: there is no {case.end}")
    if case.carried not in ("", "any", "known"):
        raise ValueError(f"carried: any or known, not {case.carried}")
    for pattern in (case.matches, case.lacks, case.stderr_lacks):
        _check_pattern(pattern)
    if case.form and not (case.lacks or case.matches or case.outcomes == (Outcome(),)):
        raise ValueError("form: lacks or matches must say what the form is, or expect is []")
    for item in case.send:
        if not (isinstance(item, Mapping) and "repeat" in item):
            _read_piece(item)


def _check_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{pattern[:80]}: {error}") from error


def _named_methods(send: list[Any]) -> Iterator[str]:
    """Yield the demo methods that requests in ``send`` name."""
    for item in send:
        try:
            value = json.loads(item) if isinstance(item, str) else None
        except (ValueError, RecursionError):
            continue
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, dict) and "id" in member:
                method = member.get("method")
                if isinstance(method, str) and method in DEMO_METHODS:
                    yield method


def load_cases(folder: Path = FOLDER) -> tuple[Case, ...]:
    """Return every server case, in the order of the files.

    >>> load_cases()[0].clause
    '2.json'
    """
    return read_rows(folder, read_case)
