"""A server that we start, and calls to it that wait for their reply.

A client is a peer on an event loop in a thread of its own. So it works where
there is no loop, and in a notebook, where one is running already. It needs
threads and processes, so it does not run in Pyodide.

Interface:
  - a context manager: leaving it ends the server and every thread
  - any thread may call; ``on_progress`` is called in the thread that waits
  - the handler runs in threads, so it may wait, and may call the server; calls
    that come close together may be handled in any order
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
from rpclab.peer.child import Child
from rpclab.peer.dialects import DialectName, choose_dialect
from rpclab.peer.flow import PeerGone
from rpclab.peer.outgoing import NewCall, OnProgress, Replies
from rpclab.peer.peer import Peer
from rpclab.peer.pending import Stray
from rpclab.peer.program import Environment, Folder
from rpclab.peer.thread_transport import ThreadTransport
from rpclab.transport import FramedTransport

_THREADS: Final = 64  # handlers at once, so also how deep calls may nest
_DONE: Final = object()

MOMENT: Final = 1.0
"""How many seconds a server that has closed its stdout is given to end."""


class ServerGone(PeerGone):
    """The server has ended, or has closed its stdout.

    ``status`` is its exit status, or None if it still runs; ``stderr_tail``
    is the end of what it wrote to stderr.
    """

    def __init__(self, status: int | None, stderr_tail: str) -> None:
        how = "closed its stdout" if status is None else f"ended with exit status {status}"
        words = f"; the end of its stderr:\n{stderr_tail}" if stderr_tail else ""
        super().__init__(f"the server {how}{words}")
        self.status = status
        self.stderr_tail = stderr_tail


class Client:
    """A running server. ``Client.start`` makes one."""

    def __init__(
        self, child: Child, framing: Framing, handler: Handler | None, dialect: DialectName
    ) -> None:
        self._child = child
        self._wire = FramedTransport(child.stdout, child.stdin, framing)
        self._handler = handler
        self._lock, self._closed = threading.Lock(), False
        self._ready: Future[tuple[Peer, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(
            target=asyncio.run, args=[self._run_peer(dialect)], daemon=True
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
        env: Environment | None = None,
        cwd: Folder | None = None,
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
            env: variables for the server, added to ours; None takes one away.
            cwd: the folder that it starts in; ours, unless told otherwise.

        Raises:
            OSError: the program cannot be started; the text is a sentence that says why.
            ValueError: there is no such dialect, or it is given by both names.
        """
        chosen = choose_dialect(dialect, cancel)  # before the server runs
        child = Child(command, grace, env=env, cwd=cwd)
        return cls(child, framing or NewlineFraming(), handler, chosen.name)

    async def _run_peer(self, dialect: DialectName) -> None:
        """Be a peer until the client is closed."""
        loop, leave = asyncio.get_running_loop(), asyncio.Event()
        loop.set_default_executor(ThreadPoolExecutor(_THREADS, "rpclab handler"))
        transport = ThreadTransport(self._wire)
        handler = self._handle if self._handler else None
        async with Peer(transport, handler, dialect=dialect, limit=_THREADS) as peer:
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

    def call(
        self,
        method: str,
        params: Params = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
        extend: bool = False,
    ) -> Json:
        """Call a method of the server, and wait for its result.

        An exception while it waits, such as ``KeyboardInterrupt`` or one from
        ``on_progress``, cancels the call. Arguments are as in ``Peer.call``.

        Raises:
            JsonRpcError: the server replied with an error.
            InvalidResponse: the server's reply is not a valid response.
            TimeoutError: the time is over.
            ServerGone: the server has ended.
        """
        heard: SimpleQueue[Json] = SimpleQueue()
        call = self._peer.call(
            method,
            params,
            timeout=timeout,
            on_progress=heard.put if on_progress else None,
            extend=extend,
        )
        return self._wait_for(call, heard, on_progress)

    def batch(self, calls: Sequence[NewCall], *, timeout: float | None = None) -> Replies:
        """Send calls as one batch, and return their responses in the order of the calls."""
        replies: Replies = self._wait_for(self._peer.batch(calls, timeout=timeout))
        return replies

    def notify(self, method: str, params: Params = None) -> None:
        """Send a notification."""
        self._wait_for(self._peer.notify(method, params))

    def _wait_for(
        self,
        action: Coroutine[Any, Any, Any],
        heard: SimpleQueue[Json] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Any:
        with self._lock:  # after the last turn of the loop nothing would run it
            if self._closed:
                action.close()
                raise self._gone()
            future = asyncio.run_coroutine_threadsafe(action, self._loop)
        try:
            if heard and on_progress:
                future.add_done_callback(lambda _: heard.put(_DONE))
                for value in iter(heard.get, _DONE):
                    on_progress(value)
            return future.result()
        except PeerGone as error:
            raise self._gone() from error
        finally:
            future.cancel()  # does nothing if it has ended

    def _gone(self) -> ServerGone:
        return ServerGone(self._child.wait(MOMENT), self.stderr_tail)

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
