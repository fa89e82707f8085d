"""What exercise 2 must predict."""

from rpclab.course import predict

EXERCISE = "ex02_replies"


def check_line_1(replies: list) -> None:
    """Line 1, whose params are an array of two."""
    predict(EXERCISE, replies, 1)


def check_line_2(replies: list) -> None:
    """Line 2, whose method does nothing."""
    predict(EXERCISE, replies, 2)


def check_line_3(replies: list) -> None:
    """Line 3, which names a method and no more."""
    predict(EXERCISE, replies, 3)


def check_line_4(replies: list) -> None:
    """Line 4, whose id is null and which has no params."""
    predict(EXERCISE, replies, 4)


def check_line_5(replies: list) -> None:
    """Line 5, which has no method."""
    predict(EXERCISE, replies, 5)
