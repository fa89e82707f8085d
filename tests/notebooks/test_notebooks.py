"""The notebooks are tests, and this guards them: nbval passes where nothing is saved."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.normalise import tidy

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
SILENT = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_there_are_notebooks_to_guard():
    assert [path.stem for path in NOTEBOOKS][:2] == ["00_start_here", "01_messages"]


@each_notebook
def test_every_cell_was_run_in_order(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


@each_notebook
def test_every_cell_that_ends_in_an_expression_has_its_output_saved(path):
    for cell in code_cells(path):
        if not isinstance(ast.parse(cell.source).body[-1], SILENT):
            assert cell.outputs, cell.source


@each_notebook
def test_no_saved_output_is_an_error_nobody_expects(path):
    for cell in code_cells(path):
        expected = "raises-exception" in cell.metadata.get("tags", [])
        assert expected == any(out.output_type == "error" for out in cell.outputs), cell.source


@each_notebook
def test_notebooks_are_committed_in_one_form(path):
    saved = nbformat.read(path, as_version=4)
    tidied = nbformat.read(path, as_version=4)
    tidy(tidied)
    assert tidied == saved


@each_notebook
def test_no_saved_output_differs_from_machine_to_machine(path):
    outputs = str([cell.outputs for cell in code_cells(path)])
    assert not re.search(r"0x[0-9a-f]{6,}|/(?:home|root|tmp|Users)/|\.venv", outputs)


@each_notebook
def test_definitions_in_cells_are_short(path):
    for cell in code_cells(path):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert node.end_lineno - node.lineno < 12, cell.source


@each_notebook
def test_the_prose_uses_no_word_that_makes_a_learner_feel_slow(path):
    text = path.read_text("utf-8").lower()
    assert not re.search(r"\b(simply|just|obviously)\b", text)


@pytest.mark.parametrize("path", NOTEBOOKS[:2], ids=[path.stem for path in NOTEBOOKS[:2]])
def test_a_planted_change_makes_nbval_fail(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    texts = [
        (number, output.data)
        for number, cell in enumerate(notebook.cells)
        for output in cell.get("outputs", [])
        if "text/plain" in output.get("data", {})
    ]
    number, data = texts[0]
    data["text/plain"] = "planted"
    notebook.cells = notebook.cells[: number + 1]  # what comes after it proves nothing more
    planted = tmp_path / path.name
    nbformat.write(notebook, planted)
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "-p", "tests.kernel_sockets", str(planted)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 1, run.stdout
    assert "planted" in run.stdout
