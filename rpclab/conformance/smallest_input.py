"""From an input that breaks a target to the smallest one that still does.

First by structure: fewer lines, members and elements, simpler values. Then byte
by byte. One rule: a smaller input must break the target in the same way as the
first, compared with what rpclab itself answers to it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from rpclab.codec import decode, encode
from rpclab.conformance.cases import PAUSE, Case, Payload
from rpclab.conformance.comparison import NotJson, message_fits, read_payload
from rpclab.conformance.targets import Observation, Script, Target
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.demos.demo_server import demo_handler
from rpclab.errors import ParseError
from rpclab.messages import Json

TRIES: Final = 400
SECONDS: Final = 10.0
_HANG: Final = 1.0
"""The deadline in seconds. A hang was seen before, so a short one is enough."""

Part = TypeVar("Part")
Breaks = Callable[[Sequence[bytes]], bool]


def shrink(payloads: Sequence[bytes], breaks: Breaks) -> list[bytes]:
    """Return the smallest payloads for which ``breaks`` is still true.

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
    """Shrink one payload, first as a JSON value and then as bytes."""
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
    """Yield simpler values, the simplest first.

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
    """Leave out smaller and smaller runs of parts, as long as the rest still breaks.

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
    """Return the smallest payloads that break a target as a case does, or None.

    It is None if the case sends bytes without marks, or if the target answers as
    rpclab does.
    """
    payloads = [piece.data for piece in case.pieces() if isinstance(piece, Payload)]
    if len(payloads) != len(case.send) or case.end:
        return None
    way = _WayOfBreaking(target, case)
    first = way.of(payloads)
    if not any(first):
        return None
    return shrink(payloads, lambda lines: way.left() and way.of(lines) == first)


class _WayOfBreaking:
    """How payloads break a target, with limited tries and time."""

    def __init__(self, target: Target, case: Case) -> None:
        self._target, self._case = target, case
        self._reference = judge_handler(demo_handler, target.framing)
        self._tries, self._until = TRIES, time.monotonic() + SECONDS

    def left(self) -> bool:
        self._tries -= 1
        return self._tries > 0 and time.monotonic() < self._until

    def of(self, payloads: Sequence[bytes]) -> tuple[Any, ...]:
        """Return what is missing and what is too much; or what became of the target."""
        pieces = tuple(Payload(payload) for payload in payloads)
        wanted = _values(self._reference.exchange(Script(pieces=pieces)))

        def enough(came: Sequence[Any]) -> bool:
            return len(came) >= len(wanted)

        script = Script(pieces=pieces, isolated=self._case.isolated, deadline=_HANG, enough=enough)
        seen = self._target.exchange(script)
        if seen.state != "alive":
            return seen.state, seen.note, last_word(seen.stderr)
        return _without(wanted, _values(seen)), _without(_values(seen), wanted)


def last_word(stderr: str) -> str:
    r"""Return the first word of stderr's last line: in many languages, what was raised.

    >>> last_word("Traceback ...\nKeyError: 'id'\n")
    'KeyError'
    """
    lines = stderr.split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return (last.replace(":", " ").split() or [""])[0]


def _values(seen: Observation) -> list[Json]:
    """Return the replies that came, each member of a batch by itself."""
    values = [read_payload(payload) for payload in seen.came if payload != PAUSE]
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


def _without(values: list[Json], others: list[Json]) -> frozenset[str]:
    return frozenset(
        kind_of_reply(value)
        for value in values
        if not any(message_fits(other, value) for other in others)
    )


def kind_of_reply(value: Json) -> str:
    """Return what kind of reply it is: its code or result, and the type of its id.

    >>> kind_of_reply({"jsonrpc": "2.0", "error": {"code": -32600, "message": "?"}, "id": None})
    '-32600 for null'
    """
    if isinstance(value, NotJson) or not isinstance(value, dict):
        return "no message"
    error, id = value.get("error"), value.get("id", value)
    kind = "null" if id is None else "nobody" if id is value else type(id).__name__
    code = error.get("code") if isinstance(error, dict) else error
    return f"{code if 'error' in value else 'result' if 'result' in value else 'call'} for {kind}"
