"""A language client's trace, as VS Code writes it with ``trace.server`` on ``verbose``.

It shows the params or the result under a line of its own, and not the message. The
message is put together again from both.
"""

import json
import re
from typing import Final, NamedTuple

from rpclab.codec import decode
from rpclab.errors import ParseError
from rpclab.messages import Json

_MOST: Final = 100  # entries

_ENTRY: Final = re.compile(
    r"^\[Trace[^]\n]*\] (?:(?P<way>Sending|Received) (?P<kind>request|notification|response)"
    r" '(?P<method>[^'\n]*?)(?: - \((?P<id>[^)'\n]{0,100})\))?')[^\n]*",
    re.MULTILINE,
)
_FAILED: Final = re.compile(r"Request failed: (?P<message>.*?) \((?P<code>-?\d{1,10})\)\.?\s*$")


class Traced(NamedTuple):
    """Where a trace begins in a text, and the messages that it shows."""

    start: int
    messages: list[Json]


def read(data: bytes) -> Traced | None:
    """Return the messages of a trace, or None if there is none.

    >>> read(b"[Trace - 10:20:30 AM] Sending notification 'exit'.").messages
    [{'jsonrpc': '2.0', 'method': 'exit'}]
    """
    if b"[Trace" not in data[:100_000]:
        return None
    text = data.decode(errors="surrogateescape")
    entries = [entry for _, entry in zip(range(_MOST), _ENTRY.finditer(text), strict=False)]
    messages = [message for entry in entries if (message := _message(text, entry)) is not None]
    if not messages:
        return None
    start = len(text[: entries[0].start()].encode(errors="surrogateescape"))
    return Traced(start, messages)


def _message(text: str, entry: re.Match[str]) -> Json:
    """Put one message together, or return None if its value cannot be read."""
    message: dict[str, Json] = {"jsonrpc": "2.0"}
    if entry["id"] is not None:
        message["id"] = int(entry["id"]) if entry["id"].isdecimal() else entry["id"]
    if entry["kind"] == "response":
        failed = _FAILED.search(entry[0])
        if failed:
            return message | {"error": {"code": int(failed["code"]), "message": failed["message"]}}
        name = "result"
        message["result"] = None
    else:
        name = "params"
        message["method"] = entry["method"]
    shown = re.compile(r"\s*(?:Params|Result): ").match(text, entry.end())
    if shown is None:
        return message
    try:
        _, end = json.JSONDecoder().raw_decode(text, shown.end())
        return message | {name: decode(text[shown.end() : end])}
    except (ValueError, RecursionError, ParseError):
        return None
