"""How the commands print: messages in colours, sentences, and why a command did nothing.

Text from the wire or from a learner's file is shown with its control characters
as escapes. A colour always has a word beside it. In a terminal a sentence is
wrapped between words; a line of the wire is never cut, so that it can be copied.
"""

import difflib
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from rich.console import Console
from rich.text import Text

from rpclab.demos.console import SILENCE, name_shape, read_codes
from rpclab.spec.inline_code import split_code

_COLOURS: Final = {
    "request": "cyan",
    "notification": "magenta",
    "success response": "green",
    "error response": "red",
    "batch": "blue",
}
_CODE: Final = "bold"


def make_screen(*, stderr: bool = False) -> Console:
    """Return a console that wraps between words in a terminal, and not at all in a pipe."""
    console = Console(highlight=False, stderr=stderr)
    console.soft_wrap = not console.is_terminal
    return console


screen = make_screen()


def show_sent(line: str) -> None:
    """Show a line that goes to the server."""
    _show("->", line)


def show_received(line: str, about: str = "") -> None:
    """Show a line that came from the server, with a few words after its shape."""
    _show("<-", line, about)


def show_silence(why: str = SILENCE) -> None:
    """Show that no reply came."""
    show_indented(screen, Text(f"   {why}", "yellow"))


def show_note(text: str, style: str = "dim") -> None:
    """Show a sentence about the messages. It must be printable."""
    for line in text.split("\n"):
        show_indented(screen, Text(line, style))


def say(what: object) -> None:
    """Show text, or the ``repr`` of anything else, with control characters escaped."""
    for line in (what if isinstance(what, str) else repr(what)).splitlines():
        show_indented(screen, Text(printable(line)))


def show_indented(console: Console, line: Text, indent: int | None = None) -> None:
    """Show one line. Where it is wrapped, the rest is indented as its beginning is.

    Args:
        console: where it is shown.
        line: the line.
        indent: how far the rest is indented, if not as far as the line itself.
    """
    if indent is None:
        indent = len(line.plain) - len(line.plain.lstrip())
    if console.soft_wrap or not line:
        console.print(line)
        return
    margin = line[:indent]
    for row in line[indent:].wrap(console, max(1, console.width - indent)):
        console.print(margin.append_text(row))
        margin = Text(" " * indent)


def prose(sentence: str, style: str = "") -> Text:
    """Return one of our sentences, with code in bold instead of in backticks.

    >>> prose("A call has the member `jsonrpc`.").plain
    'A call has the member jsonrpc.'
    """
    text = Text(style=style)
    for part, is_code in split_code(sentence):
        text.append(part, _CODE if is_code else "")
    return text


def stopped() -> int:
    """Say that Ctrl-C ended the command, and return the exit status for it."""
    show_note("Stopped.")
    return 130


def refuse(sentence: str) -> int:
    """Say on stderr why nothing was done, and return the exit status for it."""
    with suppress(OSError):
        errors = make_screen(stderr=True)
        for line in sentence.split("\n"):
            show_indented(errors, Text(printable(line)))
    return 2


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that offers the nearest names, or "" if none is near.

    >>> did_you_mean("exampels.mixed-batch", ["examples.mixed-batch", "id.null"])
    ' Did you mean examples.mixed-batch?'
    """
    near = difflib.get_close_matches(name, list(known), n=2, cutoff=0.75)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _show(arrow: str, line: str, about: str = "") -> None:
    shape = name_shape(line)
    codes = "".join(f", {code}" for code in read_codes(line)) if shape == "error response" else ""
    text = Text(f"{arrow} {printable(line)}", _COLOURS.get(shape, "yellow"))
    screen.print(text.append(f"   {shape}{about}{codes}", "dim"), soft_wrap=True)


def printable(line: str) -> str:
    r"""Show control characters as escapes, so that a line cannot steer the terminal.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def printable_lines(text: str) -> str:
    """Show the control characters of a text as escapes, except for the ends of its lines."""
    return "\n".join(printable(line) for line in text.split("\n"))
