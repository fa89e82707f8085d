"""Grading a class: verdicts, marks and remarks, each hand-in in a process of its own."""

import hashlib
import json

import pytest

from rpclab.classroom import Limits, Unable, grade, make_assignment, runner
from rpclab.classroom.privileges import is_root
from rpclab.classroom.runner import WorkerReport, read_report
from rpclab.course.catalogue import course, exercises_folder
from tests.classroom.handin_files import (
    CHECK,
    EX,
    HALF,
    RIGHT,
    grade_text,
    write_notebook,
    write_py,
)


def test_a_right_answer_keeps_every_clause_of_its_exercise(tmp_path):
    write_py(tmp_path, "ann", RIGHT)
    group = grade(tmp_path)
    (ann,) = group.learners
    assert (ann.name, ann.verdict, ann.earned, group.total) == ("ann", "graded", 6, 6)
    assert {group.word(ann, id) for id in group.clauses} == {"kept"}


def test_half_an_answer_earns_half_and_is_told_what_is_missed_first(tmp_path):
    ann = grade_text(tmp_path, HALF)
    assert str(ann.marks[EX]) == "3/6"
    assert "A chunk may complete several lines, in order." in ann.remarks[0]


@pytest.mark.parametrize("exercise", [EX, "ex16_misfit"])
def test_a_stub_earns_nothing_though_it_may_keep_some_demands(tmp_path, exercise):
    write_py(tmp_path, "ann", (exercises_folder() / exercise / "stub.py").read_text(), exercise)
    assert grade(tmp_path).learners[0].earned == 0


ENDLESS = "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("while True: pass\n", "hanging"),
        ("def split_lines(rest, chunk):\n    while True: pass\n", "hanging"),
        ("import os; os._exit(0)\n", "crashed"),
        ("import os; os.closerange(0, 99)\n", "crashed"),
        ("print('[1, {}]'); import os; os._exit(0)\n", "crashed"),
        ("import signal; signal.raise_signal(9)\n", "crashed"),
        ("import sys; sys.exit()\n", "graded"),
        ("x = b'x' * 10**10\n", "graded"),
        ("open('large', 'wb').write(b'x' * 10**8)\n", "graded"),
        ("import subprocess; subprocess.run(['echo'])\n", "graded"),
        ("def (\n", "unreadable"),
    ],
)
def test_each_end_has_its_verdict_and_earns_nothing(tmp_path, text, verdict):
    zoe = grade_text(tmp_path, text)
    assert (zoe.verdict, zoe.earned) == (verdict, 0), zoe
    assert zoe.remarks


def test_a_broken_cell_does_not_lose_the_rest(tmp_path):
    write_notebook(
        tmp_path / "ann.ipynb", "1 / 0", f'task("{EX}")', RIGHT, CHECK, "raise SystemExit"
    )
    (ann,) = grade(tmp_path).learners
    assert (ann.verdict, ann.earned) == ("graded", 6)
    assert "ann.ipynb: cell 1 raised ZeroDivisionError" in ann.remarks


def test_what_was_judged_before_it_hung_counts(tmp_path):
    write_notebook(tmp_path / "ann.ipynb", RIGHT, CHECK, ENDLESS)
    (ann,) = grade(tmp_path, limits=Limits(seconds=5, cell=1)).learners
    assert (ann.verdict, ann.earned) == ("hanging", 6)


def test_what_cannot_be_interrupted_is_ended_and_earns_nothing(tmp_path):
    zoe = grade_text(tmp_path, ENDLESS, Limits(seconds=2, cell=1))
    assert (zoe.verdict, zoe.earned) == ("hanging", 0)


def test_every_solution_is_graded_right(tmp_path):
    judged = [row for row in course().values() if row.kind != "server"]
    sources = [
        source
        for row in judged
        for source in (
            (exercises_folder() / row.name / "solution.py").read_text(),
            f'check("{row.name}", {row.answer})',
        )
    ]
    write_notebook(tmp_path / "ann.ipynb", *sources)
    group = grade(tmp_path, limits=Limits(seconds=200))
    (ann,) = group.learners
    assert ann.verdict == "graded"
    assert ann.earned == group.total, ann.remarks
    assert list(group.exercises) == [row.name for row in judged]


@pytest.mark.skipif(not is_root(), reason="only root has rights to give up")
def test_nothing_is_run_with_the_rights_of_root(tmp_path, monkeypatch):
    write_py(tmp_path, "ann", f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.setattr(runner, "choose_user", lambda: 0)
    with pytest.raises(Unable, match="cannot be given up here"):
        grade(tmp_path)
    assert not (tmp_path / "ran").exists()


def test_a_report_is_believed_line_by_line():
    key, report = b"k" * 32, WorkerReport()
    body = b'[0, {"ready": true}]'
    seal = hashlib.blake2b(body, key=key).hexdigest().encode()
    read_report(seal + b" " + body + b"\n![1]\n", key, report)
    assert (report.said, report.accused, report.forged) == ([{"ready": True}], [], False)
    read_report(seal + b" " + body + b"\n", key, report)  # the same once more
    assert report.forged


# --- which mark counts --------------------------------------------------------------


def test_a_folder_is_one_learner_and_the_better_mark_counts(tmp_path):
    (tmp_path / "ann").mkdir()
    write_py(tmp_path / "ann", "a", HALF)
    write_py(tmp_path / "ann", "b", RIGHT)
    (ann,) = grade(tmp_path).learners
    assert (ann.name, ann.earned) == ("ann", 6)


def test_marks_in_a_progress_file_are_told_and_judged_ones_count_before_them(tmp_path):
    progress = {"version": 1, "seed": "", "exercises": {EX: {"tries": 2, "kept": True}}}
    (tmp_path / "ann.json").write_text(json.dumps(progress))
    (tmp_path / "bob.json").write_text(json.dumps(progress))
    write_py(tmp_path, "bob", HALF)
    ann, bob = grade(tmp_path).learners
    assert ann.verdict == "told by the learner"
    assert str(ann.marks[EX]) == "6/6 (told by the learner)"
    assert str(bob.marks[EX]) == "3/6"


def test_the_last_check_of_an_exercise_counts(tmp_path):
    write_notebook(tmp_path / "ann.ipynb", HALF, CHECK, RIGHT, CHECK)
    assert grade(tmp_path).learners[0].earned == 6


def test_a_program_that_calls_check_is_judged_there(tmp_path):
    (tmp_path / "ann.py").write_text(f"{RIGHT}{CHECK}\nsplit_lines = None\n")
    assert grade(tmp_path).learners[0].earned == 6


def test_servers_are_left_to_the_lab_and_nothing_is_nothing(tmp_path):
    write_py(tmp_path, "ann", "command = []", "ex31_your_server")
    (tmp_path / "bob.py").write_text("x = 1")
    ann, bob = grade(tmp_path).learners
    assert (ann.verdict, bob.verdict) == ("not judged", "not judged")
    assert "rpclab conform" in ann.remarks[0]


def test_a_made_notebook_as_it_is_handed_out_earns_nothing(tmp_path):
    path, _ = make_assignment("week1", [EX, "ex02_replies"], tmp_path)
    (one,) = grade(path.parent).learners
    assert (one.verdict, one.earned, len(one.marks)) == ("graded", 0, 2)
