"""The command ``rpclab demo``: every kind of message, played in a terminal."""

from typing import Final

import typer

from rpclab.cli.terminal import show_note, show_received, show_sent, show_silence
from rpclab.demos.console import Console

app = typer.Typer()

STEPS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (
        "A request, and its response",
        "The id is the caller's. The response carries the same id, so the caller knows which call"
        " it answers.",
        ('{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}',),
    ),
    (
        "-32700, parse error: the line is not JSON",
        "Nobody can read an id in it, so the error's id is null.",
        ('{"jsonrpc":"2.0","method":"subtract","params":[42,23]',),
    ),
    (
        "-32600, invalid request: JSON, but not a call",
        "A method is a string. The id can be read, so it is echoed.",
        ('{"jsonrpc":"2.0","method":1,"id":2}',),
    ),
    (
        "-32601, method not found",
        "The call is fine. This server has no such method.",
        ('{"jsonrpc":"2.0","method":"subtrakt","params":[42,23],"id":3}',),
    ),
    (
        "-32602, invalid params",
        "The method is there, but it takes two numbers.",
        ('{"jsonrpc":"2.0","method":"add","params":["one",2],"id":4}',),
    ),
    (
        "-32603, internal error",
        "The method failed. The caller learns the exception's class. The rest stays in the log.",
        ('{"jsonrpc":"2.0","method":"boom","id":5}',),
    ),
    (
        "A notification",
        "It has no id, so it is never answered, not even when it fails.",
        ('{"jsonrpc":"2.0","method":"update","params":[1,2,3]}',),
    ),
    (
        "A batch",
        "One line, three messages. The two requests are answered in one array; the notification"
        " is not.",
        (
            '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":6},'
            '{"jsonrpc":"2.0","method":"update"},'
            '{"jsonrpc":"2.0","method":"get_data","id":7}]',
        ),
    ),
    (
        "A broken line, and a good one after it",
        "The newline ends the damage. The next line is read as if nothing had happened.",
        (
            '{"jsonrpc":"2.0","method":',
            '{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":8}',
        ),
    ),
    (
        "The asymmetric flow",
        "While the request is in flight, its handler sends two notifications. The response comes"
        " last.",
        ('{"jsonrpc":"2.0","method":"slow","params":{"seconds":0.3,"steps":2},"id":9}',),
    ),
)
"""For each step: its title, what to notice, and the lines that are sent."""


@app.command("demo", help="Play the lesson: every kind of message, and what the server says to it.")
def demo() -> None:
    """Play every step to a new server."""
    show_note(
        "A server is a loop over two byte streams. Here both are in memory (io.BytesIO), and what"
        " you see is what a pipe would carry. -> goes to the server, <- comes from it."
    )
    for number, (title, why, lines) in enumerate(STEPS, start=1):
        show_note(f"\n{number}. {title}", "bold")
        show_note(f"   {why}")
        console = Console()
        for line in lines:
            exchange = console.send(line)
            show_sent(exchange.sent)
            for received in exchange.received:
                show_received(received)
            if not exchange.received:
                show_silence()
    show_note("\nThat was all of it. Next: rpclab send, and type a line of your own.", "bold")
