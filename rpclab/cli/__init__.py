"""The command ``rpclab``.

Each command is a module of its own and is imported when it is called: a
server should not wait for the colours of another command.
"""

import io
import sys
from enum import StrEnum
from typing import Annotated

import typer

from rpclab.cli import strings

app = typer.Typer(
    help=strings.APP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


class FramingName(StrEnum):
    """The framings that a command can speak."""

    NEWLINE = "newline"
    CONTENT_LENGTH = "content-length"


Framing = Annotated[FramingName, typer.Option("--framing", help=strings.FRAMING)]


@app.callback()
def rpclab() -> None:
    """Hold the commands together."""


@app.command("serve", help=strings.SERVE)
def serve_command(framing: Framing = FramingName.NEWLINE) -> None:
    """Serve the demo methods on stdin and stdout."""
    from rpclab.cli.serving import serve_demo  # noqa: PLC0415

    serve_demo(framing.value)


@app.command("demo", help=strings.DEMO)
def demo_command() -> None:
    """Play the lesson."""
    from rpclab.cli.lesson import play  # noqa: PLC0415

    play()


@app.command(
    "send",
    help=strings.SEND,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
def send_command(
    command: Annotated[list[str] | None, typer.Argument(help=strings.SEND_COMMAND)] = None,
    framing: Framing = FramingName.NEWLINE,
    wait: Annotated[float, typer.Option(help=strings.SEND_WAIT, min=0.01, max=3600)] = 5.0,
) -> None:
    """Send lines to a server."""
    from rpclab.cli.sending import send_lines  # noqa: PLC0415

    raise typer.Exit(send_lines(command or [], framing.value, wait))


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # where é has no place in a terminal
    app()
