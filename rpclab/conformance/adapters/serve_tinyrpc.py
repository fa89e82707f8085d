# mypy: ignore-errors
"""tinyrpc: RPCServer over a CallbackServerTransport, which takes bytes and gives bytes."""

import sys

from demo_methods import demo_methods
from tinyrpc.dispatch import RPCDispatcher
from tinyrpc.protocols.jsonrpc import JSONRPCInvalidParamsError, JSONRPCProtocol
from tinyrpc.server import RPCServer
from tinyrpc.transports.callback import CallbackServerTransport


def read() -> bytes:
    """Return the next line. The library's loop never ends, so we end it with stdin."""
    return sys.stdin.buffer.readline() or sys.exit()


def write(reply: bytes) -> None:
    """Write one line."""
    sys.stdout.buffer.write(reply + b"\n")
    sys.stdout.buffer.flush()


dispatcher = RPCDispatcher()
for name, function in demo_methods(lambda _: JSONRPCInvalidParamsError()).items():
    dispatcher.add_method(function, name)
RPCServer(CallbackServerTransport(read, write), JSONRPCProtocol(), dispatcher).serve_forever()
