# mypy: ignore-errors
"""json-rpc: JSONRPCResponseManager.handle() takes bytes and gives a response, or None."""

import sys

from demo_methods import demo_methods, write
from jsonrpc import Dispatcher, JSONRPCResponseManager
from jsonrpc.exceptions import JSONRPCDispatchException

dispatcher = Dispatcher(
    demo_methods(lambda message: JSONRPCDispatchException(code=-32602, message=message))
)
for line in sys.stdin.buffer:
    response = JSONRPCResponseManager.handle(line, dispatcher)
    if response is not None:
        write(response.json)
