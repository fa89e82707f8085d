"""The server that a client under test talks to: it does what a script says.

A program of its own: ``python -I -S scripted_server.py SCRIPT LOG FRAMING PROFILE``.
One rule: it imports nothing outside the standard library, not even rpclab, so
that it starts at once. The steps are described in ``cases/client.py``. Each
payload that it reads becomes a line of LOG, in hexadecimal; the last line is "end".

A client of mcp, lsp or acp also asks what its protocol is about: ``initialize``,
``tools/list``, ``shutdown``. Such requests are answered as soon as they are read,
and the script does not count them. So the same script serves a client that does
the handshake of its protocol and one that does not.
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
from typing import Any, BinaryIO, Final, NoReturn

REPLY_LIMIT: Final = 1.0
"""How many seconds the script waits for a reply that the client owes."""

REVISIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The revisions of MCP that have a handshake. The last one is offered to the others."""

_TOOLS: Final = [
    {"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "slow", "subtract")
]
_SERVER: Final = {"name": "rpclab", "version": "1"}
_OWN: Final[dict[str, dict[str, Any]]] = {
    "mcp": {
        "ping": {},
        "tools/list": {"tools": _TOOLS},
        "prompts/list": {"prompts": []},
        "resources/list": {"resources": []},
        "resources/templates/list": {"resourceTemplates": []},
        "logging/setLevel": {},
    },
    "lsp": {
        "initialize": {"capabilities": {"executeCommandProvider": {"commands": ["echo"]}}},
        "shutdown": None,
    },
    "acp": {
        "initialize": {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []},
        "authenticate": {},
        "session/new": {"sessionId": "rpclab"},
    },
}
"""The results of the requests that a protocol's client sends of its own accord."""

_HANDSHAKES: Final = {"initialized", "notifications/initialized", "exit"}

END: Final = "end"
"""The last line of the log: nothing more was read."""

_ID: Final = re.compile(r'"<id (\d+)( retyped| decimal)?>"')


class Wire:
    """Payloads over stdin and stdout, and the calls that were read so far."""

    def __init__(self, framing: str, log: BinaryIO, profile: str = "core") -> None:
        self._profile = profile
        self._framed = framing == "content-length"
        self._log = log
        self._came: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.echo = False
        self.hold = ""
        self.held: list[Any] = []
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
        line = payload.rstrip(b"\r\n")
        self._log.write(line.hex().encode() + b"\n")
        if self.echo:
            put(line + b"\r\n")  # as a terminal shows it
        message: Any = None
        with suppress(ValueError):  # what is not JSON is in the log
            message = json.loads(line)
        if not is_own(message, self._profile):
            self._keep(message)
        elif message.get("method") == self.hold:
            self.held.append(message)
        elif "id" in message:
            self.write(json.dumps(answer(message, self._profile)))
        return True

    def end(self, status: int) -> NoReturn:
        """End at once, also if the client would still write."""
        self._log.write(END.encode() + b"\n")
        os._exit(status)

    def release(self) -> None:
        """Answer the requests that were held back."""
        self.hold = ""
        while self.held:
            self.write(json.dumps(answer(self.held.pop(0), self._profile)))

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
        while header := sys.stdin.buffer.readline():
            if not header.strip():
                break
            name, _, value = header.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
        return sys.stdin.buffer.read(length) if length or not header else header

    def write(self, *texts: str) -> None:
        """Write payloads at once, and put ids where they ask for them."""
        put(b"".join(self._marked(_ID.sub(self._id, text).encode()) for text in texts))

    def _marked(self, payload: bytes) -> bytes:
        if self._framed:
            return b"Content-Length: %d\r\n\r\n%b" % (len(payload), payload)
        return payload + (b"\r\n" if self.echo else b"\n")

    def _id(self, asked: re.Match[str]) -> str:
        place = int(asked[1]) - 1
        id = self.ids[place] if place < len(self.ids) else None
        if asked[2] == " decimal":
            return f"{id}.0" if isinstance(id, int) else json.dumps(id)
        return json.dumps(retype(id) if asked[2] else id)

    def answer_calls(self) -> None:
        """Answer every request that the script has left."""
        self.release()
        while self.calls:
            self.write(json.dumps(answer(self.calls.popleft(), self._profile)))


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
        wait(step, wire)
        do(step, wire)


def wait(step: dict[str, Any], wire: Wire) -> None:
    """Wait for what a step names, if it waits for anything."""
    match step:
        case {"read": count}:
            wait_for_calls(wire, count)
        case {"hear": count}:
            wire.release()
            until = wire.notes + count
            while wire.notes < until and wire.read():
                pass
        case {"hold": method}:
            wire.hold = method
            while not (wire.held or wire.calls) and wire.read():
                pass
        case {"replies": count}:
            wait_for_replies(wire, count)
        case {"pause": seconds}:
            time.sleep(seconds)


def do(step: dict[str, Any], wire: Wire) -> None:
    """Write what a step names, if it writes anything, or end."""
    times = step.get("times", 1)
    match step:
        case {"echo": on}:
            wire.echo = on
        case {"write": list(texts)}:
            wire.write(*texts)
        case {"write": text}:
            wire.write(text)
        case {"raw": text}:
            put(text.encode() * times)
        case {"raw_hex": text}:
            put(bytes.fromhex(text) * times)
        case {"stderr": text}:
            os.write(2, text.encode() * times)
        case {"exit": status}:
            wire.end(status)


def wait_for_calls(wire: Wire, count: int) -> None:
    """Wait for so many messages with requests in them, and leave them to the script."""
    wire.release()
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
        wire.answer_calls()
        if not wire.read():
            return


def is_own(message: Any, profile: str) -> bool:
    """Tell whether a client sends this because of its protocol, not because it was told to.

    >>> is_own({"method": "initialize", "id": 0}, "mcp"), is_own({"method": "ping"}, "core")
    (True, False)
    """
    if not isinstance(message, dict) or profile not in _OWN:
        return False
    method = message.get("method")
    known = {*_OWN[profile], *_HANDSHAKES, "initialize", "server/discover"}
    return isinstance(method, str) and method in known


def answer(message: Any, profile: str = "core") -> Any:
    """Return the reply to one message.

    >>> answer({"jsonrpc": "2.0", "method": "echo", "params": ["hi"], "id": 1})
    {'jsonrpc': '2.0', 'result': ['hi'], 'id': 1}
    """
    if isinstance(message, list):
        return [answer(member, profile) for member in message if "id" in member]
    method, params = message["method"], message.get("params")
    reply = {"jsonrpc": "2.0"}
    if is_own(message, profile):
        reply |= answer_own(method, params, profile)
    else:
        reply["result"] = give_back(params, profile)
    return reply | {"id": message["id"]}


def answer_own(method: str, params: Any, profile: str) -> dict[str, Any]:
    """Return the outcome of a request that belongs to the protocol."""
    if method in _OWN[profile]:
        return {"result": _OWN[profile][method]}
    if method != "initialize":
        return {"error": {"code": -32601, "message": "Method not found"}}
    asked = params.get("protocolVersion") if isinstance(params, dict) else None
    version = asked if asked in REVISIONS else REVISIONS[-1]
    offers: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}, "logging": {}}
    return {"result": {"protocolVersion": version, "capabilities": offers, "serverInfo": _SERVER}}


