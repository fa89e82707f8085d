"""A JupyterLab and a Chromium for the browser tests, both real, both on loopback.

Each notebook is opened and run once: on a narrow screen in the dark theme, where
``test_every_notebook`` looks at it. The other tests of that notebook then use the same
page, on a wide screen. A test says which notebook it needs with
``@pytest.mark.notebook("01_messages")``. After a test that failed, the next one gets a
new page.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURES = ROOT / "docs" / "images"
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
NARROW = {"width": 600, "height": 900}
WIDE = {"width": 1280, "height": 900}
SOCKET_ROOM = 30  # the rest of the 107 bytes is for the kernel's own name
PATIENCE = 180_000  # milliseconds for what a busy machine makes slow: a page, a kernel
RAN = re.compile(r"\[\d+\]:")
# The pictures for the README are made in the light theme.
THEME = "JupyterLab Light" if os.environ.get("RPCLAB_PICTURES") else "JupyterLab Dark"
SETTINGS = {
    "@jupyterlab/apputils-extension/themes": {"theme": THEME},
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
def scratch():
    """Make a folder with a short path: a kernel's socket has 107 bytes for its own."""
    with tempfile.TemporaryDirectory(prefix="rpclab-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def lab(scratch):
    """Start a JupyterLab on a copy of the course; return its address and its token."""
    for folder in ("notebooks", "exercises"):
        shutil.copytree(ROOT / folder, scratch / "course" / folder)
    port, token = free_port(), secrets.token_hex(16)
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1"),
        *(f"--port={port}", f"--IdentityProvider.token={token}", "--allow-root"),
        *(f"--ServerApp.root_dir={scratch / 'course'}",),
    ]
    if len(str(scratch)) < SOCKET_ROOM:
        command.append("--KernelManager.transport=ipc")
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
    for _ in range(1200):
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
        expect.set_options(timeout=30_000)
        browser = playwright.chromium.launch(
            executable_path=path, args=CHROMIUM_FLAGS, timeout=PATIENCE
        )
        yield browser
        browser.close()


class OpenNotebook:
    """The one notebook that is open, in a page of its own; another one replaces it."""

    def __init__(self, lab, chromium):
        self.address, self.token = lab
        self.chromium = chromium
        self.name, self.context, self.page = None, None, None

    def open(self, name):
        """Return the page of a notebook that has been run whole."""
        if name != self.name:
            self.close()
            self.name = name
            self.context = self.chromium.new_context(viewport=NARROW)
            self.page = self.context.new_page()
            self.page.set_default_timeout(60_000)
            self.page.faults = []
            self.page.on("pageerror", lambda error: self.page.faults.append(str(error)))
            self.page.on("console", self.note)
            self.run()
        return self.page

    def note(self, message):
        """Remember what the page reports as an error."""
        if message.type == "error":
            self.page.faults.append(message.text)

    def run(self):
        """Open the notebook, run all of it, and wait until each cell has run."""
        page = self.page
        url = f"{self.address}/lab/tree/notebooks/{self.name}.ipynb?token={self.token}&reset"
        page.goto(url, timeout=PATIENCE)
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=PATIENCE)
        idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        idle.first.wait_for(timeout=PATIENCE, state="attached")
        page.locator('.lm-MenuBar-itemLabel:text-is("Run")').click()
        page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
        waiting = page.locator(".jp-CodeCell .jp-InputPrompt").filter(has_not_text=RAN)
        expect(waiting).to_have_count(0, timeout=PATIENCE)

    def close(self):
        """Close the page, and end the kernels, which stay when a page closes."""
        if self.context is not None:
            self.context.close()
            self.name, self.context, self.page = None, None, None
            for session in self.ask("GET", "api/sessions"):
                self.ask("DELETE", f"api/sessions/{session['id']}")

    def ask(self, verb, path):
        """Send one request to JupyterLab and return what it answers."""
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.address}/{path}", headers=headers, method=verb)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read() or "null")


@pytest.fixture(scope="session")
def opened(lab, chromium):
    one = OpenNotebook(lab, chromium)
    yield one
    one.close()


@pytest.fixture
def narrow_page(request, opened):
    """Return the page of the notebook that the test names, on a narrow screen."""
    page = opened.open(notebook_of(request.node))
    page.set_viewport_size(NARROW)
    yield page
    close_after_a_failure(request.node, opened)


@pytest.fixture
def page(request, opened):
    """Return the page of the notebook that the test names, on a wide screen."""
    page = opened.open(notebook_of(request.node))
    page.set_viewport_size(WIDE)
    yield page
    close_after_a_failure(request.node, opened)


@pytest.fixture
def keep_picture():
    """Return what saves a picture for the README, if RPCLAB_PICTURES asks for them."""

    def keep(part, name):
        if os.environ.get("RPCLAB_PICTURES"):
            part.screenshot(path=PICTURES / name)

    return keep


HASTE = """([field, button, texts]) => {
    const typed = document.querySelector(field);
    for (const text of texts) {
        typed.value = text;
        typed.dispatchEvent(new Event("input", { bubbles: true }));
    }
    typed.dispatchEvent(new Event("change", { bubbles: true }));
    document.querySelector(button).click();
}"""


@pytest.fixture
def type_and_press():
    """Return what types faster than the kernel answers, and presses a button at once.

    A page holds typed text back while the kernel works, but not the press of a button.
    """

    def hurry(page, field, button, *texts):
        page.evaluate(HASTE, [field, button, texts])

    return hurry


def close_after_a_failure(item, opened):
    if item.stash.get(FAILED, False):
        opened.close()


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Note whether the test failed, for the fixtures."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


def notebook_of(item):
    return item.get_closest_marker("notebook").args[0]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Put the tests of one notebook side by side, the narrow screen first."""
    mine = [item for item in items if item.get_closest_marker("notebook")]
    for item in mine:
        item.add_marker(pytest.mark.xdist_group(notebook_of(item)))
        item.add_marker(pytest.mark.timeout(900))
    mine.sort(key=lambda item: (notebook_of(item), "narrow_page" not in item.fixturenames))
    others = [item for item in items if item not in mine]
    items[:] = others + mine
