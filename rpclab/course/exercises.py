"""Exercises: find one, judge an answer to it, give a hint.

An exercise is a folder: ``task.md``, ``stub.py``, ``solution.py`` and
``check.py``, whose functions ``check_...`` each hold one demand. What all
exercises share stands in ``exercises/course.toml``.
"""

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from rpclab.course import strings
from rpclab.course.expect import Unmet

ANSWERS: Final = "RPCLAB_ANSWERS"
"""With ``solution`` in this variable, ``check`` judges the solution instead."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One demand, and whether the answer keeps it."""

    says: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True, repr=False, slots=True)
class Report:
    """What ``check`` found."""

    exercise: str
    outcomes: tuple[Outcome, ...]
    refusal: str = ""

    @property
    def kept(self) -> bool:
        """Whether every demand was run and is kept."""
        return not self.refusal and all(one.verdict == strings.KEPT for one in self.outcomes)

    def __repr__(self) -> str:
        """Say each demand with its verdict, and the details of the first that fails."""
        if self.refusal:
            return self.refusal
        count = sum(outcome.verdict == strings.KEPT for outcome in self.outcomes)
        lines = [
            strings.SUMMARY.format(exercise=self.exercise, kept=count, total=len(self.outcomes))
        ]
        for outcome in self.outcomes:
            lines.append(f"  {outcome.verdict:<{len(strings.NOT_RUN)}}  {outcome.says}")
            lines += [f"      {line}" for line in outcome.detail.splitlines()]
        return "\n".join([*lines, strings.ALL_KEPT] if self.kept else lines)


@cache
def exercises_folder() -> Path:
    """Find ``exercises/``: beside the notebooks, or in the installed package."""
    here = Path(__file__).resolve().parent
    beside, packed = here.parent.parent / "exercises", here / "exercises"
    return beside if beside.is_dir() else packed


@cache
def course() -> dict[str, dict[str, Any]]:
    """Read ``course.toml``: what is known of each exercise, by its name, in order."""
    with (exercises_folder() / "course.toml").open("rb") as file:
        return {row["name"]: row for row in tomllib.load(file)["exercise"]}


def check(exercise: str, answer: Callable[..., Any] | None = None) -> Report:
    """Judge an answer: run every demand of an exercise on it.

    A wrong name or a missing answer gives a report that says so: a notebook goes on.

    Raises:
        AssertionError: the solution was judged instead, and does not keep a demand.
    """
    if exercise not in course():
        return Report(exercise, (), unknown(exercise))
    name = course()[exercise]["function"]
    judged_solution = os.environ.get(ANSWERS) == "solution"
    if judged_solution:
        answer = getattr(load(exercise, "solution"), name)
    if not callable(answer):
        return Report(exercise, (), strings.NO_ANSWER.format(exercise=exercise, name=name))
    report = Report(exercise, tuple(judge(demands(exercise), answer)))
    assert report.kept or not judged_solution, report
    return report


def unknown(exercise: str) -> str:
    """Say that there is no such exercise, and which there are."""
    return strings.NO_EXERCISE.format(exercise=exercise, known=", ".join(course()))


def judge(checks: list[Callable[[Any], None]], answer: Callable[..., Any]) -> Iterator[Outcome]:
    """Run the demands in order. Only the first that fails is told in full."""
    failed = False
    for demand in checks:
        says = (demand.__doc__ or "").strip()
        if failed:
            yield Outcome(says, strings.NOT_RUN)
            continue
        try:
            demand(answer)
        except NotImplementedError:
            failed = True
            yield Outcome(says, strings.BROKEN, strings.NOT_WRITTEN)
        except Unmet as unmet:
            failed = True
            yield Outcome(says, strings.BROKEN, str(unmet))
        else:
            yield Outcome(says, strings.KEPT)


def demands(exercise: str) -> list[Callable[[Any], None]]:
    """Give the functions of ``check.py``, in the order in which they are written."""
    module = load(exercise, "check")
    return [thing for name, thing in vars(module).items() if name.startswith("check_")]


def load(exercise: str, part: str) -> ModuleType:
    """Run one file of an exercise and give it as a module."""
    path = exercises_folder() / exercise / f"{part}.py"
    module = ModuleType(f"{exercise}.{part}")
    module.__file__ = str(path)
    exec(compile(path.read_text("utf-8"), path, "exec"), vars(module))
    return module


def hint(exercise: str, number: int) -> str:
    """Give one hint of three: a question, a pointer, nearly the answer."""
    if exercise not in course():
        return unknown(exercise)
    hints: list[str] = course()[exercise]["hints"]
    if number not in range(1, len(hints) + 1):
        return strings.NO_HINT.format(count=len(hints))
    return hints[number - 1]
