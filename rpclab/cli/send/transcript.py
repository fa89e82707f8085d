"""What a person sees of a session: one row for each thing that happens.

``->`` goes to the server, ``<-`` comes from it, ``stderr|`` is its stderr. Sentences
about them have three spaces before them. Bytes from a wire are shown as text
without control characters.
"""

from collections.abc import Sequence

from rpclab.cli import terminal
from rpclab.cli.send.ending import list_names
from rpclab.demos.console import name_shape
from rpclab.errors import FramingError
from rpclab.framing import Payload
from rpclab.peer.child_output import decode_output

show_silence = terminal.show_silence


def show_sent(line: bytes) -> None:
    """Show a line that goes to the server."""
    terminal.show_sent(payload_text(line))


def show_no_reply_due(line: bytes) -> None:
    """Say that a line will not be answered, and why."""
    terminal.show_silence(f"no reply is due: a {name_shape(line)} is never answered")


def show_received(payload: Payload, answers: Sequence[str]) -> None:
    """Show a payload of the server, with the names of what it answers."""
    if isinstance(payload, FramingError):
        terminal.show_note(f"<- {payload}", "yellow")
        return
    named = list_names(list(dict.fromkeys(map(terminal.printable, answers))))
    terminal.show_received(payload_text(payload), f" to {named}" if named else "")


def show_stderr(line: bytes) -> None:
    """Show a line that the server wrote to stderr."""
    text = terminal.printable(decode_output(line.rstrip()))
    terminal.show_note(f"stderr| {text}")


def show_last_words(stderr: str) -> None:
    """Repeat the last line of the server's stderr beside a silence that it may explain."""
    lines = stderr.split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    if last:
        show_note(f"The last line of its stderr: {last.strip()}")


def show_note(sentence: str) -> None:
    """Show a sentence about what came."""
    terminal.show_note(f"   {terminal.printable(sentence)}", "yellow")


def show_failure(sentence: str) -> None:
    """Show a sentence that makes the exit status 1."""
    terminal.show_note(terminal.printable(sentence), "bold red")


def payload_text(payload: bytes) -> str:
    """Return a payload as text, whatever its bytes are."""
    return payload.decode(errors="backslashreplace")
