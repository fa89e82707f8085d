"""What exercise 24 must find."""

from rpclab.course import demand, try_line
from rpclab.demos.console import name_shape

EXERCISE = "ex24_loud"


def check_it_is_one_line(line: str | bytes) -> None:
    """It is one line of text or bytes."""
    try_line(EXERCISE, line)


def check_it_is_a_notification(line: str | bytes) -> None:
    """It is a valid notification."""
    shape = name_shape(try_line(EXERCISE, line).line)
    demand(shape == "notification", f"name_shape({line!r})", shape, "'notification'")


def check_the_reference_is_silent(line: str | bytes) -> None:
    """The reference keeps silent."""
    try_line(EXERCISE, line).reference_gives("silence")


def check_the_specimen_speaks(line: str | bytes) -> None:
    """The specimen does not."""
    try_line(EXERCISE, line).differ()
