"""Bytes to a JSON value and back, strict both ways."""

import json
import math
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpclab.codec import decode, encode
from rpclab.errors import ERR_PARSE, ParseError


@dataclass(slots=True)
class Point:
    """A dataclass with what is not a member, and with a member of its own kind."""

    x: int
    next: "Point | None" = None
    unset: int = field(init=False)
    dimensions: ClassVar[int] = 1


class Colour(Enum):
    """An enumeration that JSON does not know."""

    RED = "red"


class Size(IntEnum):
    """An enumeration of integers."""

    SMALL = 1


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[])),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=[])), inner)
    ),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"id":1}', {"id": 1}),
        (b"[1, null]", [1, None]),
        (b'"caf\xc3\xa9"', "café"),
        (b"1e2", 100.0),
        (b"-0", 0),
        (b"true", True),
        (b"null", None),
    ],
)
def test_json_is_read(line, value):
    assert decode(line) == value


def test_text_is_read_as_bytes_are():
    assert decode('["é"]') == decode('["é"]'.encode())


@pytest.mark.parametrize("line", [b" 1 ", b"\t1\r", b"\r\n1\n"])
def test_white_space_around_a_value_is_nothing(line):
    assert decode(line) == 1


@pytest.mark.parametrize("line", ["\u00a01", "1\u2028", "\x0b1", "\x0c1", "\ufeff1"], ids=ascii)
def test_only_four_characters_are_white_space(line):
    with pytest.raises(ParseError):
        decode(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"{",
        b"{'a': 1}",
        b'{"a": 1,}',
        b"[1,]",
        b'{"a" 1}',
        b"{a: 1}",
        b"nul",
        b"01",
        b"+1",
        b".5",
        b"1.",
        b"1 2",
        b"[] []",
        b'"a\nb"',
        b'"a\tb"',
        b'"\\x41"',
        b'"\\u12"',
        b'"',
        b"// no\n1",
        b"\x00",
    ],
)
def test_what_is_not_exactly_one_json_value_is_refused(line):
    with pytest.raises(ParseError):
        decode(line)


@pytest.mark.parametrize("line", [b"NaN", b"Infinity", b"-Infinity", b'{"a":[NaN]}'])
def test_what_python_alone_calls_json_is_refused(line):
    with pytest.raises(ParseError):
        decode(line)


@pytest.mark.parametrize("line", [b"1e400", b"-1e400", b"[1E+999]"])
def test_a_number_too_large_for_a_double_is_refused(line):
    with pytest.raises(ParseError):
        decode(line)


def test_a_number_too_small_for_a_double_is_zero():
    assert decode(b"1e-400") == 0


def test_the_largest_double_is_read():
    assert decode(b"1.7976931348623157e308") == 1.7976931348623157e308


@pytest.mark.parametrize("sign", ["", "-"])
def test_an_integer_of_5000_digits_is_refused(sign):
    with pytest.raises(ParseError):
        decode(sign + "1" * 5000)


def test_an_integer_past_every_machine_word_keeps_its_digits():
    assert decode(b"123456789012345678901234567890") == 123456789012345678901234567890


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"a":' * 100_000], ids=["arrays", "objects"])
def test_nesting_without_end_is_refused(line):
    with pytest.raises(ParseError):
        decode(line)


@pytest.mark.parametrize("line", [b"\xff\xfe", b'"\xc3"', b'"\xed\xa0\x80"', b'"\xc0\x80"'])
def test_what_is_not_utf8_is_refused(line):
    with pytest.raises(ParseError):
        decode(line)


def test_a_refusal_has_the_code_of_a_parse_error():
    with pytest.raises(ParseError) as caught:
        decode(b"{")
    assert caught.value.code == ERR_PARSE


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'"a\xff"', "not UTF-8: invalid start byte at byte 2"),
        (b"[1,", "Expecting value at character 3"),
        (b'["a', "Unterminated string starting at character 1"),
        (b'"\t"', "Invalid control character at character 1"),
        (b"1 2", "one value expected, more follows at character 1"),
        (b"[NaN]", "NaN is not JSON"),
        (b"1e400", "1e400 is too large for a number"),
        (b"[" * 100_000, "nested too deeply"),
    ],
    ids=["bytes", "syntax", "string", "control", "trailing", "constant", "number", "depth"],
)
def test_a_refusal_says_why(line, why):
    with pytest.raises(ParseError) as caught:
        decode(line)
    assert caught.value.data == why


def test_a_refusal_of_many_digits_is_short():
    with pytest.raises(ParseError) as caught:
        decode("1" * 5000)
    assert len(caught.value.data) < 200


def test_of_two_members_with_one_name_the_last_wins():
    assert decode(b'{"method":"echo","method":"boom"}') == {"method": "boom"}


def test_a_lone_surrogate_is_read_and_written_back_escaped():
    assert encode(decode(rb'"\ud800"')) == r'"\ud800"'


def test_a_pair_of_surrogates_is_one_character():
    assert decode(rb'"\ud83c\udf89"') == "🎉"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (10**30, "1" + "0" * 30),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (1.5, "1.5"),
        ("a", '"a"'),
        ([], "[]"),
        ({"a": [1, {}]}, '{"a":[1,{}]}'),
    ],
)
def test_a_value_is_written_without_spaces(value, text):
    assert encode(value) == text


@pytest.mark.parametrize("value", ["a\nb", "a\rb", "a\u2028b", "é", "\x7f\x00", "🎉"], ids=ascii)
def test_what_is_written_is_one_line_of_ascii(value):
    text = encode(value)
    assert (text.isascii(), len(text.splitlines())) == (True, 1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [math.nan]], ids=repr)
def test_a_number_that_json_has_not_is_never_written(value):
    with pytest.raises(ValueError, match="Out of range"):
        encode(value)


@pytest.mark.parametrize("value", [{1}, object(), b"bytes", 1j, {(1, 2): 3}], ids=type)
def test_a_value_that_json_cannot_hold_is_never_written(value):
    with pytest.raises(TypeError):
        encode(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Point(1), '{"x":1,"next":null}'),
        ([Point(1, Point(2))], '[{"x":1,"next":{"x":2,"next":null}}]'),
        ({"colour": Colour.RED, "size": Size.SMALL}, '{"colour":"red","size":1}'),
        (Colour.RED, '"red"'),
    ],
    ids=["dataclass", "inside", "member", "enumeration"],
)
def test_a_dataclass_is_written_as_an_object_and_an_enumeration_as_its_value(value, text):
    assert encode(value) == text


def test_the_class_itself_is_never_written():
    with pytest.raises(TypeError, match="JSON cannot hold a value of type type"):
        encode(Point)


def test_a_dataclass_that_holds_itself_is_never_written():
    point = Point(1)
    point.next = point
    with pytest.raises(ValueError, match="Circular"):
        encode(point)


def test_a_cycle_is_never_written():
    cycle = []
    cycle.append(cycle)
    with pytest.raises(ValueError, match="Circular"):
        encode(cycle)


def test_a_value_nested_too_deeply_is_never_written():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(RecursionError):
        encode(deep)


@given(JSON_VALUES)
def test_what_is_written_is_read_back_the_same(value):
    assert decode(encode(value)) == value


@given(JSON_VALUES)
def test_what_is_written_says_the_same_to_another_reader(value):
    assert json.loads(encode(value)) == value


@given(st.binary() | st.text(st.characters(exclude_categories=[])))
def test_any_line_is_read_or_refused(line):
    with suppress(ParseError):
        decode(line)
