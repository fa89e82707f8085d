"""The command ``rpclab serve``: the demo server on the stdio of this process."""

import typer

from rpclab.cli.options import Framing, FramingName
from rpclab.demos.demo_server import serve_demo
from rpclab.framing import FRAMINGS

HELP = """Serve the demo methods on stdin and stdout, until stdin ends.

Try: printf '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}\\n' | rpclab serve
"""
app = typer.Typer()


@app.command("serve", help=HELP)
def serve(framing: Framing = FramingName.NEWLINE) -> None:
    """Serve until stdin ends, or until nobody reads stdout."""
    serve_demo(FRAMINGS[framing]())
