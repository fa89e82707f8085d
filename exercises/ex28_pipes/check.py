"""What exercise 28 must do."""

import io
from collections.abc import Callable
from typing import Any

from rpclab.course import demand, expect

Serve = Callable[[Any, Any, Any, Any], None]
ONE = b'{"jsonrpc":"2.0","method":"echo","id":1}\n'
TWO = b'{"jsonrpc":"2.0","method":"echo","id":2}\n'
NOTE = b'{"jsonrpc":"2.0","method":"echo"}\n'
FIRST = b'{"jsonrpc":"2.0","result":"echo","id":1}\n'
SECOND = b'{"jsonrpc":"2.0","result":"echo","id":2}\n'


class Wire(io.RawIOBase):
    """Both pipes of a server, which note in order what is done to them."""

    def __init__(self, *lines: bytes, gone: bool = False) -> None:
        self.lines = list(lines)
        self.gone = gone
        self.events: list[bytes | str] = []

    def readline(self, size: int | None = -1, /) -> bytes:
        """Return the next line, or the end."""
        self.events.append("read")
        return self.lines.pop(0) if self.lines else b""

    def write(self, data: Any, /) -> int:
        """Note what is written."""
        if self.gone:
            raise BrokenPipeError
        self.events.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Note that it is flushed."""
        self.events.append("flush")

    def __repr__(self) -> str:
        """Say what it is."""
        return "stdin" if self.lines else "stdout"


def handler(method: str, params: Any) -> str:
    """Return the method's own name."""
    return method


def run(serve_lines: Serve, *lines: bytes, gone: bool = False) -> tuple[list, str]:
    """Serve some lines, and return what was done, and the log."""
    wire, log = Wire(*lines, gone=gone), io.StringIO()
    wanted = "a return, once the input ends or nobody reads"
    expect(serve_lines, wire, wire, log, handler).result(wanted)
    return wire.events, log.getvalue()


def written(events: list) -> bytes:
    """Return everything that was written."""
    return b"".join(event for event in events if isinstance(event, bytes))


def check_stdout_is_clean(serve_lines: Serve) -> None:
    """Nothing but messages goes to stdout; the greeting goes to the log."""
    events, log = run(serve_lines, ONE)
    demand(written(events) == FIRST, "serve_lines, one request", written(events), repr(FIRST))
    demand("ready" in log, "serve_lines, its log", log, "a greeting with the word ready")


def check_silence_is_nothing(serve_lines: Serve) -> None:
    """A notification leaves no trace on stdout, not even a blank line."""
    events, _ = run(serve_lines, NOTE, TWO)
    called = "serve_lines, a notification and a request"
    demand(written(events) == SECOND, called, written(events), repr(SECOND))


def check_one_write_a_message(serve_lines: Serve) -> None:
    """A reply and its newline are one write."""
    events, _ = run(serve_lines, ONE, TWO)
    writes = [event for event in events if isinstance(event, bytes)]
    demand(writes == [FIRST, SECOND], "serve_lines, two requests", writes, repr([FIRST, SECOND]))


def check_each_is_answered_in_turn(serve_lines: Serve) -> None:
    """The first reply is written before the second line is waited for."""
    events, _ = run(serve_lines, ONE, TWO)
    in_turn = FIRST in events and events[: events.index(FIRST)].count("read") == 1
    demand(in_turn, "serve_lines, two requests", events, "one read, then the first reply")


def check_each_is_flushed(serve_lines: Serve) -> None:
    """Each reply is flushed before the next line is waited for."""
    events, _ = run(serve_lines, ONE, TWO)
    after = [events[place + 1] for place, event in enumerate(events) if isinstance(event, bytes)]
    demand(after == ["flush", "flush"], "serve_lines, two requests", events, "a flush after each")


def check_a_broken_line_ends_nothing(serve_lines: Serve) -> None:
    """A line that is not JSON is answered, and the next one too."""
    events, _ = run(serve_lines, b"oops\n", TWO)
    fine = b"-32700" in written(events) and written(events).endswith(SECOND)
    demand(fine, "serve_lines, a broken line and a request", written(events), "an error, a result")


def check_it_ends_quietly(serve_lines: Serve) -> None:
    """When nobody reads any more it returns, and raises nothing."""
    run(serve_lines, ONE, TWO, gone=True)
