"""The command ``rpclab send``: sends lines to a server and shows its replies."""

import queue
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Final

import typer

from rpclab.cli import terminal
from rpclab.cli.options import AFTER_DASHES, Framing, FramingName
from rpclab.demos.console import name_shape
from rpclab.dispatch import Received, unpack
from rpclab.errors import FramingError
from rpclab.framing import FRAMINGS, Payload
from rpclab.messages import Notification
from rpclab.peer.child import Child
from rpclab.transport import FramedTransport

HELP: Final = """Send lines to a server and show what it says.

Type lines, or pipe them in. The server is the demo server, or any command
after two dashes: rpclab send -- ./my-server --its-option
"""
app = typer.Typer()

_SILENT_SECONDS: Final = 0.3
"""How long to listen when no reply is due: a wrong server may send one anyway."""


@app.command("send", help=HELP, context_settings=AFTER_DASHES)
def send(
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The server's command. The demo server if left out."),
    ] = None,
    framing: Framing = FramingName.NEWLINE,
    wait: Annotated[
        float,
        typer.Option(help="How many seconds to wait for a reply that is due.", min=0.01, max=3600),
    ] = 5.0,
) -> None:
    """Send the lines of stdin, then exit with 0 if the server was still running."""
    raise typer.Exit(send_lines(command or [], framing.value, wait))


class Server:
    """A server in a process of its own, and the payloads that it sends."""

    def __init__(self, child: Child, framing: str) -> None:
        self._transport = FramedTransport(child.stdout, child.stdin, FRAMINGS[framing]())
        self._incoming: queue.Queue[Payload | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for payload in self._transport:
            self._incoming.put(payload)
        self._incoming.put(None)

    def send(self, line: bytes) -> None:
        """Send one line, whatever it is."""
        self._transport.write(line)

    def receive(self, deadline: float) -> Payload | None:
        """Return the next payload, or None when the server's output has ended.

        Raises:
            queue.Empty: nothing came before ``deadline``, in seconds of the monotonic clock.
        """
        return self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))


def send_lines(command: Sequence[str], framing: str, wait: float) -> int:
    """Send every line of stdin, show each reply, and return the exit status."""
    command = command or [sys.executable, "-m", "rpclab", "serve", "--framing", framing]
    try:
        child = Child(command)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        why = f"Cannot start {command[0]}: {reason}. Give a program that is on this machine."
        terminal.show_note(terminal.printable(why), "bold red")
        return 1
    with child:
        server = Server(child, framing)
        try:
            alive = all(exchange(server, line, wait) for line in typed_lines())
        except KeyboardInterrupt:
            return terminal.stopped()
    if not alive:
        show_early_end(child)
    return 0 if alive else 1


def typed_lines() -> Iterator[bytes]:
    """Yield the lines of stdin, with a prompt if a person types them."""
    person = sys.stdin.isatty()
    if person:
        terminal.show_note(
            "Type a line of JSON and press Enter. Ctrl-D (on Windows Ctrl-Z, Enter) ends it."
        )
    while True:
        if person:
            print("-> ", end="", flush=True)
        raw = sys.stdin.buffer.readline()
        if not raw:
            return
        if line := raw.strip():
            yield line


def exchange(server: Server, line: bytes, wait: float) -> bool:
    """Send one line, show what comes, and return whether the server is still there."""
    terminal.show_sent(payload_text(line))
    due = reply_is_due(line)
    deadline = time.monotonic() + (wait if due else _SILENT_SECONDS)
    try:
        server.send(line)
        while (payload := server.receive(deadline)) is not None:
            terminal.show_received(payload_text(payload))
            if due and is_reply(payload):
                return True
    except ConnectionError:
        return False
    except queue.Empty:
        if due:
            terminal.show_silence(f"no reply after {wait:g} s, though one is due")
        else:
            shape = name_shape(line)
            terminal.show_silence(f"no reply, and none is due: a {shape} is never answered")
        return True
    return False


def reply_is_due(line: bytes) -> bool:
    """Return whether a line must be answered.

    >>> reply_is_due(b'{"jsonrpc":"2.0","method":"update"}')
    False
    """
    members = unpack(line)
    silent = (Notification, Received)
    members = members if isinstance(members, list) else [members]
    return not all(isinstance(member, silent) for member in members)


def is_reply(payload: Payload) -> bool:
    """Return whether a payload is a response or a batch."""
    if isinstance(payload, FramingError):
        return False
    return name_shape(payload) in ("success response", "error response", "batch")


def payload_text(payload: Payload) -> str:
    """Return a payload as text, whatever its bytes are."""
    if isinstance(payload, FramingError):
        return str(payload)
    return payload.decode(errors="backslashreplace")


def show_early_end(child: Child) -> None:
    """Say that the server ended, and show the end of its stderr."""
    status = child.process.returncode
    terminal.show_note(f"The server ended (exit status {status}) before it answered.", "bold red")
    if child.stderr_tail:
        terminal.show_note("The end of its stderr:")
        for line in child.stderr_tail.splitlines():
            terminal.show_note(terminal.printable(line))
