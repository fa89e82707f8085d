"""The server that a client under test talks to: it does what a script says.

A program of its own: ``python -I -S scripted_server.py SCRIPT LOG FRAMING``.
One rule: it imports nothing outside the standard library, not even rpclab, so
that it starts at once. The steps are described in ``cases/client.py``. Each
payload that it reads becomes a line of LOG, in hexadecimal.
"""

import json
import os
import re
import sys
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

_ID: Final = re.compile(r'"<id (\d+)( retyped)?>"')


class Wire:
    """Payloads over stdin and stdout, and the calls that were read so far."""

    def __init__(self, framing: str, log: BinaryIO) -> None:
        self._framed = framing == "content-length"
        self._log = log
        self.ids: list[Any] = []
        self.calls: deque[Any] = deque()
        self.notes = 0

    def read(self) -> bool:
        """Read one message, and return whether there was one."""
        payload = self._read_frame() if self._framed else sys.stdin.buffer.readline()
        if not payload:
            return False
        self._log.write(payload.rstrip(b"\r\n").hex().encode() + b"\n")
        with suppress(ValueError):  # what is not JSON is in the log
            self._keep(json.loads(payload))
        return True

    def _keep(self, message: Any) -> None:
        members = message if isinstance(message, list) else [message]
        calls = [m for m in members if isinstance(m, dict) and "method" in m]
        requests = [call for call in calls if "id" in call]
        self.ids += [request["id"] for request in requests]
        self.notes += len(calls) - len(requests)
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
