"""JSON-RPC 2.0 over newline-delimited stdio: a transport, and a course on it.

    from rpclab import StdioTransport, serve

Everything here is the transport that the course teaches, on the standard
library alone. The tools above it are modules of their own.
"""

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
    "Request",
    "Response",
    "StdioTransport",
    "SuccessResponse",
    "answer",
    "claim_stdio",
    "decode",
    "encode",
    "parse_request",
    "read_call",
    "read_message",
    "read_response",
    "render",
    "respond",
    "serve",
    "write_error",
    "write_notification",
    "write_response",
]
