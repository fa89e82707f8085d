"""A transport in memory that reports each message as it is sent."""

from collections.abc import Callable

from rpclab.peer.transports import MemoryTransport


class WatchedTransport:
    """Passes everything on to another transport, and reports what is written.

    Args:
        inner: the transport that carries the messages.
        on_write: called with each payload before it is sent.
    """

    def __init__(self, inner: MemoryTransport, on_write: Callable[[bytes], object]) -> None:
        self._inner, self._on_write = inner, on_write
        self.read, self.drain, self.close = inner.read, inner.drain, inner.close
        self.full = False  # the few messages of one call never fill it

    def write(self, payload: bytes) -> None:
        """Report one message, and send it."""
        self._on_write(payload)
        self._inner.write(payload)
