"""Every notebook in a real JupyterLab, on a narrow screen and in the dark theme."""

import os
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
STDERR = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
WIDGETS = ".jp-OutputArea-output .jupyter-widgets.lm-Panel"
WIDEST = """() => Math.max(0, ...Array.from(document.querySelectorAll('.jp-OutputArea-output'))
    .filter(area => area.querySelector('.jupyter-widgets'))
    .map(area => area.scrollWidth - area.clientWidth))"""


def keep_pictures(page, name):
    """Save what each widget looks like, if pictures are asked for."""
    if folder := os.environ.get("RPCLAB_PICTURES_OF_WIDGETS"):
        for number, widget in enumerate(page.locator(WIDGETS).all()):
            if widget.is_visible():
                widget.screenshot(path=f"{folder}/{name}-{number:02}.png")


@pytest.mark.parametrize(
    "name", [pytest.param(path.stem, marks=pytest.mark.notebook(path.stem)) for path in NOTEBOOKS]
)
def test_it_runs_whole_in_the_dark_on_a_narrow_screen(narrow_page, name):
    assert narrow_page.locator("body[data-jp-theme-light=false]").count() == 1
    assert narrow_page.locator(STDERR).count() == 0
    assert narrow_page.evaluate(WIDEST) == 0  # no widget is cut off
    keep_pictures(narrow_page, name)
    assert narrow_page.faults == []
