"""The four shapes of a JSON-RPC message, as immutable values.

A request wants an answer. A notification has no id and gets none. A response
says one of two things: here is the result, or here is the error. Nothing else
travels. Source: JSON-RPC 2.0, sections 4 and 5.

All four are named tuples, because they are cheap to make and every message needs
one. They are final, so that an exact type tells them apart.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, final

from rpclab.errors import JsonRpcError

Json: TypeAlias = Any
"""Any JSON value: an object, array, string, number, bool or null."""

Id: TypeAlias = str | int | float | None
ID_TYPES: Final = frozenset({str, int, float, type(None)})
"""The exact types of an ``Id``: a bool is an int in Python, but not in JSON."""

Params: TypeAlias = list[Json] | dict[str, Json] | None
"""By position, by name, or ``None`` where the call has no params."""

META: Final = "_meta"
"""The member of params that is about the call and not for its method."""

Handler: TypeAlias = Callable[[str, Params], Json]
"""What to call: ``handler(method, params)`` returns the result or raises."""


@final
class Request(NamedTuple):
    """A call that must be answered, with the same ``id``.

    >>> Request("subtract", [42, 23], 1)
    Request(method='subtract', params=[42, 23], id=1)
    """

    method: str
    params: Params
    id: Id


@final
class Notification(NamedTuple):
    """A call that must not be answered: it has no ``id``.

    >>> Notification("update", [1, 2])
    Notification(method='update', params=[1, 2])
    """

    method: str
    params: Params


@final
class SuccessResponse(NamedTuple):
    """The call worked, and this is its ``result``.

    >>> SuccessResponse(19, 1)
    SuccessResponse(result=19, id=1)
    """

    result: Json
    id: Id


@final
class ErrorResponse(NamedTuple):
    """The call failed. ``id`` is null if the id of the call is unknown.

    >>> from rpclab.errors import MethodNotFound
    >>> ErrorResponse(MethodNotFound(), 2).error.code
    -32601
    """

    error: JsonRpcError
    id: Id


Call: TypeAlias = Request | Notification
Response: TypeAlias = SuccessResponse | ErrorResponse
Message: TypeAlias = Call | Response
