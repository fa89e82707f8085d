"""What several commands take: a framing, another program, and what the shell completes.

Options that only one command has are in the module of that command.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

AFTER_DASHES: Final = {"allow_interspersed_args": False}
"""Settings for a command that takes a program and its options after two dashes."""


class FramingName(StrEnum):
    """The framings that a command can speak."""

    NEWLINE = "newline"
    CONTENT_LENGTH = "content-length"


Framing = Annotated[
    FramingName,
    typer.Option(
        "--framing",
        metavar="NAME",
        help="How messages are set apart: newline, or content-length for a header before each.",
    ),
]
AnyFraming = Annotated[
    FramingName | None,
    typer.Option(
        "--framing",
        metavar="NAME",
        help="How messages are set apart: newline or content-length. The profile's way"
        " if left out.",
    ),
]
Env = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME=VALUE",
        help="Start the program with this variable in its environment. May be repeated.",
    ),
]
Cwd = Annotated[
    Path | None,
    typer.Option(
        "--cwd",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        help="Start the program in this folder.",
    ),
]


def completed_by(list_names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return what completes a word in the shell: the names that begin with it.

    >>> completed_by(lambda: ["core", "mcp"])("m")
    ['mcp']
    """

    def complete(incomplete: str) -> list[str]:
        return [name for name in list_names() if name.startswith(incomplete)]

    return complete


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


# --- two dashes -------------------------------------------------------------------


class ProgramCommand(TyperCommand):
    """A command that takes a program after two dashes, and asks for them if they are missing."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse a program with arguments that has no dashes before it."""
        typed = list(args)
        rest = super().parse_args(ctx, args)
        words = ctx.params.get("command") or []
        before = typed[: len(typed) - len(words)]
        if len(words) > 1 and "--" not in before and not ctx.resilient_parsing:
            takes_value = {
                name: not getattr(option, "is_flag", False)
                for option in self.params
                for name in option.opts
                if name.startswith("-")
            }
            typer.echo(ask_for_dashes([ctx.command_path, *before], words, takes_value), err=True)
            raise typer.Exit(2)
        return rest


def ask_for_dashes(ours: Sequence[str], words: Sequence[str], options: Mapping[str, bool]) -> str:
    """Say what to type, in the words that were typed.

    Args:
        ours: our own command, and the options before the program.
        words: the program and what comes after it.
        options: our options, and whether each takes a value.

    >>> print(ask_for_dashes(["rpclab conform"], ["./it", "-v", "--shrink"], {"--shrink": False}))
    Put two dashes before the command that rpclab is to start:
      rpclab conform -- ./it -v --shrink
    Or, if --shrink is meant for rpclab:
      rpclab conform --shrink -- ./it -v
    """
    head, *before = ours
    lines = [
        "Put two dashes before the command that rpclab is to start:",
        f"  {head} {shlex.join([*before, '--', *words])}",
    ]
    moved, kept = split_options(words, options)
    if moved:
        names = " and ".join(word.partition("=")[0] for word in moved if word.startswith("-"))
        lines += [
            f"Or, if {names} {'are' if ' and ' in names else 'is'} meant for rpclab:",
            f"  {head} {shlex.join([*before, *moved, '--', *kept])}",
        ]
    return "\n".join(lines)


def split_options(words: Sequence[str], options: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    """Return the words that are our own options, with their values, and the others.

    >>> split_options(["./it", "--case", "id.null", "-v"], {"--case": True})
    (['--case', 'id.null'], ['./it', '-v'])
    """
    ours, theirs, rest = [], [], list(words)
    while rest:
        word = rest.pop(0)
        name, equals, _ = word.partition("=")
        if name not in options:
            theirs.append(word)
            continue
        ours.append(word)
        if options[name] and not equals and rest:
            ours.append(rest.pop(0))
    return ours, theirs
