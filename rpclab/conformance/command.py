"""A target that is a command: a program on pipes, judged over them.

One process serves many cases. It is replaced when it may be out of step:
after it ended, hung or flooded, and after a case in which something is missing.
"""

import json
import shlex
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rpclab.conformance.cases import Message
from rpclab.conformance.deliveries import plan, sent_bytes
from rpclab.conformance.process import Process
from rpclab.conformance.proof import Proof
from rpclab.conformance.session import Session
from rpclab.conformance.targets import DEADLINE, Observation, Script, State

PATIENCE: Final = 6
"""How many deadlines a target may hang for in all, before it is not asked any more."""


class CommandTarget:
    """A command over newline or Content-Length stdio.

    Args:
        command: the program and its arguments.
        framing: ``newline`` or ``content-length``.
        deadline: seconds for one case.
        greeting: payloads that each process gets first: a handshake.
    """

    def __init__(
        self,
        command: Sequence[str],
        framing: str = "newline",
        deadline: float = DEADLINE,
        greeting: Sequence[str] = (),
    ) -> None:
        self.name = shlex.join(command)
        self.framing = framing
        self._command = list(command)
        self._deadline = deadline
        self._greeting = [line.encode() for line in greeting]
        self._session: Session | None = None
        self._proof = Proof()
        self._hopeless: Observation | None = None
        self._patience = PATIENCE * deadline

    def exchange(self, script: Script) -> Observation:
        """Put it through a script, in a process that is fit for it."""
        if self._hopeless:
            return self._hopeless
        if self._patience <= 0:
            return Observation(state="spent", note="it hung so often that it was not asked")
        began = time.monotonic()
        try:
            seen = self._alone(script) if script.isolated or script.end else self._shared(script)
        except OSError as error:
            seen = Observation(state="absent", note=f"it cannot be started: {error.strerror}")
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
        if self._proof.usual is None:  # what a good request gets must be known first
            failure = self._open()
            if failure:
                return failure
        session = Session(Process(self._command), self.framing)
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
        """End the session as the script says; or go on, and see that the target does."""
        if script.end == "eof":
            session.process.close_stdin()
        elif script.end in ("", "interrupt"):
            state = session.prove(self._proof, script.enough)
            if not script.end or state != "alive":
                return state
            session.process.interrupt()
        return session.finish()

    def _open(self) -> Observation | None:
        """Start a process and greet it. Give what went wrong, if it never worked."""
        session = Session(Process(self._command), self.framing)
        self._session = session
        session.begin([], self._deadline)
        state = self._greet(session)
        if state == "alive":
            return None
        fault = f"{_FAULTS[state]} a first good request"
        seen = session.observe("ends" if state == "ends" else "mute", b"")
        note = fault.format(status=seen.status)
        seen = replace(seen, state="mute", note=note)
        self.close()
        if self._proof.usual is None:
            self._hopeless = seen
        else:
            self._patience -= self._deadline
        return seen

    def _greet(self, session: Session) -> State:
        for payload in self._greeting:
            state = session.send(plan([Message(payload)], self.framing))
            if state == "alive" and "id" in json.loads(payload):
                state = session.wait_for_any()
            if state != "alive":
                return state
        state = session.prove(self._proof, bool_true)
        while state == "alive" and self._proof.usual is None and self._proof.settle():
            state = session.prove(self._proof, bool_true)
        return state

    def close(self) -> None:
        """End the process, if one runs."""
        if self._session:
            self._session.process.close()
            self._session = None


def bool_true(_: object) -> bool:
    """Nothing is missing."""
    return True


_FAULTS: Final[dict[State, str]] = {
    "hangs": "no reply came to",
    "ends": "it ended (exit status {status}) before it answered",
    "floods": "it flooded its stdout instead of an answer to",
}
