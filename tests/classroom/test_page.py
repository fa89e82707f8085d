"""A class as a page and as a table."""

import csv
import io

import pytest

from rpclab.classroom import Class, Learner, render_csv, render_page
from rpclab.classroom.grading import make_mark
from rpclab.classroom.page import guard_formula, tell_most_missed
from tests.classroom.handin_files import EX

STRANGE = "=1+1<b>"


@pytest.fixture
def group():
    strange = Learner(STRANGE, ["graded"], {EX: make_mark(EX, 6)})
    half = Learner("half", ["graded"], {EX: make_mark(EX, 3)}, ["half.py: <i>\x1b"])
    return Class((strange, half), (EX,))


def test_the_page_escapes_what_came_from_hand_ins(group):
    text = render_page(group, "lim<its>")
    assert "<b>" not in text
    assert "=1+1&lt;b&gt;" in text
    assert "<li>half.py: &lt;i&gt;\\x1b</li>" in text
    assert "<p>lim&lt;its&gt;</p>" in text
    assert "http" not in text


def test_the_page_says_what_was_missed_most(group):
    text = render_page(group, "")
    caption = text[text.index("<caption>") : text.index("</caption>")]
    assert caption.count("<li>") == 3
    assert "Missed by 1 of 2. Return to ex04_split, in 02_lines." in caption
    assert 'class="missed">missed</td>' in text
    assert "<td>1 of 2 missed</td>" in text


def test_only_a_verdict_that_needs_a_look_stands_out(group):
    assert '<td class="sharp">' not in render_page(group, "")
    page = render_page(Class((Learner("zoe", ["graded", "tampered"]),), ()), "")
    assert '<td class="sharp">graded, tampered</td>' in page
    assert "No clause was missed." in page


def test_the_table_has_a_row_for_each_learner_and_no_formula(group):
    first, *rest = csv.reader(io.StringIO(render_csv(group)))
    assert first[:4] == ["Learner", "Verdict", "Marks", EX]
    assert [row[0] for row in rest] == [f"'{STRANGE}", "half"]
    assert [row[4] for row in rest] == ["kept", "missed"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", " =1"])
def test_no_text_is_a_formula(text):
    assert guard_formula(text) == f"'{text}"


def test_the_most_missed_clauses_are_the_first_three(group):
    assert [row.missed for row in group.most_missed()] == [1, 1, 1]
    assert len(list(tell_most_missed(group))) == 3
