"""A JupyterLab and a Chromium for the browser tests, both real, both on loopback."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCRATCH = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "IPYTHONDIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
)
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false"},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


def find_chromium():
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    return next((path for name in names if (path := shutil.which(name))), None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Give the address of a JupyterLab on a copy of the course, with its token."""
    scratch = tmp_path_factory.mktemp("lab")
    for folder in ("notebooks", "exercises"):
        shutil.copytree(ROOT / folder, scratch / "course" / folder)
    port, token = free_port(), secrets.token_hex(16)
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1"),
        *(f"--port={port}", f"--IdentityProvider.token={token}", "--allow-root"),
        *(f"--ServerApp.root_dir={scratch / 'course'}", "--KernelManager.transport=ipc"),
    ]
    for path in (scratch / "course" / "notebooks").glob("*.ipynb"):
        forget_outputs(path)  # what a test sees was made by its own run
    for name, values in SETTINGS.items():
        settings = scratch / "jupyterlab_settings_dir" / f"{name}.jupyterlab-settings"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps(values), "utf-8")
    env = os.environ | {name: str(scratch / name.lower()) for name in SCRATCH}
    with (scratch / "log").open("wb") as log:
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api?token={token}", server, scratch / "log")
        yield address, token
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGINT)
        try:
            server.wait(10)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def forget_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, path)


def wait_for(address, server, log):
    """Ask until the server answers. The connection attempt itself is the clock."""
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        with contextlib.suppress(urllib.error.URLError), urllib.request.urlopen(address):
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(0.1)
    pytest.fail(f"JupyterLab did not answer:\n{log.read_text()}")


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium on this machine, and CI must have one")
        pytest.skip("no Chromium on this machine: install one to run the browser tests")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on(
        "console",
        lambda message: page.faults.append(message.text) if message.type == "error" else None,
    )
    yield page
    context.close()


@pytest.fixture
def open_notebook(lab, page):
    """Open a notebook by name, run it whole, and give the page."""
    address, token = lab

    def open_and_run(name):
        page.goto(f"{address}/lab/tree/notebooks/{name}.ipynb?token={token}&reset")
        idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=60_000)
        idle.first.wait_for(timeout=60_000, state="attached")
        page.locator('.lm-MenuBar-itemLabel:text-is("Run")').click()
        page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
        return page

    return open_and_run
