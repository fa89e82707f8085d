"""Exercise 16: blame the caller only for a misfit."""

import inspect
from collections.abc import Callable
from typing import Any

from rpclab.errors import InvalidParams


def call_fitted(function: Callable, params: list | dict | None) -> Any:
    """Call a function with params, and raise InvalidParams if they do not fit it.

    It is enough to do two things one after the other. ``bind`` fits the params to the
    signature and runs nothing, so its TypeError can only be a misfit. The function runs
    outside the ``try``, so whatever it raises goes on.
    """
    signature = inspect.signature(function)
    try:
        if isinstance(params, dict):
            bound = signature.bind(**params)
        else:
            bound = signature.bind(*(params or []))
    except TypeError as error:
        raise InvalidParams(data=str(error)) from error
    return function(*bound.args, **bound.kwargs)
