"""Exercise 29: ask, and wait for the answer."""

from collections.abc import Callable
from typing import BinaryIO

from rpclab.codec import decode
from rpclab.errors import InvalidRequest, InvalidResponse, ParseError
from rpclab.messages import ErrorResponse, Json, Request, SuccessResponse
from rpclab.parsing import read_message
from rpclab.rendering import render

Report = Callable[[bytes], object]


def ask(reader: BinaryIO, writer: BinaryIO, request: Request, report: Report) -> Json:
    """Send a request, and return the result of its response.

    It is enough to read on until one of three things is there: the response with our id,
    as a result or as an error, or the end. A line that is not a message is reported,
    because somebody has to find the ``print`` that it came from. It is not an answer.
    """
    writer.write(render(request).encode() + b"\n")
    writer.flush()
    for line in reader:
        try:
            message = read_message(decode(line))
        except (ParseError, InvalidRequest, InvalidResponse):
            report(line)
            continue
        if isinstance(message, SuccessResponse) and message.id == request.id:
            return message.result
        if isinstance(message, ErrorResponse) and message.id == request.id:
            raise message.error
    raise EOFError("the server ended before it answered")
