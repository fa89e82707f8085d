"""What several commands take: a framing, and the command of another program.

Options that only one command has are in the module of that command.
"""

from enum import StrEnum
from typing import Annotated, Final

import typer

AFTER_DASHES: Final = {"ignore_unknown_options": True, "allow_interspersed_args": False}
"""Settings for a command that takes a program and its options after two dashes."""


class FramingName(StrEnum):
    """The framings that a command can speak."""

    NEWLINE = "newline"
    CONTENT_LENGTH = "content-length"


Framing = Annotated[
    FramingName,
    typer.Option(
        "--framing", help="How messages are set apart: a newline, or a Content-Length header."
    ),
]
