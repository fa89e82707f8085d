"""Both ways at once: a peer calls and is called, with cancel, progress and timeouts.

    from rpclab.peer import Client, Peer

The names below are loaded when they are first asked for, so that a server that
reads one line at a time never loads asyncio. A line through ``Peer`` goes
through ``peer``, then ``outgoing`` or ``incoming``, and ``flow``.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rpclab.peer.call_context import InFlight, RequestCancelled, cancelled, progress
    from rpclab.peer.child import Child
    from rpclab.peer.client import Client
    from rpclab.peer.dialects import DialectName
    from rpclab.peer.failures import CallTimeout, PeerGone, ServerGone
    from rpclab.peer.incoming import OrderName
    from rpclab.peer.meta import Trace, read_traceparent, traced, traceparent
    from rpclab.peer.outgoing import NewCall, OnProgress, Replies, Reply
    from rpclab.peer.peer import Peer
    from rpclab.peer.pending import Pending, Settled, Settlement, Stray
    from rpclab.peer.terminal_echo import EchoFilter
    from rpclab.peer.thread_transport import ThreadTransport
    from rpclab.peer.transports import (
        AsyncTransport,
        MemoryTransport,
        StreamTransport,
        memory_pair,
        open_pipes,
    )

__all__ = [
    "AsyncTransport",
    "CallTimeout",
    "Child",
    "Client",
    "DialectName",
    "EchoFilter",
    "InFlight",
    "MemoryTransport",
    "NewCall",
    "OnProgress",
    "OrderName",
    "Peer",
    "PeerGone",
    "Pending",
    "Replies",
    "Reply",
    "RequestCancelled",
    "ServerGone",
    "Settled",
    "Settlement",
    "Stray",
    "StreamTransport",
    "ThreadTransport",
    "Trace",
    "cancelled",
    "memory_pair",
    "open_pipes",
    "progress",
    "read_traceparent",
    "traced",
    "traceparent",
]

_MODULES: Final = {
    "AsyncTransport": "transports",
    "CallTimeout": "failures",
    "Child": "child",
    "Client": "client",
    "DialectName": "dialects",
    "EchoFilter": "terminal_echo",
    "InFlight": "call_context",
    "MemoryTransport": "transports",
    "NewCall": "outgoing",
    "OnProgress": "outgoing",
    "OrderName": "incoming",
    "Peer": "peer",
    "PeerGone": "failures",
    "Pending": "pending",
    "Replies": "outgoing",
    "Reply": "outgoing",
    "RequestCancelled": "call_context",
    "ServerGone": "failures",
    "Settled": "pending",
    "Settlement": "pending",
    "Stray": "pending",
    "StreamTransport": "transports",
    "ThreadTransport": "thread_transport",
    "Trace": "meta",
    "cancelled": "call_context",
    "memory_pair": "transports",
    "open_pipes": "transports",
    "progress": "call_context",
    "read_traceparent": "meta",
    "traced": "meta",
    "traceparent": "meta",
}


def __getattr__(name: str) -> Any:
    """Load the module that defines a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  only here

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
