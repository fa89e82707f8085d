"""A terminal between us and a server sends back every line that is written to it.

So does ``docker run -t``. The lines look like calls of the server, and like
replies to our own calls, but the server has not written them. They can be told
apart: what comes through a terminal ends in CR LF, and our own lines end in LF.
A server may send the same bytes as we do, so this line end is what counts.

Interface:
  - one thread may wrap while another one feeds
"""

import threading
from collections import deque
from typing import Final

from rpclab.errors import FramingError
from rpclab.framing import Framing, Payload

ECHO: Final = (
    "a terminal sends back every line that is written to it, and these lines are dropped; "
    "start the server without a terminal, for example with docker run -i and without -t"
)

_REMEMBERED: Final = 1000
_LONGEST: Final = 4096
"""A terminal takes no longer line, so it sends none back."""


class EchoFilter:
    r"""A newline framing that drops the lines which a terminal sends back.

    This is reported once. It stops looking for them at the first message that
    ends in a bare LF: then there is no terminal.

    >>> from rpclab.framing import NewlineFraming
    >>> framing = EchoFilter(NewlineFraming())
    >>> framing.wrap(b'{"id":1}')
    b'{"id":1}\n'
    >>> framing.feed(b'{"id":1}\r\n{"id":2}\r\n')[1:]
    [b'{"id":2}']
    """

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._lock = threading.Lock()
        self._sent: deque[int] = deque(maxlen=_REMEMBERED)  # hashes, so that long lines cost little
        self._rest = b""
        self._is_watching, self._is_reported = True, False

    def wrap(self, payload: bytes) -> bytes:
        """Put a newline after one payload, and remember it while it may come back."""
        if self._is_watching:
            with self._lock:
                self._sent.append(hash(payload))
        return self._framing.wrap(payload)

    def feed(self, chunk: bytes) -> list[Payload]:
        """Return the lines that this chunk completes and that the server has written."""
        if not self._is_watching:
            return self._framing.feed(chunk)
        if not chunk:
            rest, self._rest = self._rest, b""
            return [*self._pass_on(rest), *self._framing.feed(b"")]
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        was_reported = self._is_reported
        kept = b"".join(line + b"\n" for line in lines if not self._is_echo(line))
        if not self._is_watching or len(self._rest) > _LONGEST:
            kept, self._rest = kept + self._rest, b""
        report = [FramingError(ECHO)] if self._is_reported > was_reported else []
        return [*report, *self._pass_on(kept)]

    def _pass_on(self, lines: bytes) -> list[Payload]:
        return self._framing.feed(lines) if lines else []  # nothing would mean the end

    def _is_echo(self, line: bytes) -> bool:
        if not self._is_watching:
            return False
        if not line.endswith(b"\r"):
            self._is_watching = not line.lstrip().startswith((b"{", b"["))
            return False
        key = hash(line[:-1])
        with self._lock:
            if key not in self._sent:
                return False
            while self._sent.popleft() != key:
                pass  # those before it came back in another form, or not at all
        self._is_reported = True
        return True
