"""A call that another thread carries out: it can be waited for, and cancelled."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeAlias

from rpclab.peer.failures import CallTimeout, PeerGone

Failure: TypeAlias = CallTimeout | PeerGone


class CallFuture(Future[Any]):
    """The outcome of a call, as a future that ends as another one does.

    Args:
        explain: adds to a failure what is known about the other end. It may take
            a moment, so it is called by the thread that asks for the outcome.
    """

    def __init__(self, explain: Callable[[Failure], Failure]) -> None:
        super().__init__()
        self._explain = explain

    def follow(self, running: Future[Any]) -> None:
        """End as another future does, and cancel it if this one is cancelled."""
        self.add_done_callback(lambda _: running.cancel())  # does nothing if it has ended
        running.add_done_callback(self._end)

    def _end(self, running: Future[Any]) -> None:
        if not self.set_running_or_notify_cancel():
            return
        if running.cancelled():  # its event loop has ended
            self.set_exception(PeerGone())
        elif error := running.exception():
            self.set_exception(error)
        else:
            self.set_result(running.result())

    def result(self, timeout: float | None = None) -> Any:
        """Wait for the result, and return it or raise why there is none."""
        try:
            return super().result(timeout)
        except (CallTimeout, PeerGone) as error:
            raise self._explain(error) from None

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Wait for the end, and return what ``result`` would raise, or None."""
        error = super().exception(timeout)
        return self._explain(error) if isinstance(error, CallTimeout | PeerGone) else error
