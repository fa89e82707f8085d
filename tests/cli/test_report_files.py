"""Files that reports are written to: what is refused before a run, and what is written."""

import os
import sys

import pytest

from rpclab.cli.report_files import find_unwritable, write_reports

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a pipe that has a path")


def test_a_folder_and_a_missing_folder_are_refused(tmp_path):
    assert find_unwritable({"--html": str(tmp_path)}) == f"Cannot write {tmp_path}: it is a folder."
    missing = tmp_path / "no" / "x.html"
    assert find_unwritable({"--json": "-", "--html": str(missing)}) == (
        f"Cannot write {missing}: there is no folder {tmp_path / 'no'}."
    )


def test_a_name_that_the_file_system_does_not_take_is_refused(tmp_path):
    file = str(tmp_path / ("x" * 300))
    assert find_unwritable({"--html": file}).startswith(f"Cannot write {file}: ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_file_without_the_right_to_write_is_refused(tmp_path):
    file = tmp_path / "x"
    file.touch(mode=0o400)
    assert "Permission denied" in find_unwritable({"--html": str(file)})


def test_two_options_do_not_write_one_file():
    files = {"--json": "-", "--html": "x", "--badge": "x"}
    assert find_unwritable(files) == "--html and --badge would both write x."


def test_looking_leaves_no_trace(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("kept")
    assert find_unwritable({"--json": str(old), "--html": str(new), "--badge": ""}) == ""
    assert (old.read_text(), new.exists()) == ("kept", False)


@POSIX
def test_a_pipe_is_not_opened_to_look(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert find_unwritable({"--json": str(pipe)}) == ""  # to open it would wait for a reader


def test_reports_are_written_in_their_order(tmp_path, capsys):
    file = tmp_path / "é"
    texts = [(str(file), lambda: "é\n"), ("-", lambda: "shown"), ("", lambda: 1 / 0)]
    assert write_reports(texts) == ""
    assert (file.read_bytes(), capsys.readouterr().out) == ("é\n".encode(), "shown")


def test_what_fails_after_all_is_a_sentence(tmp_path):
    assert write_reports([(str(tmp_path), lambda: "x")]).startswith(f"Cannot write {tmp_path}: ")
