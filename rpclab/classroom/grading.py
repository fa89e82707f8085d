"""A class: each hand-in graded alone, and what all of them missed.

Marks are counted here, from sealed reports alone. A hand-in that tampered with
the grading earns nothing at all, since none of what it said can be believed.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rpclab.classroom.handins import Handin, find_handins
from rpclab.classroom.marks import Finding, Mark, judge_report, make_mark
from rpclab.classroom.privileges import Limits
from rpclab.classroom.runner import run_cells
from rpclab.course import strings
from rpclab.course.catalogue import course
from rpclab.course.exercises import demands
from rpclab.course.progress import Book

KEPT, MISSED, NOT_JUDGED = strings.KEPT, strings.MISSED, strings.NOT_JUDGED


@dataclass(slots=True)
class Learner:
    """A learner, and what came of all that was handed in."""

    name: str
    verdicts: list[str] = field(default_factory=list)
    marks: dict[str, Mark] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """What became of the hand-ins, each verdict once."""
        return ", ".join(dict.fromkeys(self.verdicts))

    @property
    def earned(self) -> int:
        """The marks in all."""
        return sum(mark.earned for mark in self.marks.values())

    def take(self, finding: Finding, file: str) -> None:
        """Add what one file came to. What was judged counts before what was told."""
        self.verdicts.append(finding.verdict)
        self.remarks += [f"{file}: {remark}" for remark in finding.remarks]
        for name, mark in finding.marks.items():
            if name not in self.marks or mark.rank > self.marks[name].rank:
                self.marks[name] = mark

    def clause(self, id: str, exercises: Collection[str]) -> str:
        """Say of a clause whether every exercise on it that was judged is kept.

        >>> Learner("ann").clause("4.object", ["ex08_fault"])
        'not judged'
        """
        words = {
            self.marks[name].word
            for name in exercises
            if name in self.marks and id in course()[name].clauses
        } - {NOT_JUDGED}
        return MISSED if MISSED in words else KEPT if words else NOT_JUDGED


class Missed(NamedTuple):
    """A clause, how many missed it, and of how many that were judged on it."""

    clause: str
    missed: int
    judged: int
    exercise: str


@dataclass(frozen=True, slots=True)
class Class:
    """All learners, and the exercises that they were graded on."""

    learners: tuple[Learner, ...]
    exercises: tuple[str, ...]

    @property
    def clauses(self) -> list[str]:
        """The clauses of the exercises, in the order of the course."""
        return list(dict.fromkeys(id for name in self.exercises for id in course()[name].clauses))

    @property
    def total(self) -> int:
        """The marks of a learner who keeps everything."""
        return sum(len(demands(name)) for name in self.exercises)

    def word(self, learner: Learner, id: str) -> str:
        """Say what became of a clause."""
        return learner.clause(id, self.exercises)

    def most_missed(self, count: int = 3) -> list[Missed]:
        """Give the clauses that most learners missed."""
        rows = [row for id in self.clauses if (row := self._count(id)).missed]
        return sorted(rows, key=lambda row: -row.missed)[:count]

    def _count(self, id: str) -> Missed:
        words = [self.word(learner, id) for learner in self.learners]
        on_it = [name for name in self.exercises if id in course()[name].clauses]
        failed = [
            name
            for name in on_it
            if any(name in one.marks and one.marks[name].word == MISSED for one in self.learners)
        ]
        judged = len(words) - words.count(NOT_JUDGED)
        return Missed(id, words.count(MISSED), judged, (failed or on_it)[0])


def grade(
    folder: Path,
    only: Collection[str] = (),
    limits: Limits | None = None,
    tell: Callable[[Handin, str], None] = lambda *_: None,
) -> Class:
    """Grade every hand-in of a folder, one after another.

    Args:
        folder: holds a file or a folder for each learner.
        only: the exercises to judge; all if there are none.
        limits: what one hand-in may use.
        tell: is told of each hand-in and its verdict, as soon as it is known.

    Raises:
        OSError: the folder cannot be read.
        Unable: a hand-in would have run as root.
    """
    learners: dict[str, Learner] = {}
    for handin in find_handins(folder):
        finding = grade_one(handin, folder, only, limits or Limits())
        learners.setdefault(handin.learner, Learner(handin.learner)).take(finding, handin.file)
        tell(handin, finding.verdict)
    seen = {name for one in learners.values() for name in one.marks}
    return Class(tuple(learners.values()), tuple(name for name in course() if name in seen))


def grade_one(handin: Handin, folder: Path, only: Collection[str], limits: Limits) -> Finding:
    """Grade one file."""
    if handin.fault:
        return Finding(strings.UNREAD, {}, [handin.fault])
    if handin.told:
        return Finding(strings.TOLD, dict(_read_marks(handin.told, only)), [strings.ONLY_TOLD])
    wanted = [name for name in handin.exercises if not only or name in only]
    servers = [name for name in wanted if course()[name].kind == "server"]
    judged = [name for name in wanted if name not in servers]
    remarks = [strings.A_SERVER.format(exercise=name) for name in servers]
    if not judged:
        return Finding(NOT_JUDGED, {}, remarks or [strings.NOTHING_IN_IT])
    cells = [cell for cell in handin.cells if not cell.exercise or cell.exercise in judged]
    finding = judge_report(run_cells(cells, [folder], limits), judged, limits)
    return Finding(finding.verdict, finding.marks, finding.remarks + remarks)


def _read_marks(book: Book, only: Collection[str]) -> Iterator[tuple[str, Mark]]:
    """Give the marks that a learner's own file tells of."""
    for name, told in book.marks.items():
        if name in course() and told.tries and (not only or name in only):
            total = len(demands(name))
            yield name, make_mark(name, total if told.kept else 0, told=True)
