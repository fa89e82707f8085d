"""All commands as one Typer program, each imported when it is asked for."""

import importlib
import io
import sys
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from rpclab.cli import COMMANDS


class LazyCommands(TyperGroup):
    """A group of commands that imports the module of a command when it is asked for."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # names, for the help

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command of this name, or return None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rpclab.cli.{COMMANDS[cmd_name]}")
        return get_group(module.app).get_command(ctx, cmd_name)


app = typer.Typer(
    cls=LazyCommands,
    help="JSON-RPC 2.0 over newline-delimited stdio: a course, and tools for your own server.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def rpclab() -> None:
    """Run before every command: there is nothing to do."""


def run() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the terminal may not be able to show é
    app()
