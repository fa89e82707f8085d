"""The cells of an exercise as nbgrader sees them. tests/long has the real nbgrader."""

import json
from pathlib import Path

import nbformat
import pytest

from rpclab.classroom.exercise_cells import find_places, make_metadata, mark_cells, read_call
from rpclab.course import check
from rpclab.course.catalogue import course
from rpclab.course.exercises import GRADING
from tests.normalise import tidy

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
HALF = """def split_lines(rest, chunk):
    pieces = (rest + chunk).split(b"\\n")
    return pieces[:1] if len(pieces) > 1 else [], pieces[-1]
"""


def test_every_exercise_is_marked_in_one_notebook_and_nothing_else_is():
    found = []
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        tidy(notebook)
        nbformat.validate(notebook)
        places = list(find_places(notebook.cells))
        found += [place.exercise for place in places]
        marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
        assert len(marked) == 3 * len(places)
        once = json.dumps(notebook)
        mark_cells(notebook.cells)
        assert json.dumps(notebook) == once
    assert sorted(found) == sorted(course())


def test_points_are_the_number_of_checks():
    points = [make_metadata(name, "check")["points"] for name in course()]
    assert all(4 <= one <= 7 for one in points)


def cells(*sources):
    return [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]


def test_an_exercise_that_is_checked_twice_is_graded_once():
    three = ('task("ex04_split")', "x = 1", 'check("ex04_split", x)')
    assert len(list(find_places(cells(*three, *three)))) == 1


@pytest.mark.parametrize(
    "sources",
    [
        ('task("ex04_split")', "x = 1", 'check("ex05_clean", x)'),
        ("task(1)", "x = 1", 'check("ex04_split", x)'),
        ('check("ex04_split")', "x = 1", 'check("ex04_split", x)'),
        ('task("nope")', "x = 1", 'check("nope", x)'),
        ('task("ex04_split")', "x = 1", 'y = check("ex04_split", x)'),
    ],
)
def test_what_is_no_exercise_is_not_marked(sources):
    assert list(find_places(cells(*sources))) == []


def test_something_to_try_may_stand_between_task_and_answer():
    four = cells('task("ex04_split")', "x = 0", "x = 1", 'check("ex04_split", x)')
    assert list(find_places(four)) == [("ex04_split", 0, 2, 3)]


def test_an_answer_in_prose_is_no_exercise():
    three = cells('task("ex04_split")', "x", 'check("ex04_split", x)')
    three[1]["cell_type"] = "markdown"
    assert list(find_places(three)) == []


@pytest.mark.parametrize("source", ["def (", "a\0b", "(" * 10_000])
def test_a_cell_that_is_no_python_is_no_call(source):
    assert read_call(source) is None


def test_under_grading_a_check_prints_its_report_and_gives_a_number(monkeypatch, capsys):
    monkeypatch.setenv(GRADING, "nbgrader")
    space = {}
    exec(HALF, space)
    assert check("ex04_split", space["split_lines"]) == 3
    assert "3 of 6 kept" in capsys.readouterr().out
    assert check("ex04_split", None) == check("nope", 1) == 0
