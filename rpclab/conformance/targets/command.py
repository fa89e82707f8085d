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
from rpclab.conformance.cases.deliveries import Chunk, Cut, plan, sent_bytes
from rpclab.conformance.targets import (
    DEADLINE,
    PATIENCE,
    Came,
    ClientObservation,
    Observation,
    ProofOfLife,
    Script,
    State,
    find_revision,
    nothing_is_missing,
    scripted_server,
)
from rpclab.conformance.targets.process import Process
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

_LAST_WORDS: Final = 0.2
"""How many seconds to read on after a program has ended: its pipe may not be empty."""

_FAULTS: Final[dict[State, str]] = {
    "hangs": "no reply came to",
    "ends": "it ended (exit status {status}) before it answered",
    "floods": "it flooded its stdout instead of an answer to",
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
        self.begin([], 1.0)

    def begin(self, chunks: Sequence[Chunk], deadline: float) -> None:
        """Begin a case: forget what came before."""
        self.came: list[Came] = []
        self.raw = bytearray()
        self._until = time.monotonic() + deadline
        self._most = FLOOD + 8 * sum(len(chunk) for chunk in chunks if isinstance(chunk, bytes))
        self._over = False

    def send(self, chunks: Sequence[Chunk]) -> State:
        """Write a plan, and read at the same time."""
        for chunk in chunks:
            if isinstance(chunk, bytes):
                state = self._write(chunk)
            else:
                state = self._pause(chunk.seconds)
                if not isinstance(chunk, Cut):
                    self.came.append(PAUSE)
            if state != "alive":
                return state
        return "alive"

    def prove(self, proof: ProofOfLife, enough: Callable[[Sequence[Came]], bool]) -> State:
        """Send a good request, wait for its reply, and a little longer for what is missing."""
        looked_at = len(self.came)
        self._asked = self._marks.wrap(proof.request())
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
        until = time.monotonic() + GRACE
        while not enough(self.came) and time.monotonic() < until:
            if self._step() != "alive":
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

    def _ended(self) -> bool:
        return self.process.status is not None and self.process.gone

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
        )

    def wait_for_any(self) -> State:
        """Wait until anything comes."""
        state: State = "alive"
        while state == "alive" and not self.came:
            state = self._step()
        return state

    def _write(self, data: bytes) -> State:
        rest = memoryview(data)
        while rest:
            rest = rest[self.process.step(rest) :]
            if (state := self._collect()) != "alive":
                return state
        return "alive"

    def _pause(self, seconds: float) -> State:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if (state := self._step(left)) != "alive":
                return state
        return "alive"

    def _step(self, wait: float = 1.0) -> State:
        self.process.step(wait=min(wait, max(0.0, self._until - time.monotonic())))
        return self._collect()

    def _collect(self) -> State:
        """Take what came, and return the state of the target."""
        chunk = bytes(self.process.read)
        self.process.read.clear()
        self.raw += chunk
        if chunk:
            self.came += self._incoming.feed(chunk)
        if len(self.raw) > self._most or len(self.came) > MOST_PAYLOADS:
            return "floods"
        if self._is_over(bool(chunk)):
            if not self._over:
                self.came += self._incoming.feed(b"")
            self._over = True
            return "ends"
        return "hangs" if time.monotonic() > self._until else "alive"

    def _is_over(self, something_came: bool) -> bool:
        if not self.process.stdout_open:
            return not self.process.gone
        if self.process.status is None or something_came:
            return False
        self.process.step(wait=_LAST_WORDS)
        return not self.process.read


