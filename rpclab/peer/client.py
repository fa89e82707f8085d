"""A server that we start, and calls to it that wait for their reply.

A client is a peer on an event loop in a thread of its own. So it works where
there is no loop, and in a notebook, where one is running already. It needs
threads and processes, so it does not run in Pyodide.

Interface:
  - a context manager: leaving it ends the server, within ``grace`` seconds
  - any thread may call; ``on_progress`` is called in the thread that waits
  - the handler runs in threads, so it may wait, and may call the server; the
    server's notifications are handed to it one after another
  - calls that came before the client is closed are handled, and ``close`` waits
    for that as long as for the server; a handler that never ends is left behind
  - a client that is still open when Python ends is closed then
"""

import asyncio
import atexit
import threading
from collections.abc import Awaitable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self
from weakref import WeakSet

from rpclab.framing import Framing, NewlineFraming
from rpclab.messages import Handler, Json, Params
from rpclab.peer.call_context import in_notification
from rpclab.peer.call_future import CallFuture
from rpclab.peer.child import EXIT_GRACE, Child
from rpclab.peer.dialects import DialectName, choose_dialect
from rpclab.peer.failures import CallTimeout, PeerGone, ServerGone
from rpclab.peer.handler_threads import HandlerThreads
from rpclab.peer.incoming import OrderName, check_order
from rpclab.peer.outgoing import NewCall, OnProgress, Replies
from rpclab.peer.peer import Peer
from rpclab.peer.pending import Stray
from rpclab.peer.program import Environment, Folder
from rpclab.peer.terminal_echo import EchoFilter
from rpclab.peer.thread_transport import ThreadTransport
from rpclab.transport import FramedTransport

_LIMIT: Final = 64  # handlers at once, each in a thread
_THREADS: Final = 10 * _LIMIT  # while handlers wait for the server, so also how deep calls may nest
_DONE: Final = object()

MOMENT: Final = 1.0
"""How many seconds a server that has closed its stdout is given to end."""


