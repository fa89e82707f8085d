"""Send one line to a server in this process, and see what comes back.

Widgets, commands and notebooks use this console. It runs the real loop over a
pair of ``io.BytesIO``, so it shows what a pipe would carry, in the same order.
"""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from rpclab.codec import decode
from rpclab.demos.demo_server import demo_handler
from rpclab.errors import InvalidRequest, InvalidResponse, ParseError
from rpclab.messages import ErrorResponse, Handler, Notification, Request, SuccessResponse
from rpclab.parsing import read_message
from rpclab.server import serve
from rpclab.transport import StdioTransport

SHAPES: Final = {
    Request: "request",
    Notification: "notification",
    SuccessResponse: "success response",
    ErrorResponse: "error response",
}
NOT_JSON: Final = "not JSON"
NO_MESSAGE: Final = "no valid message"
BATCH: Final = "batch"
SILENCE: Final = "no reply"


def name_shape(line: bytes | str) -> str:
    """Return which of the four shapes a line has, or why it has none.

    >>> name_shape('{"jsonrpc":"2.0","method":"update"}')
    'notification'
    >>> name_shape('[1, 2]'), name_shape('{"jsonrpc"')
    ('batch', 'not JSON')
    """
    try:
        value = decode(line)
        return BATCH if isinstance(value, list) and value else SHAPES[type(read_message(value))]
    except ParseError:
        return NOT_JSON
    except (InvalidRequest, InvalidResponse):
        return NO_MESSAGE


def read_codes(line: str) -> list[int]:
    """Return the error codes in a line from a server, in order.

    >>> read_codes('{"jsonrpc":"2.0","error":{"code":-32601,"message":"?"},"id":1}')
    [-32601]
    """
    value = decode(line)
    members = value if isinstance(value, list) else [value]
    return [member["error"]["code"] for member in members if "error" in member]


@dataclass(frozen=True, repr=False, slots=True)
class Exchange:
    """A line, what the server wrote because of it, and what it logged.

    ``received`` is in time order. It is empty if the server did not reply.
    """

    sent: str
    received: tuple[str, ...]
    log: tuple[str, ...]

    @property
    def shape(self) -> str:
        """The shape of the line that was sent."""
        return name_shape(self.sent)

    def __str__(self) -> str:
        """Return lines with ``->`` to the server and ``<-`` from it."""
        lines = [f"-> {self.sent}   ({self.shape})"]
        for line in self.received:
            codes = "".join(f", {code}" for code in read_codes(line))
            lines.append(f"<- {line}   ({name_shape(line)}{codes})")
        if not self.received:
            lines.append(f"<- {SILENCE}")
        return "\n".join([*lines, *(f"   server's log: {entry}" for entry in self.log)])

    def __repr__(self) -> str:
        """Show a notebook what ``print`` shows."""
        return str(self)


class Console:
    """A server in this process, one line at a time.

    >>> console = Console()
    >>> console.send('{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}')
    -> {"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}   (request)
    <- {"jsonrpc":"2.0","result":19,"id":1}   (success response)

    Args:
        handler: the server's handler; the demo server's if left out.
    """

    def __init__(self, handler: Handler | None = None) -> None:
        self._out = io.BytesIO()
        self._handler = handler or demo_handler(StdioTransport(io.BytesIO(), self._out))
        self.transcript: list[Exchange] = []

    def send(self, line: bytes | str) -> Exchange:
        """Send one line, add the exchange to the transcript, and return it."""
        data = line.encode(errors="surrogatepass") if isinstance(line, str) else line
        self._out.seek(0)
        self._out.truncate()
        with _caught_log() as log:
            serve(self._handler, StdioTransport(io.BytesIO(data), self._out))
        received = self._out.getvalue().decode().splitlines()
        exchange = Exchange(data.decode(errors="backslashreplace"), tuple(received), tuple(log))
        self.transcript.append(exchange)
        return exchange


class _LogList(logging.Handler):
    """Keeps one line per record: the message and the exception, if any."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Add the line for one record."""
        error = record.exc_info[1] if record.exc_info else None
        cause = f": {error!r}" if error else ""
        self.lines.append(record.getMessage() + cause)


@contextmanager
def _caught_log() -> Iterator[list[str]]:
    """Catch what the server logs, so that a learner sees no traceback."""
    logger = logging.getLogger("rpclab")
    catcher = _LogList()
    logger.addHandler(catcher)
    before, logger.propagate = logger.propagate, False
    try:
        yield catcher.lines
    finally:
        logger.propagate = before
        logger.removeHandler(catcher)
