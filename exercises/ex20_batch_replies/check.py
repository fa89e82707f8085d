"""What exercise 20 must predict."""

from rpclab.course import predict

EXERCISE = "ex20_batch_replies"


def check_line_1(replies: list) -> None:
    """Line 1, an array of two calls."""
    predict(EXERCISE, replies, 1)


def check_line_2(replies: list) -> None:
    """Line 2, an array with a number in it."""
    predict(EXERCISE, replies, 2)


def check_line_3(replies: list) -> None:
    """Line 3, an array of two calls without ids."""
    predict(EXERCISE, replies, 3)


def check_line_4(replies: list) -> None:
    """Line 4, an array that breaks off."""
    predict(EXERCISE, replies, 4)


def check_line_5(replies: list) -> None:
    """Line 5, an array of four, which are all different."""
    predict(EXERCISE, replies, 5)
