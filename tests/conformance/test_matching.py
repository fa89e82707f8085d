"""What is the same, and what is not; and how the same bytes can be sent."""

import json

import pytest

from rpclab.conformance.cases import Message, Pause, Raw
from rpclab.conformance.deliveries import FLOOD_TIMES, Cut, plan, sent_bytes
from rpclab.conformance.matching import (
    NotJson,
    all_came,
    is_call,
    read_payload,
    same,
    same_message,
    split_at_pauses,
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
    ],
)
def test_these_are_the_same(wanted, got):
    assert same(read(wanted), read(got))


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
    ],
)
def test_these_are_not_the_same(wanted, got):
    assert not same(read(wanted), read(got))


@pytest.mark.parametrize(
    "got",
    [
        '{"jsonrpc":"2.0","error":{"code":-32600},"id":null}',
        '{"id":null,"error":{"code":-32600,"message":"?","more":1},"jsonrpc":"2.0","x":1}',
    ],
)
def test_of_an_error_only_the_code_counts(got):
    assert same_message(read(ERROR), read(got))


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
    assert not same_message(read(ERROR), read(got))


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
    assert same_message(read(ERROR), error, compare) is fits


def test_the_members_of_a_batch_come_in_any_order():
    one, two = read(ERROR), read(ERROR) | {"id": 2}
    assert same_message([one, two], [two, one])
    assert not same_message([one, one], [one, two])
    assert not same_message([one], one)


def test_a_wildcard_is_not_given_away_to_the_first_that_fits():
    wanted = [{"as": "a", "result": "<any>"}, {"as": "a", "result": 1}]
    assert same_message(wanted, [{"as": "a", "result": 1}, {"as": "a", "result": 2}])
    assert same_message(wanted, [{"as": "a", "result": 2}, {"as": "a", "result": 1}])


def test_an_outcome_of_a_client_has_no_member_beside_those_wanted():
    assert not same_message({"as": "a"}, {"as": "a", "result": 1})


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
    assert same(read_payload(wanted), read_payload(got.encode())) is fits


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


def test_what_is_not_json_is_the_same_as_nothing():
    for payload in (b"banner", b"\xff", b"NaN", FramingError("dropped")):
        assert isinstance(read_payload(payload), NotJson)
        assert not same("<object>", read_payload(payload))


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


# --- deliveries -------------------------------------------------------------------

PIECES = (Message('"é€"'.encode()), Pause(0.1), Raw(b"ab"), Message(b"[]"))


@pytest.mark.parametrize("delivery", ["whole", "joined", "bytes", "cut-utf8", "slow"])
@pytest.mark.parametrize(
    ("framing", "stream"),
    [
        ("newline", '"é€"\nab[]\n'),
        ("content-length", 'Content-Length: 7\r\n\r\n"é€"abContent-Length: 2\r\n\r\n[]'),
    ],
)
def test_every_delivery_sends_the_same_bytes(delivery, framing, stream):
    chunks = plan(PIECES, framing, delivery)
    assert sent_bytes(chunks) == stream.encode()
    assert [c.seconds for c in chunks if type(c) is Pause] == [0.1]


def test_what_is_joined_is_one_write():
    assert plan(PIECES, "newline", "joined")[-1] == b"ab[]\n"


def test_a_character_is_cut_before_each_byte_that_continues_it():
    chunks = plan([Message("é€".encode())], "newline", "cut-utf8")
    assert [c for c in chunks if isinstance(c, bytes)] == [b"\xc3", b"\xa9\xe2", b"\x82", b"\xac\n"]
    assert sum(isinstance(c, Cut) for c in chunks) == 3


def test_byte_by_byte_is_given_up_for_what_is_very_long():
    assert len(plan([Message(b"a" * 100)], "newline", "bytes")) == 101
    assert len(plan([Message(b"a" * 5000)], "newline", "bytes")) == 1


def test_a_flood_of_stderr_comes_before_the_case():
    first, second = plan([Message(b"[]")], "newline", "stderr-flood")
    assert first.count(b"boom") == FLOOD_TIMES
    assert second == b"[]\n"
