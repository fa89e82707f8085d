# mypy: ignore-errors
"""mcp: the low-level Server over stdio_server(). In MCP params and results are objects."""

import anyio
from demo_methods import demo_methods
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import RequestParams

server = Server("rpclab-demo", version="1")


class AnyParams(RequestParams, extra="allow"):
    """Params by name, of any kind."""


async def echo(_, params):  # noqa: ANN001, ANN201
    """Return the params."""
    return dict(params.model_extra)


async def slow(context, params):  # noqa: ANN001, ANN201
    """Take a while, and report progress to a caller that asked for it."""
    given = {"seconds": 0.3, "steps": 2} | params.model_extra
    for done in range(1, given["steps"] + 1):
        await anyio.sleep(given["seconds"] / given["steps"])
        await context.session.report_progress(done, given["steps"])
    return {"steps": given["steps"]}


def no_params(function):  # noqa: ANN001, ANN201
    """Turn a function without params into a handler."""

    async def handler(_, __):  # noqa: ANN001, ANN202
        return function()

    return handler


async def main() -> None:
    """Serve until stdin ends."""
    functions = demo_methods(lambda message: MCPError(-32602, message))
    for name, handler in {"echo": echo, "slow": slow}.items():
        server.add_request_handler(name, AnyParams, handler)
    for name in ("boom", "typeerr", "keyerr"):
        server.add_request_handler(name, AnyParams, no_params(functions[name]))
    for name in ("update", "notify_hello", "notify_sum"):
        server.add_request_handler(name, AnyParams, no_params(dict))
        server.add_notification_handler(name, AnyParams, no_params(dict))
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(main)
