"""Which cells of a notebook are an exercise, and their nbgrader metadata.

An exercise is three code cells: its task, the answer, and its check. The rule
is the same for the course's notebooks and for those a teacher makes.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rpclab.course.catalogue import course
from rpclab.course.exercises import demands

SCHEMA: Final = 3
"""The version of nbgrader's metadata that is written."""


class Call(NamedTuple):
    """A cell that only calls ``task`` or ``check``."""

    function: str
    exercise: str
    answer: str = ""


class Place(NamedTuple):
    """Where the three cells of an exercise are in a notebook."""

    exercise: str
    task: int
    answer: int
    check: int


def read_call(source: str) -> Call | None:
    """Read a cell that is one call of ``task`` or ``check``, and nothing else.

    >>> read_call('check("ex04_split", split_lines)')
    Call(function='check', exercise='ex04_split', answer='split_lines')
    >>> read_call("check = 1")
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return read_statement(body[0]) if len(body) == 1 else None


def read_statement(statement: ast.stmt) -> Call | None:
    """Read a statement that is a call of ``task`` or ``check``.

    >>> read_statement(ast.parse('task("ex04_split")').body[0])
    Call(function='task', exercise='ex04_split', answer='')
    """
    match statement:
        case ast.Expr(
            ast.Call(ast.Name("task" | "check" as function), [ast.Constant(str(exercise)), *rest])
        ) if exercise in course():
            names = [one.id for one in rest if isinstance(one, ast.Name)]
            return Call(function, exercise, names[0] if names else "")
    return None


def find_places(cells: Sequence[Mapping[str, Any]]) -> Iterator[Place]:
    """Find the exercises of a notebook; one that is checked twice counts once.

    The answer is right before the check. The task is before the answer, and
    there may be cells to try something in between.
    """
    tasks: dict[str, int] = {}
    seen = set()
    call: Call | None = None
    for number, cell in enumerate(cells):
        code, before = cell["cell_type"] == "code", call
        call = read_call("".join(cell["source"])) if code else None
        if call and call.function == "task":
            tasks.setdefault(call.exercise, number)
        elif call and tasks.get(call.exercise, number) < number - 1:
            answered = cells[number - 1]["cell_type"] == "code" and before is None
            if answered and call.exercise not in seen:
                seen.add(call.exercise)
                yield Place(call.exercise, tasks[call.exercise], number - 1, number)


def mark_cells(cells: Sequence[Any]) -> None:
    """Write nbgrader's metadata to the exercise cells, and remove it elsewhere."""
    for cell in cells:
        cell["metadata"].pop("nbgrader", None)
    for place in find_places(cells):
        for role in ("task", "answer", "check"):
            cell = cells[getattr(place, role)]
            cell["metadata"]["nbgrader"] = make_metadata(place.exercise, role)


def make_metadata(exercise: str, role: str) -> dict[str, Any]:
    """Return the metadata of a task, an answer or a check.

    >>> make_metadata("ex04_split", "check")["points"]
    6
    """
    metadata: dict[str, Any] = {
        "grade": role == "check",
        "grade_id": f"{exercise}-{role}",
        "locked": role != "answer",
        "schema_version": SCHEMA,
        "solution": role == "answer",
        "task": False,
    }
    if role == "check":
        metadata["points"] = len(demands(exercise))
    return metadata
