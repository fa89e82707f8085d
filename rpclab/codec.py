"""Bytes to a JSON value and back, strict both ways.

The standard library's ``json`` is lenient: it reads NaN, and writes it. Here a
text that is not JSON (RFC 8259) is refused, and a value that JSON cannot hold
is never written. A dataclass instance is written as an object.
"""

import json
import math
from collections.abc import Callable
from enum import Enum
from typing import Final

from rpclab.errors import ParseError
from rpclab.messages import Json

JSON_SPACE: Final = " \t\r\n"
"""The only white space that JSON knows (RFC 8259, section 2)."""


def _finite(text: str) -> float:
    """Read one number with a fraction or an exponent."""
    number = float(text)
    if not math.isfinite(number):  # 1e400 does not fit into a double
        raise ValueError(f"{text[:20]} is too large for a number")
    return number


def _refuse_constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


def _as_json(value: Json) -> Json:
    """Return a dataclass instance as an object, and a member of an enumeration as its value."""
    if isinstance(value, Enum):
        return value.value
    if not hasattr(type(value), "__dataclass_fields__"):
        raise TypeError(f"JSON cannot hold a value of type {type(value).__name__}")
    from dataclasses import fields  # noqa: PLC0415  whoever made the class has loaded it

    names = (field.name for field in fields(value))
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


# Prepared once: json.loads and json.dumps with options build anew on each call.
_scan = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant).raw_decode
_write = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_as_json).encode


def decode(line: bytes | str) -> Json:
    """Read one JSON value.

    Stricter than ``json.loads``: NaN, infinities and numbers too large for a
    float are refused, because they are not JSON, or cannot be written back.
    Limits: nesting ends at Python's recursion limit (about 1,000), an integer
    at its digit limit (4,300).

    >>> decode(b'[1, null]')
    [1, None]

    Raises:
        ParseError: ``line`` is not UTF-8, or not exactly one JSON value.
    """
    try:
        text = (line.decode() if isinstance(line, bytes) else line).strip(JSON_SPACE)
        value, end = _scan(text)
    except UnicodeDecodeError as error:
        raise ParseError(data=f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        reason = error.msg.removesuffix(" at")  # some of the library's texts end so
        raise ParseError(data=f"{reason} at character {error.pos}") from error
    except RecursionError as error:
        raise ParseError(data="nested too deeply") from error
    except ValueError as error:  # from the hooks above, or an integer of too many digits
        raise ParseError(data=str(error)) from error
    if end != len(text):
        raise ParseError(data=f"one value expected, more follows at character {end}")
    return value


_LITERALS: Final[dict[type, Callable[[Json], str]]] = {
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
}


def encode(value: Json) -> str:
    r"""Write one JSON value as ASCII text without line breaks.

    Everything outside ASCII is escaped, so neither a lone surrogate nor
    U+2028 can break a reader.

    >>> encode({"name": "caf\u00e9"})
    '{"name":"caf\\u00e9"}'

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold ``value``.
    """
    # JSONEncoder.encode builds an encoder on each call; these types need none. The
    # exact type is asked for, because a bool is an int in Python, and not in JSON.
    if type(value) is int:
        return f"{value}"
    return _LITERALS.get(type(value), _write)(value)
