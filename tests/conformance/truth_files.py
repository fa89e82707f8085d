"""Truth files: what the lab must say of a real program, checked by hand.

A file ``truth/<program>.toml`` pins a program that others wrote, and has each clause
that it breaks with the bytes that show it. These are its fields:

    name        the program, and its version
    about       what it is, in a sentence
    ecosystem   python or node
    install     what pip or npm installs, with pinned versions
    command     how it is started; {python}, {bin} and {node} stand for the interpreter,
                the folder of installed commands, and node_modules; {here} for this folder
    profile     the profile it is judged by
    framing     newline or content-length
    client      true: a client, judged by conform-client; a server if left out
    checked     the day on which its verdicts were checked by hand
    quick       true: it is installed and judged in seconds, so it is tried with each change
    reached     how many of the MUST cases are judged, or blocked by a clause of this file:
                at least this part of them; left out if nothing is claimed
    unjudged    sentences: which cases are not judged, and why
    [[broken]]  a clause that it breaks, and the proof:
        clause  its id
        cases   cases that show it; each of them must be broken
        sent    what is sent in the first of them
        came    the payloads that come back, in order; [] is silence.
                <...> stands for any text
        why     why the verdict holds: what the specification says, and what the program does

The list is whole: a clause that is not in it must not be broken.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path

from rpclab.conformance.matrix.environments import Adapter, folder_of, prepare

HERE: Final = Path(__file__).parent / "truth"
CACHE: Final = user_cache_path("rpclab", appauthor=False) / "truth"
DEADLINE: Final = 600.0
"""How many seconds the judgement of one program may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A clause that a program breaks, and the bytes that prove it."""

    clause: str
    cases: tuple[str, ...]
    sent: str
    came: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is true of one program."""

    id: str
    name: str
    about: str
    ecosystem: str
    install: tuple[str, ...]
    command: tuple[str, ...]
    profile: str
    framing: str
    checked: object
    broken: tuple[Broken, ...]
    client: bool = False
    quick: bool = False
    reached: float = 0.0
    unjudged: tuple[str, ...] = ()


def load_truths(*, quick: bool) -> list[Truth]:
    """Return the truth files that are tried with each change, or the others."""
    truths = [read_truth(path) for path in sorted(HERE.glob("*.toml"))]
    return [truth for truth in truths if truth.quick == quick]


def read_truth(path: Path) -> Truth:
    """Read one file; an unknown field is refused."""
    row = tomllib.loads(path.read_text(encoding="utf-8"))
    broken = [Broken(**_frozen(one)) for one in row.pop("broken", [])]
    return Truth(id=path.stem, broken=tuple(broken), **_frozen(row))


def _frozen(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(one) if isinstance(one, list) else one for key, one in row.items()}


def install(truth: Truth, cache: Path = CACHE) -> list[str]:
    """Install the program, if it is not there yet, and return its command."""
    wanted = Adapter(
        id=truth.id,
        ecosystem=truth.ecosystem,
        install=truth.install,
        program="",
        framing=truth.framing,
        kind="server",
        note="",
        home="",
    )
    interpreter = prepare(wanted, cache).command[0]
    places = {
        "{python}": interpreter,
        "{bin}": str(Path(interpreter).parent),
        "{node}": str(folder_of(wanted, cache) / "node_modules"),
        "{adapters}": str(folder_of(wanted, cache) / "adapters"),
        "{here}": str(HERE),
    }
    return [_put(word, places) for word in truth.command]


def _put(word: str, places: Mapping[str, str]) -> str:
    for mark, place in places.items():
        word = word.replace(mark, place)
    return word


def judge(truth: Truth, command: Sequence[str]) -> dict[str, Any]:
    """Run ``rpclab conform``, and return its report in JSON."""
    judging = "conform-client" if truth.client else "conform"
    options = ["--profile", truth.profile, "--framing", truth.framing, "--json", "-"]
    run = subprocess.run(
        [sys.executable, "-m", "rpclab", judging, *options, "--", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr[-2000:]
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def find_differences(truth: Truth, report: Mapping[str, Any]) -> list[str]:
    """Say where a report differs from the truth; nothing if it does not."""
    found = {case["case"]: case for case in report["cases"]}
    accused = {case["clause"]: case for case in found.values() if case["verdict"] == "broken"}
    known = {one.clause for one in truth.broken}
    return [
        *(
            f"{clause} is accused wrongly, by {case['case']}: {case['why']}"
            for clause, case in accused.items()
            if clause not in known
        ),
        *(line for one in truth.broken for line in _differences_in(one, found)),
        *_too_few(truth, report["cases"]),
    ]


def _differences_in(one: Broken, found: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Compare the cases of one clause, and the bytes of the first of them."""
    for id in one.cases:
        case = found.get(id, {"verdict": "not run"})
        if case["verdict"] != "broken":
            yield f"{one.clause} is not broken by {id}: {case['verdict']}. {case.get('why', '')}"
        elif case["clause"] != one.clause:
            yield f"{id} is a case of {case['clause']}, not of {one.clause}"
    proof = found.get(one.cases[0], {})
    if proof.get("verdict") == "broken":
        if one.sent not in proof["sent"]:
            yield f"{one.cases[0]} sent {proof['sent']!r}"
        if not payloads_fit(one.came, proof["came"]):
            yield f"{one.cases[0]}: {proof['came']!r} came"


def payloads_fit(patterns: Sequence[str], payloads: Sequence[str]) -> bool:
    """Tell whether payloads are those of a list, where <...> is any text."""
    expressions = [".*".join(map(re.escape, one.split("<...>"))) for one in patterns]
    return len(expressions) == len(payloads) and all(
        re.fullmatch(one, payload, re.DOTALL)
        for one, payload in zip(expressions, payloads, strict=True)
    )


def _too_few(truth: Truth, cases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say how many MUST cases were reached, if the file claims more."""
    must = [case for case in cases if case["level"] == "must"]
    known = {one.clause for one in truth.broken}
    reached = [c for c in must if c["verdict"] != "not judged" or c.get("blocked_by") in known]
    if len(reached) < truth.reached * len(must):
        yield f"{len(reached)} of {len(must)} MUST cases were reached, not {truth.reached:.0%}"
