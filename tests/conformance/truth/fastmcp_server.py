"""A server of FastMCP with one tool."""

from fastmcp import FastMCP

server = FastMCP("truth")


@server.tool
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}"


server.run(show_banner=False)
