"""The command ``rpclab course``: lay the course out in a folder, and open it in JupyterLab."""

import importlib.util
import os
import secrets
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from rpclab.cli import terminal
from rpclab.course.layout import FIRST, Layout, holds_course, lay_out

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

HELP: Final = """Lay the course out in a folder, and open it in JupyterLab.

Without FOLDER it goes into rpclab-course, or into the current folder if the course is there \
already. A file that you changed is kept: delete it to get it as new. Your progress is stored \
with your user data, not in FOLDER.

Try: rpclab course
"""
app = typer.Typer()

_PACKAGES: Final = ("anywidget", "ipykernel", "ipywidgets", "jupyterlab", "markupsafe")
_MISSING: Final = "The course needs packages that are not installed: pip install 'rpclab[course]'"


@app.command("course", help=HELP)
def course_command(
    folder: Annotated[Path | None, typer.Argument(help="Where the course is laid out.")] = None,
    port: Annotated[
        int,
        typer.Option(
            help="The port for JupyterLab. If it is busy, a free one is used.", min=1, max=65535
        ),
    ] = 8888,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Lay the course out, and do not start JupyterLab.")
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Start JupyterLab, and only print its address.")
    ] = False,
) -> None:
    """Lay the course out, then serve it until Ctrl-C."""
    here = Path() if holds_course(Path()) else Path("rpclab-course")
    window = has_screen() and not no_browser
    raise typer.Exit(start_course(folder or here, port, window=window, no_open=no_open))


def start_course(folder: Path, port: int, *, window: bool, no_open: bool = False) -> int:
    """Lay the course out, open it if that is wanted, and return the exit status."""
    if not (no_open or all(map(importlib.util.find_spec, _PACKAGES))):
        return terminal.refuse(_MISSING)
    if folder.exists() and not folder.is_dir():
        return terminal.refuse(f"{folder} is a file. Give a folder for the course.")
    try:
        show_layout(folder, lay_out(folder))
    except OSError as error:
        return terminal.refuse(f"Cannot use {error.filename}: {error.strerror}")
    if no_open:
        return 0
    try:
        with hidden_stderr():
            serve_folder(folder.resolve(), port, window=window)
    except KeyboardInterrupt:
        return terminal.stopped()
    terminal.say("JupyterLab has ended.")
    return 0


def show_layout(folder: Path, layout: Layout) -> None:
    """Say where the course is, and which files of the learner were kept."""
    terminal.say(f"The course is in {folder.resolve()}")
    for name, newer in layout.kept.items():
        terminal.say(f"{name} has your changes, so it was kept. The new version is {newer}")


@contextmanager
def hidden_stderr() -> Iterator[None]:
    """Hide what JupyterLab and its kernels write to stderr, unless JupyterLab gives up.

    A kernel that is ended while it starts would write a traceback on the screen.
    """
    screen = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            yield
        except SystemExit:
            log.seek(0)
            os.write(screen, log.read())
            raise
        finally:
            os.dup2(screen, 2)
            os.close(screen)


def serve_folder(folder: Path, port: int, *, window: bool) -> None:
    """Run JupyterLab on a folder, on loopback alone, until a signal or its own menu ends it."""
    from jupyterlab.labapp import LabApp  # noqa: PLC0415  an extra, and slow to load

    token = secrets.token_hex(24)
    server: ServerApp = LabApp.initialize_server(argv=options(folder, port, token, window=window))
    for number in ending_signals():
        # JupyterLab's own handler would ask "Shut down (y/[n])?" first.
        signal.signal(number, lambda *_: server.stop(from_signal=True))
    address = f"{server.connection_url}lab/tree/{FIRST}?token={token}"
    server.io_loop.add_callback(show_address, server, port, address)  # it answers from then on
    server.start()


def options(folder: Path, port: int, token: str, *, window: bool) -> list[str]:
    """Return JupyterLab's options. They stay in this process, so nobody sees the token."""
    chosen: dict[str, Any] = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.root_dir": folder,
        "ServerApp.open_browser": window,
        "ServerApp.answer_yes": True,
        "ServerApp.allow_root": is_root(),
        "ServerApp.log_level": "ERROR",
        "LabApp.log_level": "ERROR",
        # No questions about JupyterLab's own news and versions.
        "LabApp.app_settings_dir": Path(__file__).with_name("jupyterlab_settings"),
        "IdentityProvider.token": token,
        "KernelManager.transport_encryption": "auto",
    }
    return [str(folder / FIRST), *(f"--{name}={value}" for name, value in chosen.items())]


def ending_signals() -> Iterator[int]:
    """Yield Ctrl-C, a polite end, and a closed terminal unless ``nohup`` ignores it."""
    yield signal.SIGINT
    yield signal.SIGTERM
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        yield signal.SIGHUP


def show_address(server: "ServerApp", port: int, address: str) -> None:
    """Print the address of the first notebook, and how to end."""
    if server.port != port:
        terminal.say(f"Port {port} is busy, so JupyterLab took {server.port}.")
    if "SSH_CONNECTION" in os.environ:
        tunnel = f"ssh -L {server.port}:127.0.0.1:{server.port} THIS_MACHINE"
        terminal.say(f"Run this on your own machine first: {tunnel}")
    terminal.say(f"The course is open:\n\n    {address}\n\nPress Ctrl-C here to end it.")


def is_root() -> bool:
    """Return whether this is the superuser, whose browser would refuse to start."""
    return sys.platform != "win32" and os.geteuid() == 0


def has_screen() -> bool:
    """Return whether a window opened here would be seen by the person who asked."""
    if "SSH_CONNECTION" in os.environ or is_root():
        return False
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
