"""Judge a client: run it against a scripted server, and look at what it makes of it.

docs/conformance.md has the contract. The client starts the server, so its
pipes are the client's own affair, as they are in the field.
"""

import json
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from rpclab.conformance import scripted, strings
from rpclab.conformance.choosing import Choice
from rpclab.conformance.clientcases import ClientCase, load_client_cases
from rpclab.conformance.command import PATIENCE
from rpclab.conformance.judging import find_outcome, find_reading, is_unasked, show, verdict
from rpclab.conformance.matching import NotJson, pair_up, read_payload, same_message
from rpclab.conformance.process import Process
from rpclab.conformance.running import ALL
from rpclab.conformance.session import Session
from rpclab.conformance.targets import DEADLINE, Came, Observation
from rpclab.conformance.verdicts import Finding, Report, Verdict
from rpclab.messages import Json

_AT_ONCE: Final = 2
"""How many clients run at once: they wait most of the time."""

Line = TypeVar("Line", Came, str)

_ID: Final = re.compile(r'"<id (\d+)>"')


@dataclass(frozen=True, slots=True)
class Seen:
    """What a client said, and what it wrote to its server."""

    said: Observation
    wrote: tuple[bytes, ...]


class ClientCommand:
    """A client that is a command, started once for each case."""

    def __init__(
        self, command: Sequence[str], framing: str = "newline", deadline: float = DEADLINE
    ) -> None:
        self.name = shlex.join(command)
        self.framing = framing
        self._command = list(command)
        self._deadline = deadline
        self._patience = PATIENCE

    def run(self, case: ClientCase) -> Seen:
        """Put the client through one case."""
        if self._patience <= 0:
            return Seen(Observation(state="spent", note=strings.STATES["spent"]), ())
        with tempfile.TemporaryDirectory(prefix="rpclab-") as folder:
            script, log = Path(folder, "script.json"), Path(folder, "log")
            script.write_text(json.dumps(case.script, default=dict), encoding="utf-8")
            log.touch()
            server = [sys.executable, "-I", "-S", scripted.__file__, str(script), str(log)]
            said = self._listen([*self._command, *server, self.framing], case)
            wrote = tuple(bytes.fromhex(line) for line in log.read_text().splitlines())
        self._patience -= said.state == "hangs"
        return Seen(said, wrote)

    def _listen(self, command: list[str], case: ClientCase) -> Observation:
        told = "".join(f"{line}\n" for line in case.calls).encode()
        try:
            process = Process(command, {"RPCLAB_FRAMING": self.framing})
        except OSError as error:
            note = f"it cannot be started: {error.strerror}"
            return Observation(state="absent", note=note)
        session = Session(process, "newline")
        try:
            session.begin([told], case.deadline or self._deadline)
            state = session.send([told])
            process.close_stdin()
            if state == "alive":
                state = session.finish()
            elif state == "ends":
                state = "alive"  # it may end before it has read all: what it said counts
            return session.observe(state, told)
        finally:
            process.close()


def judge_client(
    client: ClientCommand,
    cases: Iterable[ClientCase] | None = None,
    choice: Choice = ALL,
    after_each: Callable[[Verdict], object] = lambda _: None,
) -> Report:
    """Judge a client by the cases that fit it."""
    chosen = choice.of(load_client_cases() if cases is None else cases, client.framing)
    verdicts = []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for case, seen in zip(chosen, pool.map(client.run, chosen), strict=True):
            verdicts.append(judge_client_case(case, seen))
            after_each(verdicts[-1])
    return Report(
        target=client.name,
        profile=choice.profile,
        framing=client.framing,
        verdicts=tuple(verdicts),
        command="conform-client",
    )


def judge_client_case(case: ClientCase, seen: Seen) -> Verdict:
    """Give the verdict of one client case."""
    about_one = any('"reported"' in line for o in case.outcomes for line in o.lines)
    outcomes = (replace(o, lines=_one_report(o.lines, wanted=True)) for o in case.outcomes)
    case = replace(case, outcomes=tuple(outcomes))
    said = replace(seen.said, came=_one_report(seen.said.came, wanted=about_one))
    for value in map(read_payload, said.came):
        if isinstance(value, dict) and "cannot" in value:
            why = strings.CANNOT.format(order=value["cannot"])
            return verdict(case, "not judged", why, said)
    outcome = find_outcome(case, said)
    why = ""
    if outcome is None:
        why = _mismatch(said)
    elif not outcome.keeps:
        why = strings.READING.format(reading=outcome.reading)
    elif not wrote_it(case, [read_payload(payload) for payload in seen.wrote]):
        why = strings.WROTE
    if is_unasked(case, said):
        return verdict(case, "not judged", why, said)
    found: Finding = "free" if case.level == "free" else "broken" if why else "kept"
    reading = find_reading(case, outcome, said)
    return replace(verdict(case, found, why, said), reading=reading, wrote=seen.wrote)


def _one_report(lines: Iterable[Line], *, wanted: bool) -> tuple[Line, ...]:
    """Leave reports aside, but for the first one where the case is about one."""
    kept = []
    for line in lines:
        value = read_payload(line)
        is_report = isinstance(value, dict) and "reported" in value
        if wanted or not is_report:
            kept.append(line)
        wanted = wanted and not is_report
    return tuple(kept)


def _mismatch(said: Observation) -> str:
    if said.note:
        return said.note
    if said.state == "hangs":
        return strings.STATES["lives-on"]
    if said.state != "alive":
        return strings.STATES[said.state].format(status=said.status)
    for line in said.came:
        if isinstance(read_payload(line), NotJson):
            return strings.NO_OUTCOMES.format(line=ascii(show(line)[:80]))
    return strings.OTHER if said.came else strings.SILENT


def wrote_it(case: ClientCase, messages: list[Json]) -> bool:
    """Tell whether the messages that a client wrote are among those that are due."""
    calls = [
        m for message in messages for m in (message if isinstance(message, list) else [message])
    ]
    ids = [m["id"] for m in calls if isinstance(m, dict) and "method" in m and "id" in m]
    texts = [json.dumps(id) for id in ids]
    if case.wrote and len(set(texts)) < len(texts):
        return False
    due = [read_payload(_with_ids(line, texts)) for line in case.wrote]
    refused = [read_payload(_with_ids(line, texts)) for line in case.wrote_not]
    return pair_up(due, messages, same_message, exactly=False) and not any(
        same_message(one, message) for one in refused for message in messages
    )


def _with_ids(line: str, texts: list[str]) -> str:
    def put(asked: re.Match[str]) -> str:
        place = int(asked[1]) - 1
        return texts[place] if place < len(texts) else asked[0]

    return _ID.sub(put, line)
