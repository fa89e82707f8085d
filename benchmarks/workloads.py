"""What is measured, and the bare loop that does the same work.

The bare loop is what a message costs without a protocol: ``json.loads``, the
call, ``json.dumps``, write, flush. It validates nothing and ends at the first
bad line. Both sides call the same handler.
"""

import json
from collections.abc import Callable
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from rpclab import Json, Params, StdioTransport, serve

Loop: TypeAlias = Callable[[BinaryIO, BinaryIO], None]
"""Answers every line of the first stream on the second."""


def handle(method: str, params: Params) -> Json:
    """Handle a call with as little work as a handler can do."""
    return params if method == "echo" else 19


def serve_ours(reader: BinaryIO, writer: BinaryIO) -> None:
    """Answer with rpclab: every envelope is validated."""
    serve(handle, StdioTransport(reader, writer))


def bare_requests(reader: BinaryIO, writer: BinaryIO) -> None:
    """Answer each line as one request."""
    for line in reader:
        call = json.loads(line)
        result = handle(call["method"], call["params"])
        reply = {"jsonrpc": "2.0", "result": result, "id": call["id"]}
        writer.write(json.dumps(reply).encode() + b"\n")
        writer.flush()


def bare_batches(reader: BinaryIO, writer: BinaryIO) -> None:
    """Answer each line as an array of requests."""
    for line in reader:
        replies = [
            {"jsonrpc": "2.0", "result": handle(call["method"], call["params"]), "id": call["id"]}
            for call in json.loads(line)
        ]
        writer.write(json.dumps(replies).encode() + b"\n")
        writer.flush()


def bare_notifications(reader: BinaryIO, _: BinaryIO) -> None:
    """Handle each line as one notification: there is nothing to write."""
    for line in reader:
        call = json.loads(line)
        handle(call["method"], call["params"])


class Workload(NamedTuple):
    """One line, sent many times."""

    name: str
    line: bytes
    lines: int  # in one turn: few, so that turns are short
    bare: Loop
    most: float | None  # the target: ours costs at most this many times the bare loop


def as_line(value: Json) -> bytes:
    """Return a line with spaces after comma and colon, as most clients do."""
    return json.dumps(value).encode() + b"\n"


CALL: Final = {"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1234}
NEWS: Final = {"jsonrpc": "2.0", "method": "update", "params": [1, 2, 3, 4, 5]}
LONG: Final = CALL | {"method": "echo", "params": {f"name {i}": "value" * 6 for i in range(220)}}

SMALL: Final = as_line(CALL)

IN_MEMORY: Final = (
    Workload("small requests, in memory", SMALL, 1_000, bare_requests, 0.7),
    Workload("batches of 100", as_line([CALL] * 100), 10, bare_batches, 1.1),
    Workload("notifications", as_line(NEWS), 1_000, bare_notifications, None),
    Workload("10 kB of params", as_line(LONG), 50, bare_requests, 1.1),
)
