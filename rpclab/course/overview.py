"""What is done, what is next, and which clauses a learner has mastered."""

from typing import NamedTuple

from rpclab.course import strings
from rpclab.course.catalogue import Exercise, course
from rpclab.course.progress import Book, Mark, read_book, take_notices


class Row(NamedTuple):
    """One exercise, and how far it is: done, skipped, next, tried, or nothing yet."""

    exercise: Exercise
    mark: Mark
    state: str

    def __str__(self) -> str:
        """Write it as a line."""
        one = self.exercise
        return strings.ROW.format(
            state=strings.STATES[self.state],
            name=one.name,
            kind=one.kind,
            minutes=one.minutes,
            notebook=one.notebook,
        )


class Overview(NamedTuple):
    """Every exercise, in order, and what is to be said about the file."""

    rows: tuple[Row, ...]
    notices: tuple[str, ...] = ()

    @property
    def next(self) -> Exercise | None:
        """The exercise to go on with."""
        return next((row.exercise for row in self.rows if row.state == "next"), None)

    @property
    def done(self) -> list[Row]:
        """The exercises whose every check was kept once."""
        return [row for row in self.rows if row.state == "done"]

    @property
    def clauses(self) -> list[str]:
        """All clauses of the exercises, in order."""
        return list(dict.fromkeys(id for row in self.rows for id in row.exercise.clauses))

    @property
    def mastered(self) -> list[str]:
        """Those of exercises that were done before the solution was shown."""
        alone = (row.exercise for row in self.done if not row.mark.shown)
        return list(dict.fromkeys(id for exercise in alone for id in exercise.clauses))

    @property
    def minutes(self) -> tuple[int, int]:
        """About how long the exercises take that are done, and those that are to do."""
        left = [row for row in self.rows if row.state not in ("done", "skipped")]
        return _minutes(self.done), _minutes(left)

    def sentences(self) -> list[str]:
        """Say it in a few sentences."""
        done, left = self.minutes
        ahead = self.next
        return [
            strings.DONE.format(done=len(self.done), total=len(self.rows)),
            strings.NEXT.format(exercise=ahead.name, notebook=ahead.notebook, minutes=ahead.minutes)
            if ahead
            else strings.NO_NEXT,
            strings.TIME.format(minutes=done, left=left),
            strings.MASTERED.format(count=len(self.mastered), total=len(self.clauses)),
            *self.notices,
        ]


def _minutes(rows: list[Row]) -> int:
    return sum(row.exercise.minutes for row in rows)


def overview() -> Overview:
    """Look through the course and the learner's progress."""
    book = read_book()
    to_do = [name for name in course() if not (book.mark(name).kept or book.mark(name).skipped)]
    ahead = to_do[0] if to_do else ""
    rows = (
        Row(one, book.mark(one.name), _state(one.name, book, ahead)) for one in course().values()
    )
    return Overview(tuple(rows), tuple(take_notices()))


def _state(name: str, book: Book, ahead: str) -> str:
    mark = book.mark(name)
    if mark.kept:
        return "done"
    if mark.skipped:
        return "skipped"
    if name == ahead:
        return "next"
    return "tried" if mark.tries else ""
