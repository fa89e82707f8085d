"""The dashboard of the first notebook, without a browser."""

import pytest

from rpclab.course import check, skip
from rpclab.course.catalogue import course, load
from rpclab.course.progress import OFF, PROGRESS, forget
from rpclab.widgets import Dashboard


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch):
    monkeypatch.setenv(PROGRESS, OFF)
    forget()


def solve(name):
    assert check(name, getattr(load(name, "solution"), course()[name].answer)).kept


def test_at_first_it_says_where_to_begin():
    text = repr(Dashboard())
    assert text.startswith(f"Done: 0 of {len(course())} exercises.\nNext: ex01_shapes")


def test_it_shows_a_word_for_each_state():
    solve("ex01_shapes")
    skip("ex02_replies")
    shown = Dashboard().shown.value
    assert all(f"<td>{word}</td>" in shown for word in ("done", "skipped", "next", "to do"))
    assert "4.1.no-id" in shown


def test_it_looks_again_when_asked():
    dashboard = Dashboard()
    solve("ex01_shapes")
    assert "Done: 0" in repr(dashboard)
    dashboard.refresh_button.click()
    assert "Done: 1" in repr(dashboard)
    assert "Done: 1" in dashboard.shown.value
    assert dashboard.choice.value == "ex02_replies"


def test_its_buttons_skip_and_reset_the_exercise_that_is_chosen():
    dashboard = Dashboard()
    dashboard.choice.value = "ex03_reply"
    dashboard.skip_button.click()
    assert "ex03_reply is skipped" in dashboard.said.value
    assert dashboard.refresh().rows[2].state == "skipped"
    dashboard.choice.value = "ex03_reply"
    dashboard.reset_button.click()
    assert dashboard.refresh().rows[2].state == ""


def test_when_nothing_is_left_it_says_so():
    for name in course():
        skip(name)
    assert "There is nothing left to do." in Dashboard().shown.value


def test_a_file_name_from_outside_is_escaped(tmp_path, monkeypatch):
    path = tmp_path / "<b>.json"
    path.write_text("{")
    monkeypatch.setenv(PROGRESS, str(path))
    shown = Dashboard().shown.value
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
