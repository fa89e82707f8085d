"""What can go wrong, and how the peer is told.

Three kinds of error are never mixed. The peer's errors can be sent
(``JsonRpcError``). The stream's errors say that bytes were dropped
(``FramingError``). Our own are ``TypeError`` and ``ValueError``: a bug in the
calling code, raised at once. Source: JSON-RPC 2.0, section 5.1.
"""

from reprlib import Repr
from typing import Any, ClassVar, Final, final

ERR_PARSE: Final = -32700
ERR_INVALID_REQUEST: Final = -32600
ERR_METHOD_NOT_FOUND: Final = -32601
ERR_INVALID_PARAMS: Final = -32602
ERR_INTERNAL: Final = -32603

ABSENT: Final[Any] = object()
"""The value of a member that is not there, since ``None`` is JSON's null."""

_SHOWN: Final = 300
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHOWN


class JsonRpcError(Exception):
    """An error that can be sent to a peer, or came from one.

    Raise one in a handler and the caller gets it as an error object. An
    application chooses its own ``code`` outside -32768..-32000.

    >>> error = JsonRpcError("out of stock", code=1001, data={"left": 0})
    >>> error.code, error.message, error.data
    (1001, 'out of stock', {'left': 0})
    >>> print(error)
    out of stock (code 1001, data {'left': 0})
    >>> JsonRpcError().message
    'Internal error'

    Args:
        message: one sentence for people; the code's own title if left out.
        code: an integer for programs; the class's own if left out.
        data: any JSON value for context; no member is sent if left out.
    """

    code: int = ERR_INTERNAL
    title: ClassVar[str] = "Internal error"

    def __init__(
        self, message: str | None = None, *, code: int | None = None, data: Any = ABSENT
    ) -> None:
        self.message = self.title if message is None else str(message)
        if code is not None:
            self.code = code
        self.data = data
        super().__init__(self.message)

    def __str__(self) -> str:
        message = str(getattr(self, "message", self.title))[:_SHOWN]  # a subclass may lack it
        shown = message if message.isprintable() else repr(message)[1:-1]
        return f"{shown} (code {self.code}{self._show_data(' ')})"

    def __repr__(self) -> str:
        message = _SHORT.repr(getattr(self, "message", self.title))
        return f"{type(self).__name__}({message}, code={self.code}{self._show_data('=')})"

    def _show_data(self, sign: str) -> str:
        data = getattr(self, "data", ABSENT)
        return "" if data is ABSENT else f", data{sign}{_SHORT.repr(data)[:_SHOWN]}"


class ParseError(JsonRpcError):
    """The payload is not JSON, so its ``id`` is unknown."""

    code = ERR_PARSE
    title = "Parse error"


class InvalidRequest(JsonRpcError):
    """The payload is JSON, but not a call."""

    code = ERR_INVALID_REQUEST
    title = "Invalid Request"


class MethodNotFound(JsonRpcError):
    """The server has no method of that name."""

    code = ERR_METHOD_NOT_FOUND
    title = "Method not found"


class InvalidParams(JsonRpcError):
    """The method is there, but these params do not fit it."""

    code = ERR_INVALID_PARAMS
    title = "Invalid params"


class InternalError(JsonRpcError):
    """The handler failed. What happened inside stays in the server's log."""


_FIVE: Final = (ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError)
_KINDS: Final = {kind.code: kind for kind in _FIVE}


def make_error(code: int, message: str, data: Any = ABSENT) -> JsonRpcError:
    """Make the exception for an error object that came from a peer.

    >>> make_error(-32601, "no such method")
    MethodNotFound('no such method', code=-32601)
    """
    return _KINDS.get(code, JsonRpcError)(message, code=code, data=data)


class InvalidResponse(ValueError):
    """A response that breaks section 5. Like every response, it is not answered."""


@final
class FramingError(ValueError):
    """Bytes were dropped that the framing could not turn into a payload.

    The text says which bytes and why. It is answered like a parse error.
    """
