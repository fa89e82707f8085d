"""What each reply settles."""

import pytest

from rpclab.errors import InvalidResponse
from rpclab.messages import ErrorResponse, SuccessResponse
from rpclab.peer.pending import (
    DUPLICATE,
    LATE,
    OTHER_TYPE,
    UNCORRELATED,
    UNKNOWN,
    Pending,
    Settled,
    Stray,
    show,
)


def result(id, value="ok"):
    return {"jsonrpc": "2.0", "result": value, "id": id}


def error(id):
    return {"jsonrpc": "2.0", "error": {"code": -32600, "message": "no"}, "id": id}


def table(*entries, as_batch=False):
    pending = Pending()
    pending.open({pending.next_id(): entry for entry in entries}, as_batch)
    return pending


def reasons(outcomes):
    return [outcome.reason for outcome in outcomes]


def test_ids_are_counted_from_one_and_never_used_twice():
    pending = Pending()
    assert [pending.next_id() for _ in range(3)] == [1, 2, 3]


def test_a_reply_settles_the_call_with_its_id():
    pending = table("one", "two")
    assert pending.settle(result(2)) == [Settled("two", SuccessResponse("ok", 2))]
    assert pending.get(1) == "one"
    assert pending.get(2) is None


def test_an_error_settles_the_call_with_its_id():
    ((entry, response),) = table("one").settle(error(1))
    assert entry == "one"
    assert isinstance(response, ErrorResponse)


def test_an_id_of_zero_is_an_id():
    pending = Pending(first=0)
    pending.open({pending.next_id(): "zero"})
    assert pending.settle(result(0))[0].entry == "zero"


def test_numbers_are_the_same_by_value():
    assert table("one").settle(result(1.0))[0].entry == "one"


def test_a_second_reply_is_a_duplicate():
    pending = table("one")
    pending.settle(result(1))
    assert pending.settle(result(1)) == [Stray(DUPLICATE, result(1))]


def test_the_reply_to_a_call_that_was_given_up_is_late_and_the_next_a_duplicate():
    pending = table("one")
    assert pending.give_up(1)
    assert reasons(pending.settle(result(1)) + pending.settle(result(1))) == [LATE, DUPLICATE]


def test_a_call_that_has_ended_cannot_be_given_up():
    pending = table("one")
    pending.settle(result(1))
    assert not pending.give_up(1)


def test_an_id_that_no_call_had_is_unknown():
    pending = table("one")
    strays = [result(id) for id in (2, 0, -1, 1.5, "two", "", "1" * 5000, "²", None)]
    found = [reasons(pending.settle(value)) for value in strays]
    assert found == [[UNKNOWN]] * len(strays)


def test_an_id_of_another_type_settles_nothing_and_is_told_apart():
    pending = table("one")
    assert reasons(pending.settle(result("1"))) == [OTHER_TYPE]
    assert pending.get_mistyped("1") == pending.get(1) == "one"
    assert reasons(pending.settle(result("2"))) == [UNKNOWN]


def test_an_error_without_an_id_names_no_call():
    pending = table("one")
    assert pending.settle(error(None)) == [Stray(UNCORRELATED, error(None))]
    assert pending.get(1) == "one"


@pytest.mark.parametrize(
    "value",
    [
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "result": 5, "error": None},
        {"jsonrpc": "2.0", "id": 1, "error": "nope"},
        {"jsonrpc": "1.0", "id": 1, "result": 5},
    ],
)
def test_an_invalid_response_fails_the_call_that_it_names_and_is_shown(value):
    ((entry, response),) = table("one").settle(value)
    assert entry == "one"
    assert isinstance(response, InvalidResponse)
    assert show(value) in str(response)


def test_an_invalid_response_that_names_no_call_is_a_stray():
    (stray,) = table("one").settle({"jsonrpc": "2.0", "error": 1})
    assert "must have an id" in stray.reason


@pytest.mark.parametrize("value", ["ok", 5, None, [], {"id": []}, {"id": True}])
def test_no_value_makes_it_raise(value):
    assert len(table("one").settle(value)) == 1


def test_the_replies_to_a_batch_are_matched_by_id_in_any_order():
    pending = table("one", "two", as_batch=True)
    entries = [pending.settle(result(id))[0].entry for id in (2, 1)]
    assert entries == ["two", "one"]


NO = {"code": -32600, "message": "no"}


@pytest.mark.parametrize(
    "refusal",
    [
        error(None),
        {"jsonrpc": "2.0", "error": NO},
        {"id": None, "result": None, "error": NO},
        {"jsonrpc": "1.0", "id": None, "error": NO},
        {"jsonrpc": "2.0", "id": [], "error": NO},
    ],
    ids=["null id", "no id", "1.0", "1.0 by name", "an id that is none"],
)
def test_one_error_without_an_id_fails_every_call_of_a_batch(refusal):
    settled = table("one", "two", as_batch=True).settle(refusal)
    assert [outcome.entry for outcome in settled] == ["one", "two"]
    assert [outcome.response.error.message for outcome in settled] == ["no", "no"]