def give_back(params: Any, profile: str) -> Any:
    """Return the params of a call as a result of the protocol.

    >>> give_back({"name": "echo", "arguments": {"text": "hi"}}, "mcp")
    {'content': [{'type': 'text', 'text': 'hi'}]}
    """
    if profile == "core":
        return [] if params is None else params
    given = params or {}
    if profile != "acp" and isinstance(given, dict):
        given = given.get("arguments", given)
    match profile, given:
        case "lsp", [dict(named)]:
            return named
        case "acp" | "lsp", _:
            return given
        case _, {"text": str(text)} if len(given) == 1:
            pass
        case _, {"items": value} if len(given) == 1:
            text = compact(value)
        case _:
            text = compact(given)
    return {"content": [{"type": "text", "text": text}]}


def compact(value: Any) -> str:
    """Return a value as JSON text without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Play the script, and go on."""
    script, log, framing, *profile = sys.argv[1:]
    with open(log, "ab", buffering=0) as file:  # noqa: PTH123  unbuffered: it is read after a kill
        wire = Wire(framing, file, *profile)
        with suppress(BrokenPipeError):
            play(json.loads(Path(script).read_text(encoding="utf-8")), wire)
            go_on(wire)
        wire.end(0)


if __name__ == "__main__":
    main()
