"""What exercise 10 must predict."""

from rpclab.course import demand, pick, reply_to, same, sent_lines

EXERCISE = "ex10_refusals"


def predict_refusal(refusals: list, number: int) -> None:
    """Demand that one pair is the code and the id that the demo server sends."""
    guess, line = pick(EXERCISE, refusals, number), sent_lines(EXERCISE)[number - 1]
    is_pair = isinstance(guess, list | tuple) and len(guess) == 2
    demand(is_pair, line, guess, "a pair of a code and an id")
    reply = reply_to(line)
    demand(same(guess[0], reply["error"]["code"]), line, guess, "another code")
    demand(same(guess[1], reply["id"]), line, guess, "another id")


def check_line_1(refusals: list) -> None:
    """Line 1, which has a Method."""
    predict_refusal(refusals, 1)


def check_line_2(refusals: list) -> None:
    """Line 2, which has two members."""
    predict_refusal(refusals, 2)


def check_line_3(refusals: list) -> None:
    """Line 3, whose id is an array."""
    predict_refusal(refusals, 3)


def check_line_4(refusals: list) -> None:
    """Line 4, which is shorter than it was meant to be."""
    predict_refusal(refusals, 4)


def check_line_5(refusals: list) -> None:
    """Line 5, whose version is a number."""
    predict_refusal(refusals, 5)
