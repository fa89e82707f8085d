"""Predictions: the learner says what a server will reply before it replies.

The demo server is asked; there is no table of answers. If a prediction is
wrong, the learner is told what is different, but not what is right.
"""

from typing import Any

from rpclab.codec import decode
from rpclab.course.catalogue import sent_lines
from rpclab.course.expect import SILENCE, demand, same
from rpclab.demos.console import Console
from rpclab.errors import ParseError
from rpclab.messages import Json


def predict(exercise: str, predicted: list[Any], number: int) -> None:
    """Demand that one entry is the reply to that line, counted from 1.

    Raises:
        Unmet: something in it is different; the text says what.
        NotImplementedError: it is still ``...``.
    """
    guess, line = pick(exercise, predicted, number), sent_lines(exercise)[number - 1]
    value = _read(guess, line)
    reply = reply_to(line)
    wanted = find_difference(reply, value)
    demand(not wanted, line, guess, wanted)


def pick(exercise: str, predicted: list[Any], number: int) -> Any:
    """Return one entry of a prediction, counted from 1.

    Raises:
        Unmet: there are too few or too many.
        NotImplementedError: it is still ``...``.
    """
    count = len(sent_lines(exercise))
    fits = isinstance(predicted, list | tuple) and len(predicted) == count
    demand(fits, exercise, predicted, f"a list with one entry for each of the {count} lines")
    if predicted[number - 1] is ...:
        raise NotImplementedError
    return predicted[number - 1]


def reply_to(line: str) -> Json:
    """Return what the demo server replies, decoded, or None for silence.

    >>> reply_to('{"jsonrpc":"2.0","method":"get_data","id":1}')["result"]
    ['hello', 5]
    """
    received = Console().send(line).received
    return decode(received[-1]) if received else None


def _read(guess: Any, line: str) -> Json:
    """Return a prediction as a value: it may be one already."""
    if not isinstance(guess, str | bytes):
        return guess
    try:
        return decode(guess)
    except ParseError as error:
        wanted = "a line of JSON as a string, or None"
        demand(False, line, f"{guess!r} ({error.data})", wanted)


def find_difference(reply: Json, guess: Json) -> str:
    """Say what is wrong in a prediction, without giving the answer away.

    >>> find_difference({"jsonrpc": "2.0", "result": 3, "id": 1}, None)
    'a reply'
    """
    if reply is None or guess is None:
        return "" if guess is reply else SILENCE if reply is None else "a reply"
    if isinstance(reply, list) != isinstance(guess, list):
        return "an array" if isinstance(reply, list) else "one object, not an array"
    if not isinstance(reply, list):
        return _compare_responses(reply, guess)
    if len(reply) != len(guess):
        return "another number of responses in the array"
    for one in reply:
        mine = [each for each in guess if isinstance(each, dict) and _has_id(each, one["id"])]
        if not mine:
            return "a response with another id in the array"
        if wrong := _compare_responses(one, mine[0]):
            return wrong
    return ""


def _has_id(response: dict[str, Json], id: Json) -> bool:
    return "id" in response and same(response["id"], id)


def _compare_responses(reply: dict[str, Json], guess: Json) -> str:
    """Compare two responses. Of an error object only the code counts."""
    if not isinstance(guess, dict):
        return "a response: an object"
    if guess.get("jsonrpc") != "2.0":
        return 'jsonrpc, with exactly "2.0"'
    if ("error" in reply) != ("error" in guess) or ("result" in reply) != ("result" in guess):
        return "an error, and no result" if "error" in reply else "a result, and no error"
    if not _has_id(guess, reply["id"]):
        return "another id"
    if guess.keys() - reply.keys():
        return "no other members"
    if "result" in reply:
        return "" if same(reply["result"], guess["result"]) else "another result"
    error = guess["error"]
    code = error.get("code") if isinstance(error, dict) else error
    return "" if same(code, reply["error"]["code"]) else "another code"