class CommandTarget:
    """A command over newline or Content-Length stdio.

    Args:
        command: the program and its arguments.
        framing: ``newline`` or ``content-length``.
        deadline: seconds for one case.
        greeting: payloads that each process gets first: a handshake.
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
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> None:
        self.name = shlex.join(command)
        self.framing = framing
        self.revision = ""
        self._start = partial(Process, list(command), env, cwd)
        self._deadline = deadline
        self._greeting = [line.encode() for line in greeting]
        self._session: Session | None = None
        self._proof = ProofOfLife()
        self._hopeless: Observation | None = None
        self._patience = PATIENCE * deadline

    def exchange(self, script: Script) -> Observation:
        """Play a script, in a process that is fit for it."""
        if self._hopeless:
            return self._hopeless
        if self._patience <= 0:
            return Observation(state="spent")
        began = time.monotonic()
        try:
            seen = self._alone(script) if script.isolated or script.end else self._shared(script)
        except OSError as error:
            seen = Observation(state="absent", note=f"{NOT_STARTED}{error}")
            self._hopeless = seen
        if seen.state == "hangs":
            self._patience -= time.monotonic() - began
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
        if self._proof.usual is None:  # the reply to a good request must be known first
            failure = self._open()
            if failure:
                return failure
        session = Session(self._start(), self.framing)
        try:
            return self._play(session, script)
        finally:
            session.process.close()

    def _play(self, session: Session, script: Script) -> Observation:
        chunks = plan(script.pieces, self.framing, script.delivery)
        session.begin(chunks, script.deadline or self._deadline)
        if script.end == "gone":
            session.process.close_stdout()
        state = session.send(chunks)
        if state == "alive":
            state = self._end(session, script)
        return session.observe(state, sent_bytes(chunks))

    def _end(self, session: Session, script: Script) -> State:
        """End the session as the script says; otherwise check that the target goes on."""
        if script.end == "eof":
            session.process.close_stdin()
        elif script.end in ("", "interrupt"):
            state = session.prove(self._proof, script.enough)
            if not script.end or state != "alive":
                return state
            session.process.interrupt()
        return session.finish()

    def _open(self) -> Observation | None:
        """Start a process and greet it. Return what went wrong, if anything did."""
        session = Session(self._start(), self.framing)
        self._session = session
        session.begin([], self._deadline)
        state = self._greet(session)
        if state == "alive" and not session.is_echoed:
            return None
        fault = _TERMINAL if state == "alive" else f"{_FAULTS[state]} a first good request"
        seen = session.observe("ends" if state == "ends" else "mute", b"")
        note = fault.format(status=seen.status)
        seen = replace(seen, state="mute", note=note)
        self.close()
        if self._proof.usual is None or state == "alive":
            self._hopeless = seen
        else:
            self._patience -= self._deadline
        return seen

    def _greet(self, session: Session) -> State:
        for payload in self._greeting:
            state = session.send(plan([Payload(payload)], self.framing))
            if state == "alive" and "id" in json.loads(payload):
                state = session.wait_for_any()
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
    """A client that is a command. docs/conformance.md has the contract that it keeps."""

    def __init__(
        self,
        command: Sequence[str],
        framing: str = "newline",
        deadline: float = DEADLINE,
        *,
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> None:
        self.name = shlex.join(command)
        self.framing = framing
        self._command = list(command)
        self._env = {**(env or {}), "RPCLAB_FRAMING": framing}
        self._cwd = cwd
        self._deadline = deadline
        self._patience = PATIENCE

    def run(self, case: ClientCase) -> ClientObservation:
        """Run the client for one case, against the scripted server."""
        if self._patience <= 0:
            return ClientObservation(Observation(state="spent"), ())
        with tempfile.TemporaryDirectory(prefix="rpclab-") as folder:
            script, log = Path(folder, "script.json"), Path(folder, "log")
            script.write_text(json.dumps(case.script, default=dict), encoding="utf-8")
            log.touch()
            server = [sys.executable, "-I", "-S", scripted_server.__file__, str(script), str(log)]
            said = self._listen([*self._command, *server, self.framing], case)
            wrote = tuple(bytes.fromhex(line) for line in log.read_text().splitlines())
        if said.state == "hangs":
            self._patience -= 1
        return ClientObservation(said, wrote)

    def _listen(self, command: list[str], case: ClientCase) -> Observation:
        told = "".join(f"{line}\n" for line in case.calls).encode()
        try:
            process = Process(command, self._env, self._cwd)
        except OSError as error:
            note = f"{NOT_STARTED}{error}"
            return Observation(state="absent", note=note)
        session = Session(process, "newline")
        try:
            session.begin([told], case.deadline or self._deadline)
            state = session.send([told])
            process.close_stdin()
            if state == "alive":
                state = session.finish()
            elif state == "ends":
                state = "alive"  # it may end before it has read everything
            return session.observe(state, told)
        finally:
            process.close()
