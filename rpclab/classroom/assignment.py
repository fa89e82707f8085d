"""An nbgrader course folder, made from a choice of exercises.

A notebook is JSON, so it is written without nbformat.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rpclab.classroom.exercise_cells import mark_cells
from rpclab.course.catalogue import course, exercises_folder

CONFIG: Final = "nbgrader_config.py"
_SETUP: Final = "from rpclab.course import check, hint, task"
_KERNEL: Final = {
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
    "name": "python3",
}
_NAME: Final = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)


def make_notebook(name: str, exercises: Sequence[str]) -> str:
    """Return the text of a notebook with these exercises, marked for nbgrader.

    >>> make_notebook("week1", ["ex04_split"]).count('"nbgrader"')
    3
    """
    title = f"# {name}\n\nRun each cell, and write your answer where it says TODO."
    cells = [_cell("markdown", title), _cell("code", _SETUP)]
    for exercise in exercises:
        cells.append(_cell("code", f'task("{exercise}")'))
        cells.append(_cell("code", read_stub(exercise)))
        cells.append(_cell("code", f'check("{exercise}", {course()[exercise].answer})'))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number:02}"
    mark_cells(cells)
    metadata = {"kernelspec": _KERNEL, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _cell(kind: str, source: str) -> dict[str, Any]:
    rest: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True), **rest}


def read_stub(exercise: str) -> str:
    """Return the stub of an exercise, without the file's own title.

    >>> print(read_stub("ex31_your_server").splitlines()[1])
    command: list[str] | str = []
    """
    text = (exercises_folder() / exercise / "stub.py").read_text("utf-8")
    return text.split('"""\n', 1)[1].strip()


def make_assignment(
    name: str, exercises: Sequence[str], folder: Path, *, force: bool = False
) -> list[Path]:
    """Write ``source/NAME/NAME.ipynb`` and nbgrader's configuration.

    The paths of both are returned.

    Raises:
        ValueError: the name cannot be that of a folder.
        FileExistsError: a file with other content exists, and ``force`` is false.
        OSError: a file cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise ValueError("an assignment is named with letters, digits, _ and -")
    texts = {
        folder / "source" / name / f"{name}.ipynb": make_notebook(name, exercises),
        folder / CONFIG: (Path(__file__).parent / "nbgrader_config.txt").read_text("utf-8"),
    }
    for path, text in texts.items():
        if path.exists() and not force and path.read_text("utf-8") != text:
            kept = "it is there already, and is kept: --force replaces it"
            raise FileExistsError(17, kept, str(path))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)
