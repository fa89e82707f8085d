"""``rpclab classroom``: making an assignment, and grading a folder of hand-ins."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from rpclab import classroom
from rpclab.cli.commands import app
from tests.classroom.handin_files import RIGHT, write_py


def run_classroom(*words):
    return CliRunner().invoke(app, ["classroom", *map(str, words)])


def test_a_folder_is_graded_and_written(tmp_path):
    handins = tmp_path / "hand-ins"
    handins.mkdir()
    write_py(handins, "ann\x1b", RIGHT)
    html, rows = tmp_path / "c.html", tmp_path / "c.csv"
    done = run_classroom(handins, "--html", html, "--csv", rows, "--exercise", "ex04")
    assert done.exit_code == 0, done.output
    assert "6/6" in done.stdout
    assert "\x1b" not in done.stdout
    assert "Each hand-in ran in a process of its own" in done.stdout
    assert html.read_text().startswith("<!DOCTYPE html>")
    assert rows.read_text().startswith("Learner,")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["grade", "nowhere"], "Cannot use nowhere: No such file"),
        (["grade", "."], "There is no hand-in in ."),
        (["grade", ".", "--exercise", "nope"], "There is no exercise nope."),
        (["grade", ".", "--html", "no/x"], "Cannot write no/x: there is no folder no."),
        (["make", "week1", "nope", "--to", "x"], "There is no exercise nope."),
        (
            ["make", "../week1", "ex04", "--to", "x"],
            "an assignment is named with letters, digits, _ and -",
        ),
    ],
    ids=["no folder", "no hand-in", "grade nope", "no html", "make nope", "bad name"],
)
def test_bad_words_are_a_sentence_and_exit_2(tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    done = run_classroom(*words)
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_make_writes_a_course_folder_and_replaces_nothing_unasked(tmp_path):
    words = ("make", "week1", "ex04", "ex05", "--to", tmp_path)
    assert run_classroom(*words).exit_code == 0
    path = tmp_path / "source" / "week1" / "week1.ipynb"
    assert path.read_text().count('"nbgrader"') == 6
    assert (tmp_path / "nbgrader_config.py").exists()
    path.write_text("mine")
    done = run_classroom(*words)
    assert (done.exit_code, path.read_text()) == (2, "mine")
    assert "it is there already, and is kept: --force replaces it" in " ".join(done.stderr.split())
    assert run_classroom(*words, "--force").exit_code == 0
    assert path.read_text() != "mine"


def test_what_a_teacher_may_call_is_listed():
    assert sorted(classroom.__all__) == classroom.__all__
    assert all(hasattr(classroom, name) for name in classroom.__all__)
    assert not hasattr(classroom, "no_such_name")


LOADED = """
import sys, {module}
print([name for name in sys.modules if name.partition(".")[0] in {names}])
"""


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("rpclab.classroom.assignment", ["nbformat", "nbgrader", "rich", "typer"]),
        ("rpclab.classroom.grading", ["nbformat", "nbgrader", "rich", "typer"]),
        ("rpclab.classroom.worker", ["jinja2", "nbformat", "platformdirs", "psutil", "rich"]),
    ],
)
def test_a_module_does_not_load_what_it_does_not_need(module, names):
    code = LOADED.format(module=module, names=names)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
