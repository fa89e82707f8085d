# mypy: ignore-errors
"""python-lsp-jsonrpc: its reader, its endpoint and its writer, over stdin and stdout."""

import sys
import time
from functools import partial

from demo_methods import demo_methods
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.exceptions import JsonRpcInvalidParams
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter


def call(function, params):  # noqa: ANN001, ANN201
    """Call a function: this library passes the params on as they came."""
    by_name = isinstance(params, dict)
    try:
        return function(**params) if by_name else function(*params or [])
    except TypeError as error:
        if error.__traceback__.tb_next is None:  # the params do not fit the function
            raise JsonRpcInvalidParams(str(error)) from error
        raise


def slow(params):  # noqa: ANN001, ANN201
    """Take a while in a thread of the endpoint, and report progress."""
    seconds, steps = params.get("seconds", 0.3), params.get("steps", 2)

    def work() -> dict:
        for done in range(1, steps + 1):
            time.sleep(seconds / steps)
            endpoint.notify("progress", {"done": done, "total": steps})
        return {"steps": steps}

    return work


methods = {
    name: partial(call, function) for name, function in demo_methods(JsonRpcInvalidParams).items()
}
methods |= {"echo": lambda params: [] if params is None else params, "slow": slow}
endpoint = Endpoint(methods, JsonRpcStreamWriter(sys.stdout.buffer).write)
JsonRpcStreamReader(sys.stdin.buffer).listen(endpoint.consume)
endpoint.shutdown()
