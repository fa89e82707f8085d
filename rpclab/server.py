"""The loop of a server: read a payload, answer it, read the next.

Nothing that arrives ends the loop, and no exception of a handler does. The loop
ends with the stream, or when nobody reads the replies any more.
"""

from rpclab.dispatch import respond
from rpclab.messages import Handler
from rpclab.transport import FramedTransport


def serve(handler: Handler, transport: FramedTransport) -> None:
    r"""Answer every payload of a transport until its stream ends.

    >>> import io
    >>> from rpclab.transport import StdioTransport
    >>> replies = io.BytesIO()
    >>> line = b'{"jsonrpc":"2.0","method":"hello","id":1}\n'
    >>> serve(lambda method, params: "hi", StdioTransport(io.BytesIO(line), replies))
    >>> replies.getvalue()
    b'{"jsonrpc":"2.0","result":"hi","id":1}\n'
    """
    try:
        for payload in transport:
            reply = respond(payload, handler)
            if reply is not None:
                transport.write(reply)
    except ConnectionError:
        transport.give_up()  # nobody reads any more
    except KeyboardInterrupt:
        return  # the user stopped the server
