"""Grade a class: run each hand-in alone, and count its marks.

Marks are counted here, from sealed reports alone. A hand-in that tampered with
the grading earns nothing at all, because nothing that it said can be believed.
"""

import signal
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from rpclab.classroom.audit_hook import REFUSED, TAMPERED
from rpclab.classroom.handins import Handin, find_handins
from rpclab.classroom.privileges import Limits
from rpclab.classroom.runner import WorkerReport, run_cells
from rpclab.course.catalogue import course
from rpclab.course.exercises import KEPT, demands, earn
from rpclab.course.progress import Progress

GRADED: Final = "graded"
HANGING: Final = "hanging"
CRASHED: Final = "crashed"
UNREADABLE: Final = "unreadable"
TOLD: Final = "told by the learner"
"""The verdicts on a hand-in, together with ``TAMPERED`` and ``NOT_JUDGED``."""

MISSED: Final = "missed"
NOT_JUDGED: Final = "not judged"
"""What became of an exercise or a clause, together with ``KEPT``."""

_MOST_REMARKS: Final = 5
"""How many remarks of one kind are made."""

_XCPU: Final = getattr(signal, "SIGXCPU", 0) or 1 << 30


class Mark(NamedTuple):
    """How many demands an answer meets, what it earns, and how that is known."""

    kept: int
    earned: int
    total: int
    judged: bool = True
    told: bool = False

    @property
    def word(self) -> str:
        """Kept, missed or not judged."""
        if not self.judged:
            return NOT_JUDGED
        return KEPT if self.kept == self.total else MISSED

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """What counts more: judged here, judged at all, and then the better one."""
        return self.judged and not self.told, self.judged, self.earned

    def __str__(self) -> str:
        """Write the marks, and say so if they were not judged here."""
        if not self.judged:
            return NOT_JUDGED
        return f"{self.earned}/{self.total}" + (f" ({TOLD})" if self.told else "")


def make_mark(exercise: str, kept: int, *, judged: bool = True, told: bool = False) -> Mark:
    """Make a mark from the number of demands that are met.

    >>> str(make_mark("ex04_split", 4)), make_mark("ex04_split", 4).word
    ('4/6', 'missed')
    """
    total = len(demands(exercise))
    return Mark(kept, earn(exercise, kept) if judged else 0, total, judged, told)


class Result(NamedTuple):
    """What grading one file came to."""

    verdict: str
    marks: Mapping[str, Mark]
    remarks: list[str]


@dataclass(slots=True)
class Learner:
    """A learner, and the results of everything that was handed in."""

    name: str
    verdicts: list[str] = field(default_factory=list)
    marks: dict[str, Mark] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """The verdicts on the hand-ins, each once."""
        return ", ".join(dict.fromkeys(self.verdicts))

    @property
    def earned(self) -> int:
        """The sum of the marks."""
        return sum(mark.earned for mark in self.marks.values())

    def add(self, result: Result, file: str) -> None:
        """Add the result of one file. A judged mark counts before a told one."""
        self.verdicts.append(result.verdict)
        self.remarks += [f"{file}: {remark}" for remark in result.remarks]
        for name, mark in result.marks.items():
            if name not in self.marks or mark.rank > self.marks[name].rank:
                self.marks[name] = mark

    def clause(self, id: str, exercises: Collection[str]) -> str:
        """Say whether every exercise on a clause that was judged is kept.

        >>> Learner("ann").clause("4.object", ["ex08_fault"])
        'not judged'
        """
        words = {
            self.marks[name].word
            for name in exercises
            if name in self.marks and id in course()[name].clauses
        } - {NOT_JUDGED}
        return MISSED if MISSED in words else KEPT if words else NOT_JUDGED


class MissedClause(NamedTuple):
    """A clause, how many learners missed it, and of how many that were judged on it."""

    clause: str
    missed: int
    judged: int
    exercise: str


@dataclass(frozen=True, slots=True)
class Class:
    """All learners, and the exercises on which they were graded."""

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
        """Say whether a learner kept or missed a clause, or was not judged on it."""
        return learner.clause(id, self.exercises)

    def most_missed(self, count: int = 3) -> list[MissedClause]:
        """Return the clauses that most learners missed."""
        rows = [row for id in self.clauses if (row := self.count_missed(id)).missed]
        return sorted(rows, key=lambda row: -row.missed)[:count]

    def count_missed(self, id: str) -> MissedClause:
        """Count how many learners missed a clause, and name an exercise on it."""
        words = [self.word(learner, id) for learner in self.learners]
        on_it = [name for name in self.exercises if id in course()[name].clauses]
        failed = [
            name
            for name in on_it
            if any(name in one.marks and one.marks[name].word == MISSED for one in self.learners)
        ]
        judged = len(words) - words.count(NOT_JUDGED)
        return MissedClause(id, words.count(MISSED), judged, (failed or on_it)[0])


# --- from hand-ins to results -----------------------------------------------------


