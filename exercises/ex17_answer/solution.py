"""Exercise 17: answer one call, whatever happens."""

from rpclab.errors import InternalError, JsonRpcError
from rpclab.messages import Call, Handler, Notification
from rpclab.rendering import render_error, render_result


def answer_call(call: Call, handler: Handler) -> str | None:
    """Return the response as a line, or None for a notification. Never raise.

    It is enough that everything which may fail is inside the ``try``: the handler, and
    the writing of its result. A notification goes the same way, so that its handler
    runs; whatever came of it, nothing is sent.
    """
    try:
        result = handler(call.method, call.params)
        return None if isinstance(call, Notification) else render_result(result, call.id)
    except JsonRpcError as error:
        failure = error
    except Exception as error:  # noqa: BLE001  whatever a handler raises is answered
        failure = InternalError(data={"exception": type(error).__name__})
    return None if isinstance(call, Notification) else render_error(failure, call.id)
