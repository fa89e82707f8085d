"""What exercise 29 must do."""

import io
from collections.abc import Callable
from typing import Any

from rpclab.course import demand, expect
from rpclab.errors import JsonRpcError
from rpclab.messages import Request

Ask = Callable[[Any, Any, Request, Any], Any]
REQUEST = Request("sum", [1, 2], 7)
REPLY = b'{"jsonrpc":"2.0","result":3,"id":7}\n'
NOTE = b'{"jsonrpc":"2.0","method":"progress","params":{"done":1}}\n'
OTHER = b'{"jsonrpc":"2.0","result":4,"id":6}\n'
OWN = b'{"jsonrpc":"2.0","method":"ask_user","id":7}\n'


class Stdin(io.BytesIO):
    """Notes what had been written when it was flushed."""

    flushed = b""

    def flush(self) -> None:
        """Note what is there."""
        self.flushed = self.getvalue()


class Stdout(io.BytesIO):
    """Shows itself as the bytes that it holds."""

    def __repr__(self) -> str:
        """Show the bytes."""
        return repr(self.getvalue())


def ignore(line: bytes) -> None:
    """Take a report."""


def check_it_asks_and_gives_the_result(ask: Ask) -> None:
    """It returns the result of the response."""
    expect(ask, Stdout(REPLY), Stdin(), REQUEST, ignore).gives(3)


def check_the_request_is_one_line(ask: Ask) -> None:
    """It sends the request as one line, and flushes it."""
    stdin, sent = Stdin(), b'{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":7}\n'
    expect(ask, Stdout(REPLY), stdin, REQUEST, ignore).gives(3)
    demand(stdin.flushed == sent, "ask, what was flushed", stdin.flushed, repr(sent))


def check_others_are_passed_over(ask: Ask) -> None:
    """Notifications, other responses and requests of the server are passed over."""
    expect(ask, Stdout(NOTE + OTHER + OWN + REPLY), Stdin(), REQUEST, ignore).gives(3)


def check_an_error_is_raised(ask: Ask) -> None:
    """An error response is raised."""
    reply = b'{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"},"id":7}\n'
    expect(ask, Stdout(NOTE + reply), Stdin(), REQUEST, ignore).raises(JsonRpcError)


def check_what_is_no_message_is_reported(ask: Ask) -> None:
    """A line that is not a message is reported, and the answer still comes."""
    reported: list[bytes] = []
    expect(ask, Stdout(b"debug: 1\n{}\n" + REPLY), Stdin(), REQUEST, reported.append).gives(3)
    lines = [line.rstrip(b"\n") for line in reported]
    demand(lines == [b"debug: 1", b"{}"], "ask, what was reported", lines, "[b'debug: 1', b'{}']")


def check_the_end_is_an_error(ask: Ask) -> None:
    """Where the stream ends first it raises EOFError."""
    for stream in (b"", NOTE + OTHER):
        expect(ask, Stdout(stream), Stdin(), REQUEST, ignore).raises(EOFError)
