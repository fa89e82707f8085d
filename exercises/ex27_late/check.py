"""What exercise 27 must do."""

from collections.abc import Callable

from rpclab.course import demand, expect

Sort = Callable[[set, set, dict], str]


def reply(id: str | int | None) -> dict:
    """Return a success response."""
    return {"jsonrpc": "2.0", "result": 1, "id": id}


def check_a_call_that_waits(sort_reply: Sort) -> None:
    """A response to a call that waits settles it."""
    expect(sort_reply, {1, 2}, {3}, reply(2)).gives("settles")


def check_a_call_that_was_given_up(sort_reply: Sort) -> None:
    """A response to a call that was given up is late."""
    expect(sort_reply, {1, 2}, {3}, reply(3)).gives("late")
    error = {"jsonrpc": "2.0", "error": {"code": -32800, "message": "cancelled"}, "id": 3}
    expect(sort_reply, {1, 2}, {3}, error).gives("late")


def check_a_call_of_nobody(sort_reply: Sort) -> None:
    """A response to no call is a stray, and so is one with a null id."""
    expect(sort_reply, {1}, {3}, reply(9)).gives("stray")
    expect(sort_reply, {1}, {3}, reply(None)).gives("stray")


def check_an_id_of_another_type(sort_reply: Sort) -> None:
    """The string 1 is not the number 1."""
    expect(sort_reply, {1}, {3}, reply("1")).gives("stray")


def check_a_second_response(sort_reply: Sort) -> None:
    """The second response to a call is a stray."""
    for waiting, given_up, word in (({1}, set(), "settles"), (set(), {1}, "late")):
        expect(sort_reply, waiting, given_up, reply(1)).gives(word)
        expect(sort_reply, waiting, given_up, reply(1)).gives("stray")


def check_the_others_stay(sort_reply: Sort) -> None:
    """All other ids stay where they are."""
    waiting, given_up = {1, 2}, {3, 4}
    expect(sort_reply, waiting, given_up, reply(2)).gives("settles")
    expect(sort_reply, waiting, given_up, reply(9)).gives("stray")
    demand((waiting, given_up) == ({1}, {3, 4}), "both sets", (waiting, given_up), "({1}, {3, 4})")
