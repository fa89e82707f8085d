"""One server, the lines that go to it, and all that it says, as it comes.

Lines, payloads, stderr and time limits are events. One loop takes them in turn,
so what is shown is in order, and nobody waits for anybody: a line is sent when it
is read, and a reply is shown when it comes.

Interface:
  - ``say`` may be called by any thread, and ``leave`` by a signal handler, also before ``run``
  - ``run`` once; it returns the exit status. The caller stops the child.
"""

import asyncio
import io
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from rpclab.cli.send import transcript
from rpclab.cli.send.due_replies import Due, DueReplies
from rpclab.cli.send.ending import Farewell, find_address, judge_end, judge_hang_up
from rpclab.cli.send.faults import describe_fault
from rpclab.cli.send.method_names import KnownNames
from rpclab.cli.send.server_requests import NOT_FOUND, Choice, Rules, read_choice
from rpclab.framing import FRAMINGS, Framing, NewlineFraming, Payload
from rpclab.messages import Request
from rpclab.peer.child import Child
from rpclab.peer.pending import LATE
from rpclab.peer.terminal_echo import EchoFilter
from rpclab.peer.thread_transport import ThreadTransport
from rpclab.transport import FramedTransport

SILENT_SECONDS: Final = 0.3
"""How long to listen when no reply is due: a wrong server may send one anyway."""

GRACE: Final = 1.0
"""How many seconds a server has to end once its stdin is closed."""

_LONGEST_NOISE: Final = 1000
_MOMENT: Final = 1.0  # between the end of its stdout and its own end


class Asked(NamedTuple):
    """Requests of the server, from one payload, that wait for an answer."""

    requests: Sequence[Request]
    is_batch: bool

    def __str__(self) -> str:
        """Return the name of what is asked."""
        return self.requests[0].method


class OnlyWritten:
    """The framing of a stream from which nothing is read."""

    def __init__(self, framing: Framing) -> None:
        self.wrap = framing.wrap

    def feed(self, chunk: bytes) -> list[Payload]:
        """Return no payloads."""
        return []


