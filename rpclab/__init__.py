"""JSON-RPC 2.0 over newline-delimited stdio: a transport, and a course on it.

    from rpclab import StdioTransport, serve

Everything here is the transport that the course teaches, and needs only the
standard library. The tools above it are packages of their own.
"""

from typing import TYPE_CHECKING, Any

from rpclab.codec import decode, encode
from rpclab.dispatch import answer, respond
from rpclab.errors import (
    ERR_INTERNAL,
    ERR_INVALID_PARAMS,
    ERR_INVALID_REQUEST,
    ERR_METHOD_NOT_FOUND,
    ERR_PARSE,
    FramingError,
    InternalError,
    InvalidParams,
    InvalidRequest,
    InvalidResponse,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.messages import (
    Call,
    ErrorResponse,
    Handler,
    Id,
    Json,
    Message,
    Notification,
    Params,
    Request,
    Response,
    SuccessResponse,
)
from rpclab.methods import Methods
from rpclab.parsing import parse_request, read_call, read_message, read_response
from rpclab.rendering import render
from rpclab.server import serve
from rpclab.transport import (
    FramedTransport,
    StdioTransport,
    claim_stdio,
    write_error,
    write_notification,
    write_response,
)

__all__ = [
    "ERR_INTERNAL",
    "ERR_INVALID_PARAMS",
    "ERR_INVALID_REQUEST",
    "ERR_METHOD_NOT_FOUND",
    "ERR_PARSE",
    "Call",
    "CallTimeout",
    "Client",
    "ContentLengthFraming",
    "ErrorResponse",
    "FramedTransport",
    "FramingError",
    "Handler",
    "Id",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "InvalidResponse",
    "Json",
    "JsonRpcError",
    "Message",
    "MethodNotFound",
    "Methods",
    "NewlineFraming",
    "Notification",
    "Params",
    "ParseError",
    "Peer",
    "PeerGone",
    "Request",
    "RequestCancelled",
    "Response",
    "ServerGone",
    "StdioTransport",
    "StreamTransport",
    "SuccessResponse",
    "ThreadTransport",
    "answer",
    "cancelled",
    "claim_stdio",
    "decode",
    "encode",
    "explorer",
    "memory_pair",
    "open_pipes",
    "parse_request",
    "progress",
    "read_call",
    "read_message",
    "read_response",
    "render",
    "respond",
    "serve",
    "traced",
    "traceparent",
    "write_error",
    "write_notification",
    "write_response",
]

if TYPE_CHECKING:
    from rpclab.peer import (
        CallTimeout,
        Client,
        Peer,
        PeerGone,
        RequestCancelled,
        ServerGone,
        StreamTransport,
        ThreadTransport,
        cancelled,
        memory_pair,
        open_pipes,
        progress,
        traced,
        traceparent,
    )
    from rpclab.widgets import Explorer

    __version__: str


def __getattr__(name: str) -> Any:
    """Load the version, or a name of ``rpclab.peer``: all others are imported above.

    A server that reads one line at a time loads no event loop this way.
    """
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  loads slowly

        try:
            return version("rpclab")
        except PackageNotFoundError:
            raise AttributeError("rpclab is not installed, so it has no version") from None
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rpclab import peer  # noqa: PLC0415  only here

    return getattr(peer, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


def explorer() -> "Explorer":
    """Show the spec explorer as one page of a notebook.

    Raises:
        ImportError: the course's packages are not installed.
    """
    try:
        from rpclab.widgets import Explorer  # noqa: PLC0415  the transport must not load Jupyter
    except ModuleNotFoundError as error:
        wanted = "the explorer needs the course's packages: pip install 'rpclab[course]'"
        raise ImportError(f"{wanted} ({error.name} is missing)", name=error.name) from None

    return Explorer()
