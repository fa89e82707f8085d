"""What exercise 18 must find."""

from rpclab.course import try_line

EXERCISE = "ex18_by_name"


def check_it_is_one_line(line: str | bytes) -> None:
    """It is one line of text or bytes."""
    try_line(EXERCISE, line)


def check_it_is_a_good_request(line: str | bytes) -> None:
    """The reference answers it with a result."""
    try_line(EXERCISE, line).reference_gives("a result")


def check_the_specimen_takes_it_too(line: str | bytes) -> None:
    """The specimen answers it with a result too."""
    try_line(EXERCISE, line).specimen_gives("a result")


def check_the_results_differ(line: str | bytes) -> None:
    """The two results are not the same."""
    try_line(EXERCISE, line).differ()
