"""A command under test: a server on its pipes, or a client that starts its own server.

One process of a server serves many cases. It is replaced when it may be out of
step: after it ended, hung or flooded, and after a case in which something was
missing. A client is started once for each case.
"""

import json
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from rpclab.conformance.cases import PAUSE, ClientCase, Payload
from rpclab.conformance.cases.deliveries import Chunk, Cut, Turn, plan, sent_bytes
from rpclab.conformance.comparison import is_call, read_payload
from rpclab.conformance.targets import (
    DEADLINE,
    PATIENCE,
    STARTUP,
    USUAL,
    Came,
    ClientObservation,
    Observation,
    Pace,
    ProofOfLife,
    Script,
    State,
    find_revision,
    nothing_is_missing,
    scripted_server,
)
from rpclab.conformance.targets.process import Process
from rpclab.conformance.targets.server_calls import answer
from rpclab.framing import FRAMINGS, Framing
from rpclab.peer.program import Environment, Folder

FLOOD: Final = 8 << 20
"""How many bytes a target may write for one case, plus eight times what was sent."""

MOST_PAYLOADS: Final = 100_000
"""How many payloads it may write for one case."""

GRACE: Final = 0.3
"""How many seconds to wait for what is missing once the good request is answered."""

NOT_STARTED: Final = "it cannot be started: "
"""What comes before the sentence that says why a program cannot be started."""

_LATE: Final = 0.5
"""How many seconds a reply may lie in the pipe, where a case says that it is read late."""

_LOOK: Final = 0.01
"""How many seconds pass before something is looked at again."""

_LAST_WORDS: Final = 0.2
"""How many seconds to read on after a program has ended: its pipe may not be empty."""

_FAULTS: Final[dict[State, str]] = {
    "hangs": "no reply came to a {which} good request within {seconds:g} s of its start",
    "ends": "it ended (exit status {status}) before it answered a {which} good request",
    "floods": "it flooded its stdout instead of an answer to a {which} good request",
}
_TERMINAL: Final = (
    "each line that is sent to it comes back: it is behind a terminal, which echoes"
    " (docker run needs -i, and no -t)"
)


