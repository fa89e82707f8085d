"""Check an answer to an exercise, and help the learner to find one.

A check runs the functions of the exercise's ``check.py``, its demands, in
order, and stops at the first that is not met. What came of it is a
``CheckReport``: a wrong answer is reported and never raises.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from rpclab.course.catalogue import Exercise, course, exercises_folder, load, read_task
from rpclab.course.expect import Unmet, describe
from rpclab.course.progress import (
    ANSWERS,
    Progress,
    change_progress,
    now,
    read_progress,
    take_notices,
)
from rpclab.course.source_listing import Listing
from rpclab.course.time_limit import TooSlow, time_limit

GRADING: Final = "RPCLAB_GRADING"
"""With ``nbgrader`` in this variable, ``check`` prints its report and returns points."""

NBGRADER: Final = "nbgrader"

KEPT: Final = "kept"
BROKEN: Final = "broken"
NOT_RUN: Final = "not run yet"

NOT_WRITTEN: Final = "Nothing is written yet: fill in the TODO, run the cell, and check again."

_NOT_CALLED: Final = frozenset({"prediction", "line", "server"})
"""The kinds of exercise whose answer is a value, not a function."""


# --- a check and its report -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One demand, and whether the answer meets it."""

    says: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True, repr=False, slots=True)
