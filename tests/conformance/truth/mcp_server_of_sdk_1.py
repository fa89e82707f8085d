"""A server of the MCP Python SDK 1 with one tool."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("truth")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}"


server.run()