def test_an_error_of_another_form_fails_a_batch_as_an_invalid_response():
    settled = table("one", as_batch=True).settle({"id": None, "result": None, "error": "busy"})
    (outcome,) = settled
    assert isinstance(outcome.response, InvalidResponse)
    assert "busy" in str(outcome.response)


@pytest.mark.parametrize("refusal", [{"jsonrpc": "2.0", "error": NO}, error(None)])
def test_an_error_without_an_id_does_not_end_a_single_call(refusal):
    pending = table("one")
    assert pending.settle(refusal) == [Stray(UNCORRELATED, refusal)]
    assert pending.get(1) == "one"


def test_an_error_without_an_id_may_mean_a_call_beside_the_batch():
    pending = table("one", as_batch=True)
    pending.open({pending.next_id(): "two"})
    assert reasons(pending.settle(error(None))) == [UNCORRELATED]


def test_a_call_that_was_sent_before_one_with_a_reply_is_not_meant():
    pending = table("long", "short")
    pending.settle(result(2))
    pending.open({pending.next_id(): "three", pending.next_id(): "four"}, as_batch=True)
    settled = pending.settle(error(None))
    assert [outcome.entry for outcome in settled] == ["three", "four"]
    assert pending.get(1) == "long"


def test_a_refusal_that_a_later_reply_has_overtaken_means_the_batch_that_waits():
    pending = table("one", as_batch=True)
    pending.open({pending.next_id(): "two"})
    pending.settle(result(2))
    assert [outcome.entry for outcome in pending.settle(error(None))] == ["one"]


def test_the_late_refusal_of_a_batch_that_was_given_up_fails_no_other_batch():
    pending = table("one", as_batch=True)
    pending.give_up(1)
    pending.open({pending.next_id(): "two"}, as_batch=True)
    assert reasons(pending.settle(error(None))) == [UNCORRELATED]
    assert reasons(pending.settle(result(1))) == [LATE]
    assert [outcome.entry for outcome in pending.settle(error(None))] == ["two"]


def test_a_batch_that_has_a_reply_already_is_not_failed_by_an_error_without_id():
    pending = table("one", "two", as_batch=True)
    pending.settle(result(1))
    assert reasons(pending.settle(error(None))) == [UNCORRELATED]


def test_of_two_batches_nobody_knows_which_an_error_without_id_means():
    pending = table("one", as_batch=True)
    pending.open({pending.next_id(): "two"}, as_batch=True)
    assert reasons(pending.settle(error(None))) == [UNCORRELATED]


def test_a_batch_of_notifications_awaits_nothing():
    pending = table(as_batch=True)
    assert reasons(pending.settle(error(None))) == [UNCORRELATED]


def test_what_is_remembered_of_calls_that_were_given_up_is_bounded():
    pending = Pending()
    for _ in range(3000):
        id = pending.next_id()
        pending.open({id: "call"}, as_batch=True)
        pending.give_up(id)
    late = [id for id in range(1, 3001) if reasons(pending.settle(result(id))) == [LATE]]
    assert late == [*range(2001, 3001)]
    assert reasons(pending.settle(error(None))) == [UNCORRELATED]


def test_closing_gives_all_that_was_pending():
    pending = table("one", "two")
    assert pending.close() == ["one", "two"]
    assert pending.get(1) is None


@pytest.mark.parametrize("token", [None, [], {}, "1", True, 9, 0])
def test_a_token_that_is_no_id_of_ours_was_not_used(token):
    assert not table("one").has_used(token)


def test_an_id_stays_used():
    pending = table("one")
    pending.settle(result(1))
    assert pending.has_used(1)
    assert pending.has_used(1.0)


def test_a_value_that_is_nested_too_deeply_can_be_shown_all_the_same():
    value = []
    for _ in range(100_000):
        value = [value]
    assert show(value) == "a value that is nested too deeply"


def test_an_error_without_an_id_inside_an_array_fails_no_batch():
    pending = Pending()
    pending.open({pending.next_id(): "one", pending.next_id(): "two"}, as_batch=True)
    error = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": None}
    (outcome,) = pending.settle(error, alone=False)
    assert isinstance(outcome, Stray)
    assert pending.get(1) == "one"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[2Jé\n", "\\x1b[2Jé\\n"), ("plain 'text' \"here\"", "plain 'text' \"here\"")],
)
def test_what_is_shown_moves_no_cursor(text, shown):
    assert show(text) == shown
