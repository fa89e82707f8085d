"""Exercises: stubs fail, solutions pass, and a learner is told what was wrong."""

import pytest

from rpclab import parsing
from rpclab.course import check, expect, hint, show_source
from rpclab.course.exercises import ANSWERS, course, exercises_folder, load
from rpclab.course.expect import Unmet

EXERCISES = list(course())
each_exercise = pytest.mark.parametrize("name", EXERCISES)


@each_exercise
def test_every_stub_fails(name):
    answer = getattr(load(name, "stub"), course()[name]["function"])
    assert not check(name, answer).kept


@each_exercise
def test_every_solution_passes(name):
    answer = getattr(load(name, "solution"), course()[name]["function"])
    assert check(name, answer).kept


@each_exercise
def test_every_exercise_has_its_four_files_and_three_hints(name):
    files = {path.name for path in (exercises_folder() / name).glob("*.*")}
    assert files == {"task.md", "stub.py", "solution.py", "check.py"}
    assert len(course()[name]["hints"]) == 3


def test_every_folder_is_in_the_catalogue():
    folders = [path.name for path in sorted(exercises_folder().glob("ex[0-9]*"))]
    assert folders == EXERCISES


def test_the_first_demand_that_fails_is_told_as_called_got_and_wanted():
    report = repr(check("ex01_shapes", lambda message: "request"))
    assert "called  <lambda>({'jsonrpc': '2.0', 'method': 'sum'})" in report
    assert "got     'request'" in report
    assert "wanted  'notification'" in report


def test_demands_after_the_first_that_fails_are_not_run():
    report = check("ex01_shapes", lambda message: "request")
    assert [outcome.verdict for outcome in report.outcomes][1:3] == ["broken", "not run yet"]


def test_an_exception_in_an_answer_is_told_without_a_traceback():
    report = repr(check("ex01_shapes", lambda message: message["id"]["x"]))
    assert "got     TypeError: 'int' object is not subscriptable" in report


def test_an_answer_that_is_not_written_yet_is_told_so():
    stub = load("ex01_shapes", "stub").name_shape
    assert "Nothing is written yet" in repr(check("ex01_shapes", stub))


def test_an_unknown_exercise_is_a_clear_sentence():
    assert repr(check("ex99", len)).startswith("There is no exercise ex99. There are: ex01_shapes")
    assert not check("ex99", len).kept
    assert hint("ex99", 1) == repr(check("ex99", len))


def test_check_without_an_answer_says_what_to_give():
    sentence = "check needs your function: check('ex01_shapes', name_shape)"
    assert repr(check("ex01_shapes")) == repr(check("ex01_shapes", 5)) == sentence


def test_with_the_variable_set_the_solution_is_judged_instead(monkeypatch):
    monkeypatch.setenv(ANSWERS, "solution")
    assert check("ex01_shapes", lambda message: "wrong").kept


def test_a_hint_that_is_not_there_is_a_clear_sentence():
    assert hint("ex01_shapes", 1).endswith("?")
    assert hint("ex01_shapes", 4) == "There are 3 hints: give a number from 1 to 3."


def test_true_is_not_one():
    with pytest.raises(Unmet):
        expect(lambda: True).gives(1)


def test_an_expected_exception_is_kept_and_another_is_not():
    expect(int, "x").raises(ValueError)
    with pytest.raises(Unmet, match="wanted  KeyError"):
        expect(int, "x").raises(KeyError)
    with pytest.raises(Unmet, match="got     1"):
        expect(int, "1").raises(ValueError)


def test_several_wanted_values_stand_for_a_tuple():
    expect(divmod, 7, 2).gives(3, 1)


def test_a_listing_is_the_real_source():
    listing = show_source(parsing.read_message)
    assert "def read_message(value: Json) -> Message:" in repr(listing)
    assert listing._repr_markdown_().startswith("```python\n# rpclab.parsing.read_message\n")
    assert repr(show_source(parsing)).startswith('# rpclab.parsing\n"""JSON value to message')
