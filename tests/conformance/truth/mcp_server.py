"""A server of the MCP Python SDK 2 with one tool."""

from mcp.server import MCPServer

server = MCPServer("truth")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}"


server.run()
