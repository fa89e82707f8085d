"""What several commands take: a framing, and the command of another program.

Options that only one command has are in the module of that command.
"""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
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

Env = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME=VALUE", help="A variable for the program's environment."),
]

Cwd = Annotated[
    Path | None,
    typer.Option(
        "--cwd", exists=True, file_okay=False, metavar="FOLDER", help="The folder it runs in."
    ),
]


def read_env(settings: Sequence[str] | None) -> dict[str, str]:
    """Return the variables that are set.

    >>> read_env(["DEBUG=1", "OPTIONS=a=b"])
    {'DEBUG': '1', 'OPTIONS': 'a=b'}

    Raises:
        ValueError: a setting is not ``NAME=VALUE``.
    """
    for setting in settings or []:
        if not setting.partition("=")[0] or "=" not in setting:
            raise ValueError(f"--env takes NAME=VALUE, not {setting!r}")
    return dict(setting.split("=", 1) for setting in settings or [])
