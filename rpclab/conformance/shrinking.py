"""From an input that breaks a target to the smallest line that still does.

First by structure: fewer lines, members and elements, simpler values. Then
byte by byte. What a smaller input should earn is asked of rpclab itself, so
that it breaks the target in the same way, and not in another.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from rpclab.codec import decode, encode
from rpclab.conformance.cases import Case, Message
from rpclab.conformance.inprocess import judge_handler
from rpclab.conformance.matching import NotJson, read_payload, same_message
from rpclab.conformance.outcomes import PAUSE
from rpclab.conformance.targets import Observation, Script, Target
from rpclab.demos.demo_server import demo_handler
from rpclab.errors import ParseError
from rpclab.messages import Json

TRIES: Final = 400
SECONDS: Final = 10.0
_HANG: Final = 1.0
"""A shorter deadline: here it is known that nothing will come."""

Part = TypeVar("Part")
Breaks = Callable[[Sequence[bytes]], bool]


def shrink(payloads: Sequence[bytes], breaks: Breaks) -> list[bytes]:
    """Give the smallest payloads for which ``breaks`` is still true.

    >>> shrink([b'{"id":1,"x":[2,3]}', b"7"], lambda lines: any(b"3" in line for line in lines))
    [b'3']
    """
    lines = smallest(list(payloads), breaks)
    for place in range(len(lines)):

        def still(line: bytes, place: int = place) -> bool:
            return breaks([*lines[:place], line, *lines[place + 1 :]])

        lines[place] = shrink_line(lines[place], still)
    return lines


def shrink_line(line: bytes, breaks: Callable[[bytes], bool]) -> bytes:
    """Shrink one payload, first as a value and then as bytes."""
    try:
        value = decode(line)
        text = encode(value).encode()
    except (ParseError, ValueError, RecursionError):
        value, text = None, line
    if value is not None and breaks(text):
        line = encode(shrink_value(value, lambda v: breaks(encode(v).encode()))).encode()
    found = smallest(list(line), lambda part: breaks(bytes(part)))
    return bytes(found)


def shrink_value(value: Json, breaks: Callable[[Json], bool]) -> Json:
    """Take the first simpler value that still breaks, again and again."""
    found = True
    while found:
        found = False
        for simpler in simpler_values(value):
            if len(encode(simpler)) < len(encode(value)) and breaks(simpler):
                value, found = simpler, True
                break
    return value


def simpler_values(value: Json) -> Iterator[Json]:
    """Give simpler values, the simplest first.

    >>> list(simpler_values({"a": 1}))
    [1, {}, {'a': 0}]
    """
    match value:
        case dict():
            yield from value.values()
            for name in value:
                yield {k: v for k, v in value.items() if k != name}
            for name in value:
                yield from ({**value, name: simpler} for simpler in simpler_values(value[name]))
        case list():
            yield from value
            for place in range(len(value)):
                yield value[:place] + value[place + 1 :]
            for place, item in enumerate(value):
                yield from ([*value[:place], s, *value[place + 1 :]] for s in simpler_values(item))
        case str() if value:
            yield ""
            if len(value) > 1:
                yield value[: len(value) // 2]
                yield value[len(value) // 2 :]
        case int() | float() if value and value is not True:
            yield 0


def smallest(parts: list[Part], breaks: Callable[[list[Part]], bool]) -> list[Part]:
    """Leave out ever smaller runs of parts, as long as the rest still breaks.

    >>> smallest([1, 2, 3, 4], lambda parts: 3 in parts)
    [3]
    """
    size = len(parts) // 2
    while size:
        start = 0
        while start < len(parts):
            fewer = parts[:start] + parts[start + size :]
            if fewer and breaks(fewer):
                parts = fewer
            else:
                start += size
        size //= 2
    return parts


def shrink_case(target: Target, case: Case) -> list[bytes] | None:
    """Give the smallest payloads that break a target as a case does, or None.

    There is none where the case is about bytes without marks, or where the
    target answers as rpclab does and only a clause above that is broken.
    """
    payloads = [piece.payload for piece in case.pieces() if isinstance(piece, Message)]
    if len(payloads) != len(case.send) or case.end:
        return None
    way = _Way(target, case)
    first = way.of(payloads)
    if not any(first):
        return None
    return shrink(payloads, lambda lines: way.left() and way.of(lines) == first)


class _Way:
    """In which way payloads break a target, within bounds of tries and of time."""

    def __init__(self, target: Target, case: Case) -> None:
        self._target, self._case = target, case
        self._reference = judge_handler(demo_handler, target.framing)
        self._tries, self._until = TRIES, time.monotonic() + SECONDS

    def left(self) -> bool:
        self._tries -= 1
        return self._tries > 0 and time.monotonic() < self._until

    def of(self, payloads: Sequence[bytes]) -> tuple[Any, ...]:
        """Give what is missing and what is too much, in short; or what became of the target."""
        pieces = tuple(Message(payload) for payload in payloads)
        wanted = _values(self._reference.exchange(Script(pieces=pieces)))

        def enough(came: Sequence[Any]) -> bool:
            return len(came) >= len(wanted)

        script = Script(pieces=pieces, isolated=self._case.isolated, deadline=_HANG, enough=enough)
        seen = self._target.exchange(script)
        if seen.state != "alive":
            return seen.state, seen.note, last_word(seen.stderr)
        return _without(wanted, _values(seen)), _without(_values(seen), wanted)


def last_word(stderr: str) -> str:
    r"""Give how the last line of stderr begins: in many languages, what was raised.

    >>> last_word("Traceback ...\nKeyError: 'id'\n")
    'KeyError'
    """
    lines = stderr.split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return (last.replace(":", " ").split() or [""])[0]


def _values(seen: Observation) -> list[Json]:
    """Give the replies that came, each member of a batch by itself."""
    values = [read_payload(payload) for payload in seen.came if payload != PAUSE]
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


def _without(values: list[Json], others: list[Json]) -> frozenset[str]:
    return frozenset(
        gist(value) for value in values if not any(same_message(other, value) for other in others)
    )


def gist(value: Json) -> str:
    """Give what a reply is, without its particulars.

    >>> gist({"jsonrpc": "2.0", "error": {"code": -32600, "message": "?"}, "id": None})
    '-32600 for null'
    """
    if isinstance(value, NotJson) or not isinstance(value, dict):
        return "no message"
    error, id = value.get("error"), value.get("id", value)
    kind = "null" if id is None else "nobody" if id is value else type(id).__name__
    code = error.get("code") if isinstance(error, dict) else error
    return f"{code if 'error' in value else 'result' if 'result' in value else 'call'} for {kind}"
