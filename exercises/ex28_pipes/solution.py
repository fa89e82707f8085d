"""Exercise 28: repair a server on pipes."""

from typing import BinaryIO, TextIO

from rpclab.dispatch import respond
from rpclab.messages import Handler


def serve_lines(reader: BinaryIO, writer: BinaryIO, log: TextIO, handler: Handler) -> None:
    """Answer every line of the reader, until it ends or nobody reads any more.

    It is enough to think of the client at each step: it waits for the reply before it
    sends more, so the loop reads one line and flushes one reply. What it does not wait
    for, it must not find.
    """
    log.write("ready\n")
    try:
        for line in reader:
            reply = respond(line, handler)
            if reply is not None:
                writer.write(reply + b"\n")
                writer.flush()
    except BrokenPipeError:
        return
