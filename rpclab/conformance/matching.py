"""Whether what came is what was wanted: JSON values, compared by value.

Only what a clause speaks of is compared. A message's other members, and the
text of an error, are the target's own business.
"""

import json
import math
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from rpclab.codec import decode
from rpclab.conformance.outcomes import PAUSE
from rpclab.errors import FramingError, ParseError
from rpclab.messages import Json

MEMBERS: Final = ("jsonrpc", "id", "result", "error", "method", "params")
"""What counts of a message. Client outcomes have members of their own, and all count."""

_MISSING: Final = object()
_NUMBERS: Final = (int, float, Decimal)
WILDCARDS: Final[dict[str, Callable[[Json], bool]]] = {
    "<any>": lambda value: value is not _MISSING,
    "<string>": lambda value: isinstance(value, str),
    "<integer>": lambda value: type(value) is int,
    "<number>": lambda value: type(value) in _NUMBERS,
    "<object>": lambda value: isinstance(value, dict),
    "<array>": lambda value: isinstance(value, list),
}


def same(wanted: Json, got: Json) -> bool:
    """Tell whether two values are the same, or the wanted one allows the other.

    >>> same([1, "<string>"], [1.0, "x"]), same(1, True), same(1, "1")
    (True, False, False)
    """
    if isinstance(wanted, str) and wanted in WILDCARDS:
        return WILDCARDS[wanted](got)
    if type(wanted) in _NUMBERS:
        return type(got) in _NUMBERS and bool(wanted == got)
    if type(wanted) is not type(got):
        return False
    if isinstance(wanted, dict):
        return wanted.keys() == got.keys() and all(same(wanted[k], got[k]) for k in wanted)
    if isinstance(wanted, list):
        return len(wanted) == len(got) and all(map(same, wanted, got))
    return bool(wanted == got)


def same_message(wanted: Json, got: Json, compare: Collection[str] = ()) -> bool:
    """Tell whether one payload is the wanted one. A batch is compared in any order.

    >>> wanted = {"jsonrpc": "2.0", "error": {"code": -32600}, "id": None}
    >>> got = {"id": None, "error": {"code": -32600, "message": "?"}, "jsonrpc": "2.0", "x": 1}
    >>> same_message(wanted, got), same_message(wanted, got, ["message"])
    (True, False)
    """
    if isinstance(wanted, list) and isinstance(got, list):
        return pair_up(wanted, got, lambda one, other: same_message(one, other, compare))
    if not (isinstance(wanted, dict) and isinstance(got, dict)):
        return same(wanted, got)
    return not differing(wanted, got, compare)


def differing(
    wanted: dict[str, Json], got: dict[str, Json], compare: Collection[str] = ()
) -> list[str]:
    """Name the members in which a message is not the wanted one.

    >>> wanted = {"jsonrpc": "2.0", "error": {"code": -32600}, "id": None}
    >>> differing(wanted, {"jsonrpc": "2.0", "error": {"code": -32700}, "id": 1})
    ['id', 'error.code']
    """
    names = MEMBERS if "jsonrpc" in wanted else (*wanted, *(got.keys() - wanted.keys()))
    pairs = {name: (wanted.get(name, _MISSING), got.get(name, _MISSING)) for name in names}
    match pairs.get("error"):
        case (dict(one), dict(other)):
            del pairs["error"]
            for name in ("code", *compare):
                pairs[f"error.{name}"] = one.get(name, _MISSING), other.get(name, _MISSING)
    return [name for name, (one, other) in pairs.items() if not same(one, other)]


def pair_up(
    wanted: Sequence[Json],
    got: Sequence[Json],
    fits: Callable[[Json, Json], bool],
    *,
    exactly: bool = True,
) -> bool:
    """Tell whether each wanted value has one of the others to itself, and none is left.

    >>> pair_up([1, 2], [2, 1], same), pair_up([1, 1], [1, 2], same)
    (True, False)
    """
    taken: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for other in range(len(got)):
            if other not in tried and fits(wanted[index], got[other]):
                tried.add(other)
                if other not in taken or place(taken[other], tried):
                    taken[other] = index
                    return True
        return False

    enough = len(wanted) == len(got) if exactly else len(wanted) <= len(got)
    return enough and all(place(i, set()) for i in range(len(wanted)))


class NotJson:
    """Stands for a payload that is not JSON: it is the same as nothing."""


def read_payload(payload: bytes | str | FramingError) -> Any:
    """Give a payload's JSON value, or a ``NotJson``."""
    if isinstance(payload, FramingError):
        return NotJson()
    if payload == PAUSE:
        return PAUSE
    try:
        return decode(payload)
    except ParseError:
        return _read_big(payload)


def _read_big(payload: bytes | str) -> Any:
    """Read what ``decode`` refuses only because a number is too big for it."""
    try:
        text = payload.decode() if isinstance(payload, bytes) else payload
        return _big.decode(text)
    except (ValueError, RecursionError, InvalidOperation):
        return NotJson()


def _big_float(text: str) -> float | Decimal:
    number = float(text)
    return number if math.isfinite(number) else Decimal(text)


def _big_integer(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:  # it has more digits than Python's limit
        return Decimal(text)


def _refuse_constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


_big: Final = json.JSONDecoder(
    parse_float=_big_float, parse_int=_big_integer, parse_constant=_refuse_constant
)


def is_call(value: Json) -> bool:
    """Tell whether a value is a call of the target's own, and no reply."""
    return isinstance(value, dict) and isinstance(value.get("method"), str)


def split_at_pauses(values: Sequence[Json]) -> list[list[Json]]:
    """Cut a list of payloads where a pause ended.

    >>> split_at_pauses([1, "<pause>", 2, 3])
    [[1], [2, 3]]
    """
    parts: list[list[Json]] = [[]]
    for value in values:
        if value == PAUSE:
            parts.append([])
        else:
            parts[-1].append(value)
    return parts


def all_came(
    wanted: Sequence[Json], got: Sequence[Json], *, ordered: bool, compare: Collection[str] = ()
) -> bool:
    """Tell whether exactly the wanted payloads came. Pauses count if some are wanted."""

    def fits(one: Json, other: Json) -> bool:
        return same_message(one, other, compare)

    parts = split_at_pauses(got)
    if PAUSE not in wanted:
        parts = [[value for part in parts for value in part]]
    segments = split_at_pauses(wanted)
    if len(segments) != len(parts):
        return False
    if ordered:
        return all(
            len(segment) == len(part) and all(map(fits, segment, part))
            for segment, part in zip(segments, parts, strict=True)
        )
    return all(pair_up(s, p, fits) for s, p in zip(segments, parts, strict=True))
