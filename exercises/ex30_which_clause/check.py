"""What exercise 30 must find."""

from rpclab.course import demand, pick, sent_lines
from rpclab.explain import explain
from rpclab.spec import clauses

EXERCISE = "ex30_which_clause"
BESIDE_A_RESULT = {"5.not-both", "5.one-of", "5.no-error-on-success"}
"""Three clauses say in three ways that an error and a result exclude each other."""


def name_clause(ids: list, number: int) -> None:
    """Demand that one entry is a clause that the line breaks."""
    guess, line = pick(EXERCISE, ids, number), sent_lines(EXERCISE)[number - 1]
    known = {clause.id for clause in clauses()}
    demand(guess in known, line, guess, "the id of a clause")
    broken = {row.clause for row in explain(line.encode()).findings if row.verdict == "broken"}
    if broken & BESIDE_A_RESULT:
        broken |= BESIDE_A_RESULT
    demand(guess in broken, line, guess, "another clause: this one is kept, or says nothing here")


def check_line_1(ids: list) -> None:
    """Line 1, which Python would read."""
    name_clause(ids, 1)


def check_line_2(ids: list) -> None:
    """Line 2, which is an object of three members."""
    name_clause(ids, 2)


def check_line_3(ids: list) -> None:
    """Line 3, which has no method."""
    name_clause(ids, 3)


def check_line_4(ids: list) -> None:
    """Line 4, which is the shortest."""
    name_clause(ids, 4)


def check_line_5(ids: list) -> None:
    """Line 5, which adds two numbers."""
    name_clause(ids, 5)
