"""Whether what came is what was wanted: JSON values, compared by value.

One rule: only what a clause is about is compared. A message's other members, and
the text of an error, are up to the target. So "fits" is not equality: what is
wanted may allow several values (``"<any>"``), and 1.0 fits 1.
"""

import json
import math
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from rpclab.codec import decode
from rpclab.conformance.cases.shared import PAUSE
from rpclab.errors import FramingError, ParseError
from rpclab.messages import Json

MEMBERS: Final = ("jsonrpc", "id", "result", "error", "method", "params")
"""The members of a message that are compared. Of a client's outcome line, all are."""

_MISSING: Final = object()
_NUMBERS: Final = (int, float, Decimal)
WILDCARDS: Final[dict[str, Callable[[Json], bool]]] = {
    "<any>": lambda value: value is not _MISSING,
    "<optional>": lambda _: True,
    "<string>": lambda value: isinstance(value, str),
    "<integer>": lambda value: type(value) is int,
    "<number>": lambda value: type(value) in _NUMBERS,
    "<object>": lambda value: isinstance(value, dict),
    "<empty>": lambda value: isinstance(value, dict) and value.keys() <= {"_meta"},
    "<array>": lambda value: isinstance(value, list),
}


def value_fits(wanted: Json, got: Json) -> bool:
    """Tell whether a value is the wanted one, or one that it allows.

    >>> value_fits([1, "<string>"], [1.0, "x"]), value_fits(1, True), value_fits(1, "1")
    (True, False, False)
    """
    if isinstance(wanted, str) and wanted in WILDCARDS:
        return WILDCARDS[wanted](got)
    if type(wanted) in _NUMBERS:
        return type(got) in _NUMBERS and bool(wanted == got)
    if type(wanted) is not type(got):
        return False
    if isinstance(wanted, dict):
        return wanted.keys() == got.keys() and all(value_fits(wanted[k], got[k]) for k in wanted)
    if isinstance(wanted, list):
        return len(wanted) == len(got) and all(map(value_fits, wanted, got))
    return bool(wanted == got)


def message_fits(wanted: Json, got: Json, compare: Collection[str] = ()) -> bool:
    """Tell whether one payload is the wanted one. A batch is compared in any order.

    >>> wanted = {"jsonrpc": "2.0", "error": {"code": -32600}, "id": None}
    >>> got = {"id": None, "error": {"code": -32600, "message": "?"}, "jsonrpc": "2.0", "x": 1}
    >>> message_fits(wanted, got), message_fits(wanted, got, ["message"])
    (True, False)
    """
    if isinstance(wanted, list) and isinstance(got, list):
        return pair_up(wanted, got, lambda one, other: message_fits(one, other, compare))
    if not (isinstance(wanted, dict) and isinstance(got, dict)):
        return value_fits(wanted, got)
    return not differing(wanted, got, compare)


def differing(
    wanted: dict[str, Json], got: dict[str, Json], compare: Collection[str] = ()
) -> list[str]:
    """Return the names of the members in which a message is not the wanted one.

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
    return [name for name, (one, other) in pairs.items() if not value_fits(one, other)]


def pair_up(
    wanted: Sequence[Json],
    got: Sequence[Json],
    fits: Callable[[Json, Json], bool],
    *,
    exactly: bool = True,
) -> bool:
    """Tell whether the values can be paired, each with a wanted one that it fits.

    With ``exactly=False`` there may be more values than are wanted.

    >>> pair_up([1, 2], [2, 1], value_fits), pair_up([1, 1], [1, 2], value_fits)
    (True, False)
    """
    taken: dict[int, int] = {}

    def find_place(index: int, tried: set[int]) -> bool:
        for other in range(len(got)):
            if other not in tried and fits(wanted[index], got[other]):
                tried.add(other)
                if other not in taken or find_place(taken[other], tried):
                    taken[other] = index
                    return True
        return False

    enough = len(wanted) == len(got) if exactly else len(wanted) <= len(got)
    return enough and all(find_place(i, set()) for i in range(len(wanted)))


class NotJson:
    """A payload that is not JSON. It fits nothing that can be wanted."""


def read_payload(payload: bytes | str | FramingError) -> Any:
    """Return the JSON value of a payload, or a ``NotJson``."""
    if isinstance(payload, FramingError):
        return NotJson()
    if payload == PAUSE:
        return PAUSE
    try:
        return decode(payload)
    except ParseError:
        return _read_big(payload)


def _read_big(payload: bytes | str) -> Any:
    """Read what ``decode`` refuses only because a number in it is too big."""
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
    """Tell whether a value is a call of the target's own, and not a reply."""
    return isinstance(value, dict) and isinstance(value.get("method"), str)


def split_at_pauses(values: Sequence[Json]) -> list[list[Json]]:
    """Split a list of payloads where a pause ended.

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
    """Tell whether exactly the wanted payloads came. Pauses count if one is wanted."""

    def fits(one: Json, other: Json) -> bool:
        return message_fits(one, other, compare)

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