class Session:
    """A process, its framing, and what came since the current case began."""

    def __init__(self, process: Process, framing: str) -> None:
        self.process = process
        self.framing = framing
        self._marks = FRAMINGS[framing]()
        self._incoming: Framing = FRAMINGS[framing](limit=FLOOD * 32)
        self._asked = b""
        self._answers = bytearray()
        self.begin([], 1.0)

    def begin(self, chunks: Sequence[Chunk], deadline: float, pace: Pace = USUAL) -> None:
        """Begin a case: forget what came before."""
        self.came: list[Came] = []
        self.raw = bytearray()
        self._written = bytearray()
        self._pace = pace
        self._until = time.monotonic() + deadline * pace.slack
        self._in_vain = False
        self._most = FLOOD + 8 * sum(len(chunk) for chunk in chunks if isinstance(chunk, bytes))
        self._over = False

    def send(self, chunks: Sequence[Chunk]) -> State:
        """Write a plan, and read at the same time."""
        for chunk in chunks:
            if isinstance(chunk, bytes):
                self._written += chunk
                state = self._write(chunk)
            else:
                seconds = chunk.seconds * self._pace.pauses
                state = self._pause(seconds, is_turn=isinstance(chunk, Turn))
                if not isinstance(chunk, Cut):
                    self.came.append(PAUSE)
            if state != "alive":
                return state
        return "alive"

    def prove(self, proof: ProofOfLife, enough: Callable[[Sequence[Came]], bool]) -> State:
        """Send a good request, wait for its reply, and a little longer for what is missing."""
        looked_at = len(self.came)
        self._asked = self._marks.wrap(proof.request())
        self._written += self._asked
        state = self._write(self._asked)
        while state == "alive":
            if proof.find(self.came, looked_at):
                return self._wait_for(enough)
            looked_at = len(self.came)
            state = self._step()
        return "alive" if proof.find(self.came, looked_at) and state == "ends" else state

    @property
    def is_echoed(self) -> bool:
        """Whether the last good request came back with the line end of a terminal."""
        return self._asked.rstrip(b"\n") + b"\r\n" in self.raw

    def _wait_for(self, enough: Callable[[Sequence[Came]], bool]) -> State:
        until = time.monotonic() + GRACE * self._pace.slack
        while not enough(self.came) and self._step(until - time.monotonic()) == "alive":
            if time.monotonic() > until:
                self._in_vain = True
                break
        return "alive"

    def finish(self) -> State:
        """Wait until the process ends by itself."""
        while (state := self._step()) == "alive" and not self._ended():
            pass
        if self._ended() or state == "ends":
            left = max(0.0, self._until - time.monotonic())
            return "alive" if self.process.wait(left) is not None else "hangs"
        return state

    def leave_unread(self) -> None:
        """Read nothing until the process has ended, or a moment is over."""
        until = time.monotonic() + _LATE
        while self.process.status is None and time.monotonic() < until:
            time.sleep(_LOOK)

    def _ended(self) -> bool:
        return self.process.status is not None and self.process.pipes.gone

    def observe(self, state: State, sent: bytes, note: str = "") -> Observation:
        """Return what came. After an end, wait a moment for the exit status."""
        if state == "ends":
            self.process.wait(_LAST_WORDS)
        return Observation(
            state=state,
            came=tuple(self.came),
            sent=sent,
            raw=bytes(self.raw),
            status=self.process.status,
            stderr=self.process.stderr_tail,
            note=note,
            timed_out=self._in_vain or state == "hangs",
        )

    def wait_for_response(self) -> State:
        """Wait until a response comes, even an odd one. The target may ask and tell before it."""
        state: State = "alive"
        looked_at = 0
        while state == "alive" and not any(map(_is_response, self.came[looked_at:])):
            looked_at = len(self.came)
            state = self._step()
        return state

    def wait_until(self, is_so: Callable[[], bool]) -> State:
        """Read until something is so, which is looked at again and again."""
        state: State = "alive"
        while state == "alive" and not is_so():
            state = self._step(_LOOK)
        return state

    def extend(self, seconds: float) -> None:
        """Allow so many seconds from now on."""
        self._until = time.monotonic() + seconds

    def _write(self, data: bytes) -> State:
        rest = memoryview(data)
        while rest:
            rest = rest[self.process.pipes.step(rest) :]
            if (state := self._collect()) != "alive":
                return state
        return "alive"

    def _pause(self, seconds: float, *, is_turn: bool) -> State:
        until, before = time.monotonic() + seconds, len(self.came)
        while (left := until - time.monotonic()) > 0:
            if is_turn and any(map(_is_response, self.came[before:])):
                break
            if (state := self._step(left)) != "alive":
                return state
        return "alive"

    def _step(self, wait: float = 1.0) -> State:
        self.process.pipes.step(wait=min(wait, max(0.0, self._until - time.monotonic())))
        state = self._collect()
        return self._answer() if state == "alive" and self._answers else state

    def _answer(self) -> State:
        """Answer the target's own requests, unless half a message was sent."""
        sent: Framing = FRAMINGS[self.framing](limit=FLOOD * 32)
        sent.feed(bytes(self._written))
        if sent.feed(b""):
            return "alive"
        answers = bytes(self._answers)
        self._answers.clear()
        return self._write(answers)

    def _collect(self) -> State:
        """Take what came, and return the state of the target."""
        chunk = bytes(self.process.pipes.read)
        self.process.pipes.read.clear()
        self.raw += chunk
        if chunk:
            self._take(self._incoming.feed(chunk))
        if len(self.raw) > self._most or len(self.came) > MOST_PAYLOADS:
            return "floods"
        if self._is_over(bool(chunk)):
            if not self._over:
                self.came += self._incoming.feed(b"")
            self._over = True
            return "ends"
        return "hangs" if time.monotonic() > self._until else "alive"

    def _take(self, payloads: Sequence[Came]) -> None:
        """Keep what came, and have an answer ready for each request in it."""
        self.came += payloads
        for payload in (one for one in payloads if isinstance(one, bytes)):
            reply = answer(payload)
            # What was sent may come back, from a terminal for example. It asks for nothing.
            if reply and payload.rstrip() not in self._written:
                self._answers += self._marks.wrap(reply.encode())

    def _is_over(self, something_came: bool) -> bool:
        if not self.process.pipes.stdout_open:
            return not self.process.pipes.gone
        if self.process.status is None or something_came:
            return False
        self.process.pipes.step(wait=_LAST_WORDS)
        return not self.process.pipes.read


