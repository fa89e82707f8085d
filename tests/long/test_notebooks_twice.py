"""A learner runs a notebook again, in the kernel that it has: it must not remember."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from rpclab.course.catalogue import course
from rpclab.course.progress import ANSWERS, OFF, PROGRESS
from tests.kernel_sockets import AsyncSocketKernelManager

NOTEBOOKS = Path(__file__).parent.parent.parent / "notebooks"
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


def text_of(cell):
    """Return what a cell printed and showed, as one text, however it was cut on its way."""
    outputs = cell.get("outputs", [])
    return "".join(
        out.get("text", "") or out.get("data", {}).get("text/plain", "") for out in outputs
    )


def run(path, times):
    """Run all cells as often as told, in one kernel, and give what each said each time."""
    notebook, said = nbformat.read(path, as_version=4), []
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        kernel_manager_class=AsyncSocketKernelManager,
        resources=where,
    )
    with client.setup_kernel(env=os.environ.copy()):
        for _ in range(times):
            for place, cell in enumerate(notebook.cells):
                client.execute_cell(cell, place)
            said.append([text_of(cell) for cell in notebook.cells])
    return said


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_a_notebook_says_the_same_when_it_is_run_again_in_its_kernel(path, monkeypatch):
    monkeypatch.setenv(PROGRESS, OFF)
    monkeypatch.delenv(ANSWERS, raising=False)
    first, second = run(path, times=2)
    assert second == first


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_every_check_of_a_notebook_keeps_with_the_solutions(path, monkeypatch):
    monkeypatch.setenv(PROGRESS, OFF)
    monkeypatch.setenv(ANSWERS, "solution")
    [said] = run(path, times=1)
    checks = [text for text in said if re.match(r"ex\d\d_\w+: ", text)]
    assert len(checks) == len([row for row in course().values() if row.notebook == path.stem])
    assert [text for text in checks if "Well done: every check is kept." not in text] == []
