"""A server on the `mcp` package that asks its client for its roots. Tests run it."""

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("roots")


@server.tool()
async def count_roots(ctx: Context) -> int:
    """Count the client's roots."""
    return len((await ctx.session.list_roots()).roots)


if __name__ == "__main__":
    server.run("stdio")