class Session:
    """A conversation with one server.

    Args:
        framing: the name of the framing.
        profile: whose rules the server's messages are judged by.
        rules: what the server's requests are answered with.
        wait: how many seconds each reply may take.
        asks: whether somebody can be asked where no rule holds.
    """

    def __init__(
        self, framing: str, profile: str, rules: Rules, wait: float, *, asks: bool
    ) -> None:
        self._framing, self._profile, self._rules = framing, profile, rules
        self._wait, self._asks = wait, asks
        self._replies, self._farewell = DueReplies(), Farewell()
        self.names = KnownNames(profile.partition("@")[0])
        self.asked: deque[Asked] = deque()
        self._said: deque[bytes] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._events: asyncio.Queue[Callable[[], object]] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._typed_out = self._listens_longer = self._hangs_up = self._over = False
        self._expects_silence, self._is_right = False, True
        self._noise: deque[str] = deque(maxlen=50)  # what it printed on stdout
        self._told_words = ""

    # --- events -------------------------------------------------------------------

    def say(self, line: bytes) -> None:
        """Take a line of the server's stderr. Any thread may call this."""
        self._said.append(line)
        if self._loop:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._post, self._show_said)

    def leave(self, status: int) -> None:
        """End with an exit status, once what is being shown is complete.

        A signal handler may call this.
        """
        if not self._loop:
            sys.exit(status)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._post, sys.exit, status)

    def _post(self, event: Callable[..., object], *arguments: Any) -> None:
        self._events.put_nowait(lambda: event(*arguments))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task. Its failure is raised where events are taken."""
        task = asyncio.create_task(work)
        task.add_done_callback(self._take_failure)
        self._tasks.append(task)
        return task

    def _take_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self._post(task.result)

    async def run(self, child: Child, lines: AsyncIterator[Payload]) -> int:
        """Send lines and show what comes until both are done; return the exit status."""
        self._loop = asyncio.get_running_loop()
        self._child = child
        framing: Framing = FRAMINGS[self._framing]()
        if isinstance(framing, NewlineFraming):
            framing = EchoFilter(framing)
        # Two transports: one is closed while the other still listens.
        from_server = FramedTransport(child.stdout, io.BytesIO(), framing)
        to_server = FramedTransport(io.BytesIO(), child.stdin, OnlyWritten(framing))
        self._source, self._sink = ThreadTransport(from_server), ThreadTransport(to_server)
        self._post(self._show_said)
        self._listening = self._start(self._listen())
        self._start(self._watch())
        typing = self._start(self._type(lines))
        try:
            while not self._over or not self._events.empty():
                event = await self._events.get()
                event()
                self._events.task_done()
                if self._has_nothing_to_do and not self._hangs_up:
                    self._hangs_up = True
                    self._start(self._hang_up())
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait([typing])  # it gives the terminal back
        return 0 if self._is_right else 1

    @property
    def _has_nothing_to_do(self) -> bool:
        return self._typed_out and not self._listens_longer and not self._replies.open

    async def _listen(self) -> None:
        while payloads := await self._source.read():
            for payload in payloads:
                self._post(self._hear, payload)

    async def _type(self, lines: AsyncIterator[Payload]) -> None:
        async for line in lines:
            self._post(self._send, line)
            await self._events.join()
            try:
                await asyncio.wait_for(self._sink.drain(), self._wait)
            except TimeoutError:
                self._post(self._fail, f"The server has read nothing for {self._wait:g} s.")
                break
        self._post(self._end_typing)

    async def _watch(self) -> None:
        """Wait for the end of the server, or of its stdout."""
        await asyncio.wait([self._listening])
        status = await asyncio.to_thread(self._child.wait, _MOMENT)  # and its last words
        self._post(self._end, status)

    async def _hang_up(self) -> None:
        """Close the server's stdin, and give it time to end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._sink.close(), GRACE)
        self._child.hang_up(GRACE)
        if await asyncio.to_thread(self._child.wait, GRACE) is None:
            self._post(self._end, None)

    # --- lines to the server --------------------------------------------------------

    def _send(self, line: Payload) -> None:
        """Send a line, or answer with it what the server asked."""
        if not isinstance(line, bytes):
            self._fail(f"Not sent: {line}.")
            return
        if self.asked:
            with suppress(ValueError):  # any other line is sent as it is
                self._answer(self.asked[0], read_choice(line.decode(errors="replace")))
                self.asked.popleft()
                return
        transcript.show_sent(line)
        self._sink.write(line)
        self._farewell.note(line)
        self.names.learn(line)
        due = self._replies.sent(line)
        if due:
            self._after(self._wait, self._give_up, due)
        else:
            transcript.show_no_reply_due(line)
        self._expects_silence = not due

    def _after(self, seconds: float, event: Callable[..., object], *arguments: Any) -> None:
        assert self._loop
        self._loop.call_later(seconds, self._post, event, *arguments)

    def _end_typing(self) -> None:
        """Note that there are no more lines. A reply that nobody asked for may still come."""
        self._typed_out = True
        must_end = self._farewell.exit and self._framing == "content-length"  # as LSP servers do
        if must_end or self._expects_silence:
            self._listens_longer = True
            self._after(self._wait if must_end else SILENT_SECONDS, self._stop_listening)

    def _stop_listening(self) -> None:
        self._listens_longer = False

    def _give_up(self, due: Sequence[Due]) -> None:
        """Say that the time for some replies is over, and why that may be."""
        late = self._replies.give_up(due)
        for one in late:
            transcript.show_silence(f"no reply to {one} after {self._wait:g} s, though one is due")
        if late:
            self._is_right = False
            self._show_cause()

    def _show_cause(self) -> None:
        """Show what a silent server said last on stderr, and what its words may mean."""
        stderr = self._child.stderr_tail
        words = "\n".join([stderr, *self._noise])
        if words == self._told_words:
            return
        self._told_words = words
        transcript.show_last_words(stderr)
        if address := find_address(words):
            transcript.show_note(
                f"It seems to listen on {address}, and not to read its stdin. Look for its"
                " option for stdio, such as --stdio or --transport stdio."
            )

    def _fail(self, sentence: str) -> None:
        self._is_right = False
        transcript.show_failure(sentence)

    # --- what comes from the server -------------------------------------------------

    def _show_said(self) -> None:
        while self._said:
            transcript.show_stderr(self._said.popleft())

    def _hear(self, payload: Payload) -> None:
        """Show a payload, which call it answers, and what is wrong with it."""
        heard = self._replies.received(payload)
        transcript.show_received(payload, [due.name for due in heard.settled])
        for reason in heard.strays:
            transcript.show_note(reason)
            if reason == LATE and self._hangs_up:
                transcript.show_note("It came when stdin was closed: is stdout flushed before?")
        if fault := describe_fault(payload, self._profile):
            transcript.show_note(fault)
        self.names.learn(payload)
        if isinstance(payload, bytes) and b'"jsonrpc"' not in payload:
            self._noise.append(payload[:_LONGEST_NOISE].decode(errors="replace"))
        if heard.requests:
            self._decide(Asked(heard.requests, heard.is_batch))

    def _decide(self, asked: Asked) -> None:
        """Answer by a rule, or let the person at the prompt choose."""
        choice = self._rules.choose(asked.requests)
        if choice is not None:
            self._answer(asked, choice)
        elif self._asks:
            self.asked.append(asked)
            transcript.show_note(f"The server asks for {asked}: choose an answer below.")
        else:
            transcript.show_note(f"No rule for {asked}: --answer METHOD=JSON makes one.")
            self._answer(asked, NOT_FOUND)

    def _answer(self, asked: Asked, choice: Choice) -> None:
        line = choice.reply(asked.requests, as_batch=asked.is_batch)
        if line is None:
            transcript.show_silence(f"{asked} is not answered")
        else:
            transcript.show_sent(line.encode())
            self._sink.write(line.encode())

    def _end(self, status: int | None) -> None:
        """Judge the end of the server, or that it does not end."""
        if self._over:
            return
        self._over = True
        self._show_said()
        if self._hangs_up:
            ending = judge_hang_up(status, GRACE, self._farewell)
        else:
            ending = judge_end(status, self._replies.open, self._farewell)
        self._is_right = self._is_right and ending.is_right
        if ending.says and ending.is_right:
            transcript.show_note(ending.says)
        elif ending.says:
            transcript.show_failure(ending.says)
