"""What exercise 7 must find."""

import json

from rpclab.course import demand, try_line

EXERCISE = "ex07_not_json"


def check_it_is_one_line(line: str | bytes) -> None:
    """It is one line of text or bytes."""
    try_line(EXERCISE, line)


def check_the_reference_refuses_it(line: str | bytes) -> None:
    """The reference says that it is not JSON."""
    try_line(EXERCISE, line).reference_gives("error -32700")


def check_the_specimen_takes_it(line: str | bytes) -> None:
    """The specimen answers it with a result."""
    try_line(EXERCISE, line).specimen_gives("a result")


def check_the_reply_is_no_json_either(line: str | bytes) -> None:
    """The reply of the specimen holds a value that is not JSON."""
    reply = try_line(EXERCISE, line).specimen or b""
    try:
        json.loads(reply, parse_constant=_refuse)
    except ValueError:
        return
    demand(False, EXERCISE, reply.decode(), "a reply that a strict reader refuses")


def _refuse(text: str) -> None:
    raise ValueError(text)
