"""All commands as one Typer program, each imported when it is asked for."""

import importlib
import platform
from importlib import metadata
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from rpclab.cli import COMMANDS
from rpclab.cli.stdout import prepare_stdout


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
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(asked: bool) -> None:
    """Print the version and end, if it was asked for."""
    if asked:
        print(f"rpclab {metadata.version('rpclab')}, Python {platform.python_version()}")
        raise typer.Exit


@app.callback()
def rpclab(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Run before every command: there is nothing to do."""


def run() -> None:
    """Run the command line."""
    prepare_stdout()
    app()
