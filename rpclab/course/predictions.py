"""Predictions: what will come, said before it comes.

The demo server is asked, not a table of answers. A prediction that fails is
told what is different, and not what is right: look again, or run it.
"""

from typing import Any

from rpclab.codec import decode
from rpclab.course import strings
from rpclab.course.catalogue import sent_lines
from rpclab.course.expect import demand, same
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
    """Give one entry of a prediction, counted from 1.

    Raises:
        Unmet: there are too few or too many.
        NotImplementedError: it is still ``...``.
    """
    count = len(sent_lines(exercise))
    fits = isinstance(predicted, list | tuple) and len(predicted) == count
    demand(fits, exercise, predicted, strings.ONE_EACH.format(count=count))
    if predicted[number - 1] is ...:
        raise NotImplementedError
    return predicted[number - 1]


def reply_to(line: str) -> Json:
    """Give what the demo server replies, decoded, or None for silence.

    >>> reply_to('{"jsonrpc":"2.0","method":"get_data","id":1}')["result"]
    ['hello', 5]
    """
    received = Console().send(line).received
    return decode(received[-1]) if received else None


def _read(guess: Any, line: str) -> Json:
    """Give a prediction as a value: it may be one already."""
    if not isinstance(guess, str | bytes):
        return guess
    try:
        return decode(guess)
    except ParseError as error:
        demand(False, line, f"{guess!r} ({error.data})", strings.A_LINE)


def find_difference(reply: Json, guess: Json) -> str:
    """Say in what a prediction is wrong, without giving the answer away.

    >>> find_difference({"jsonrpc": "2.0", "result": 3, "id": 1}, None)
    'a reply'
    """
    if reply is None or guess is None:
        return "" if guess is reply else strings.SILENCE if reply is None else strings.A_REPLY
    if isinstance(reply, list) != isinstance(guess, list):
        return strings.AN_ARRAY if isinstance(reply, list) else strings.NO_ARRAY
    if not isinstance(reply, list):
        return _differ(reply, guess)
    if len(reply) != len(guess):
        return strings.OTHER_COUNT
    for one in reply:
        mine = [each for each in guess if isinstance(each, dict) and _has_id(each, one["id"])]
        if not mine:
            return strings.NO_SUCH_ID
        if wrong := _differ(one, mine[0]):
            return wrong
    return ""


def _has_id(response: dict[str, Json], id: Json) -> bool:
    return "id" in response and same(response["id"], id)


def _differ(reply: dict[str, Json], guess: Json) -> str:
    """Compare two responses. Of an error object only the code counts."""
    if not isinstance(guess, dict):
        return strings.A_RESPONSE
    if guess.get("jsonrpc") != "2.0":
        return strings.A_VERSION
    if ("error" in reply) != ("error" in guess) or ("result" in reply) != ("result" in guess):
        return strings.AN_ERROR if "error" in reply else strings.A_RESULT
    if not _has_id(guess, reply["id"]):
        return strings.OTHER_ID
    if guess.keys() - reply.keys():
        return strings.OTHER_MEMBERS
    if "result" in reply:
        return "" if same(reply["result"], guess["result"]) else strings.OTHER_RESULT
    error = guess["error"]
    code = error.get("code") if isinstance(error, dict) else error
    return "" if same(code, reply["error"]["code"]) else strings.OTHER_CODE
