"""Exercise 28: repair a server on pipes."""

from typing import BinaryIO, TextIO

from rpclab.dispatch import respond
from rpclab.messages import Handler


def serve_lines(reader: BinaryIO, writer: BinaryIO, log: TextIO, handler: Handler) -> None:
    """Answer every line of the reader, until it ends or nobody reads any more."""
    # TODO: five faults; the task names what each of them breaks.
    writer.write(b"ready\n")
    for line in reader.readlines():
        reply = respond(line, handler)
        writer.write(reply or b"")
        writer.write(b"\n")
