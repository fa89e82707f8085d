"""The command ``rpclab send``: lines to a real server, and what it says to them."""

import queue
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Final

from rpclab.cli import look, strings
from rpclab.cli.framings import FRAMINGS
from rpclab.demos.console import name_shape
from rpclab.dispatch import Received, unpack
from rpclab.errors import FramingError
from rpclab.framing import Payload
from rpclab.messages import Notification
from rpclab.peer.child import Child
from rpclab.transport import FramedTransport

_QUIET: Final = 0.3
"""How many seconds to listen where silence is due: a wrong server may break it."""


class Server:
    """A server in a process of its own, and the payloads that come from it."""

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
        """Give the next payload, or None where the server's output ends.

        Raises:
            queue.Empty: nothing came before ``deadline``, in seconds of the monotonic clock.
        """
        return self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))


def send_lines(command: Sequence[str], framing: str, wait: float) -> int:
    """Send every line of stdin, show each reply, and give the exit status."""
    command = command or [sys.executable, "-m", "rpclab", "serve", "--framing", framing]
    try:
        child = Child(command)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        refusal = strings.SEND_CANNOT_START.format(command=command[0], reason=reason)
        look.show_note(look.printable(refusal), "bold red")
        return 1
    with child:
        server = Server(child, framing)
        try:
            alive = all(exchange(server, line, wait) for line in typed_lines())
        except KeyboardInterrupt:
            look.show_note(strings.INTERRUPTED)
            return 130
    if not alive:
        show_early_end(child)
    return 0 if alive else 1


def typed_lines() -> Iterator[bytes]:
    """Give the lines of stdin, with a prompt where a person types them."""
    person = sys.stdin.isatty()
    if person:
        look.show_note(strings.SEND_HELLO)
    while True:
        if person:
            print(strings.SEND_PROMPT, end="", flush=True)
        raw = sys.stdin.buffer.readline()
        if not raw:
            return
        if line := raw.strip():
            yield line


def exchange(server: Server, line: bytes, wait: float) -> bool:
    """Send one line, show what comes, and tell whether the server goes on."""
    look.show_sent(show_payload(line))
    due = reply_is_due(line)
    deadline = time.monotonic() + (wait if due else _QUIET)
    try:
        server.send(line)
        while (payload := server.receive(deadline)) is not None:
            look.show_received(show_payload(payload))
            if due and is_reply(payload):
                return True
    except ConnectionError:
        return False
    except queue.Empty:
        why = strings.SEND_SILENCE if due else strings.SEND_SILENCE_DUE
        look.show_silence(why.format(wait=wait, shape=name_shape(line)))
        return True
    return False


def reply_is_due(line: bytes) -> bool:
    """Tell whether a line earns a reply.

    >>> reply_is_due(b'{"jsonrpc":"2.0","method":"update"}')
    False
    """
    members = unpack(line)
    silent = (Notification, Received)
    members = members if isinstance(members, list) else [members]
    return not all(isinstance(member, silent) for member in members)


def is_reply(payload: Payload) -> bool:
    """Tell whether a payload is a response or a batch of them, and no call."""
    if isinstance(payload, FramingError):
        return False
    return name_shape(payload) in ("success response", "error response", "batch")


def show_payload(payload: Payload) -> str:
    """Give a payload as text, whatever its bytes are."""
    if isinstance(payload, FramingError):
        return str(payload)
    return payload.decode(errors="backslashreplace")


def show_early_end(child: Child) -> None:
    """Say that the server ended, and what it said last on stderr."""
    status = child.process.returncode
    look.show_note(strings.SEND_ENDED_EARLY.format(status=status), "bold red")
    if child.stderr_tail:
        look.show_note(strings.SEND_STDERR)
        look.show_note("\n".join(look.printable(line) for line in child.stderr_tail.splitlines()))
