"""The command ``rpclab send``: sends lines to a server and shows what it says.

A person at a terminal gets a prompt; lines that are piped in are sent as they are
read. What the protocol says about replies and ends is in ``due_replies``,
``server_requests`` and ``ending``; ``session`` joins it to a server, ``transcript``
and ``prompt`` to a terminal.
"""

import asyncio
import io
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import typer

from rpclab.cli import terminal
from rpclab.cli.options import (
    AFTER_DASHES,
    AnyFraming,
    Cwd,
    Env,
    FramingName,
    ProgramCommand,
    read_env,
)
from rpclab.cli.send.method_names import DEMO
from rpclab.cli.send.server_requests import Rules
from rpclab.cli.send.session import GRACE, Session
from rpclab.framing import NewlineFraming, Payload
from rpclab.peer.child import Child
from rpclab.peer.thread_transport import ThreadTransport
from rpclab.spec import profile as find_profile
from rpclab.transport import FramedTransport, Unbuffered

HELP: Final = """Send lines to a server and show what it says, as it comes.

Type lines, or pipe them in. The server is the demo server, or any command after two dashes:
rpclab send -- ./my-server --its-option

The exit status is 0 if every reply came that was due and the server ended as it should.
"""
TYPE: Final = "Type a line of JSON and press Enter. Ctrl-D (on Windows Ctrl-Z, Enter) ends it."
app = typer.Typer()


@app.command("send", cls=ProgramCommand, help=HELP, context_settings=AFTER_DASHES)
def send(  # noqa: PLR0913  each is an option
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The server's command. The demo server if left out."),
    ] = None,
    *,
    framing: AnyFraming = None,
    profile: Annotated[
        str, typer.Option(help="Whose rules hold: core, mcp, lsp, acp or a2a.")
    ] = "core",
    wait: Annotated[
        float,
        typer.Option(help="How many seconds each reply that is due may take.", min=0.01, max=3600),
    ] = 5.0,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METHOD=JSON",
            help="What a request of the server is answered with: a result as JSON,"
            " 'error CODE TEXT' or 'silence'. The method * is every other one.",
        ),
    ] = None,
    env: Env = None,
    cwd: Cwd = None,
) -> None:
    """Send the lines of stdin, then exit with 0 if all went well."""
    try:
        speaks = find_profile(profile)
        name = framing.value if framing else speaks.framing
        rules = Rules(answer or [], speaks.id)
        environment = read_env(env)
    except (LookupError, ValueError) as error:
        raise typer.Exit(terminal.refuse(str(error.args[0]))) from None
    person = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    name = name if name in list(FramingName) else FramingName.NEWLINE.value
    session = Session(name, profile, rules, wait, asks=person)
    if not command:
        command = [sys.executable, "-m", "rpclab", "serve", "--framing", name]
        session.names.add(DEMO)
    raise typer.Exit(talk(command, session, environment, cwd, person=person))


def talk(
    command: Sequence[str],
    session: Session,
    env: Mapping[str, str],
    cwd: Path | None,
    *,
    person: bool,
) -> int:
    """Start a server, talk to it, end it, and return the exit status."""
    try:
        child = Child(command, GRACE, env=env, cwd=cwd, on_stderr=session.say)
    except (OSError, ValueError) as error:
        terminal.show_note(terminal.printable(str(error)), "bold red")
        return 1
    with child:
        try:
            _end_with_signals(session)
            return asyncio.run(session.run(child, _lines(session, person=person)))
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # while the server is ended
            return terminal.stopped()


def _lines(session: Session, *, person: bool) -> AsyncIterator[Payload]:
    """Return the lines to send: typed at the prompt, or piped in."""
    if not person:
        if sys.stdin is not None and sys.stdin.isatty():  # what is shown goes to a file
            print(TYPE, file=sys.stderr)
        return piped_lines()
    from rpclab.cli.send.prompt import typed_lines  # noqa: PLC0415  only a person waits for it

    return typed_lines(session.names, session.asked)


async def piped_lines() -> AsyncIterator[Payload]:
    """Yield each line of stdin when it is read, until stdin ends."""
    if sys.stdin is None:  # it was closed when we were started, so 0 is something else
        return
    stdin = Unbuffered(sys.stdin.fileno(), "rb", closefd=False)
    wire = ThreadTransport(FramedTransport(stdin, io.BytesIO(), NewlineFraming()))
    while lines := await wire.read():
        for line in lines:
            yield line


def _end_with_signals(session: Session) -> None:
    """Let the signals that end a program end the session and its server too."""

    def leave(number: int, frame: FrameType | None) -> None:
        session.leave(128 + number)

    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)