class Client:
    """A running server. ``Client.start`` makes one."""

    def __init__(
        self,
        child: Child,
        framing: Framing,
        handler: Handler | None,
        dialect: DialectName,
        order: OrderName = "notifications",
    ) -> None:
        self._child = child
        if isinstance(framing, NewlineFraming):
            framing = EchoFilter(framing)
        self._wire = FramedTransport(child.stdout, child.stdin, framing)
        self._handler = handler
        self._in_order = order != "free"  # also at the end, when nothing else waits
        self._threads = HandlerThreads(_THREADS)
        self._lock, self._closed = threading.Lock(), False
        self._grace = child.grace
        self._ready: Future[tuple[Peer, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(
            target=asyncio.run, args=[self._run_peer(dialect, order)], daemon=True
        )
        self._thread.start()
        self._peer, self._loop, self._leave = self._ready.result()
        _open.add(self)

    @classmethod
    def start(  # noqa: PLR0913  one of them is an old name
        cls,
        command: Sequence[str],
        handler: Handler | None = None,
        *,
        framing: Framing | None = None,
        dialect: DialectName | None = None,
        cancel: DialectName | None = None,
        grace: float = 2.0,
        order: OrderName = "notifications",
        env: Environment | None = None,
        cwd: Folder | None = None,
    ) -> Self:
        """Start a server, and be its client.

        Args:
            command: the program and its arguments.
            handler: answers requests that come from the server. It may be async.
            framing: newlines, unless told otherwise.
            dialect: how cancel and progress are written, ``"lsp"`` (the default)
                or ``"mcp"``.
            cancel: the old name of ``dialect``.
            grace: how many seconds the server has to end by itself.
            order: which of the server's calls wait for the notifications before
                them, as in ``Peer``.
            env: variables for the server, added to ours; None takes one away.
            cwd: the folder that it starts in; ours, unless told otherwise.

        Raises:
            OSError: the program cannot be started; the text is a sentence that says why.
            ValueError: there is no such dialect or order, or the dialect is given
                by both names.
        """
        chosen = choose_dialect(dialect, cancel)  # before the server runs
        check_order(order)
        child = Child(command, grace, env=env, cwd=cwd)
        return cls(child, framing or NewlineFraming(), handler, chosen.name, order)

    async def _run_peer(self, dialect: DialectName, order: OrderName) -> None:
        """Be a peer until the client is closed, and end everything in the time for that."""
        loop, leave = asyncio.get_running_loop(), asyncio.Event()
        transport = ThreadTransport(self._wire)
        handler = self._handle if self._handler else None
        until = 0.0
        with suppress(TimeoutError):  # a server that does not read holds up what is written
            async with (
                asyncio.timeout(None) as limit,
                Peer(
                    transport,
                    handler,
                    dialect=dialect,
                    limit=_LIMIT,
                    order=order,
                    is_client=True,
                ) as peer,
            ):
                self._ready.set_result((peer, loop, leave))
                await leave.wait()
                until = loop.time() + self._grace
                limit.reschedule(until)
        transport.end()
        self._threads.end()
        self._child.stop(max(0.0, until - loop.time()))
        self._threads.join(max(0.0, until - loop.time()))
        transport.join(MOMENT)

    def _handle(self, method: str, params: Params) -> Json:
        """Run the handler in a thread, and return what can be awaited for its result.

        A cancel ends the waiting and not the handler: a thread cannot be stopped,
        and a notification that came before the client was closed must be handled.
        """
        assert self._handler
        in_turn = self._in_order and in_notification()
        return asyncio.wrap_future(
            self._threads.submit(_run, self._handler, method, params, in_turn=in_turn)
        )

    def call(  # noqa: PLR0913  what a caller may ask for
        self,
        method: str,
        params: Params = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        extend: bool = False,
        max_timeout: float | None = None,
    ) -> Json:
        """Call a method of the server, and wait for its result.

        An exception while it waits, such as ``KeyboardInterrupt`` or one from
        ``on_progress``, cancels the call. Arguments are as in ``Peer.call``.

        Raises:
            JsonRpcError: the server replied with an error.
            InvalidResponse: the server's reply is not a valid response.
            CallTimeout: the time is over. It is a ``TimeoutError``.
            ServerGone: the server has ended.
        """
        heard: SimpleQueue[Json] = SimpleQueue()
        call = self._peer.call(
            method,
            params,
            timeout=timeout,
            on_progress=heard.put if on_progress else None,
            extend=extend,
            max_timeout=max_timeout,
        )
        return self._wait_for(call, heard, on_progress)

    def submit(  # noqa: PLR0913  as in call
        self,
        method: str,
        params: Params = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        extend: bool = False,
        max_timeout: float | None = None,
    ) -> Future[Json]:
        """Call a method of the server, and return the future of its result at once.

        Its ``cancel`` cancels the call at the server too. ``on_progress`` is called
        in the client's own thread, so it must not wait for the server. The rest
        is as in ``call``.
        """
        call = self._peer.call(
            method,
            params,
            timeout=timeout,
            on_progress=on_progress,
            extend=extend,
            max_timeout=max_timeout,
        )
        return self._submit(call)

    def batch(self, calls: Sequence[NewCall], *, timeout: float | None = None) -> Replies:
        """Send calls as one batch, and return their responses in the order of the calls."""
        replies: Replies = self._wait_for(self._peer.batch(calls, timeout=timeout))
        return replies

    def notify(self, method: str, params: Params = None, *, timeout: float | None = None) -> None:
        """Send a notification, once there is room for it, as in ``Peer.notify``."""
        self._wait_for(self._peer.notify(method, params, timeout=timeout))

    def _wait_for(
        self,
        action: Coroutine[Any, Any, Any],
        heard: SimpleQueue[Json] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Any:
        if threading.current_thread() is self._thread:
            action.close()
            raise RuntimeError("the client's own thread must not wait: use submit")
        future = self._submit(action)
        try:
            if heard and on_progress:
                future.add_done_callback(lambda _: heard.put(_DONE))
                for value in iter(heard.get, _DONE):
                    on_progress(value)
            return future.result()
        finally:
            future.cancel()  # does nothing if it has ended

    def _submit(self, action: Coroutine[Any, Any, Any]) -> CallFuture:
        future = CallFuture(self._explain)
        with self._lock:  # after the last turn of the loop nothing would run it
            if self._closed:
                action.close()
                future.set_exception(PeerGone())
            else:
                future.follow(asyncio.run_coroutine_threadsafe(action, self._loop))
        return future

    def _explain(self, error: CallTimeout | PeerGone) -> CallTimeout | ServerGone:
        """Add what is known about the server to the failure of a call."""
        if isinstance(error, CallTimeout):
            status = self._child.process.returncode
            return CallTimeout(error.reason, error.strays, status, self.stderr_tail)
        if self._closed:
            status, how = self._child.process.returncode, "the client was closed"
        else:
            status, how = self._child.wait(MOMENT), "the server closed its stdout"
        return ServerGone(status, self.stderr_tail, error.strays, how)

    @property
    def stderr_tail(self) -> str:
        """The last lines of what the server wrote to stderr."""
        return self._child.stderr_tail

    @property
    def strays(self) -> list[Stray]:
        """The last things that came and belong to no call."""
        return list(self._peer.strays)

    def close(self) -> int:
        """End the server, and return its exit status.

        The server and the handlers have ``grace`` seconds. Then the server is
        ended, and a handler that still runs is left behind.
        """
        self._begin_to_close()
        self._thread.join()
        return self._child.process.returncode

    def _begin_to_close(self, most: float = float("inf")) -> None:
        """Let the thread of the peer end, and do not wait for it."""
        with self._lock:
            if not self._closed:
                self._grace = min(self._grace, most)
                self._loop.call_soon_threadsafe(self._leave.set)
            self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _run(handler: Handler, method: str, params: Params) -> Json:
    """Run a handler to its end. An async one gets an event loop in its thread."""
    result = handler(method, params)
    return asyncio.run(_wait(result)) if hasattr(type(result), "__await__") else result


async def _wait(awaitable: Awaitable[Json]) -> Json:
    return await awaitable


_open: Final[WeakSet[Client]] = WeakSet()


@atexit.register
def close_all() -> None:
    """Close every client, all at the same time. Python calls it at its orderly end."""
    clients = [*_open]
    for client in clients:
        client._begin_to_close(EXIT_GRACE)
    for client in clients:
        client.close()
