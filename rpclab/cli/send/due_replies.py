"""Which replies are due for the lines that were sent, and what each reply answers.

The lines may be anything, also broken ones. A reply is matched by its id. An error
without an id answers the oldest line whose id the server may not have read.
Nothing here reads, writes or waits. Source: JSON-RPC 2.0, sections 4 to 6.

Interface:
  - ``sent`` for each line to the server, ``received`` for each payload from it
  - ``give_up`` what was waited for long enough: its reply is late then
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from rpclab.codec import decode
from rpclab.dispatch import Member, unpack
from rpclab.errors import FramingError, ParseError
from rpclab.framing import Payload
from rpclab.messages import ErrorResponse, Id, Json, Request
from rpclab.parsing import looks_like_response, readable_id
from rpclab.peer.pending import DUPLICATE, LATE, OTHER_TYPE, UNCORRELATED, UNKNOWN, show

_REMEMBERED: Final = 1000
_LONGEST_NAME: Final = 60


@dataclass(eq=False, slots=True)
class Due:
    """One reply that is due: to which call, or to which broken line or member."""

    id: Id
    method: str = ""  # of a call; something broken has none

    @property
    def name(self) -> str:
        """The method, or words for what is broken."""
        return self.method or "the broken line"

    def __str__(self) -> str:
        """Return words for it, such as ``subtract (id 1)``."""
        return f"{self.method} (id {show(self.id)})" if self.method else self.name


@dataclass(slots=True)
class Heard:
    """What a payload from the server is: replies, requests, or neither.

    ``strays`` says of each reply that answers nothing why it does not.
    """

    settled: list[Due] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    is_batch: bool = False


class _Line:
    """A line that was sent, and what was due for it."""

    def __init__(self, due: Sequence[Due], *, is_batch: bool) -> None:
        self.due = due
        self.is_batch = is_batch
        self.is_whole = True  # until a member of it is answered


class DueReplies:
    """The replies that a server owes.

    >>> replies = DueReplies()
    >>> replies.sent(b'{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}')
    [Due(id=1, method='subtract')]
    >>> replies.received(b'{"jsonrpc":"2.0","result":19,"id":1}').settled
    [Due(id=1, method='subtract')]
    >>> replies.open
    []
    """

    def __init__(self) -> None:
        self._lines: dict[Due, _Line] = {}  # of each reply that is due, in the order of the calls
        self._by_id: dict[Id, list[Due]] = {}
        self._ended: dict[Id, str] = {}  # in order, so that the oldest is forgotten

    @property
    def open(self) -> list[Due]:
        """Every reply that is due, in the order of the calls."""
        return list(self._lines)

    def sent(self, line: bytes) -> list[Due]:
        """Note a line that is sent, and return the replies that are due for it."""
        members = unpack(line)
        is_batch = isinstance(members, list)
        due = list(_due_for(members if isinstance(members, list) else [members]))
        self._lines |= dict.fromkeys(due, _Line(due, is_batch=is_batch))
        for one in due:
            self._by_id.setdefault(one.id, []).append(one)
        return due

    def received(self, payload: Payload) -> Heard:
        """Note a payload that came, and return what it is."""
        if isinstance(payload, FramingError):
            return Heard()
        try:
            value = decode(payload)
        except ParseError:
            return Heard()
        heard = Heard(is_batch=type(value) is list)
        for member in value if heard.is_batch else [value]:
            if looks_like_response(member):
                self._settle(member, heard)
        members = unpack(payload)
        for member in members if isinstance(members, list) else [members]:
            if isinstance(member, Request):
                heard.requests.append(member)
        return heard

    def give_up(self, waited: Sequence[Due]) -> list[Due]:
        """Stop waiting for replies, and return those that were still due."""
        late = [due for due in waited if due in self._lines]
        for due in late:
            self._end(due, LATE)
        return late

    def _settle(self, value: Json, heard: Heard) -> None:
        """Find what a response answers."""
        id = readable_id(value)
        if id is None and "error" in value:
            found = self._find_nameless(alone=not heard.is_batch)
        else:
            found = [due for due in self._by_id.get(id, []) if due.method or id is not None]
            found = found[:1]  # the same id may have been sent twice
        for due in found:
            self._end(due, DUPLICATE)
        heard.settled += found
        if not found:
            heard.strays.append(self._reason(id))

    def _find_nameless(self, *, alone: bool) -> list[Due]:
        """Return what an error without an id answers: the oldest that it may be about.

        Alone it may be about a whole batch; as a member of a reply, about one of a batch.
        """
        for due, line in self._lines.items():
            is_unread = due.id is None or not due.method
            if alone and line.is_batch and line.is_whole:
                return list(line.due)
            if is_unread and (alone or line.is_batch):
                return [due]
        return self.open if alone and len(self._lines) == 1 else []

    def _end(self, due: Due, reason: str) -> None:
        """Stop waiting, and remember why, in case that another reply comes."""
        self._lines.pop(due).is_whole = False
        self._by_id[due.id].remove(due)
        if not self._by_id[due.id]:
            del self._by_id[due.id]
        if due.id is not None:
            self._ended[due.id] = reason
        if len(self._ended) > _REMEMBERED:
            del self._ended[next(iter(self._ended))]

    def _reason(self, id: Id) -> str:
        """Say why a response answers nothing."""
        if id is None:
            return UNCORRELATED
        if id in self._ended:
            reason, self._ended[id] = self._ended[id], DUPLICATE
            return reason
        return OTHER_TYPE if str(id) in map(str, self._by_id) else UNKNOWN


def _due_for(members: Sequence[Member]) -> Iterator[Due]:
    """Yield what is due for members. Notifications and responses are not answered."""
    for member in members:
        if isinstance(member, Request):
            yield Due(member.id, show(member.method)[:_LONGEST_NAME] or '""')
        elif isinstance(member, ErrorResponse):
            yield Due(member.id)
