"""How the commands print: messages in colours, sentences, and why a command did nothing.

Text from the wire or from a learner's file is shown with its control characters
as escapes. A colour always has a word beside it.
"""

import sys
from contextlib import suppress
from typing import Final

from rich.console import Console
from rich.text import Text

from rpclab.demos.console import SILENCE, name_shape, read_codes

_COLOURS: Final = {
    "request": "cyan",
    "notification": "magenta",
    "success response": "green",
    "error response": "red",
    "batch": "blue",
}

screen = Console(highlight=False, soft_wrap=True)


def show_sent(line: str) -> None:
    """Show a line that goes to the server."""
    _show("->", line)


def show_received(line: str, about: str = "") -> None:
    """Show a line that came from the server, with a few words after its shape."""
    _show("<-", line, about)


def show_silence(why: str = SILENCE) -> None:
    """Show that no reply came."""
    screen.print(Text(f"   {why}", "yellow"))


def show_note(text: str, style: str = "dim") -> None:
    """Show a sentence about the messages. It must be printable."""
    screen.print(Text(text, style))


def say(what: object) -> None:
    """Show text, or the ``repr`` of anything else, with control characters escaped."""
    for line in (what if isinstance(what, str) else repr(what)).splitlines():
        screen.print(Text(printable(line)))


def stopped() -> int:
    """Say that Ctrl-C ended the command, and return the exit status for it."""
    show_note("Stopped.")
    return 130


def refuse(sentence: str) -> int:
    """Say on stderr why nothing was done, and return the exit status for it."""
    with suppress(OSError):
        sys.stderr.write("".join(f"{printable(line)}\n" for line in sentence.split("\n")))
    return 2


def _show(arrow: str, line: str, about: str = "") -> None:
    shape = name_shape(line)
    codes = "".join(f", {code}" for code in read_codes(line)) if shape == "error response" else ""
    text = Text(f"{arrow} {printable(line)}", _COLOURS.get(shape, "yellow"))
    screen.print(text.append(f"   {shape}{about}{codes}", "dim"))


def printable(line: str) -> str:
    r"""Show control characters as escapes, so that a line cannot steer the terminal.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
