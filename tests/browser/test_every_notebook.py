"""Every notebook in a real JupyterLab, on a narrow screen and in the dark theme."""

import json
import os
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]
STDERR = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
THEMES = "lab/api/settings/@jupyterlab/apputils-extension:themes"
RAN = re.compile(r"\[\d+\]:")
NARROW = {"width": 600, "height": 900}
WIDGETS = ".jp-OutputArea-output .jupyter-widgets.lm-Panel"
WIDEST = """() => Math.max(0, ...Array.from(document.querySelectorAll('.jp-OutputArea-output'))
    .filter(area => area.querySelector('.jupyter-widgets'))
    .map(area => area.scrollWidth - area.clientWidth))"""


def put_theme(lab, name):
    address, token = lab
    request = urllib.request.Request(
        f"{address}/{THEMES}",
        data=json.dumps({"raw": json.dumps({"theme": name})}).encode(),
        headers={"Authorization": f"token {token}", "Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        assert response.status == 204


@pytest.fixture
def dark(lab):
    put_theme(lab, "JupyterLab Dark")
    yield
    put_theme(lab, "JupyterLab Light")


def keep_pictures(page, name):
    """Save what each widget looks like, for who asks for pictures."""
    if folder := os.environ.get("RPCLAB_PICTURES_OF_WIDGETS"):
        for number, widget in enumerate(page.locator(WIDGETS).all()):
            if widget.is_visible():
                widget.screenshot(path=f"{folder}/{name}-{number:02}.png")


@pytest.mark.usefixtures("dark")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_runs_whole_in_the_dark_on_a_narrow_screen(open_notebook, page, path):
    page.set_viewport_size(NARROW)
    open_notebook(path.stem)
    waiting = page.locator(".jp-CodeCell .jp-InputPrompt").filter(has_not_text=RAN)
    expect(waiting).to_have_count(0, timeout=120_000)
    assert page.locator("body[data-jp-theme-light=false]").count() == 1
    assert page.locator(STDERR).count() == 0
    assert page.evaluate(WIDEST) == 0  # no widget is cut off
    keep_pictures(page, path.stem)
    assert page.faults == []
