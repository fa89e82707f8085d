"""A target in this process: a function that serves over two byte streams.

One rule: only for functions that return. No deadline can be enforced here, so
judge a server that you do not trust as a command.
"""

import io
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

from rpclab.conformance.cases.deliveries import Chunk, Cut, plan, sent_bytes
from rpclab.conformance.cases.shared import PAUSE
from rpclab.conformance.targets import Came, Observation, ProofOfLife, Script, State
from rpclab.framing import FRAMINGS, Framing, NewlineFraming
from rpclab.messages import Handler
from rpclab.server import serve
from rpclab.transport import FramedTransport, Reader, Writer

Serve: TypeAlias = Callable[[Reader, Writer], object]
"""A function that serves until the reader ends."""


class CallableTarget:
    """A function of this process. Each case is a session of its own.

    Args:
        serve: serves one session.
        framing: how it separates messages.
        name: what people call it.
    """

    def __init__(self, serve: Serve, framing: str = "newline", name: str = "function") -> None:
        self.name = name
        self.framing = framing
        self.revision = ""  # no handshake is made
        self._serve = serve
        self._proof = ProofOfLife()

    def exchange(self, script: Script) -> Observation:
        """Play a script. The pauses of a delivery are left out."""
        while self._proof.usual is None:
            self._run([self._good_request()], "")
            if not self._proof.find(list(self._streams.came())):
                note = "no reply came to a first good request"
                return Observation(state="mute", note=note)
            self._proof.settle()
        chunks = plan(script.pieces, self.framing, script.delivery)
        alone = script.isolated or script.end
        before = [] if alone else [self._good_request()]
        greeted = replace(self._proof)
        after = [] if script.end else [self._good_request()]
        note = self._run([*before, *chunks, *after], script.end)
        came = self._streams.came()
        if before:
            greeted.find(came)
        alive = self._proof.find(came) if after else not note
        state: State = "alive" if alive else "ends"
        raw = self._streams.raw.getvalue()
        return Observation(
            state=state, came=tuple(came), sent=sent_bytes(chunks), raw=raw, note=note
        )

    def _good_request(self) -> bytes:
        return FRAMINGS[self.framing]().wrap(self._proof.request())

    def _run(self, chunks: Sequence[Chunk], end: str) -> str:
        """Serve one session, and return a text about what it raised, if anything."""
        self._streams = _Streams(chunks, end, FRAMINGS[self.framing](limit=1 << 28))
        try:
            self._serve(self._streams, self._streams)
        except BaseException as error:  # noqa: BLE001  whatever it raises is an observation
            return f"it raised {error!r}"
        return ""

    def close(self) -> None:
        """Do nothing: a function has no process."""


class _Streams:
    """Both streams of a session: returns the planned chunks, and keeps what is written."""

    def __init__(self, chunks: Sequence[Chunk], end: str, framing: Framing) -> None:
        self._chunks = list(reversed(chunks))
        self._end = end
        self._framing = framing
        self._marks: list[int] = []
        self._written: list[tuple[float, int]] = []
        self._gave = time.monotonic()
        self.raw = io.BytesIO()

    def read1(self, _: int, /) -> bytes:
        """Return the next chunk, or nothing at the end."""
        while self._chunks:
            chunk = self._chunks.pop()
            if isinstance(chunk, bytes):
                if chunk:
                    self._gave = time.monotonic()
                    return chunk
            elif not isinstance(chunk, Cut):
                self._pause(chunk.seconds)
        if self._end == "interrupt":
            raise KeyboardInterrupt
        return b""

    def _pause(self, seconds: float) -> None:
        """Wait until a pause is over that began with the last chunk, and mark what came in it."""
        self._gave += seconds
        time.sleep(max(0.0, self._gave - time.monotonic()))
        self._marks.append(max((end for at, end in self._written if at <= self._gave), default=0))

    def write(self, data: bytes, /) -> int:
        """Keep the bytes, unless the reading end is closed."""
        if self._end == "gone":
            raise BrokenPipeError
        count = self.raw.write(data)
        self._written.append((time.monotonic(), self.raw.tell()))
        return count

    def flush(self) -> None:
        """Do nothing: the bytes are kept already."""

    def close(self) -> None:
        """Do nothing: the bytes are still needed."""

    def came(self) -> list[Came]:
        """Return the payloads that were written, and where the pauses were."""
        data, start = self.raw.getvalue(), 0
        came: list[Came] = []
        for mark in self._marks:
            came += self._framing.feed(data[start:mark]) if mark > start else []
            came.append(PAUSE)
            start = mark
        came += self._framing.feed(data[start:]) if data[start:] else []
        return came + self._framing.feed(b"")


def judge_handler(
    make: Callable[[FramedTransport], Handler], framing: str = "newline"
) -> CallableTarget:
    """Return a target for a handler, on rpclab's own transport."""

    def session(reader: Reader, writer: Writer) -> None:
        transport = FramedTransport(reader, writer, FRAMINGS[framing]())
        with _quiet():
            serve(make(transport), transport)

    return CallableTarget(session, framing, "handler")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the server's log: hundreds of handlers fail on purpose."""
    logger, mute = logging.getLogger("rpclab"), logging.NullHandler()
    before, logger.propagate = logger.propagate, False
    logger.addHandler(mute)
    try:
        yield
    finally:
        logger.propagate = before
        logger.removeHandler(mute)


def judge_respond(respond: Callable[[bytes], bytes | None]) -> CallableTarget:
    """Return a target for a function from a line to a reply, or None."""

    def session(reader: Reader, writer: Writer) -> None:
        marks = NewlineFraming()
        for line in FramedTransport(reader, writer, marks):
            if isinstance(line, bytes) and (reply := respond(line)) is not None:
                writer.write(marks.wrap(reply))

    return CallableTarget(session, name="respond")
