"""JSON value to message: the decision tree.

A value with ``method`` is a call: with an ``id`` it is a request, without one a
notification. Without ``method``, ``result`` or ``error`` makes it a response.
Anything else is invalid. Source: JSON-RPC 2.0, sections 4 and 5.
"""

from typing import Final

from rpclab.codec import decode
from rpclab.errors import ABSENT, InvalidRequest, InvalidResponse, JsonRpcError, make_error
from rpclab.messages import (
    ID_TYPES,
    Call,
    ErrorResponse,
    Id,
    Json,
    Message,
    Notification,
    Request,
    Response,
    SuccessResponse,
)

VERSION: Final = "2.0"
_new: Final = tuple.__new__  # what Request(...) does, in half the time


def parse_request(line: bytes | str) -> Call:
    """Read one line as one call.

    >>> parse_request('{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":7}')
    Request(method='sum', params=[1, 2], id=7)

    Raises:
        ParseError: the line is not JSON.
        InvalidRequest: it is JSON, but not one call (a batch and a response
            are not).
    """
    return read_call(decode(line))


def read_call(value: Json) -> Call:
    """Read a JSON value as a request or a notification (section 4).

    >>> read_call({"jsonrpc": "2.0", "method": "update"})
    Notification(method='update', params=None)

    Raises:
        InvalidRequest: ``data`` says which rule is broken.
    """
    # Asking first whether it is an object with both members would cost every valid
    # call. Indexing any other JSON value raises one of these two.
    try:
        method = value["method"]
        version = value["jsonrpc"]
    except (TypeError, LookupError) as error:
        raise InvalidRequest(data=_what_is_missing(value)) from error
    if version != VERSION:
        raise InvalidRequest(data='jsonrpc must be exactly the string "2.0"')
    if type(method) is not str:
        raise InvalidRequest(data="method must be a string")
    params = None
    if "params" in value:
        params = value["params"]
        if type(params) is not list and type(params) is not dict:
            raise InvalidRequest(data="params must be an array or an object")
    if "id" not in value:
        return _new(Notification, (method, params))
    id = value["id"]
    if type(id) not in ID_TYPES:
        raise InvalidRequest(data="id must be a string, a number or null")
    return _new(Request, (method, params, id))


def _what_is_missing(value: Json) -> str:
    """Say why a value without both ``jsonrpc`` and ``method`` is not a call."""
    if type(value) is list:
        return "a batch needs at least one member" if not value else "a batch is not one call"
    if type(value) is not dict:
        return "a call must be an object"
    if looks_like_response(value):
        return "a response is not a call"
    return 'jsonrpc must be "2.0"' if "jsonrpc" not in value else "method is missing"


def looks_like_response(value: Json) -> bool:
    """Tell whether a value can only be meant as a response, valid or not.

    It has no ``method``, and a ``result`` or an ``error``. A server stays
    silent on these, since two servers would answer each other for ever.

    >>> looks_like_response({"error": "broken"})
    True
    """
    return type(value) is dict and "method" not in value and ("result" in value or "error" in value)


def readable_id(value: Json) -> Id:
    """Return the id that an error response to ``value`` may carry (section 5).

    >>> readable_id({"id": 31, "method": 1}), readable_id({"id": [31]})
    (31, None)
    """
    id = value.get("id") if type(value) is dict else None
    return id if type(id) in ID_TYPES else None


def read_response(value: Json) -> Response:
    """Read a JSON value as a response (section 5).

    >>> read_response({"jsonrpc": "2.0", "result": 19, "id": 1})
    SuccessResponse(result=19, id=1)

    Raises:
        InvalidResponse: the text says which rule is broken.
    """
    if type(value) is not dict or value.get("jsonrpc") != VERSION:
        raise InvalidResponse('a response must be an object with jsonrpc "2.0"')
    if type(value.get("id", ABSENT)) not in ID_TYPES:
        raise InvalidResponse("a response must have an id: a string, a number or null")
    if ("result" in value) == ("error" in value):
        raise InvalidResponse("a response must have a result or an error, and not both")
    if "result" in value:
        return SuccessResponse(value["result"], value["id"])
    return ErrorResponse(_read_error(value["error"]), value["id"])


def _read_error(error: Json) -> JsonRpcError:
    """Read the ``error`` member (section 5.1)."""
    match error:
        case {"code": int(code), "message": str(message)} if type(code) is int:
            return make_error(code, message, error.get("data", ABSENT))
        case _:
            raise InvalidResponse("error must have an integer code and a string message")


def read_message(value: Json) -> Message:
    """Read a JSON value as any of the four shapes.

    >>> read_message({"jsonrpc": "2.0", "method": "update"})
    Notification(method='update', params=None)

    Raises:
        InvalidRequest: it is not a message, or a broken call.
        InvalidResponse: it is meant as a response, and broken.
    """
    return read_response(value) if looks_like_response(value) else read_call(value)
