"""How the commands show messages: a colour, and always a word beside it."""

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


def show_received(line: str) -> None:
    """Show a line that came from the server."""
    _show("<-", line)


def show_silence(why: str = SILENCE) -> None:
    """Show that nothing came."""
    screen.print(Text(f"   {why}", "yellow"))


def show_note(text: str, style: str = "dim") -> None:
    """Show a sentence about the messages."""
    screen.print(Text(text, style))


def _show(arrow: str, line: str) -> None:
    shape = name_shape(line)
    codes = "".join(f", {code}" for code in read_codes(line)) if shape == "error response" else ""
    text = Text(f"{arrow} {printable(line)}", _COLOURS.get(shape, "yellow"))
    screen.print(text.append(f"   {shape}{codes}", "dim"))


def printable(line: str) -> str:
    r"""Show control characters as escapes: a line must not steer the terminal.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
