"""``rpclab exercises``: the exercises in a terminal."""

import os
import subprocess
import sys

import pytest

from rpclab.cli import exercises
from rpclab.cli.exercises import find_name, find_next, load_answer, run_action
from rpclab.course import solution
from rpclab.course.catalogue import course
from rpclab.course.exercises import NOT_WRITTEN
from rpclab.course.progress import OFF, PROGRESS, forget

RIGHT = "def split_lines(rest, chunk):\n    *lines, rest = (rest + chunk).split(b'\\n')\n"
RIGHT += "    return lines, rest\n"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv(PROGRESS, OFF)
    monkeypatch.chdir(tmp_path)
    forget()


def do(action, name="", file="", anyway=False):
    return run_action(action, name, file, anyway=anyway)


def test_the_list_shows_every_exercise_and_the_next(capsys):
    assert do("list") == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in course())
    assert "Next: ex01_shapes, in 01_messages" in shown


def test_the_beginning_of_a_name_will_do():
    assert (find_name("ex04"), find_name("ex0"), find_name("")) == ("ex04_split", "", "")


@pytest.mark.parametrize(
    ("action", "name", "sentence"),
    [
        ("run", "nope", "There is no exercise nope. rpclab exercises lists them all."),
        ("run", "ex04_spilt", "There is no exercise ex04_spilt. Did you mean ex04_split?"),
        ("run", "ex0", "ex0 is the beginning of several names: ex01_shapes, ex02_replies, "),
        ("task", "", "Which exercise? For the next one: rpclab exercises task ex01_shapes"),
        ("play", "ex04", "There is no action play. There are: list, task, run, watch, hint, "),
    ],
    ids=["unknown", "misspelt", "ambiguous", "left out", "no action"],
)
def test_a_word_that_names_nothing_is_answered_with_what_to_type(capsys, action, name, sentence):
    assert do(action, name) == 2
    assert capsys.readouterr().err.startswith(sentence)


def test_run_writes_a_file_to_begin_with_and_then_judges_it(capsys, tmp_path):
    assert do("run", "ex04") == 1
    assert "Write `split_lines(rest, chunk)`." in capsys.readouterr().out
    assert do("run", "ex04") == 1
    shown = capsys.readouterr().out
    assert "Nothing is written yet: fill in the TODO, and save the file." in shown
    assert NOT_WRITTEN not in shown
    (tmp_path / "ex04_split.py").write_text(RIGHT)
    assert do("run", "ex04") == 0
    assert "Well done" in capsys.readouterr().out


def test_a_file_of_another_name_may_be_named(capsys, tmp_path):
    (tmp_path / "mine.py").write_text(RIGHT)
    assert do("run", "ex04", "mine.py") == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(:\n", "mine.py, line 1: invalid syntax"),
        ("x = 1\n1 / 0\n", "mine.py, line 2: ZeroDivisionError: division by zero"),
        ("raise SystemExit('bye')\n", "mine.py, line 1: SystemExit: bye"),
        ("x = 1\n", "There is no split_lines in mine.py."),
        ("split_lines = 1\n", "split_lines in mine.py is not what the task asks for"),
    ],
    ids=["syntax", "raises", "exits", "no name", "no function"],
)
def test_a_file_that_gives_no_answer_is_told_so(capsys, tmp_path, text, says):
    (tmp_path / "mine.py").write_text(text)
    assert do("run", "ex04", "mine.py") == 1
    assert says in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_a_sentence(capsys, tmp_path):
    (tmp_path / "folder").mkdir()
    assert do("run", "ex04", "folder") == 2
    assert "Cannot use folder: Is a directory" in capsys.readouterr().err


def test_the_file_of_a_server_knows_where_it_is(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("command = [__file__]\n")
    assert load_answer(path, "command") == [str(path)]


def test_hint_task_skip_and_reset_say_what_they_do(capsys):
    for action, says in (
        ("hint", "is there a message yet?"),
        ("task", "# Exercise 4: cut a byte stream into lines"),
        ("skip", "ex04_split is skipped."),
        ("reset", "ex04_split is as if you had never tried it."),
    ):
        assert do(action, "ex04") == 0
        assert says in capsys.readouterr().out


def test_the_solution_waits_for_success_or_for_being_asked_twice(capsys):
    assert do("solution", "ex04") == 0
    shown = capsys.readouterr().out
    assert "To see it anyway: rpclab exercises solution ex04_split --anyway" in shown
    assert "anyway=True" not in shown
    assert do("solution", "ex04", anyway=True) == 0
    assert "*lines, rest = (rest + chunk)" in capsys.readouterr().out
    assert "split" in repr(solution("ex04_split", anyway=True))


def test_the_hints_are_shown_again_when_all_were_seen(capsys):
    hints = course()["ex04_split"].hints
    for hint in hints:
        assert do("hint", "ex04") == 0
        assert capsys.readouterr().out == f"{hint}\n"
    assert do("hint", "ex04") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("You have had all 3 hints:\n")
    assert all(hint in shown for hint in hints)


def test_no_answer_steers_the_terminal(capsys, tmp_path):
    (tmp_path / "mine.py").write_text("raise ValueError('\\x1b[2J')\n")
    do("run", "ex04", "mine.py")
    assert "\x1b[2J" not in capsys.readouterr().out


def play(monkeypatch, *steps):
    """Take one step each time that ``watch`` would wait, and stop it after the last."""
    left = iter(steps)

    def wait(_):
        step = next(left, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr(exercises.time, "sleep", wait)


def test_watch_judges_again_when_the_file_is_saved(capsys, tmp_path, monkeypatch):
    path = tmp_path / "ex04_split.py"
    play(monkeypatch, lambda: None, lambda: path.write_text(RIGHT))
    assert do("watch", "ex04", "ex04_split.py") == 0
    shown = capsys.readouterr().out
    assert "Waiting until ex04_split.py is saved. Ctrl-C ends it." in shown
    assert "Well done" in shown


def test_watch_goes_on_to_the_next_exercise(capsys, tmp_path, monkeypatch):
    (tmp_path / "ex04_split.py").write_text(RIGHT)
    play(monkeypatch)
    assert do("watch", "ex04") == 130
    shown = capsys.readouterr().out
    assert "Next: ex05_clean" in shown
    assert "ex05_clean.py was written." in shown
    assert (tmp_path / "ex05_clean.py").exists()


def test_after_the_last_exercise_comes_the_first_that_is_left():
    last = list(course())[-1]
    do("skip", last)
    assert find_next(last) == "ex01_shapes"
    for name in course():
        do("skip", name)
    assert find_next(last) == ""


def test_watch_goes_on_when_an_editor_removes_the_file_to_save_it(capsys, tmp_path, monkeypatch):
    path = tmp_path / "ex04_split.py"
    path.write_text("x = 1\n")
    play(monkeypatch, path.unlink, lambda: path.write_text(RIGHT))
    assert do("watch", "ex04", path.name) == 0
    assert "Well done" in capsys.readouterr().out


def test_ctrl_c_ends_watching_with_a_word(capsys, monkeypatch):
    play(monkeypatch)
    assert do("watch", "ex04") == 130
    assert capsys.readouterr().out.endswith("Stopped.\n")


def test_the_command_is_there(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rpclab", "exercises", "hint", "ex04"],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, PROGRESS: str(tmp_path / "p.json")},
    )
    assert done.stdout.endswith("is there a message yet?\n")
    assert (tmp_path / "p.json").exists()
