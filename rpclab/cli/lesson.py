"""The command ``rpclab demo``: the lesson, played in a terminal."""

from rpclab.cli import look, strings
from rpclab.demos.console import Console


def play() -> None:
    """Play every step of the lesson, and end."""
    look.show_note(strings.LESSON_INTRO)
    for number, (title, why, lines) in enumerate(strings.LESSON, start=1):
        look.show_note(f"\n{number}. {title}", "bold")
        look.show_note(f"   {why}")
        console = Console()
        for line in lines:
            exchange = console.send(line)
            look.show_sent(exchange.sent)
            for received in exchange.received:
                look.show_received(received)
            if not exchange.received:
                look.show_silence()
    look.show_note(f"\n{strings.LESSON_END}", "bold")
