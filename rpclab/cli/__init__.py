"""The command ``rpclab``.

Each command has a module of its own, with its options and its words. The module
is imported when its command is called, and ``commands`` finds it. A server is
started often, and by programs that wait for it: so a plain ``rpclab serve`` needs
no Typer, which takes three times as long to load as the server itself.
"""

import sys
from typing import Final

from rpclab.framing import FRAMINGS

COMMANDS: Final = {
    "serve": "serve",
    "demo": "demo",
    "send": "send",
    "conform": "conform",
    "conform-client": "conform",
    "explain": "explain",
    "matrix": "matrix",
    "specimen": "specimen",
    "course": "course",
    "exercises": "exercises",
    "classroom": "classroom",
}
"""The commands in the order of the help, each with its module of this package.

The module has an ``app``: a ``typer.Typer`` with the command of that name.
"""


def main() -> None:
    """Run the command line."""
    framing = framing_of_serve(sys.argv[1:])
    if framing:
        from rpclab.demos.demo_server import serve_demo  # noqa: PLC0415  only for serve

        serve_demo(FRAMINGS[framing]())
    else:
        from rpclab.cli.commands import run  # noqa: PLC0415  loads Typer

        run()


def framing_of_serve(words: list[str]) -> str | None:
    """Return the framing that a plain ``serve`` asks for.

    All other words are Typer's: other commands, help, completion, and mistakes.

    >>> framing_of_serve(["serve", "--framing", "content-length"])
    'content-length'
    >>> framing_of_serve(["serve", "--help"]) is None
    True
    """
    match words:
        case ["serve"]:
            return "newline"
        case ["serve", "--framing", name] if name in FRAMINGS:
            return name
        case ["serve", word] if word in {f"--framing={name}" for name in FRAMINGS}:
            return word.partition("=")[2]
    return None
