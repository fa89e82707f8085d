# mypy: ignore-errors
"""pygls: a LanguageServer whose custom features are the demo methods, started by start_io()."""

import asyncio

from demo_methods import demo_methods
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

server = LanguageServer("rpclab-demo", "1")


def plain(value):  # noqa: ANN001, ANN201
    """Return params as JSON has them: the library turns objects into named tuples."""
    if hasattr(value, "_asdict"):
        return {name: plain(member) for name, member in value._asdict().items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def feature(name, function):  # noqa: ANN001, ANN201
    """Register a function under a name."""

    @server.feature(name)
    def method(params):  # noqa: ANN001, ANN202
        given = plain(params)
        try:
            return function(**given) if isinstance(given, dict) else function(*given or [])
        except TypeError as error:
            if error.__traceback__.tb_next is None:  # the params do not fit the function
                raise JsonRpcInvalidParams(str(error)) from error
            raise


@server.feature("echo")
def echo(params):  # noqa: ANN001, ANN201
    """Return the params."""
    return plain(params)


@server.feature("slow")
async def slow(params):  # noqa: ANN001, ANN201
    """Take a while, and report progress."""
    given = {"seconds": 0.3, "steps": 2} | plain(params)
    for done in range(1, given["steps"] + 1):
        await asyncio.sleep(given["seconds"] / given["steps"])
        server.protocol.notify("progress", {"done": done, "total": given["steps"]})
    return {"steps": given["steps"]}


for name, function in demo_methods(JsonRpcInvalidParams).items():
    if name != "echo":
        feature(name, function)
server.start_io()
