"""What is done, what is next, and which clauses a learner has mastered."""

from typing import Final, NamedTuple

from rpclab.course.catalogue import Exercise, course
from rpclab.course.progress import ExerciseRecord, Progress, read_progress, take_notices

STATES: Final = {
    "done": "done",
    "skipped": "skipped",
    "next": "next",
    "tried": "tried",
    "": "to do",
}
"""How each state of an exercise is shown."""


class ExerciseState(NamedTuple):
    """One exercise and its state: done, skipped, next, tried, or empty."""

    exercise: Exercise
    record: ExerciseRecord
    state: str

    def __str__(self) -> str:
        """Write it as a line."""
        one, state = self.exercise, STATES[self.state]
        return f"{state:<8}  {one.name:<20}  {one.kind:<10}  {one.minutes:>3} min  {one.notebook}"


class Overview(NamedTuple):
    """Every exercise, in order, and the notices about the progress file."""

    rows: tuple[ExerciseState, ...]
    notices: tuple[str, ...] = ()

    @property
    def next(self) -> Exercise | None:
        """The exercise to continue with."""
        return next((row.exercise for row in self.rows if row.state == "next"), None)

    @property
    def done(self) -> list[ExerciseState]:
        """The exercises that were answered rightly at least once."""
        return [row for row in self.rows if row.state == "done"]

    @property
    def clauses(self) -> list[str]:
        """All clauses of the exercises, in order."""
        return list(dict.fromkeys(id for row in self.rows for id in row.exercise.clauses))

    @property
    def mastered(self) -> list[str]:
        """The clauses of exercises done before the solution was shown."""
        alone = (row.exercise for row in self.done if not row.record.shown)
        return list(dict.fromkeys(id for exercise in alone for id in exercise.clauses))

    @property
    def minutes(self) -> tuple[int, int]:
        """About how many minutes the done exercises take, and those still to do."""
        left = [row for row in self.rows if row.state not in ("done", "skipped")]
        return _add_minutes(self.done), _add_minutes(left)

    def sentences(self) -> list[str]:
        """Sum it up in a few sentences."""
        done, left = self.minutes
        ahead = self.next
        return [
            f"Done: {len(self.done)} of {len(self.rows)} exercises.",
            f"Next: {ahead.name}, in {ahead.notebook}, about {ahead.minutes} minutes."
            if ahead
            else "There is nothing left to do.",
            f"Time: about {done} minutes done, about {left} to go.",
            f"Clauses mastered: {len(self.mastered)} of {len(self.clauses)}.",
            *self.notices,
        ]


def _add_minutes(rows: list[ExerciseState]) -> int:
    return sum(row.exercise.minutes for row in rows)


def overview() -> Overview:
    """Look through the course and the learner's progress."""
    known = read_progress()
    to_do = [
        name for name in course() if not (known.record(name).kept or known.record(name).skipped)
    ]
    ahead = to_do[0] if to_do else ""
    rows = (
        ExerciseState(one, known.record(one.name), _name_state(one.name, known, ahead))
        for one in course().values()
    )
    return Overview(tuple(rows), tuple(take_notices()))


def _name_state(name: str, known: Progress, ahead: str) -> str:
    record = known.record(name)
    if record.kept:
        return "done"
    if record.skipped:
        return "skipped"
    if name == ahead:
        return "next"
    return "tried" if record.tries else ""
