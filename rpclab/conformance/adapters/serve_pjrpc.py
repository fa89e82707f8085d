# mypy: ignore-errors
"""pjrpc: Dispatcher.dispatch() takes a text and gives a text with its codes, or None."""

from demo_methods import demo_methods, lines, write
from pjrpc.server import Dispatcher, MethodRegistry
from pjrpc.server.exceptions import InvalidParamsError


def unnamed(function):  # noqa: ANN001, ANN201
    """Turn a function with free params into a method: pjrpc passes them by their names."""

    def method(*args, **kwargs):  # noqa: ANN002, ANN003, ANN202
        return function(*kwargs.get("args", args), **kwargs.get("kwargs", {}))

    return method


registry = MethodRegistry()
for name, function in demo_methods(InvalidParamsError).items():
    free = name in ("echo", "sum", "update", "notify_hello", "notify_sum")
    registry.add_method(unnamed(function) if free else function, name)
dispatcher = Dispatcher()
dispatcher.add_methods(registry)
for line in lines():
    if reply := dispatcher.dispatch(line, context=None):
        write(reply[0])
