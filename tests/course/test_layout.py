"""The course in a folder: what is laid out, and what is never overwritten."""

import json

import pytest

from rpclab.course import layout
from rpclab.course.layout import FIRST, NOTE, course_files, holds_course, lay_out, source_folder

TASK = "exercises/ex01_shapes/task.md"


@pytest.fixture
def source(tmp_path, monkeypatch):
    """Make a course of three files, which the test may renew."""
    folder = tmp_path / "source"
    for name in (FIRST, TASK, "exercises/course.toml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("first")
    monkeypatch.setattr(layout, "source_folder", lambda: folder)
    return folder


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "my course"


def test_a_course_folder_has_what_a_checkout_has(folder):
    done = lay_out(folder)
    assert FIRST in done.written
    assert TASK in done.written
    assert set(done.written) == set(course_files())
    for name in done.written:
        assert (folder / name).read_bytes() == (source_folder() / name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {NOTE, "notebooks", "exercises"}


def test_what_programs_leave_behind_is_not_part_of_the_course(source):
    for left in ("exercises/__pycache__/check.pyc", "notebooks/.ipynb_checkpoints/00.ipynb"):
        (source / left).parent.mkdir()
        (source / left).write_text("")
    assert set(course_files()) == {FIRST, TASK, "exercises/course.toml"}


def test_a_second_time_nothing_is_written(folder):
    lay_out(folder)
    again = lay_out(folder)
    assert (again.written, again.kept) == ((), {})


def test_a_file_that_was_deleted_is_laid_out_again(source, folder):
    lay_out(folder)
    (folder / TASK).unlink()
    assert lay_out(folder).written == (TASK,)


def test_a_file_that_nobody_changed_is_renewed(source, folder):
    lay_out(folder)
    (source / TASK).write_text("second")
    done = lay_out(folder)
    assert (done.written, done.kept) == ((TASK,), {})
    assert (folder / TASK).read_text() == "second"


def test_a_file_that_the_learner_changed_is_kept_and_the_newer_one_is_beside_it(source, folder):
    lay_out(folder)
    (folder / FIRST).write_text("mine")
    (source / FIRST).write_text("second")
    done = lay_out(folder)
    assert (done.written, done.kept) == ((), {FIRST: f"new/{FIRST}"})
    assert (folder / FIRST).read_text() == "mine"
    assert (folder / "new" / FIRST).read_text() == "second"


def test_a_change_is_no_news_while_the_course_has_nothing_newer(source, folder):
    lay_out(folder)
    (folder / FIRST).write_text("mine")
    assert lay_out(folder).kept == {}
    assert (folder / FIRST).read_text() == "mine"


def test_a_newer_file_is_offered_once(source, folder):
    lay_out(folder)
    (folder / FIRST).write_text("mine")
    (source / FIRST).write_text("second")
    assert lay_out(folder).kept != {}
    assert lay_out(folder).kept == {}


def test_a_newer_file_overwrites_no_earlier_offer(source, folder):
    lay_out(folder)
    (folder / FIRST).write_text("mine")
    (source / FIRST).write_text("second")
    lay_out(folder)
    (source / FIRST).write_text("third")
    assert lay_out(folder).kept == {FIRST: f"new-2/{FIRST}"}
    assert (folder / "new" / FIRST).read_text() == "second"
    assert (folder / "new-2" / FIRST).read_text() == "third"


def test_an_offer_that_is_there_already_is_used_again(source, folder):
    (folder / "new" / TASK).parent.mkdir(parents=True)
    (folder / "new" / TASK).write_text("first")
    (folder / TASK).parent.mkdir(parents=True)
    (folder / TASK).write_text("mine")
    assert lay_out(folder).kept == {TASK: f"new/{TASK}"}


@pytest.mark.parametrize("note", [None, "", "[]", "{", '{"notebooks": 3}', "\udcff"])
def test_without_a_note_that_can_be_read_every_other_file_is_the_learners(source, folder, note):
    lay_out(folder)
    (folder / FIRST).write_text("mine")
    (folder / NOTE).unlink()
    if note is not None:
        (folder / NOTE).write_bytes(note.encode(errors="surrogateescape"))
    assert lay_out(folder).kept == {FIRST: f"new/{FIRST}"}
    assert (folder / FIRST).read_text() == "mine"


def test_a_file_that_belongs_to_nobody_we_know_is_left_alone(source, folder):
    (folder / "notebooks").mkdir(parents=True)
    (folder / "notebooks" / "notes.txt").write_text("mine")
    lay_out(folder)
    assert (folder / "notebooks" / "notes.txt").read_text() == "mine"


def test_the_folder_that_the_course_comes_from_is_left_as_it_is(source):
    assert lay_out(source).written == ()
    assert not (source / NOTE).exists()


def test_a_folder_holds_the_course_if_it_was_laid_out_there_or_comes_from_there(source, folder):
    assert holds_course(source)
    assert not holds_course(folder)
    lay_out(folder)
    assert holds_course(folder)


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(source, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        lay_out(tmp_path / "file")


def test_the_note_says_which_bytes_were_laid_out(source, folder):
    lay_out(folder)
    noted = json.loads((folder / NOTE).read_text())
    assert set(noted) == {FIRST, TASK, "exercises/course.toml"}
    assert len(set(noted.values())) == 1
