"""The server that a client under test talks to: it does what a script says.

A program of its own: ``python -I -S scripted_server.py SCRIPT LOG FRAMING``.
One rule: it imports nothing outside the standard library, not even rpclab, so
that it starts at once. The steps are described in ``cases/client.py``. Each
payload that it reads becomes a line of LOG, in hexadecimal.
"""

import json
import os
import queue
import re
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

REPLY_LIMIT: Final = 1.0
"""How many seconds the script waits for a reply that the client owes."""

_ID: Final = re.compile(r'"<id (\d+)( retyped)?>"')


class Wire:
    """Payloads over stdin and stdout, and the calls that were read so far."""

    def __init__(self, framing: str, log: BinaryIO) -> None:
        self._framed = framing == "content-length"
        self._log = log
        self._came: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.last = b""
        self.ids: list[Any] = []
        self.calls: deque[Any] = deque()
        self.notes = 0
        self.replies = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Read stdin until it ends, so that a wait for a message can have a limit."""
        payload = b"?"
        while payload:
            payload = self._read_frame() if self._framed else sys.stdin.buffer.readline()
            self._came.put(payload)

    def read(self, limit: float | None = None) -> bool:
        """Take one message, and return whether there was one within so many seconds."""
        try:
            payload = self._came.get(timeout=limit)
        except queue.Empty:
            return False
        if not payload:
            self._came.put(payload)  # the end is there for whoever reads next
            return False
        self.last = payload.rstrip(b"\r\n")
        self._log.write(self.last.hex().encode() + b"\n")
        with suppress(ValueError):  # what is not JSON is in the log
            self._keep(json.loads(payload))
        return True

    def _keep(self, message: Any) -> None:
        members = message if isinstance(message, list) else [message]
        objects = [member for member in members if isinstance(member, dict)]
        calls = [one for one in objects if "method" in one]
        requests = [call for call in calls if "id" in call]
        self.ids += [request["id"] for request in requests]
        self.notes += len(calls) - len(requests)
        self.replies += len(objects) - len(calls)
        if requests:
            self.calls.append(message)

    def _read_frame(self) -> bytes:
        length = 0
        while header := sys.stdin.buffer.readline().strip():
            name, _, value = header.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
        return sys.stdin.buffer.read(length)

    def write(self, text: str) -> None:
        """Write one payload, and put ids where it asks for them."""
        payload = _ID.sub(self._id, text).encode()
        marks = b"Content-Length: %d\r\n\r\n%b" if self._framed else b"%b\n"
        put(marks % ((len(payload), payload) if self._framed else payload))

    def _id(self, asked: re.Match[str]) -> str:
        place = int(asked[1]) - 1
        id = self.ids[place] if place < len(self.ids) else None
        return json.dumps(retype(id) if asked[2] else id)


def retype(id: Any) -> Any:
    """Return the same id as a value of another type.

    >>> retype(7), retype("7"), retype("a")
    ('7', 7, ['a'])
    """
    if isinstance(id, str):
        return int(id) if id.isdecimal() else [id]
    return json.dumps(id)


def put(data: bytes) -> None:
    """Write bytes to stdout, and flush."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def play(steps: list[dict[str, Any]], wire: Wire) -> None:
    """Do every step."""
    for step in steps:
        times = step.get("times", 1)
        match step:
            case {"read": count}:
                wait_for_calls(wire, count)
            case {"hear": count}:
                until = wire.notes + count
                while wire.notes < until and wire.read():
                    pass
            case {"replies": count}:
                wait_for_replies(wire, count)
            case {"echo": _}:
                put(wire.last + b"\r\n")  # as a terminal shows it
            case {"write": text}:
                wire.write(text)
            case {"raw": text}:
                put(text.encode() * times)
            case {"raw_hex": text}:
                put(bytes.fromhex(text) * times)
            case {"stderr": text}:
                os.write(2, text.encode() * times)
            case {"pause": seconds}:
                time.sleep(seconds)
            case {"exit": status}:
                os._exit(status)


def wait_for_calls(wire: Wire, count: int) -> None:
    """Wait for so many messages with requests in them, and leave them to the script."""
    for _ in range(count):
        while not wire.calls:
            if not wire.read():
                return
        wire.calls.popleft()


def wait_for_replies(wire: Wire, count: int) -> None:
    """Wait for so many replies to what the script asked, for a limited time."""
    until, end = wire.replies + count, time.monotonic() + REPLY_LIMIT
    while wire.replies < until and (left := end - time.monotonic()) > 0:
        if not wire.read(left):
            return


def go_on(wire: Wire) -> None:
    """Answer every request with its params, until stdin ends."""
    while True:
        while wire.calls:
            wire.write(json.dumps(answer(wire.calls.popleft())))
        if not wire.read():
            return


def answer(message: Any) -> Any:
    """Return the reply to one message.

    >>> answer({"jsonrpc": "2.0", "method": "echo", "params": ["hi"], "id": 1})
    {'jsonrpc': '2.0', 'result': ['hi'], 'id': 1}
    """
    if isinstance(message, list):
        return [answer(member) for member in message if "id" in member]
    return {"jsonrpc": "2.0", "result": message.get("params", []), "id": message["id"]}


def main() -> None:
    """Play the script, and go on."""
    script, log, framing = sys.argv[1:]
    with open(log, "ab", buffering=0) as file:  # noqa: PTH123  unbuffered: it is read after a kill
        wire = Wire(framing, file)
        try:
            play(json.loads(Path(script).read_text(encoding="utf-8")), wire)
            go_on(wire)
        except BrokenPipeError:
            os._exit(0)


if __name__ == "__main__":
    main()