class CheckReport:
    """What ``check`` found."""

    exercise: str
    outcomes: tuple[CheckOutcome, ...]
    refusal: str = ""
    notices: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether every demand was run and met."""
        return not self.refusal and all(one.verdict == KEPT for one in self.outcomes)

    @property
    def kept_count(self) -> int:
        """How many demands were met."""
        return sum(one.verdict == KEPT for one in self.outcomes)

    @property
    def failed(self) -> str:
        """The demand that failed, or an empty string."""
        return next((one.says for one in self.outcomes if one.verdict == BROKEN), "")

    def __repr__(self) -> str:
        """Show each demand with its verdict, and details of the first that failed."""
        if self.refusal:
            return self.refusal
        lines = [f"{self.exercise}: {self.kept_count} of {len(self.outcomes)} kept"]
        for outcome in self.outcomes:
            lines.append(f"  {outcome.verdict:<{len(NOT_RUN)}}  {outcome.says}")
            lines += [f"      {line}" for line in outcome.detail.splitlines()]
        ending = ["Well done: every check is kept."] if self.kept else []
        return "\n".join([*lines, *ending, *self.notices])


def check(exercise: str, answer: Any = None) -> CheckReport | int:
    """Check an answer: run every demand of an exercise on it.

    A wrong name or a missing answer is reported and does not raise, so that
    the notebook continues. nbgrader reads the last value of a check cell as a
    number, and gives full marks for anything else; so with ``nbgrader`` in the
    variable ``RPCLAB_GRADING`` (``nbgrader_config.py`` sets it) the report is
    printed, and the points are returned.

    Raises:
        AssertionError: the solution was checked instead, and it fails.
    """
    report = check_answer(exercise, answer)
    if os.environ.get(GRADING) != NBGRADER:
        return report
    print(report)  # noqa: T201  nbgrader wants the number as the cell's value
    return earn(exercise, report.kept_count)


def check_answer(exercise: str, answer: Any = None) -> CheckReport:
    """Check an answer, note the try in the learner's progress, and report.

    Raises:
        AssertionError: the solution was checked instead, and it fails.
    """
    if exercise not in course():
        return CheckReport(exercise, (), explain_unknown(exercise))
    row = course()[exercise]
    if os.environ.get(ANSWERS) == "solution":
        report = run_checks(row, getattr(load(exercise, "solution"), row.answer))
        assert report.kept, report
        return report
    if answer is None or not (row.kind in _NOT_CALLED or callable(answer)):
        refusal = f"check needs your answer: check({exercise!r}, {row.answer})"
        return CheckReport(exercise, (), refusal)
    report = run_checks(row, answer)
    if not any(one.detail == NOT_WRITTEN for one in report.outcomes):  # a stub is not a try
        change_progress(lambda progress: _note_try(progress, report))
    return CheckReport(exercise, report.outcomes, notices=tuple(take_notices()))


def run_checks(row: Exercise, answer: Any) -> CheckReport:
    """Check an answer without noting anything."""
    slow = row.kind == "server"  # the conformance lab has time limits of its own
    return CheckReport(row.name, tuple(run_demands(demands(row.name), answer, limited=not slow)))


def demands(exercise: str) -> list[Callable[[Any], None]]:
    """Return the functions of ``check.py``, in the order in which they are written."""
    module = load(exercise, "check")
    return [thing for name, thing in vars(module).items() if name.startswith("check_")]


def run_demands(
    checks: list[Callable[[Any], None]], answer: Any, *, limited: bool = True
) -> Iterator[CheckOutcome]:
    """Run the demands in order. Only the first that fails is reported in full."""
    failed = False
    for demand in checks:
        says = (demand.__doc__ or "").strip()
        if failed:
            yield CheckOutcome(says, NOT_RUN)
            continue
        detail = _run_demand(demand, answer, limited=limited)
        failed = bool(detail)
        yield CheckOutcome(says, BROKEN if failed else KEPT, detail)


def _run_demand(demand: Callable[[Any], None], answer: Any, *, limited: bool) -> str:
    """Run one demand, and say what is wrong: an empty string if nothing is."""
    try:
        with time_limit() if limited else nullcontext():
            demand(answer)
    except NotImplementedError:
        return NOT_WRITTEN
    except Unmet as unmet:
        return str(unmet)
    except (Exception, SystemExit, TooSlow) as error:  # noqa: BLE001  an answer of an unknown form
        name = getattr(answer, "__name__", "answer")
        wanted = "an answer that can be judged; see the task for its form"
        return str(Unmet(name, describe(error), wanted))
    return ""


def _note_try(progress: Progress, report: CheckReport) -> None:
    record = progress.record(report.exercise)
    record.tries += 1
    record.began = record.began or now()
    record.skipped = False
    record.failed = report.failed
    if report.kept and not record.kept:
        record.kept, record.ended = True, now()


def earn(exercise: str, kept: int) -> int:
    """Return the marks for so many demands met: none, if the stub meets as many.

    >>> earn("ex16_misfit", 3), earn("ex16_misfit", 4)
    (0, 4)
    """
    return kept if exercise in course() and kept > _count_kept_by_stub(exercise) else 0


@cache
def _count_kept_by_stub(exercise: str) -> int:
    """Count the demands that the stub meets: a stub to be repaired meets some."""
    row = course()[exercise]
    return run_checks(row, getattr(load(exercise, "stub"), row.answer)).kept_count


# --- task, hints, solution --------------------------------------------------------


class Task(Listing):
    """What an exercise asks for, shown as text in a notebook."""

    def __repr__(self) -> str:
        """Return the text."""
        return self._source

    def _repr_markdown_(self) -> str:
        return self._source


def explain_unknown(exercise: str) -> str:
    """Say that there is no such exercise, and list those that exist."""
    return f"There is no exercise {exercise}. There are: {', '.join(course())}."


def task(exercise: str) -> Task | str:
    """Show what an exercise asks for, with the numbers of this learner."""
    if exercise not in course():
        return explain_unknown(exercise)
    return Task(exercise, read_task(exercise).rstrip())


def hint(exercise: str, number: int | None = None) -> str:
    """Return one of three hints: a question, a pointer, nearly the answer.

    Without a number it is the next one. They come one at a time.
    """
    if exercise not in course():
        return explain_unknown(exercise)
    hints, seen = course()[exercise].hints, read_progress().record(exercise).hints
    count = len(hints)
    if number is None:
        number = seen + 1
        if number > count:
            return f"You have had all {count} hints; hint({exercise!r}, 1) gives the first again."
    if number not in range(1, count + 1):
        return f"There are {count} hints: give a number from 1 to {count}."
    if number > seen + 1:
        return f"One at a time: hint {seen + 1} comes next. hint({exercise!r}) gives it."

    def note(progress: Progress) -> None:
        progress.record(exercise).hints = max(seen, number)

    change_progress(note)
    return hints[number - 1]


def solution(exercise: str, *, anyway: bool = False) -> Listing | str:
    """Show the solution, once the answer was right, or on request."""
    if exercise not in course():
        return explain_unknown(exercise)
    if not read_progress().record(exercise).kept:
        if not anyway:
            return (
                "The solution is shown once your answer is right. "
                f"To see it anyway: solution({exercise!r}, anyway=True)"
            )

        def note(progress: Progress) -> None:
            progress.record(exercise).shown = True

        change_progress(note)
    path = exercises_folder() / exercise / "solution.py"
    return Listing(f"{exercise}/solution.py", path.read_text("utf-8").rstrip())


def reset(exercise: str) -> str:
    """Forget everything about the learner's work on an exercise."""
    if exercise not in course():
        return explain_unknown(exercise)
    change_progress(lambda progress: progress.records.pop(exercise, None))
    return f"{exercise} is as if you had never tried it."


def skip(exercise: str) -> str:
    """Skip an exercise: it is no longer the next one."""
    if exercise not in course():
        return explain_unknown(exercise)

    def note(progress: Progress) -> None:
        progress.record(exercise).skipped = True

    change_progress(note)
    return f"{exercise} is skipped. A check takes it up again."
