"""What exercise 26 must predict."""

from rpclab.course import demand, pick, sent_lines
from rpclab.demos.orderings import try_order

EXERCISE = "ex26_orders"


def predict_outcome(outcomes: list, number: int) -> None:
    """Demand that one pair is what comes of that order, tried with real peers."""
    guess, line = pick(EXERCISE, outcomes, number), sent_lines(EXERCISE)[number - 1]
    is_pair = isinstance(guess, list | tuple) and len(guess) == 2
    demand(is_pair, line, guess, "a pair: the caller's outcome, and the server's answer")
    where, order = line.split(": ")
    manner, wire = where.split()
    row = try_order(tuple(order.split(" < ")), manner, wire)
    demand(guess[0] == row.caller, line, guess, "another outcome for the caller")
    labels = [sent.label for sent in row.messages if not sent.by_caller]
    answer = next((label for label in labels if label != "progress"), None)
    demand(guess[1] == answer, line, guess, "another answer of the server")


def check_line_1(outcomes: list) -> None:
    """Line 1: LSP, on a fast wire."""
    predict_outcome(outcomes, 1)


def check_line_2(outcomes: list) -> None:
    """Line 2: the same in MCP."""
    predict_outcome(outcomes, 2)


def check_line_3(outcomes: list) -> None:
    """Line 3: the handler is first, on a fast wire."""
    predict_outcome(outcomes, 3)


def check_line_4(outcomes: list) -> None:
    """Line 4: the same on a crossing wire."""
    predict_outcome(outcomes, 4)


def check_line_5(outcomes: list) -> None:
    """Line 5: the caller's time is over first."""
    predict_outcome(outcomes, 5)
