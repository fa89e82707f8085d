"""Specimens: servers with one defect, and the line that exposes it.

The learner's line goes to the specimen and to the reference, both in this
process. The two replies have to differ, and to differ as the clause says.
"""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from rpclab.course.catalogue import load
from rpclab.course.expect import SILENCE, Unquoted, demand
from rpclab.demos.console import SILENCE as NO_REPLY
from rpclab.demos.console import name_shape
from rpclab.demos.demo_server import demo_handler
from rpclab.dispatch import respond
from rpclab.messages import Handler
from rpclab.transport import StdioTransport

_MOST: Final = 1000


def demo() -> Handler:
    """Return the demo server's methods; what ``slow`` reports is dropped."""
    return demo_handler(StdioTransport(io.BytesIO(), io.BytesIO()))


class Tried(NamedTuple):
    """A line, and what the reference and the specimen replied to it."""

    line: bytes
    reference: bytes | None
    specimen: bytes | None

    def reference_gives(self, wanted: str) -> None:
        """Demand a kind of reply from the reference: see ``describe_reply``.

        Raises:
            Unmet: it is of another kind.
        """
        got = describe_reply(self.reference)
        self._demand(got == wanted, "the reference", self.reference, wanted)

    def specimen_gives(self, wanted: str) -> None:
        """Demand a kind of reply from the specimen.

        Raises:
            Unmet: it is of another kind.
        """
        got = describe_reply(self.specimen)
        self._demand(got == wanted, "the specimen", self.specimen, wanted)

    def differ(self) -> None:
        """Demand that the two replies are not the same.

        Raises:
            Unmet: they are.
        """
        differ = self.reference != self.specimen
        self._demand(differ, "both alike", self.specimen, "two different replies")

    def _demand(self, kept: bool, who: str, reply: bytes | None, wanted: str) -> None:
        text = SILENCE if reply is None else reply.decode()
        if not kept:
            line = self.line.decode(errors="backslashreplace")
            demand(False, line, Unquoted(f"{who}: {text}"), wanted)


def try_line(exercise: str, line: str | bytes) -> Tried:
    """Send a line to the reference and to the specimen of an exercise.

    Raises:
        Unmet: it is not one line.
        NotImplementedError: it is empty: nothing is written yet.
    """
    if line in ("", b""):
        raise NotImplementedError
    one_line = "one line: text or bytes, without a newline in it"
    demand(isinstance(line, str | bytes), exercise, line, one_line)
    data = line if isinstance(line, bytes) else line.encode(errors="surrogatepass")
    demand(b"\n" not in data, exercise, line, one_line)
    demand(len(data) <= _MOST, exercise, line, f"a line of at most {_MOST} bytes")
    with quiet():
        return Tried(data, respond(data, demo()), load(exercise, "specimen").respond(data))


@contextmanager
def quiet() -> Iterator[None]:
    """Keep a server's log off the screen: here it fails on purpose."""
    logger, mute = logging.getLogger("rpclab"), logging.NullHandler()
    before, logger.propagate = logger.propagate, False
    logger.addHandler(mute)
    try:
        yield
    finally:
        logger.propagate = before
        logger.removeHandler(mute)


def describe_reply(reply: bytes | None) -> str:
    """Say what kind of reply it is.

    >>> describe_reply(b'{"jsonrpc":"2.0","result":19,"id":1}')
    'a result'
    >>> describe_reply(None)
    'silence'
    """
    if reply is None:
        return SILENCE
    value: Any = json.loads(reply)  # a specimen may write text that is not strict JSON
    match value:
        case list():
            return "an array of responses"
        case {"error": {"code": int(code)}}:
            return f"error {code}"
        case {"result": _}:
            return "a result"
        case _:
            return "no response"


class Talk(NamedTuple):
    """A line, and what a specimen replied, which may be anything."""

    sent: str
    received: str | None

    def __repr__(self) -> str:
        """Print as the console does: ``->`` to the specimen, ``<-`` from it."""
        sent = f"-> {self.sent}   ({name_shape(self.sent)})"
        if self.received is None:
            return f"{sent}\n<- {NO_REPLY}"
        return f"{sent}\n<- {self.received}   ({name_shape(self.received)})"


class Suspect:
    """A specimen to talk to."""

    def __init__(self, exercise: str) -> None:
        self._respond = load(exercise, "specimen").respond

    def send(self, line: str | bytes) -> Talk:
        """Send one line, and return it with the reply."""
        data = line if isinstance(line, bytes) else line.encode(errors="surrogatepass")
        with quiet():
            reply = self._respond(data)
        text = None if reply is None else reply.decode()
        return Talk(data.decode(errors="backslashreplace"), text)


def specimen(exercise: str) -> Suspect:
    """Return the specimen of an exercise, to talk to.

    >>> specimen("ex07_not_json").send('{"jsonrpc":"2.0","method":"get_data","id":1}')
    -> {"jsonrpc":"2.0","method":"get_data","id":1}   (request)
    <- {"jsonrpc":"2.0","result":["hello",5],"id":1}   (success response)
    """
    return Suspect(exercise)
