"""The file of typed lines."""

import sys

import pytest
from prompt_toolkit.history import InMemoryHistory

from rpclab.cli.send import history
from rpclab.cli.send.history import LONGEST, cut_history, open_history


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Keep the user's state in a folder that is not there yet."""
    folder = tmp_path / "state" / "rpclab"
    monkeypatch.setattr(history, "user_state_path", lambda *_, **__: folder)
    return folder


def kept(text_file):
    return list(history.ShortLines(str(text_file)).load_history_strings())


@pytest.mark.skipif(sys.platform == "win32", reason="a user's folder is private by its own rules")
def test_only_the_user_can_read_what_was_typed(folder):
    folder.mkdir(parents=True)
    (folder / "send_history").touch(0o644)
    open_history().store_string("a secret")
    assert (folder / "send_history").stat().st_mode & 0o777 == 0o600


def test_the_next_session_knows_the_lines_of_this_one(folder):
    open_history().store_string('{"id":1}')
    open_history().store_string("two\nlines")
    assert kept(folder / "send_history") == ["two\nlines", '{"id":1}']


def test_a_very_long_line_is_not_kept(folder):
    lines = open_history()
    for text in ("x" * (LONGEST + 1), "x" * LONGEST):
        lines.store_string(text)
    assert [len(line) for line in kept(folder / "send_history")] == [LONGEST]


def test_a_file_that_cannot_be_written_any_more_stops_nobody(folder):
    lines = open_history()
    (folder / "send_history").unlink()
    folder.rmdir()
    lines.store_string("lost")
    assert not folder.exists()


def test_without_a_folder_there_is_a_history_in_memory(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(history, "user_state_path", lambda *_, **__: tmp_path / "file" / "rpclab")
    assert isinstance(open_history(), InMemoryHistory)


def test_the_oldest_lines_leave_a_file_that_is_too_large(folder):
    lines = open_history()
    for n in range(100):
        lines.store_string(f"line {n}")
    file = folder / "send_history"
    cut_history(file, most=1000)
    newest = [f"line {n}" for n in range(99, 99 - len(kept(file)), -1)]
    assert 5 < len(newest) < 50
    assert kept(file) == newest
