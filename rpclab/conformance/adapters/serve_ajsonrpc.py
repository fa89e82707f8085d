# mypy: ignore-errors
"""ajsonrpc: get_payload_for_payload() takes a text and gives a text, or an empty one."""

import asyncio

from ajsonrpc.core import JSONRPC20DispatchException
from ajsonrpc.dispatcher import Dispatcher
from ajsonrpc.manager import AsyncJSONRPCResponseManager
from demo_methods import demo_methods, lines, write


async def serve() -> None:
    """Answer each line before the next is read."""
    methods = demo_methods(lambda text: JSONRPC20DispatchException(code=-32602, message=text))
    manager = AsyncJSONRPCResponseManager(Dispatcher(methods))
    for line in lines():
        if reply := await manager.get_payload_for_payload(line):
            write(reply)


asyncio.run(serve())
