"""Run notebooks, and write them back in one form, so that a diff shows what changed.

    python tests/normalise.py [NOTEBOOK ...]      all of notebooks/ if none is named

Outputs are kept: nbval compares nothing in a cell without one. What differs from
run to run or from machine to machine is left out.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from rpclab.classroom.exercise_cells import mark_cells

ROOT = Path(__file__).resolve().parent.parent
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT_CELL_METADATA = ("tags",)


def run(notebook: NotebookNode) -> None:
    """Run every cell in a kernel of its own, in the folder of the notebooks."""
    client = NotebookClient(
        notebook,
        timeout=60,
        record_timing=False,
        store_widget_state=False,
        kernel_name="python3",
        resources={"metadata": {"path": str(ROOT / "notebooks")}},
    )
    client.execute()


def tidy(notebook: NotebookNode) -> None:
    """Bring metadata, ids and outputs into one form; an exercise is marked for nbgrader."""
    notebook.metadata = NotebookNode(METADATA)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02}"
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_CELL_METADATA}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
            if "metadata" in output:
                output.metadata = {}
    mark_cells(notebook.cells)


def main(names: list[str]) -> None:
    """Normalise the notebooks named, or all of them."""
    paths = [Path(name) for name in names] or sorted((ROOT / "notebooks").glob("*.ipynb"))
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        run(notebook)
        tidy(notebook)
        nbformat.write(notebook, path)
        print(f"normalised {path.name}")  # noqa: T201  it is a command


if __name__ == "__main__":
    os.environ["RPCLAB_PROGRESS"] = "off"  # a saved output must not tell of one learner
    main(sys.argv[1:])
