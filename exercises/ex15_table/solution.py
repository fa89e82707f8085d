"""Exercise 15: call a method of a table."""

from collections.abc import Callable
from typing import Any

from rpclab.errors import MethodNotFound


def call_method(table: dict[str, Callable], method: str, params: list | dict | None) -> Any:
    """Call the function of that name with these params, and return its result.

    It is enough to ask for the name before the call. ``except KeyError`` around it would
    catch the function's own KeyError too. Params that are None and params that are empty
    come to the same: the function gets nothing.
    """
    if method not in table:
        raise MethodNotFound(data={"method": method})
    if isinstance(params, dict):
        return table[method](**params)
    return table[method](*(params or []))