def grade(
    folder: Path,
    only: Collection[str] = (),
    limits: Limits | None = None,
    tell: Callable[[Handin, str], None] = lambda *_: None,
) -> Class:
    """Grade every hand-in of a folder, one after another.

    Args:
        folder: holds a file or a folder for each learner.
        only: the exercises to judge; empty means all.
        limits: what one hand-in may use.
        tell: is called with each hand-in and its verdict, as soon as it is known.

    Raises:
        OSError: the folder cannot be read.
        Unable: a hand-in would have run as root.
    """
    learners: dict[str, Learner] = {}
    for handin in find_handins(folder):
        result = grade_handin(handin, folder, only, limits or Limits())
        learners.setdefault(handin.learner, Learner(handin.learner)).add(result, handin.file)
        tell(handin, result.verdict)
    seen = {name for one in learners.values() for name in one.marks}
    return Class(tuple(learners.values()), tuple(name for name in course() if name in seen))


def grade_handin(handin: Handin, folder: Path, only: Collection[str], limits: Limits) -> Result:
    """Grade one file."""
    if handin.fault:
        return Result(UNREADABLE, {}, [handin.fault])
    if handin.told:
        remark = "the marks are what the file of progress says"
        return Result(TOLD, dict(_read_told_marks(handin.told, only)), [remark])
    wanted = [name for name in handin.exercises if not only or name in only]
    servers = [name for name in wanted if course()[name].kind == "server"]
    judged = [name for name in wanted if name not in servers]
    remarks = [
        f"{name} starts a program, so it is not judged here: rpclab conform judges it"
        for name in servers
    ]
    if not judged:
        return Result(NOT_JUDGED, {}, remarks or ["there is no exercise in it"])
    cells = [cell for cell in handin.cells if not cell.exercise or cell.exercise in judged]
    result = judge_report(run_cells(cells, [folder], limits), judged, limits)
    return Result(result.verdict, result.marks, result.remarks + remarks)


def _read_told_marks(told: Progress, only: Collection[str]) -> Iterator[tuple[str, Mark]]:
    """Return the marks that a learner's own progress file claims."""
    for name, record in told.records.items():
        if name in course() and record.tries and (not only or name in only):
            total = len(demands(name))
            yield name, make_mark(name, total if record.kept else 0, told=True)


# --- from a worker's report to marks ----------------------------------------------


def judge_report(report: WorkerReport, exercises: Collection[str], limits: Limits) -> Result:
    """Turn a worker's report into a verdict, marks and remarks."""
    marks = {name: make_mark(name, 0, judged=False) for name in exercises}
    refused = [f"not allowed, and not done: {event}" for event in _events(report, REFUSED)]
    if tampering := list(find_tampering(report)):
        said = [*_shorten(tampering), "so it earns nothing", *_shorten(refused)]
        return Result(TAMPERED, marks, said)
    remarks = list(_describe_ending(report, limits))
    cells: list[str] = []
    for one in report.said:
        match one:
            case {"begins": str(name)}:
                marks[name] = make_mark(name, 0)  # until more is known
            case {"exercise": str(name), "kept": int(kept), "slow": bool(slow)}:
                marks[name] = make_mark(name, kept)
                remarks += _remark_on(name, marks[name], slow=slow)
            case {"cell": int(number), "wrong": "TooSlow"}:
                cells.append(f"cell {number} did not end in {limits.cell:g} seconds")
            case {"cell": int(number), "wrong": str(kind)} if kind:
                cells.append(f"cell {number} raised {kind}")
    return Result(_name_verdict(report), marks, [*remarks, *_shorten(cells), *_shorten(refused)])


def find_tampering(report: WorkerReport) -> Iterator[str]:
    """Say in sentences how a hand-in tampered with the code that judges it."""
    if report.forged:
        yield "it wrote into the report of the grader"
    for event in _events(report, TAMPERED):
        yield f"it tried what grading forbids: {event}"
    for said in report.said:
        if changed := said.get("changed"):
            yield f"it changed {', '.join(_shorten(changed))}"
        if not said.get("sound", True):
            yield "after it the checks no longer told right from wrong"


def _events(report: WorkerReport, kind: str) -> list[str]:
    return list(dict.fromkeys(event for one, event in report.accused if one == kind))


def _shorten(sentences: list[str]) -> list[str]:
    more = len(sentences) - _MOST_REMARKS
    return sentences[:_MOST_REMARKS] + ([f"and {more} more"] if more > 0 else [])


def _remark_on(exercise: str, mark: Mark, *, slow: bool) -> Iterator[str]:
    if slow:
        yield f"{exercise}: the answer does not end"
    elif mark.kept < mark.total:
        says = (demands(exercise)[mark.kept].__doc__ or "").strip()
        as_stub = "" if mark.earned == mark.kept else ", as many as before anything is written"
        yield f"{exercise}: {mark.kept} of {mark.total}{as_stub}; the first that is missed: {says}"


def _name_verdict(report: WorkerReport) -> str:
    """Return the verdict on a hand-in that did not tamper."""
    if report.hung or report.status == -_XCPU or any(map(_is_slow, report.said)):
        return HANGING
    return GRADED if report.ended else CRASHED


def _is_slow(said: Mapping[str, Any]) -> bool:
    return bool(said.get("slow")) or said.get("wrong") == "TooSlow"


def _describe_ending(report: WorkerReport, limits: Limits) -> Iterator[str]:
    if report.hung:
        yield f"it did not end in {limits.seconds:g} seconds, and was ended"
    elif not report.ended and report.status < 0:
        name = str(-report.status)
        with suppress(ValueError):
            name = signal.Signals(-report.status).name
        yield f"it was ended by {name}"
    elif not report.ended:
        yield f"it ended the process that graded it (exit status {report.status})"
