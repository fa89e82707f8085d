"""Line to reply, as a function of values.

A line holds one message or a batch of them. ``unpack`` says what it asks for,
``answer`` runs one call, ``pack`` puts the replies to a batch together. None
of them waits in a loop: the code that reads the stream decides when a call
runs. ``respond`` runs the calls one after another. Source: JSON-RPC 2.0, sections
4 to 6.
"""

from types import CoroutineType
from typing import NamedTuple, TypeAlias, final

from rpclab.codec import decode
from rpclab.errors import FramingError, InternalError, InvalidRequest, JsonRpcError, ParseError
from rpclab.messages import Call, ErrorResponse, Handler, Json, Request
from rpclab.parsing import looks_like_response, read_call, readable_id
from rpclab.rendering import render_error, render_result


@final
class Received(NamedTuple):
    """What was meant as a response, valid or not. It is never answered.

    A server ignores it. A peer looks for the call that it settles.
    """

    value: Json


Member: TypeAlias = Call | ErrorResponse | Received
"""What one value asks for: a call to run, an error to send, or nothing."""


def unpack(line: bytes | str | FramingError) -> Member | list[Member]:
    """Say what a line asks for: one member, or a list of them for a batch.

    >>> unpack('{"jsonrpc":"2.0","method":"update"}')
    Notification(method='update', params=None)
    >>> len(unpack('[{"jsonrpc":"2.0","method":"update"}, 1]'))
    2
    """
    if type(line) is FramingError:
        return ErrorResponse(ParseError(data=str(line)), None)
    try:
        value = decode(line)
        if type(value) is list and value:
            return [_read_member(member) for member in value]
        return read_call(value)
    except ParseError as error:
        return ErrorResponse(error, None)
    except InvalidRequest as error:
        return _refuse(value, error)


def _read_member(value: Json) -> Member:
    try:
        return read_call(value)
    except InvalidRequest as error:
        return _refuse(value, error)


def _refuse(value: Json, error: InvalidRequest) -> Member:
    if looks_like_response(value):
        return Received(value)
    return ErrorResponse(error, readable_id(value))


def answer(member: Member, handler: Handler) -> str | None:
    """Return the response to one member as JSON text, or None if none is due.

    >>> answer(Request("sum", [1, 2], 7), lambda method, params: sum(params))
    '{"jsonrpc":"2.0","result":3,"id":7}'
    """
    if type(member) is ErrorResponse:
        return render_error(member.error, member.id)
    if type(member) is Received:
        return None
    result: Json = None
    try:
        result = handler(member.method, member.params)
        if type(member) is Request:
            return render_result(result, member.id)
    except BaseException as error:  # noqa: BLE001  even SystemExit: no handler ends the server
        if not hasattr(type(result), "__await__"):  # what is awaited cannot be rendered
            return answer_failure(member, error)
    return _refuse_to_wait(member, result) if hasattr(type(result), "__await__") else None


def _refuse_to_wait(call: Call, result: Json) -> str | None:
    """Return the response of an async handler: there is no loop here that could run it.

    The sentence in the log is for the developer. The server goes on, because no
    call of a peer may decide how long it lives.
    """
    if isinstance(result, CoroutineType):
        result.close()  # or Python warns later that it was never awaited
    from logging import getLogger  # noqa: PLC0415  see blame

    getLogger(__name__).error(
        "the handler of %r is async, and serve cannot wait: use Peer", call.method
    )
    failure = InternalError(data={"exception": "TypeError"})
    return render_error(failure, call.id) if type(call) is Request else None


def answer_failure(call: Call, error: BaseException) -> str | None:
    """Return the response to a call that failed, or None if none is due.

    A shell that runs handlers as tasks calls it with what a task raised.

    >>> answer_failure(Request("sum", [1, "a"], 7), InvalidRequest())
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":7}'

    Raises:
        KeyboardInterrupt: it was raised, and it is meant for the program.
    """
    if isinstance(error, KeyboardInterrupt):
        raise error
    failure = blame(error, call.method)
    return render_error(failure, call.id) if type(call) is Request else None


def blame(error: BaseException, method: str) -> JsonRpcError:
    """Turn what a handler raised into the error that its caller gets.

    The caller gets the class name. The text and the traceback stay in the
    server's log, because they may hold secrets. For a broken pipe the log has
    one line and no traceback: the peer went away.
    """
    if isinstance(error, JsonRpcError) and _can_be_sent(error):
        return error
    from logging import getLogger  # noqa: PLC0415  a quarter of the time that rpclab loads in

    trace = None if isinstance(error, BrokenPipeError) else error
    getLogger(__name__).error("the handler of %r failed", method, exc_info=trace)
    return InternalError(data={"exception": type(error).__name__})


def _can_be_sent(error: JsonRpcError) -> bool:
    """Tell whether an error object can be made: a subclass may lack a part."""
    match error:
        case JsonRpcError(code=int(code), message=str(), data=_):
            return type(code) is not bool and abs(code) < 2**63
    return False


def pack(replies: list[str]) -> str | None:
    """Join the replies to a batch into one text, or None if there are none.

    >>> pack(['{"id":1}', '{"id":2}'])
    '[{"id":1},{"id":2}]'
    """
    return f"[{','.join(replies)}]" if replies else None


def respond(line: bytes | str | FramingError, handler: Handler) -> bytes | None:
    """Answer one line. Never raises, whatever the line or the handler.

    >>> respond('{"jsonrpc":"2.0","method":"sum","id":1}', lambda method, params: 6)
    b'{"jsonrpc":"2.0","result":6,"id":1}'
    """
    members = unpack(line)
    if isinstance(members, list):
        reply = pack([reply for member in members if (reply := answer(member, handler))])
    else:
        reply = answer(members, handler)
    return reply.encode() if reply else None
