"""What exercise 11 must find."""

from rpclab.course import try_line

EXERCISE = "ex11_strange_id"


def check_it_is_one_line(line: str | bytes) -> None:
    """It is one line of text or bytes."""
    try_line(EXERCISE, line)


def check_the_reference_refuses_it(line: str | bytes) -> None:
    """The reference says that it is not a valid request."""
    try_line(EXERCISE, line).reference_gives("error -32600")


def check_the_two_differ(line: str | bytes) -> None:
    """The specimen does not say the same."""
    try_line(EXERCISE, line).differ()


def check_the_specimen_takes_it(line: str | bytes) -> None:
    """The specimen answers it with a result."""
    try_line(EXERCISE, line).specimen_gives("a result")
