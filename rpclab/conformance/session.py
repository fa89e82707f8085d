"""One run of a program under test: what is sent, what comes, and how it goes on."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from rpclab.conformance.deliveries import FRAMINGS, Chunk, Cut
from rpclab.conformance.outcomes import PAUSE
from rpclab.conformance.process import Process
from rpclab.conformance.proof import Proof
from rpclab.conformance.targets import Came, Observation, State
from rpclab.framing import Framing

FLOOD: Final = 8 << 20
"""How many bytes a target may write for one case, beside eight times what was sent."""

MOST_PAYLOADS: Final = 100_000
"""How many payloads it may write for one case."""

GRACE: Final = 0.3
"""How many seconds are waited for what is missing when the good request is answered."""

_LAST_WORDS: Final = 0.2
"""A program that has ended may have left bytes in its pipe, or others who hold it."""


class Session:
    """A process, its framing, and what came since the last case began."""

    def __init__(self, process: Process, framing: str) -> None:
        self.process = process
        self.framing = framing
        self._marks = FRAMINGS[framing]()
        self._incoming: Framing = FRAMINGS[framing](limit=FLOOD * 32)
        self.begin([], 1.0)

    def begin(self, chunks: Sequence[Chunk], deadline: float) -> None:
        """Forget what came before: a case begins."""
        self.came: list[Came] = []
        self.raw = bytearray()
        self._until = time.monotonic() + deadline
        self._most = FLOOD + 8 * sum(len(chunk) for chunk in chunks if isinstance(chunk, bytes))
        self._over = False

    def send(self, chunks: Sequence[Chunk]) -> State:
        """Write a plan, and read meanwhile."""
        for chunk in chunks:
            if isinstance(chunk, bytes):
                state = self._write(chunk)
            else:
                state = self._rest(chunk.seconds)
                if not isinstance(chunk, Cut):
                    self.came.append(PAUSE)
            if state != "alive":
                return state
        return "alive"

    def prove(self, proof: Proof, enough: Callable[[Sequence[Came]], bool]) -> State:
        """Send a good request and wait for its reply, and a little for what is missing."""
        looked_at = len(self.came)
        state = self._write(self._marks.wrap(proof.request()))
        while state == "alive":
            if proof.find(self.came, looked_at):
                return self._wait_for(enough)
            looked_at = len(self.came)
            state = self._step()
        return "alive" if proof.find(self.came, looked_at) and state == "ends" else state

    def _wait_for(self, enough: Callable[[Sequence[Came]], bool]) -> State:
        until = time.monotonic() + GRACE
        while not enough(self.came) and time.monotonic() < until:
            if self._step() != "alive":
                break
        return "alive"

    def finish(self) -> State:
        """Wait until it ends by itself."""
        while (state := self._step()) == "alive" and not self._ended():
            pass
        if self._ended() or state == "ends":
            left = max(0.0, self._until - time.monotonic())
            return "alive" if self.process.wait(left) is not None else "hangs"
        return state

    def _ended(self) -> bool:
        return self.process.status is not None and self.process.gone

    def observe(self, state: State, sent: bytes, note: str = "") -> Observation:
        """Say what came. A target that has ended has a moment to say how."""
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
        """Wait for something to come."""
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

    def _rest(self, seconds: float) -> State:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if (state := self._step(left)) != "alive":
                return state
        return "alive"

    def _step(self, wait: float = 1.0) -> State:
        self.process.step(wait=min(wait, max(0.0, self._until - time.monotonic())))
        return self._collect()

    def _collect(self) -> State:
        """Take what came, and tell how the target is."""
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
