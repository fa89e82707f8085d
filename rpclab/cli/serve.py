"""The command ``rpclab serve``: the demo server on the stdio of this process."""

import typer

from rpclab.cli.options import Framing, FramingName
from rpclab.demos.demo_server import demo_handler
from rpclab.framing import FRAMINGS
from rpclab.server import serve
from rpclab.transport import FramedTransport, claim_stdio

HELP = """Serve the demo methods on stdin and stdout, until stdin ends.

Try: printf '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}\\n' | rpclab serve
"""
app = typer.Typer()


@app.command("serve", help=HELP)
def serve_demo(framing: Framing = FramingName.NEWLINE) -> None:
    """Serve until stdin ends, or until nobody reads stdout."""
    reader, writer = claim_stdio()
    with reader, writer:
        transport = FramedTransport(reader, writer, FRAMINGS[framing]())
        serve(demo_handler(transport), transport)
