"""A call in progress: what its handler may ask and say, and how it is stopped.

A cancel is a notification that names the id of a request in flight: JSON-RPC
itself has none. How it is spelled is in ``manners``.

Interface:
  - a handler calls ``cancelled`` and ``progress``, in its task or any thread
    that has its context; outside a call they say no, and do nothing
  - a shell keeps one ``InFlight`` a connection, and sets the ``Running``
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, Protocol

from rpclab.errors import InvalidRequest, JsonRpcError
from rpclab.messages import Id, Json

ERR_REQUEST_CANCELLED: Final = -32800
_ID_TYPES: Final = (str, int, float)  # true is no number in JSON


class RequestCancelled(JsonRpcError):
    """The caller wants no result any more."""

    code = ERR_REQUEST_CANCELLED
    title = "Request cancelled"


class Report(Protocol):
    """What sends progress."""

    def __call__(self, done: Json, total: float | None, message: str | None) -> None:
        """Say how far the call is."""

    def end(self) -> None:
        """Say that nothing more will be said."""


class Running:
    """One call while it is in progress."""

    __slots__ = ("cancelled", "ended", "id", "on_cancel", "report")

    def __init__(self, id: Id = None) -> None:
        self.id = id
        self.report: Report | None = None  # the caller did not ask for progress
        self.on_cancel: Callable[[], object] | None = None
        self.cancelled = False
        self.ended = False

    def cancel(self) -> None:
        """Ask that the call be stopped. Asking twice is asking once."""
        if not self.cancelled:
            self.cancelled = True
            if self.on_cancel:
                self.on_cancel()


_running: ContextVar[Running | None] = ContextVar("running", default=None)


def set_running(running: Running) -> None:
    """Let this context, and all that is made from it, belong to a call."""
    _running.set(running)


def in_call() -> bool:
    """Tell whether a handler is asking."""
    return _running.get() is not None


def cancelled() -> bool:
    """Tell a handler whether its caller has cancelled the call.

    >>> cancelled()
    False
    """
    running = _running.get()
    return running is not None and running.cancelled


def progress(done: Json, total: float | None = None, message: str | None = None) -> None:
    """Tell the caller how far its call is, if the caller asked to know.

    Does nothing outside a call, without a token from the caller, and after
    the call has ended.

    Args:
        done: a number that grows; in LSP's manner any value.
        total: what ``done`` grows to.
        message: a sentence for people.
    """
    running = _running.get()
    if running is not None and running.report is not None and not running.ended:
        running.report(done, total, message)


class InFlight:
    """The requests of one connection that are in progress, by id.

    >>> in_flight = InFlight()
    >>> running = in_flight.open(7)
    >>> in_flight.cancel(7)
    >>> running.cancelled
    True
    """

    def __init__(self) -> None:
        self._table: dict[Id, Running] = {}

    def open(self, id: Id) -> Running:
        """Note that a request is in progress.

        Raises:
            InvalidRequest: a request of this id is in progress already. A
                response with that id would settle the first.
        """
        if id in self._table:
            raise InvalidRequest(data="a request with this id is in flight")
        running = self._table[id] = Running(id)
        return running

    def close(self, running: Running) -> None:
        """Note that a call has ended: nothing is said about it any more."""
        running.ended = True
        if self._table.get(running.id) is running:
            del self._table[running.id]

    def cancel(self, id: Json) -> None:
        """Cancel a request. One that has ended, or never was, is no error."""
        if type(id) in _ID_TYPES and id in self._table:
            self._table[id].cancel()
