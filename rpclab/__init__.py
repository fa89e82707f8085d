"""JSON-RPC 2.0 over newline-delimited stdio: a transport, and a course on it.

    from rpclab import StdioTransport, serve

Everything here is the transport that the course teaches, on the standard
library alone. The tools above it are modules of their own.
"""

from typing import TYPE_CHECKING, Any, Final

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
    from rpclab.peer.call_context import RequestCancelled, cancelled, progress
    from rpclab.peer.client import Client, ServerGone
    from rpclab.peer.meta import traced, traceparent
    from rpclab.peer.peer import Peer
    from rpclab.peer.reply_future import PeerGone
    from rpclab.peer.thread_transport import ThreadTransport
    from rpclab.peer.transports import StreamTransport, memory_pair, open_pipes
    from rpclab.widgets import Explorer

# Loaded when asked for: a server that reads one line at a time pays for no event loop.
_LATER: Final = {
    "Client": "peer.client",
    "Peer": "peer.peer",
    "PeerGone": "peer.reply_future",
    "RequestCancelled": "peer.call_context",
    "ServerGone": "peer.client",
    "StreamTransport": "peer.transports",
    "ThreadTransport": "peer.thread_transport",
    "cancelled": "peer.call_context",
    "memory_pair": "peer.transports",
    "open_pipes": "peer.transports",
    "progress": "peer.call_context",
    "traced": "peer.meta",
    "traceparent": "peer.meta",
}


def __getattr__(name: str) -> Any:
    """Load what both ways at once needs."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  only here

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def explorer() -> "Explorer":
    """Show the spec explorer as one page of a notebook. It needs the course's packages."""
    from rpclab.widgets import Explorer  # noqa: PLC0415  the transport must not load Jupyter

    return Explorer()
