"""Exercise 16: blame the caller only for a misfit."""

from collections.abc import Callable
from typing import Any

from rpclab.errors import InvalidParams


def call_fitted(function: Callable, params: list | dict | None) -> Any:
    """Call a function with params, and raise InvalidParams if they do not fit it."""
    # TODO (about four lines): a TypeError from inside the function is not a misfit.
    try:
        if isinstance(params, dict):
            return function(**params)
        return function(*(params or []))
    except TypeError as error:
        raise InvalidParams(data=str(error)) from error
