"""Judge an answer to an exercise, and what helps on the way there."""

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any, Final

from rpclab.course import strings
from rpclab.course.catalogue import Exercise, course, exercises_folder, load, read_task
from rpclab.course.expect import Unmet, describe
from rpclab.course.listings import Listing
from rpclab.course.progress import ANSWERS, Book, change, now, read_book, take_notices
from rpclab.course.report import Outcome, Report
from rpclab.course.time_limit import TooSlow, time_limit

_NOT_CALLED: Final = frozenset({"prediction", "line", "server"})
"""The kinds whose answer is a value, and not a function."""


class Task(Listing):
    """What an exercise asks for, as it is read in a notebook."""

    def __repr__(self) -> str:
        """Give the text."""
        return self._source

    def _repr_markdown_(self) -> str:
        return self._source


def check(exercise: str, answer: Any = None) -> Report:
    """Judge an answer: run every demand of an exercise on it.

    A wrong name or a missing answer gives a report that says so: a notebook goes on.

    Raises:
        AssertionError: the solution was judged instead, and does not keep a demand.
    """
    if exercise not in course():
        return Report(exercise, (), unknown(exercise))
    row = course()[exercise]
    if os.environ.get(ANSWERS) == "solution":
        report = run_checks(row, getattr(load(exercise, "solution"), row.answer))
        assert report.kept, report
        return report
    if answer is None or not (row.kind in _NOT_CALLED or callable(answer)):
        return Report(exercise, (), strings.NO_ANSWER.format(exercise=exercise, name=row.answer))
    report = run_checks(row, answer)
    if not any(one.detail == strings.NOT_WRITTEN for one in report.outcomes):  # a stub is no try
        change(lambda book: _note(book, report))
    return Report(exercise, report.outcomes, notices=tuple(take_notices()))


def run_checks(row: Exercise, answer: Any) -> Report:
    """Judge an answer, and note nothing."""
    slow = row.kind == "server"  # the lab has limits of its own
    return Report(row.name, tuple(judge(demands(row.name), answer, limited=not slow)))


def _note(book: Book, report: Report) -> None:
    mark = book.mark(report.exercise)
    mark.tries += 1
    mark.began = mark.began or now()
    mark.skipped = False
    mark.failed = report.failed
    if report.kept and not mark.kept:
        mark.kept, mark.ended = True, now()


def unknown(exercise: str) -> str:
    """Say that there is no such exercise, and which there are."""
    return strings.NO_EXERCISE.format(exercise=exercise, known=", ".join(course()))


def judge(
    checks: list[Callable[[Any], None]], answer: Any, *, limited: bool = True
) -> Iterator[Outcome]:
    """Run the demands in order. Only the first that fails is told in full."""
    failed = False
    for demand in checks:
        says = (demand.__doc__ or "").strip()
        if failed:
            yield Outcome(says, strings.NOT_RUN)
            continue
        detail = _run(demand, answer, limited=limited)
        failed = bool(detail)
        yield Outcome(says, strings.BROKEN if failed else strings.KEPT, detail)


def _run(demand: Callable[[Any], None], answer: Any, *, limited: bool) -> str:
    """Run one demand, and say what is not kept: nothing, if all is."""
    try:
        with time_limit() if limited else nullcontext():
            demand(answer)
    except NotImplementedError:
        return strings.NOT_WRITTEN
    except Unmet as unmet:
        return str(unmet)
    except (Exception, SystemExit, TooSlow) as error:  # noqa: BLE001  an answer of no known form
        return str(Unmet(getattr(answer, "__name__", "answer"), describe(error), strings.UNJUDGED))
    return ""


def demands(exercise: str) -> list[Callable[[Any], None]]:
    """Give the functions of ``check.py``, in the order in which they are written."""
    module = load(exercise, "check")
    return [thing for name, thing in vars(module).items() if name.startswith("check_")]


def task(exercise: str) -> Task | str:
    """Show what an exercise asks for, with the numbers of this learner."""
    if exercise not in course():
        return unknown(exercise)
    return Task(exercise, read_task(exercise).rstrip())


def hint(exercise: str, number: int | None = None) -> str:
    """Give one hint of three: a question, a pointer, nearly the answer.

    Without a number it is the next one. They come one at a time.
    """
    if exercise not in course():
        return unknown(exercise)
    hints, had = course()[exercise].hints, read_book().mark(exercise).hints
    if number is None:
        number = had + 1
        if number > len(hints):
            return strings.ALL_HINTS.format(count=len(hints), exercise=exercise)
    if number not in range(1, len(hints) + 1):
        return strings.NO_HINT.format(count=len(hints))
    if number > had + 1:
        return strings.HINT_FIRST.format(number=had + 1, exercise=exercise)

    def note(book: Book) -> None:
        book.mark(exercise).hints = max(had, number)

    change(note)
    return hints[number - 1]


def solution(exercise: str, *, anyway: bool = False) -> Listing | str:
    """Show the solution, once the answer was right, or on request."""
    if exercise not in course():
        return unknown(exercise)
    if not read_book().mark(exercise).kept:
        if not anyway:
            return strings.SOLUTION_LATER.format(exercise=exercise)

        def note(book: Book) -> None:
            book.mark(exercise).shown = True

        change(note)
    path = exercises_folder() / exercise / "solution.py"
    return Listing(f"{exercise}/solution.py", path.read_text("utf-8").rstrip())


def reset(exercise: str) -> str:
    """Forget all that is known of an exercise."""
    if exercise not in course():
        return unknown(exercise)
    change(lambda book: book.marks.pop(exercise, None))
    return strings.RESET.format(exercise=exercise)


def skip(exercise: str) -> str:
    """Leave an exercise out: it is no longer the next one."""
    if exercise not in course():
        return unknown(exercise)

    def note(book: Book) -> None:
        book.mark(exercise).skipped = True

    change(note)
    return strings.SKIPPED.format(exercise=exercise)
