"""Client cases: what a client is told, what its server does, and what must come of it.

A case is a row of TOML in ``cases/clients/*.toml``. docs/conformance.md explains
the contract that a client under test keeps. ``id``, ``clause``, ``level``,
``about``, ``profiles``, ``expect``, ``expect_any``, ``readings``, ``ruling``,
``breaks``, ``compare`` and ``deadline`` are as in a server case, but they are about
the lines that the client writes to its stdout. The other fields:

    calls      what the client is told, one JSON object a line of its stdin
                 {"call":"echo","params":["hi"],"as":"a"}     begin a call named a
                 {"notify":"update","params":[1]}             send a notification
                 {"batch":[{"call":...},{"notify":...}]}      send these in one array
                 {"wait":"a"}                                 wait until a is settled
                 "timeout": 0.3 in a call                     give up after so many seconds
                 {"cancel":"a"}                               cancel call a
    script     what the server does, step by step. A step is
                 { read = 1 }          wait for so many more messages with a request in them
                 { hear = 1 }          wait for so many more notifications
                 { hold = "initialize" }   wait for this request of the handshake, and
                                       answer it when the script reads calls or has ended
                 { replies = 1 }       wait for so many more replies of the client, at most
                                       a second
                 { echo = true }       from here on write each line back that is read, and end
                                       lines with CR LF, as a terminal does
                 { write = 'text' }    write one payload; "<id 1>" in it stands for the id of
                                       the first request that was read, "<id 1 retyped>" for
                                       the same as text ("7" for 7, and 7 for "7"), and
                                       "<id 1 decimal>" for the same with a fraction (7.0)
                 { write = ['a', 'b'] }    write several payloads at once
                 { raw = "text" }, { raw_hex = "ff" }   write bytes without marks
                 { stderr = "text", times = 9 }         write to stderr
                 { pause = 0.2 }       wait
                 { exit = 3 }          end with this status, at once
               After the last step the server answers every request with its params,
               until its stdin ends. The handshake of mcp, lsp and acp is answered at any
               time, and the steps count none of it.
    wrote      messages that the client must have written, in any order, beside others;
               "<id 1>" stands for the id of its first request, two numbers for two ids
    wrote_not  messages that it must not have written; "<any>" and the like may be in them
    wrote_matches   a regular expression that each payload that it wrote must match
    form       true: the case is judged by what the client wrote alone, whatever it said
    ordered    true: the notifications must be told in the order of ``expect``; a call
               may be settled before them, between them or after them
    framing    newline, content-length or both (if left out)
    presumes   ids of cases that must be kept before this one can be judged, besides those
               that ``client_premises`` finds

The rows are in the words of the core. ``client_dialects`` puts a case into those of
mcp, lsp and acp.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rpclab.conformance.cases.shared import Outcome, check_row, read_outcomes, read_rows
from rpclab.spec import Profile, clause

FOLDER: Final = Path(__file__).parent / "clients"
_WAITS: Final = ("read", "hear", "hold", "replies", "pause")
_WRITES: Final = ("write", "raw", "raw_hex", "echo", "stderr", "times")
STEPS: Final = frozenset((*_WAITS, *_WRITES, "exit"))
ORDERS: Final = frozenset({"call", "notify", "batch", "wait", "cancel"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientCase:
    """One test of a clause that binds the client."""

    id: str
    clause: str
    level: str
    about: str
    calls: tuple[str, ...]
    script: tuple[Mapping[str, Any], ...]
    outcomes: tuple[Outcome, ...]
    profiles: tuple[str, ...]
    ruling: str = ""
    wrote: tuple[str, ...] = ()
    wrote_not: tuple[str, ...] = ()
    framing: str = "both"
    compare: tuple[str, ...] = ()
    ordered: bool = False
    deadline: float = 0.0
    presumes: tuple[str, ...] = ()
    form: bool = False
    wrote_matches: str = ""
    profile: str = "core"

    def holds_under(self, speaks: Profile) -> bool:
        """Tell whether the case holds under a profile."""
        return speaks.id in self.profiles


_FIELDS: Final = frozenset(ClientCase.__dataclass_fields__) - {"outcomes", "profile"}
_TUPLES: Final = ("calls", "script", "wrote", "wrote_not", "compare", "presumes")


def read_client_case(row: Mapping[str, Any]) -> ClientCase:
    """Read one row.

    Raises:
        ValueError: the row is not a case; the text says why.
        LookupError: its clause or its ruling does not exist.
    """
    check_row(row, _FIELDS)
    values = {name: value for name, value in row.items() if name in _FIELDS}
    values |= {name: tuple(values[name]) for name in _TUPLES if name in values}
    values["profiles"] = tuple(row.get("profiles", clause(row["clause"]).profiles))
    case = ClientCase(outcomes=read_outcomes(row), **values)
    for line in case.calls:
        if not json.loads(line).keys() & ORDERS:
            raise ValueError(f"calls: no order in {line}")
    for line in case.wrote + case.wrote_not:
        json.loads(line)
    for step in case.script:
        if not step or step.keys() - STEPS:
            raise ValueError(f"script: there is no step {dict(step)}")
    return case


def load_client_cases(folder: Path = FOLDER) -> tuple[ClientCase, ...]:
    """Return every client case, in the order of the files.

    >>> load_client_cases()[0].clause
    '5.result-on-success'
    """
    return read_rows(folder, read_client_case)
