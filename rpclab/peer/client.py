"""A server that we start, and calls to it that wait for their reply.

A client is a peer on an event loop in a thread of its own. So it works where
there is no loop, and in a notebook, where one is running already. It needs
threads and processes, so it does not run in Pyodide.

Interface:
  - a context manager: leaving it ends the server and every thread
  - any thread may call; ``on_progress`` is called in the thread that waits
  - the handler runs in threads, so it may wait, and may call the server; the
    server's notifications are handed to it one after another
  - calls that came before the client is closed are handled, and ``close`` waits
    for that
"""

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from rpclab.framing import Framing, NewlineFraming
from rpclab.messages import Handler, Json, Params
from rpclab.peer.call_future import CallFuture
from rpclab.peer.child import Child
from rpclab.peer.dialects import DialectName, choose_dialect
from rpclab.peer.failures import CallTimeout, PeerGone, ServerGone
from rpclab.peer.incoming import OrderName, check_order
from rpclab.peer.outgoing import NewCall, OnProgress, Replies
from rpclab.peer.peer import Peer
from rpclab.peer.pending import Stray
from rpclab.peer.terminal_echo import EchoFilter
from rpclab.peer.thread_transport import ThreadTransport
from rpclab.transport import FramedTransport

_THREADS: Final = 64  # handlers at once, so also how deep calls may nest
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
        self._lock, self._closed = threading.Lock(), False
        self._ready: Future[tuple[Peer, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(
            target=asyncio.run, args=[self._run_peer(dialect, order)], daemon=True
        )
        self._thread.start()
        self._peer, self._loop, self._leave = self._ready.result()

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
    ) -> Self:
        """Start a server, and be its client.

        Args:
            command: the program and its arguments.
            handler: answers requests that come from the server.
            framing: newlines, unless told otherwise.
            dialect: how cancel and progress are written, ``"lsp"`` (the default)
                or ``"mcp"``.
            cancel: the old name of ``dialect``.
            grace: how many seconds the server has to end by itself.
            order: which of the server's calls wait for the notifications before
                them, as in ``Peer``.

        Raises:
            OSError: the program cannot be started.
            ValueError: there is no such dialect or order, or the dialect is given
                by both names.
        """
        chosen = choose_dialect(dialect, cancel)  # before the server runs
        check_order(order)
        return cls(Child(command, grace), framing or NewlineFraming(), handler, chosen.name, order)

    async def _run_peer(self, dialect: DialectName, order: OrderName) -> None:
        """Be a peer until the client is closed."""
        loop, leave = asyncio.get_running_loop(), asyncio.Event()
        loop.set_default_executor(ThreadPoolExecutor(_THREADS, "rpclab handler"))
        transport = ThreadTransport(self._wire)
        handler = self._handle if self._handler else None
        async with Peer(
            transport, handler, dialect=dialect, limit=_THREADS, order=order, is_client=True
        ) as peer:
            self._ready.set_result((peer, loop, leave))
            await leave.wait()
        self._child.stop()
        transport.join(MOMENT)

    async def _handle(self, method: str, params: Params) -> Json:
        assert self._handler
        loop, context = asyncio.get_running_loop(), copy_context()
        running = loop.run_in_executor(None, context.run, self._handler, method, params)
        # Waited for, but not awaited: a cancel would drop a handler that has not begun,
        # and with it a notification that came before the client was closed. After a
        # cancel nobody asks what the handler raised, and asyncio would log that.
        running.add_done_callback(asyncio.Future.exception)
        await asyncio.wait([running])
        return running.result()

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
        """Send a notification, once there is room for it: within ``timeout`` seconds, if given."""
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
        if isinstance(error, PeerGone):
            return ServerGone(self._child.wait(MOMENT), self.stderr_tail, error.strays)
        status = self._child.process.poll()
        return CallTimeout(error.reason, error.strays, status, self.stderr_tail)

    @property
    def stderr_tail(self) -> str:
        """The last lines of what the server wrote to stderr."""
        return self._child.stderr_tail

    @property
    def strays(self) -> list[Stray]:
        """The last things that came and belong to no call."""
        return list(self._peer.strays)

    def close(self) -> int:
        """End the server and every thread, and return the server's exit status."""
        with self._lock:
            if not self._closed:
                self._loop.call_soon_threadsafe(self._leave.set)
            self._closed = True
        self._thread.join()
        return self._child.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
