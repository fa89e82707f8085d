"""Hand-ins: files, read here as data and never run.

A hand-in is a notebook, a Python file, or a progress file. A folder holds
several hand-ins of one learner. Links are not followed, and files that are too
large are not read.
"""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from rpclab.classroom.exercise_cells import read_call, read_statement
from rpclab.course.catalogue import course
from rpclab.course.progress import Progress, parse_progress

LARGEST: Final = 4 << 20
"""How many bytes a file may have. A notebook with pictures has fewer."""

_KINDS: Final = (".ipynb", ".py", ".json")


class Cell(NamedTuple):
    """Code to run; or, with an exercise, the answer to judge at this point."""

    source: str
    exercise: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Handin:
    """One file of a learner: its cells, or the progress it reports, or its fault."""

    learner: str
    file: str
    cells: tuple[Cell, ...] = ()
    told: Progress | None = None
    fault: str = ""

    @property
    def exercises(self) -> list[str]:
        """The exercises that it answers, in order."""
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
    """Return the name of a learner: the file's name without the exercise.

    >>> name_learner("ann_ex04_split"), name_learner("bob"), name_learner("ex04_split")
    ('ann', 'bob', 'ex04_split')
    """
    for exercise in course():
        if exercise in stem:
            return stem.replace(exercise, "").strip(" _-") or stem
    return stem


def read_handin(learner: str, path: Path) -> Handin:
    """Read one file; if something is wrong with it, ``fault`` says what."""
    if path.is_symlink() or not path.is_file():
        return Handin(
            learner, path.name, fault="it is a link or not a regular file, and was not read"
        )
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            fault = f"it is larger than {LARGEST >> 20} MiB, and was not read"
            return Handin(learner, path.name, fault=fault)
        text = data.decode("utf-8-sig")
        if path.suffix == ".json":
            return Handin(learner, path.name, told=parse_progress(text))
        cells = read_notebook(text) if path.suffix == ".ipynb" else read_program(text, path.stem)
    except OSError as error:
        return Handin(learner, path.name, fault=str(error.strerror))
    except (ValueError, TypeError, RecursionError, SyntaxError) as error:
        return Handin(learner, path.name, fault=f"it cannot be read ({error})")
    return Handin(learner, path.name, tuple(_keep_last_checks(cells)))


def read_notebook(text: str) -> list[Cell]:
    """Return the code cells of a notebook, without the tasks.

    >>> read_notebook('{"cells": [{"cell_type": "code", "source": ["a = 1"]}]}')
    [Cell(source='a = 1', exercise='', answer='')]

    Raises:
        ValueError: it is not a notebook.
    """
    match json.loads(text):
        case {"cells": list(cells)}:
            return [cell for one in cells if (cell := _read_cell(one))]
        case _:
            raise ValueError("it is not a notebook")


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
    return _make_check(call.exercise, call.answer) if call.function == "check" else None


def _is_locked(cell: dict[str, Any]) -> bool:
    """Tell whether it is the teacher's cell: changes made there are not run."""
    match cell.get("metadata"):
        case {"nbgrader": {"locked": True}}:
            return True
        case _:
            return False


def _make_check(exercise: str, answer: str) -> Cell:
    return Cell("", exercise, answer or course()[exercise].answer)


def read_program(text: str, stem: str) -> list[Cell]:
    """Return a Python file as cells: it is cut where it calls ``check``.

    Without such a call it answers the exercise named at either end of the file name.

    >>> [cell.exercise for cell in read_program("a = 1", "ann_ex04_split")]
    ['', 'ex04_split']

    Raises:
        SyntaxError: it is not Python.
    """
    cells: list[Cell] = []
    part: list[ast.stmt] = []
    for statement in ast.parse(text).body:
        call = read_statement(statement)
        if call is None:
            part.append(statement)
        elif call.function == "check":
            cells += [_make_cell(part), _make_check(call.exercise, call.answer)]
            part = []
    cells.append(_make_cell(part))
    if not any(cell.exercise for cell in cells):
        named = [name for name in course() if stem.startswith(name) or stem.endswith(name)]
        cells += [_make_check(name, "") for name in named[:1]]
    return cells


def _make_cell(statements: list[ast.stmt]) -> Cell:
    return Cell(ast.unparse(ast.Module(statements, [])))


def _keep_last_checks(cells: list[Cell]) -> Iterator[Cell]:
    """Keep only the last check of an exercise: the answer may have been fixed."""
    last = {cell.exercise: number for number, cell in enumerate(cells)}
    for number, cell in enumerate(cells):
        if not cell.exercise or last[cell.exercise] == number:
            yield cell
