"""The command ``rpclab serve``: the demo server on this process's stdio."""

from rpclab.cli.framings import FRAMINGS
from rpclab.demos.demo_server import demo_handler
from rpclab.server import serve
from rpclab.transport import FramedTransport, claim_stdio


def serve_demo(framing: str) -> None:
    """Serve until stdin ends, or until nobody reads stdout."""
    reader, writer = claim_stdio()
    with reader, writer:
        transport = FramedTransport(reader, writer, FRAMINGS[framing]())
        serve(demo_handler(transport), transport)
