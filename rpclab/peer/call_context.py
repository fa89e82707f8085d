"""A call in progress: what its handler may ask and report, and how it is stopped.

A cancel is a notification that names the id of a request in progress. JSON-RPC
itself has no cancel; how it is written is in ``dialects``.

Interface:
  - a handler calls ``cancelled`` and ``progress``, in its task or in any thread
    that has its context; outside a call they return False and do nothing
  - a shell keeps one ``InFlight`` for a connection, and sets the ``CallContext``
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, Protocol

from rpclab.errors import InvalidRequest, JsonRpcError
from rpclab.messages import ID_TYPES, Id, Json

ERR_REQUEST_CANCELLED: Final = -32800


class RequestCancelled(JsonRpcError):
    """The caller does not want the result any more."""

    code = ERR_REQUEST_CANCELLED
    title = "Request cancelled"


class ProgressReporter(Protocol):
    """What sends the progress of a call."""

    def __call__(self, done: Json, total: float | None, message: str | None) -> None:
        """Report how far the call is."""

    def end(self) -> None:
        """End the progress: nothing more will be reported."""


class CallContext:
    """What is known about one call while it is in progress."""

    __slots__ = ("cancelled", "ended", "id", "is_request", "on_cancel", "reporter")

    def __init__(self, id: Id = None, is_request: bool = False) -> None:
        self.id = id
        self.is_request = is_request
        self.reporter: ProgressReporter | None = None  # None: the caller did not ask for progress
        self.on_cancel: Callable[[], object] | None = None
        self.cancelled = False
        self.ended = False

    def cancel(self) -> None:
        """Ask the call to stop. Asking again does nothing."""
        if not self.cancelled:
            self.cancelled = True
            if self.on_cancel:
                self.on_cancel()


_current: ContextVar[CallContext | None] = ContextVar("call", default=None)


def set_call_context(call: CallContext) -> None:
    """Make this context, and all contexts copied from it, belong to a call."""
    _current.set(call)


def in_call() -> bool:
    """Return whether this code runs in a handler."""
    return _current.get() is not None


def in_notification() -> bool:
    """Return whether this code runs in the handler of a notification."""
    call = _current.get()
    return call is not None and not call.is_request


def cancelled() -> bool:
    """Return whether the caller has cancelled the call that is being handled.

    >>> cancelled()
    False
    """
    call = _current.get()
    return call is not None and call.cancelled


def progress(done: Json, total: float | None = None, message: str | None = None) -> None:
    """Report to the caller how far its call is, if the caller asked for it.

    Does nothing outside a call, without a token from the caller, and after
    the call has ended.

    Args:
        done: a number that grows; in the dialect of LSP any value.
        total: what ``done`` grows to.
        message: a sentence for people.
    """
    call = _current.get()
    if call is not None and call.reporter is not None and not call.ended:
        call.reporter(done, total, message)


class InFlight:
    """The requests of one connection that are in progress, by id.

    >>> in_flight = InFlight()
    >>> call = in_flight.open(7)
    >>> in_flight.cancel(7)
    >>> call.cancelled
    True
    """

    def __init__(self) -> None:
        self._table: dict[Id, CallContext] = {}

    def open(self, id: Id) -> CallContext:
        """Note that a request is in progress.

        Raises:
            InvalidRequest: a request of this id is in progress already. A
                response with that id would settle the first.
        """
        if id in self._table:
            raise InvalidRequest(data="a request with this id is in flight")
        call = self._table[id] = CallContext(id, is_request=True)
        return call

    def close(self, call: CallContext) -> None:
        """Note that a call has ended: nothing more is reported about it."""
        call.ended = True
        if self._table.get(call.id) is call:
            del self._table[call.id]

    def cancel(self, id: Json) -> None:
        """Cancel a request. An id that is not in progress is ignored, and so is null."""
        if id is not None and type(id) in ID_TYPES and id in self._table:
            self._table[id].cancel()
