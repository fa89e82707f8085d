"""The course as an nbgrader assignment, with the real nbgrader: it starts many kernels."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from rpclab.classroom.assignment import make_assignment
from rpclab.classroom.exercise_cells import find_places
from rpclab.course.exercises import GRADING
from tests.normalise import tidy

pytest.importorskip("nbgrader")
pytestmark = pytest.mark.timeout(1200)

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "02_lines.ipynb"
SPLIT = """def split_lines(rest, chunk):
    *lines, rest = (rest + chunk).split(b"\\n")
    return lines, rest
"""
HALF = """def split_lines(rest, chunk):
    pieces = (rest + chunk).split(b"\\n")
    return pieces[:1] if len(pieces) > 1 else [], pieces[-1]
"""
HANGS = """while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""


def run_nbgrader(folder, *words, status=0):
    """Run a command of nbgrader in a course folder, with a home of its own."""
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith("JUPYTER")
    }
    environment |= {"HOME": str(folder), "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONWARNINGS": ""}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment.pop(GRADING, None)
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def hand_in(folder, learner, **answers):
    """Put answers into the released notebook, and hand it in."""
    notebook = nbformat.read(folder / "release" / "week1" / "week1.ipynb", as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "").removesuffix("-answer")
        cell.source = answers.get(name, cell.source)
    target = folder / "submitted" / learner / "week1"
    target.mkdir(parents=True)
    nbformat.write(notebook, target / "week1.ipynb")


def read_scores(folder, learner):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        notebook = book.find_submission_notebook("week1", "week1", learner)
        return {grade.name.removesuffix("-check"): grade.score for grade in notebook.grades}


@pytest.fixture(scope="module")
def course_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    make_assignment("week1", ["ex04_split", "ex16_misfit"], folder)
    run_nbgrader(folder, "generate_assignment", "week1")
    return folder


def test_the_stubs_are_released_as_they_stand(course_folder):
    source = json.loads((course_folder / "source/week1/week1.ipynb").read_text("utf-8"))
    released = nbformat.read(course_folder / "release/week1/week1.ipynb", as_version=4)
    assert [cell.source for cell in released.cells] == [
        "".join(cell["source"]) for cell in source["cells"]
    ]
    assert "TODO" in released.cells[3].source


def test_right_half_right_and_hanging_get_their_scores(course_folder):
    misfit = "ex16_misfit"
    hand_in(course_folder, "right", ex04_split=SPLIT)
    hand_in(course_folder, "half", ex04_split=HALF)
    hand_in(course_folder, "hanging", ex04_split=SPLIT, ex16_misfit=HANGS)
    run_nbgrader(course_folder, "autograde", "week1", "--Execute.timeout=5")
    assert read_scores(course_folder, "right") == {"ex04_split": 6, misfit: 0}
    assert read_scores(course_folder, "half") == {"ex04_split": 3, misfit: 0}
    assert read_scores(course_folder, "hanging") == {"ex04_split": 6, misfit: 0}


def test_a_learner_can_validate_what_is_right_and_what_is_not(course_folder, tmp_path):
    shutil.copy(course_folder / "nbgrader_config.py", tmp_path)
    make_assignment("week1", ["ex04_split"], tmp_path)
    path = tmp_path / "source/week1/week1.ipynb"
    assert "failed" in run_nbgrader(tmp_path, "validate", str(path))
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[3].source = SPLIT
    nbformat.write(notebook, path)
    assert "Success" in run_nbgrader(tmp_path, "validate", str(path))


def test_a_whole_notebook_of_the_course_is_an_assignment(course_folder, tmp_path):
    shutil.copy(course_folder / "nbgrader_config.py", tmp_path)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    tidy(notebook)
    path = tmp_path / "source/lines/lines.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    run_nbgrader(tmp_path, "generate_assignment", "lines")
    released = nbformat.read(tmp_path / "release/lines/lines.ipynb", as_version=4)
    ids = [
        cell.metadata.nbgrader.grade_id for cell in released.cells if "nbgrader" in cell.metadata
    ]
    assert len(ids) == 3 * len(list(find_places(notebook.cells))) == 12
