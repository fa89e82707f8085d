"""Message to JSON text: the inverse of parsing.

The envelope is written as text around encoded values: it is the same every
time, so there is nothing in it to encode. Members are in the order of the
specification's examples. Source: JSON-RPC 2.0, sections 4 and 5.
"""

from rpclab.codec import encode
from rpclab.errors import ABSENT, JsonRpcError
from rpclab.messages import Id, Json, Message, Notification, Params, Request, SuccessResponse


def render(message: Message) -> str:
    """Write any of the four shapes.

    >>> render(Request("sum", [1, 2], 7))
    '{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":7}'

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold a value in it.
    """
    match message:
        case Request(method, params, id):
            return f'{_render_call(method, params)},"id":{encode(id)}}}'
        case Notification(method, params):
            return _render_call(method, params) + "}"
        case SuccessResponse(result, id):
            return render_result(result, id)
        case _:
            return render_error(message.error, message.id)


def _render_call(method: str, params: Params) -> str:
    """Write a call without its end, where a request has its id."""
    with_params = "" if params is None else f',"params":{encode(params)}'
    return f'{{"jsonrpc":"2.0","method":{encode(method)}{with_params}'


def render_result(result: Json, id: Id) -> str:
    """Write a success response.

    >>> render_result(19, 1)
    '{"jsonrpc":"2.0","result":19,"id":1}'

    Raises:
        TypeError, ValueError, RecursionError: JSON cannot hold ``result``.
    """
    return f'{{"jsonrpc":"2.0","result":{encode(result)},"id":{encode(id)}}}'


def render_error(error: JsonRpcError, id: Id) -> str:
    """Write an error response. ``data`` that JSON cannot hold is left out.

    >>> render_error(JsonRpcError("out of stock", code=1001), 7)
    '{"jsonrpc":"2.0","error":{"code":1001,"message":"out of stock"},"id":7}'
    """
    members = f'"code":{encode(error.code)},"message":{encode(error.message)}'
    if error.data is not ABSENT:
        try:
            members += f',"data":{encode(error.data)}'
        except (TypeError, ValueError, RecursionError):
            from logging import getLogger  # noqa: PLC0415  see dispatch

            log = getLogger(__name__)
            log.warning("JSON cannot hold the data of error %d; it was left out", error.code)
    return f'{{"jsonrpc":"2.0","error":{{{members}}},"id":{encode(id)}}}'
