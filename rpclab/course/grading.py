"""``check`` as a notebook calls it, and what an answer earns.

nbgrader reads the last value of a check cell as a number, and gives full
marks for anything else. With ``nbgrader`` in the variable ``RPCLAB_GRADING``
(``nbgrader_config.py`` sets it) ``check`` prints its report and gives a number.
"""

import os
from functools import cache
from typing import Any, Final

from rpclab.course import exercises, strings
from rpclab.course.catalogue import course, load
from rpclab.course.report import Report

GRADING: Final = "RPCLAB_GRADING"
NBGRADER: Final = "nbgrader"


def check(exercise: str, answer: Any = None) -> Report | int:
    """Judge an answer: run every demand of an exercise on it.

    A wrong name or a missing answer gives a report that says so: a notebook goes on.

    Raises:
        AssertionError: the solution was judged instead, and does not keep a demand.
    """
    report = exercises.check(exercise, answer)
    if os.environ.get(GRADING) != NBGRADER:
        return report
    print(report)  # noqa: T201  nbgrader wants the number as the cell's value
    return earn(exercise, count_kept(report))


def count_kept(report: Report) -> int:
    """Count the demands that are kept.

    >>> count_kept(Report("ex04_split", ()))
    0
    """
    return sum(one.verdict == strings.KEPT for one in report.outcomes)


def earn(exercise: str, kept: int) -> int:
    """Give the marks for so many demands kept: none, if the stub keeps as many.

    >>> earn("ex16_misfit", 3), earn("ex16_misfit", 4)
    (0, 4)
    """
    return kept if exercise in course() and kept > _stub_keeps(exercise) else 0


@cache
def _stub_keeps(exercise: str) -> int:
    """Count what the stub keeps: faults to be repaired keep some demands."""
    row = course()[exercise]
    return count_kept(exercises.run_checks(row, getattr(load(exercise, "stub"), row.answer)))