def _is_response(payload: Came) -> bool:
    if not isinstance(payload, bytes) or is_call(read_payload(payload)):
        return False
    return any(member in payload for member in (b'"id"', b'"result"', b'"error"'))


class CommandTarget:
    """A command over newline or Content-Length stdio.

    Args:
        command: the program and its arguments.
        framing: ``newline`` or ``content-length``.
        deadline: seconds for one case.
        greeting: payloads that each process gets first: a handshake.
        startup: seconds in which a process must answer its first request.
        env: variables that are added to ours; None as a value takes one away.
        cwd: the folder that it starts in; ours, unless told otherwise.
    """

    def __init__(  # noqa: PLR0913  each says something else about how it is started
        self,
        command: Sequence[str],
        framing: str = "newline",
        deadline: float = DEADLINE,
        greeting: Sequence[str] = (),
        *,
        startup: float = STARTUP,
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> None:
        self.name = shlex.join(command)
        self.framing = framing
        self.revision = ""
        self._start = partial(Process, list(command), env, cwd)
        self._deadline = deadline
        self._startup = startup
        self._slowest_start = 0.0
        self._greeting = [line.encode() for line in greeting]
        self._session: Session | None = None
        self._proof = ProofOfLife()
        self._is_known = False  # whether it ever answered two good requests
        self._hopeless: Observation | None = None
        self._patience = PATIENCE

    def exchange(self, script: Script) -> Observation:
        """Play a script, in a process that is fit for it."""
        if self._hopeless:
            return self._hopeless
        if self._patience <= 0:
            return Observation(state="spent")
        if script.pace.fresh:
            self.close()
        try:
            seen = self._alone(script) if script.isolated or script.end else self._shared(script)
        except OSError as error:
            seen = Observation(state="absent", note=f"{NOT_STARTED}{error}")
            self._hopeless = seen
        if seen.state in ("hangs", "mute"):
            self._patience -= 1
        return seen

    def _shared(self, script: Script) -> Observation:
        if self._session is None:
            failure = self._open()
            if failure:
                return failure
        assert self._session is not None
        seen = self._play(self._session, script)
        if seen.state != "alive" or not script.enough(seen.came):
            self.close()
        return seen

    def _alone(self, script: Script) -> Observation:
        if not self._is_known:  # the reply to a good request must be known first
            failure = self._open()
            if failure:
                return failure
        session = Session(self._start(), self.framing)
        try:
            return self._play(session, script, extra=self._slowest_start)
        finally:
            session.process.close()

    def _play(self, session: Session, script: Script, extra: float = 0.0) -> Observation:
        """Play a script. A process that only just starts has ``extra`` seconds for it."""
        chunks = plan(script.pieces, self.framing, script.delivery)
        session.begin(chunks, (script.deadline or self._deadline) + extra, script.pace)
        if script.end == "gone":
            session.process.pipes.close_stdout()
        state = session.send(chunks)
        if state == "alive":
            state = self._end(session, script)
        return session.observe(state, sent_bytes(chunks))

    def _end(self, session: Session, script: Script) -> State:
        """End the session as the script says; otherwise check that the target goes on."""
        if script.end == "eof":
            session.process.pipes.close_stdin()
            if script.reads_late:
                session.leave_unread()
        elif script.end in ("", "interrupt"):
            state = session.prove(self._proof, script.enough)
            if not script.end or state != "alive":
                return state
            session.process.interrupt()
        return session.finish()

    def _open(self) -> Observation | None:
        """Start a process and greet it. Return what went wrong, if anything did."""
        began = time.monotonic()
        session = Session(self._start(), self.framing)
        self._session = session
        session.begin([], self._startup)
        state = self._greet(session)
        if state == "alive" and not session.is_echoed:
            self._slowest_start = max(self._slowest_start, time.monotonic() - began)
            if not self._is_known:
                state = session.prove(self._proof, nothing_is_missing)
            if state == "alive":
                self._is_known = True
                return None
        which = "first" if self._is_known or self._proof.seen is None else "second"
        fault = _TERMINAL if state == "alive" else _FAULTS[state]
        seen = session.observe("ends" if state == "ends" else "mute", b"")
        note = fault.format(status=seen.status, which=which, seconds=self._startup)
        seen = replace(seen, state="mute", note=note)
        self.close()
        if not self._is_known or state == "alive":
            self._hopeless = seen
        return seen

    def _greet(self, session: Session) -> State:
        for payload in self._greeting:
            state = session.send(plan([Payload(payload)], self.framing))
            if state == "alive" and "id" in json.loads(payload):
                state = session.wait_for_response()
                self.revision = self.revision or find_revision(session.came)
            if state != "alive":
                return state
        state = session.prove(self._proof, nothing_is_missing)
        while state == "alive" and self._proof.usual is None and self._proof.settle():
            state = session.prove(self._proof, nothing_is_missing)
        return state

    def close(self) -> None:
        """End the process, if there is one."""
        if self._session:
            self._session.process.close()
            self._session = None


class ClientCommand:
    """A client that is a command. docs/conformance.md has the contract that it keeps.

    The arguments are as for a server. ``startup`` is how many seconds it may take to start
    and to call its server; the deadline counts from there.
    """

    def __init__(  # noqa: PLR0913  each says something else about how it is started
        self,
        command: Sequence[str],
        framing: str = "newline",
        deadline: float = DEADLINE,
        *,
        startup: float = 0.0,
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> None:
        self.name = shlex.join(command)
        self.framing = framing
        self._command = list(command)
        self._env = {**(env or {}), "RPCLAB_FRAMING": framing}
        self._cwd = cwd
        self._deadline = deadline
        self._startup = startup
        self._patience = PATIENCE

    def run(self, case: ClientCase, pace: Pace = USUAL) -> ClientObservation:
        """Run the client for one case, against the scripted server."""
        if self._patience <= 0:
            return ClientObservation(Observation(state="spent"), ())
        with tempfile.TemporaryDirectory(prefix="rpclab-", ignore_cleanup_errors=True) as folder:
            script, log = Path(folder, "script.json"), Path(folder, "log")
            script.write_text(json.dumps(case.script, default=dict), encoding="utf-8")
            log.touch()
            server = [sys.executable, "-I", "-S", scripted_server.__file__, str(script), str(log)]
            server += [self.framing, case.profile]
            said = self._listen([*self._command, *server], case, pace, log)
            lines = log.read_text().splitlines()
            wrote = tuple(bytes.fromhex(line) for line in lines if line != scripted_server.END)
        if said.state == "hangs":
            self._patience -= 1
        return ClientObservation(said, wrote)

    def _listen(self, command: list[str], case: ClientCase, pace: Pace, log: Path) -> Observation:
        told = "".join(f"{line}\n" for line in case.calls).encode()
        try:
            env = {**self._env, "RPCLAB_PROFILE": case.profile}
            process = Process(command, env, self._cwd)
        except OSError as error:
            note = f"{NOT_STARTED}{error}"
            return Observation(state="absent", note=note)
        session = Session(process, "newline")
        try:
            deadline = case.deadline or self._deadline
            session.begin([told], deadline, pace)
            session.extend(max(deadline, self._startup))
            state = session.send([told])
            process.pipes.close_stdin()
            if state == "alive":  # the deadline is for the case, and not for its start
                state = session.wait_until(lambda: bool(session.came or log.stat().st_size))
            if state == "alive":
                session.extend(deadline * pace.slack)
                state = session.finish()
            elif state == "ends":
                state = "alive"  # it may end before it has read everything
            if state == "alive":
                _wait_for_last_words(log)
            return session.observe(state, told)
        finally:
            process.close()


def _wait_for_last_words(log: Path) -> None:
    """Wait a moment for a server that its client did not wait for: it may still read."""
    until = time.monotonic() + _LAST_WORDS
    while (text := log.read_text()) and scripted_server.END not in text:
        if time.monotonic() > until:
            return
        time.sleep(_LOOK)
