"""Which values fit what is wanted, and which do not."""

import json

import pytest

from rpclab.conformance.comparison import (
    NotJson,
    all_came,
    is_call,
    message_fits,
    read_payload,
    split_at_pauses,
    value_fits,
)
from rpclab.errors import FramingError

ERROR = '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Bad","data":[1]},"id":null}'


def read(text):
    return json.loads(text)


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ("1", "1.0"),
        ("9007199254740993", "9007199254740993"),
        ('{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}'),
        ('"<any>"', "null"),
        ('["<string>","<integer>","<number>","<object>","<array>"]', '["x",1,0.5,{},[]]'),
        ('["<empty>","<empty>"]', '[{},{"_meta":{"took":3}}]'),
    ],
)
def test_these_fit(wanted, got):
    assert value_fits(read(wanted), read(got))


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ("1", "true"),
        ("true", "1"),
        ("1", '"1"'),
        ("null", "false"),
        ("9007199254740993", "9007199254740992"),
        ("9007199254740993", "9007199254740993.0"),
        ('{"a":1}', '{"a":1,"b":2}'),
        ("[1,2]", "[2,1]"),
        ('"<integer>"', "true"),
        ('"<integer>"', "1.0"),
        ('"<string>"', "1"),
        ('"<empty>"', '{"pong":true}'),
        ('"<empty>"', "[]"),
    ],
)
def test_these_do_not_fit(wanted, got):
    assert not value_fits(read(wanted), read(got))


@pytest.mark.parametrize(
    "got",
    [
        '{"jsonrpc":"2.0","error":{"code":-32600},"id":null}',
        '{"id":null,"error":{"code":-32600,"message":"?","more":1},"jsonrpc":"2.0","x":1}',
    ],
)
def test_of_an_error_only_the_code_counts(got):
    assert message_fits(read(ERROR), read(got))


@pytest.mark.parametrize(
    "got",
    [
        '{"jsonrpc":"2.0","error":{"code":-32601},"id":null}',
        '{"jsonrpc":"2.0","error":{"code":-32600},"id":1}',
        '{"jsonrpc":"2.0","error":{"code":-32600}}',
        '{"error":{"code":-32600},"id":null}',
        '{"jsonrpc":"2.0","error":{"code":-32600},"id":null,"result":null}',
        '{"jsonrpc":"2.0","error":{"code":"-32600"},"id":null}',
        '{"jsonrpc":"2.0","error":-32600,"id":null}',
        "7",
        "[]",
    ],
)
def test_these_are_not_that_error(got):
    assert not message_fits(read(ERROR), read(got))


@pytest.mark.parametrize(
    ("compare", "got", "fits"),
    [
        (["message"], '{"code":-32600,"message":"Bad"}', True),
        (["message"], '{"code":-32600,"message":"bad"}', False),
        (["message"], '{"code":-32600}', False),
        (["data"], '{"code":-32600,"data":[1]}', True),
        (["data"], '{"code":-32600}', False),
    ],
)
def test_more_of_an_error_counts_where_the_case_says_so(compare, got, fits):
    error = read(ERROR) | {"error": read(got)}
    assert message_fits(read(ERROR), error, compare) is fits


def test_the_members_of_a_batch_come_in_any_order():
    one, two = read(ERROR), read(ERROR) | {"id": 2}
    assert message_fits([one, two], [two, one])
    assert not message_fits([one, one], [one, two])
    assert not message_fits([one], one)


def test_a_wildcard_is_not_given_away_to_the_first_that_fits():
    wanted = [{"as": "a", "result": "<any>"}, {"as": "a", "result": 1}]
    assert message_fits(wanted, [{"as": "a", "result": 1}, {"as": "a", "result": 2}])
    assert message_fits(wanted, [{"as": "a", "result": 2}, {"as": "a", "result": 1}])


def test_an_outcome_of_a_client_has_no_member_beside_those_wanted():
    assert not message_fits({"as": "a"}, {"as": "a", "result": 1})


@pytest.mark.parametrize(
    ("wanted", "got", "fits"),
    [
        ("1e400", "1e400", True),
        ("1e400", "1E+400", True),
        ("1e400", "1" + "0" * 400, True),
        ("[1e400]", "[1e401]", False),
        ("9" * 6000, "9" * 6000, True),
        ("9" * 6000, "9" * 5999 + "8", False),
        ('"<number>"', "-1e400", True),
        ('{"id":1}', '{"id":1e400}', False),
        ("1e400", '"1e400"', False),
    ],
)
def test_a_number_past_a_double_is_json_and_has_its_value(wanted, got, fits):
    assert value_fits(read_payload(wanted), read_payload(got.encode())) is fits


@pytest.mark.parametrize(
    "payload",
    [
        b"1e400 x",
        b"[1e400,NaN]",
        b"\xef\xbb\xbf1e400",
        b"\xff1e400",
        b"[" * 100_000,
        b"1e" + b"9" * 30,
    ],
)
def test_a_big_number_makes_nothing_else_json(payload):
    assert isinstance(read_payload(payload), NotJson)


def test_what_is_not_json_fits_nothing():
    for payload in (b"banner", b"\xff", b"NaN", FramingError("dropped")):
        assert isinstance(read_payload(payload), NotJson)
        assert not value_fits("<object>", read_payload(payload))


@pytest.mark.parametrize(
    ("value", "call"),
    [({"method": "x"}, True), ({"method": 1}, False), ({"id": 1}, False), ([], False)],
)
def test_a_call_has_a_method(value, call):
    assert is_call(value) is call


def test_order_counts_only_where_it_is_asked_for():
    assert all_came([1, 2], [2, 1], ordered=False)
    assert not all_came([1, 2], [2, 1], ordered=True)
    assert not all_came([1], [1, 1], ordered=True)


def test_a_pause_counts_only_where_one_is_wanted():
    assert all_came([1], ["<pause>", 1], ordered=False)
    assert all_came(["<pause>", 1], ["<pause>", 1], ordered=False)
    assert not all_came(["<pause>", 1], [1, "<pause>"], ordered=False)
    assert not all_came(["<pause>", 1], [1], ordered=False)
    assert split_at_pauses(["<pause>"]) == [[], []]
