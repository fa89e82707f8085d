# mypy: ignore-errors
"""jsonrpcserver: dispatch() takes a text and gives a text, or an empty one."""

from functools import wraps

from demo_methods import demo_methods, lines, write
from jsonrpcserver import JsonRpcError, Success, dispatch


def successful(function):  # noqa: ANN001, ANN201
    """Turn a function into a method: this library's methods return a Result."""

    @wraps(function)
    def method(*args, **kwargs):  # noqa: ANN002, ANN003, ANN202
        return Success(function(*args, **kwargs))

    return method


functions = demo_methods(lambda message: JsonRpcError(-32602, message))
methods = {name: successful(function) for name, function in functions.items()}
for line in lines():
    if reply := dispatch(line, methods):
        write(reply)
