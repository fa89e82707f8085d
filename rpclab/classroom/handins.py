"""What was handed in: files, read as data and never run here.

A hand-in is a notebook, a Python file, or the file of a learner's progress. A
folder is one learner with several of them. Links are not followed, and what is
too large is not read.
"""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from rpclab.classroom.exercise_cells import read_call, read_statement
from rpclab.course import strings
from rpclab.course.catalogue import course
from rpclab.course.progress import Book, load_book

LARGEST: Final = 4 << 20
"""How many bytes of a file are read: a notebook with pictures in it has less."""

_KINDS: Final = (".ipynb", ".py", ".json")


class Cell(NamedTuple):
    """Code to run; or, with an exercise, the answer to judge at this point."""

    source: str
    exercise: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Handin:
    """One file of a learner. Without cells it is a progress book, or has a fault."""

    learner: str
    file: str
    cells: tuple[Cell, ...] = ()
    told: Book | None = None
    fault: str = ""

    @property
    def exercises(self) -> list[str]:
        """The exercises that can be judged in it, in order."""
        return list(dict.fromkeys(cell.exercise for cell in self.cells if cell.exercise))


def find_handins(folder: Path) -> Iterator[Handin]:
    """Read every hand-in of a folder, in the order of the names.

    Raises:
        OSError: the folder cannot be read.
    """
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            for file in sorted(path.rglob("*")):
                hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
                if file.suffix in _KINDS and not hidden and not file.is_dir():
                    yield read_handin(path.name, file)
        elif path.suffix in _KINDS:
            yield read_handin(name_learner(path.stem), path)


def name_learner(stem: str) -> str:
    """Give the name of a learner: that of the file, without the exercise in it.

    >>> name_learner("ann_ex04_split"), name_learner("bob"), name_learner("ex04_split")
    ('ann', 'bob', 'ex04_split')
    """
    for exercise in course():
        if exercise in stem:
            return stem.replace(exercise, "").strip(" _-") or stem
    return stem


def read_handin(learner: str, path: Path) -> Handin:
    """Read one file; what is wrong with it is told in ``fault``."""
    if path.is_symlink() or not path.is_file():
        return Handin(learner, path.name, fault=strings.NO_FILE)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            return Handin(learner, path.name, fault=strings.TOO_LARGE.format(most=LARGEST >> 20))
        text = data.decode("utf-8-sig")
        if path.suffix == ".json":
            return Handin(learner, path.name, told=load_book(text))
        cells = read_notebook(text) if path.suffix == ".ipynb" else read_program(text, path.stem)
    except OSError as error:
        return Handin(learner, path.name, fault=str(error.strerror))
    except (ValueError, TypeError, RecursionError, SyntaxError) as error:
        return Handin(learner, path.name, fault=strings.UNREADABLE.format(why=error))
    return Handin(learner, path.name, tuple(_keep_last(cells)))


def read_notebook(text: str) -> list[Cell]:
    """Give the code cells of a notebook, without the tasks.

    >>> read_notebook('{"cells": [{"cell_type": "code", "source": ["a = 1"]}]}')
    [Cell(source='a = 1', exercise='', answer='')]

    Raises:
        ValueError: it is no notebook.
    """
    match json.loads(text):
        case {"cells": list(cells)}:
            return [cell for one in cells if (cell := _read_cell(one))]
        case _:
            raise ValueError(strings.NO_NOTEBOOK)


def _read_cell(cell: Any) -> Cell | None:
    match cell:
        case {"cell_type": "code", "source": str(source)}:
            pass
        case {"cell_type": "code", "source": list(lines)} if all(
            isinstance(line, str) for line in lines
        ):
            source = "".join(lines)
        case _:
            return None
    call = read_call(source)
    if call is None:
        return None if _is_locked(cell) else Cell(source)
    return _to_check(call.exercise, call.answer) if call.function == "check" else None


def _is_locked(cell: dict[str, Any]) -> bool:
    """Tell whether it was the teacher's cell: what a learner writes there is not run."""
    match cell.get("metadata"):
        case {"nbgrader": {"locked": True}}:
            return True
        case _:
            return False


def _to_check(exercise: str, answer: str) -> Cell:
    return Cell("", exercise, answer or course()[exercise].answer)


def read_program(text: str, stem: str) -> list[Cell]:
    """Give a Python file as cells: it is cut where it calls ``check``.

    Without such a call it answers the exercise that its name begins or ends with.

    >>> [cell.exercise for cell in read_program("a = 1", "ann_ex04_split")]
    ['', 'ex04_split']

    Raises:
        SyntaxError: it is no Python.
    """
    cells: list[Cell] = []
    part: list[ast.stmt] = []
    for statement in ast.parse(text).body:
        call = read_statement(statement)
        if call is None:
            part.append(statement)
        elif call.function == "check":
            cells += [_to_cell(part), _to_check(call.exercise, call.answer)]
            part = []
    cells.append(_to_cell(part))
    if not any(cell.exercise for cell in cells):
        named = [name for name in course() if stem.startswith(name) or stem.endswith(name)]
        cells += [_to_check(name, "") for name in named[:1]]
    return cells


def _to_cell(statements: list[ast.stmt]) -> Cell:
    return Cell(ast.unparse(ast.Module(statements, [])))


def _keep_last(cells: list[Cell]) -> Iterator[Cell]:
    """Leave out all checks of an exercise but the last: the answer may have been mended."""
    last = {cell.exercise: number for number, cell in enumerate(cells)}
    for number, cell in enumerate(cells):
        if not cell.exercise or last[cell.exercise] == number:
            yield cell
