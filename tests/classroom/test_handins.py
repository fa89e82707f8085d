"""Reading hand-ins: what is run, what is left out, and what cannot be read."""

import json

import pytest

from rpclab.classroom import find_handins
from rpclab.classroom.handins import LARGEST, read_handin


def test_locked_cells_are_the_teachers_and_are_not_run(tmp_path):
    path = tmp_path / "ann.ipynb"
    locked = {"cell_type": "code", "source": "x = 1", "metadata": {"nbgrader": {"locked": True}}}
    path.write_text(json.dumps({"cells": [locked, {"cell_type": "code", "source": 7}, 3]}))
    found = read_handin("ann", path)
    assert (found.cells, found.fault) == ((), "")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("ann.ipynb", b"["),
        ("ann.ipynb", b"[]"),
        ("ann.ipynb", b"[" * 100_000),
        ("ann.ipynb", b"\xff"),
        ("ann.json", b"{}"),
        ("ann.json", b'{"version":1,"seed":"","exercises":{"a":{"b":1}}}'),
        ("ann.py", b"x = \0"),
        ("ann.py", b" " * (LARGEST + 1)),
    ],
    ids=["half", "array", "deep", "bytes", "object", "field", "nul", "large"],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    (found,) = find_handins(tmp_path)
    assert (found.cells, found.told) == ((), None)
    assert found.fault


def test_links_are_not_followed_and_hidden_files_are_left_out(tmp_path):
    (tmp_path / "ann.py").symlink_to("/etc/passwd")
    (tmp_path / ".bob.py").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (found,) = find_handins(tmp_path)
    assert found.fault == "it is a link or not a regular file, and was not read"
