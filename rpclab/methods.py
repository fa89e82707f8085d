"""A method table that is a handler.

The transport does not know any methods. The table does: it has a function for
each method name. Params are bound to the function before it is called, so only
params that do not fit are -32602, and a ``TypeError`` inside the function is not. Source:
JSON-RPC 2.0, sections 4.2, 4.3 and 8.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from rpclab.errors import InvalidParams, MethodNotFound
from rpclab.messages import META, Json, Params

if TYPE_CHECKING:
    from inspect import BoundArguments, Signature

Function = TypeVar("Function", bound=Callable[..., Any])


class Methods:
    """Functions by method name. Call it as ``handler(method, params)``.

    >>> methods = Methods()
    >>> @methods.add
    ... def subtract(minuend, subtrahend):
    ...     return minuend - subtrahend
    >>> methods("subtract", [42, 23])
    19
    >>> methods("subtract", {"subtrahend": 23, "minuend": 42})
    19
    """

    def __init__(self) -> None:
        self._table: dict[str, tuple[Callable[..., Json], Signature]] = {}

    def add(self, function: Function, name: str = "", *, extension: bool = False) -> Function:
        """Put a function into the table, and return it.

        Args:
            function: its parameters are the method's params.
            name: the method's name; the function's own if left out.
            extension: allows a name that begins with ``rpc.`` (section 8).

        Raises:
            ValueError: the name is reserved.
        """
        from inspect import signature  # noqa: PLC0415  takes longer to import than all of rpclab

        name = name or function.__name__
        if name.startswith("rpc.") and not extension:
            raise ValueError(f"{name}: names that begin with rpc. are for extensions")
        self._table[name] = function, signature(function)
        return function

    def __call__(self, method: str, params: Params) -> Json:
        """Call the function of that name.

        Raises:
            MethodNotFound: the table has no such name.
            InvalidParams: the params do not fit the function.
        """
        if method not in self._table:
            raise MethodNotFound(data={"method": method})
        function, signature = self._table[method]
        bound = bind(signature, params)
        return function(*bound.args, **bound.kwargs)


def bind(signature: "Signature", params: Params) -> "BoundArguments":
    """Bind params to a signature: an array by position, an object by name.

    ``_meta`` is passed only to a function with a parameter of that name.

    Raises:
        InvalidParams: ``data`` says what is missing or too much.
    """
    # ``bind`` compares without calling the function, so a TypeError can only mean
    # that the params do not fit.
    try:
        if not isinstance(params, dict):
            return signature.bind(*(params or []))
        known = signature.parameters
        return signature.bind(**{k: v for k, v in params.items() if k != META or META in known})
    except TypeError as error:
        raise InvalidParams(data=str(error)) from error
