"""Server cases: what is sent, what must come back, and which clause says so.

A case is a row of TOML in ``cases/*.toml``. It asks for nothing that its
clause does not ask for. docs/conformance.md explains the format; this is all of it:

    id         words; never changes
    clause     id of the clause that is judged (rpclab/spec/clauses.toml)
    level      must, should (as the clause has it) or free (the text leaves it open)
    about      what the text demands here, and where; for free: why it is open
    send       what goes to the server, in order. An item is
                 'text'                a payload: the framing's marks are put around it
                 { hex = "ff0a" }      the same, for bytes that are no text
                 { repeat = "a", times = 9, before = "", after = "" }   a big payload
                 { raw = "text" } or { raw_hex = "ff" }   bytes without marks
                 { pause = 0.2 }       seconds in which nothing is sent
    expect     the payloads that must come back, in any order; [] is silence
    expect_any several such lists, each of them right
    readings   the same by name: a reading of ``ruling``, and what such a server does:
               a list as above, or "ends" (it goes away) or "hangs". Exactly one of
               ``expect``, ``expect_any`` and ``readings`` is there
    ruling     id of the ruling that ``readings`` belong to (rpclab/spec/rulings.toml)
    breaks     readings that break the clause; the others keep it (none for free)
    profiles   where the case holds; the clause's own profiles if left out
    needs      demo methods that the server must have; if left out, those that a
               request in ``send`` names
    delivery   a list of ways to send it, each tried: whole, joined, bytes, cut-utf8,
               slow, stderr-flood. ["whole"] if left out
    framing    newline, content-length or both (if left out)
    isolated   true: in a process of its own, to which nothing was sent before
    end        how the session ends, in a process of its own: eof (stdin is closed),
               gone (nobody reads its stdout any more), interrupt (SIGINT)
    compare    ["message", "data"]: parts of an error object that count, too
    ordered    true: the payloads must come in the order of ``expect``
    matches    a regular expression that must be found in all bytes that came; a group
               that is repeated is simple, or atomic: (?>...)
    lacks      one that must not be found there
    stderr_lacks   one that must not be found at the end of stderr
    status     with ``end``: the exit status that the server must have
    deadline   seconds, where the run's own deadline is too short or too long
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rpclab.conformance.outcomes import Outcome, check_row, read_outcomes, read_rows
from rpclab.conformance.patterns import check_pattern
from rpclab.spec import clause

FOLDER: Final = Path(__file__).parent / "cases"
DELIVERIES: Final = ("whole", "joined", "bytes", "cut-utf8", "slow", "stderr-flood")
ENDS: Final = ("", "eof", "gone", "interrupt")
DEMO_METHODS: Final[Mapping[str, str]] = {
    "echo": "[]",
    "subtract": '{"minuend":2,"subtrahend":1}',
    "add": '{"first":1,"second":2}',
    "sum": "[1,2]",
    "slow": '{"seconds":0,"steps":1}',
} | dict.fromkeys(
    ["get_data", "boom", "typeerr", "keyerr", "badresult", "update", "notify_hello", "notify_sum"],
    "{}",
)
"""The demo methods, each with the params of a good request."""


@dataclass(frozen=True, slots=True)
class Message:
    """One payload. The target puts its framing's marks around it."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes that go out as they are."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Pause:
    """Seconds in which nothing is sent."""

    seconds: float


Piece = Message | Raw | Pause


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
    compare: tuple[str, ...] = ()
    ordered: bool = False
    matches: str = ""
    lacks: str = ""
    stderr_lacks: str = ""
    status: int | None = None
    deadline: float = 0.0

    def pieces(self) -> tuple[Piece, ...]:
        """Give what is sent. Big payloads are made here, not when a file is read."""
        return tuple(_piece(item) for item in self.send)


def _piece(item: str | Mapping[str, Any]) -> Piece:
    """Read one item of ``send``."""
    match item:
        case str():
            return Message(item.encode())
        case {"hex": str(text)}:
            return Message(bytes.fromhex(text))
        case {"raw": str(text)}:
            return Raw(text.encode())
        case {"raw_hex": str(text)}:
            return Raw(bytes.fromhex(text))
        case {"pause": int() | float() as seconds}:
            return Pause(seconds)
        case {"repeat": str(part), "times": int(times)}:
            text = item.get("before", "") + part * times + item.get("after", "")
            return Message(text.encode())
    raise ValueError(f"send: no such item: {item!r}")


_FIELDS: Final = frozenset(Case.__dataclass_fields__) - {"outcomes"}
_TUPLES: Final = ("send", "delivery", "compare")


def read_case(row: Mapping[str, Any]) -> Case:
    """Read one row.

    Raises:
        ValueError: the row is no case; the text says why.
        LookupError: its clause or its ruling is not there.
    """
    check_row(row, _FIELDS)
    values = {name: value for name, value in row.items() if name in _FIELDS}
    values |= {name: tuple(values[name]) for name in _TUPLES if name in values}
    values["profiles"] = tuple(row.get("profiles", clause(row["clause"]).profiles))
    values["needs"] = frozenset(row.get("needs", _named_methods(row["send"])))
    case = Case(outcomes=read_outcomes(row), **values)
    _check(case)
    return case


def _check(case: Case) -> None:
    if unknown := [way for way in case.delivery if way not in DELIVERIES]:
        raise ValueError(f"delivery: there is no {unknown[0]}")
    if case.framing not in ("newline", "content-length", "both"):
        raise ValueError(f"framing: there is no {case.framing}")
    if case.end not in ENDS:
        raise ValueError(f"end: there is no {case.end}")
    for pattern in (case.matches, case.lacks, case.stderr_lacks):
        check_pattern(pattern)
    for item in case.send:
        if not (isinstance(item, Mapping) and "repeat" in item):
            _piece(item)


def _named_methods(send: list[Any]) -> Iterator[str]:
    """Give the demo methods that requests in ``send`` name."""
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
    """Give every server case, in the order of the files.

    >>> load_cases()[0].clause
    '2.json'
    """
    return read_rows(folder, read_case)
