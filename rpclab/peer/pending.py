"""Our calls that wait for a reply, and what each reply settles.

A reply settles a call by its id alone: not by its place in the stream, and
never twice. A reply that settles nothing is a stray, with the reason why.
Source: JSON-RPC 2.0, sections 5 and 6.

Interface:
  - make one table for a connection: the other peer counts its own ids
  - ``next_id``, then ``open``, then ``settle`` with what came
  - ``give_up`` a call that timed out or was cancelled: its reply is late then
"""

from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from rpclab.codec import encode
from rpclab.errors import InvalidResponse
from rpclab.messages import ErrorResponse, Id, Json, Response
from rpclab.parsing import VERSION, read_response, readable_id

LATE: Final = "late: its call was given up"
DUPLICATE: Final = "duplicate: its call ended before"
OTHER_TYPE: Final = "the id of a call, but of another type"
UNKNOWN: Final = "no call had this id"
UNCORRELATED: Final = "an error that names no call"

_REMEMBERED: Final = 1000
_SHOWN: Final = 400
_DIGITS: Final = 20
_NUMBERS: Final = (int, float)

Entry = TypeVar("Entry")


class Settled(NamedTuple, Generic[Entry]):
    """One call has ended: its entry, and its response, even an invalid one."""

    entry: Entry
    response: Response | InvalidResponse


class Stray(NamedTuple):
    """Something that came and settles no call: the reason, and the value as it came."""

    reason: str
    value: Json


Settlement: TypeAlias = Settled[Entry] | Stray


class Pending(Generic[Entry]):
    """The calls of one side of one connection.

    >>> pending = Pending()
    >>> pending.open({pending.next_id(): "the call"})
    >>> pending.settle({"jsonrpc": "2.0", "result": 19, "id": 1})
    [Settled(entry='the call', response=SuccessResponse(result=19, id=1))]
    >>> pending.settle({"jsonrpc": "2.0", "result": 19, "id": 1})[0].reason
    'duplicate: its call ended before'

    Args:
        first: the first id.
    """

    def __init__(self, first: int = 1) -> None:
        self._first = self._next = first
        self._open: dict[float, Entry] = {}
        self._batches: list[list[int]] = []
        self._given_up: dict[float, None] = {}  # in order, so that the oldest is forgotten
        self._answered: float = first - 1  # the highest id that had a reply

    def next_id(self) -> int:
        """Return an id that no call had before."""
        self._next += 1
        return self._next - 1

    def open(self, entries: dict[int, Entry], as_batch: bool = False) -> None:
        """Wait for the replies to calls, and keep an entry for each.

        One error without an id can settle all the calls of a batch.
        """
        for id, entry in entries.items():
            self._open[id] = entry
        if as_batch:
            self._batches = [*filter(self._is_whole, self._batches), list(entries)]

    def _is_whole(self, ids: list[int]) -> bool:
        return bool(ids) and all(id in self._open for id in ids)

    def get(self, id: Json) -> Entry | None:
        """Return the entry of a pending call. Numbers are compared by value."""
        return self._open.get(id) if _can_be_ours(id) else None

    def has_used(self, id: Json) -> bool:
        """Return whether one of our calls has, or had, this id."""
        return _can_be_ours(id) and self._first <= id < self._next and id == int(id)

    def give_up(self, id: int) -> bool:
        """Stop waiting for a reply, and return whether the call was still pending."""
        if id not in self._open:
            return False
        del self._open[id]
        self._given_up[id] = None
        if len(self._given_up) > _REMEMBERED:
            del self._given_up[next(iter(self._given_up))]
        return True

    def settle(self, value: Json, *, alone: bool = True) -> list[Settlement[Entry]]:
        """Return which calls a response settles, valid or not. Never raises.

        Only an error that came ``alone``, not in an array, can mean a batch.
        """
        try:
            response: Response | InvalidResponse = read_response(value)
        except InvalidResponse as error:
            response = InvalidResponse(f"{error}, not {show(value)}")
        id = readable_id(value)
        if id in self._open:
            self._answered = max(self._answered, id)
            return [Settled(self._open.pop(id), response)]
        if id is None and _is_refusal(value):
            refusal = _read_refusal(value, response)
            if alone and (batch := self._find_refused_batch()):
                return [Settled(self._open.pop(id), refusal) for id in batch]
            if isinstance(refusal, ErrorResponse):
                return [Stray(UNCORRELATED, value)]
        if isinstance(response, InvalidResponse):
            return [Stray(str(response), value)]
        return [Stray(self._reason(id), value)]

    def _find_refused_batch(self) -> list[int]:
        """Return the calls of the batch that an error without an id means.

        A peer that cannot read a message says so before it answers what comes
        after that message. So the error means something that was sent after the
        last message with a reply, if there is anything. It must be one batch.
        """
        waiting = {*self._open, *self._given_up}
        meant = {id for id in waiting if id > self._answered} or waiting
        return next((ids for ids in self._batches if self._is_whole(ids) and meant == {*ids}), [])

    def _reason(self, id: Id) -> str:
        if id in self._given_up:
            del self._given_up[id]  # the next one is a duplicate
            self._answered = max(self._answered, id)
            return LATE
        if self.has_used(id):
            return DUPLICATE
        return UNKNOWN if self.get_mistyped(id) is None else OTHER_TYPE

    def get_mistyped(self, id: Id) -> Entry | None:
        """Return the entry whose id differs only in type: 1 for ``"1"``."""
        if isinstance(id, str) and id.isdecimal() and len(id) < _DIGITS:
            return self.get(int(id))
        return None

    def close(self) -> list[Entry]:
        """Return all that is pending, and stop waiting for it: the stream has ended."""
        entries = list(self._open.values())
        self._open.clear()
        return entries


def _is_refusal(value: Json) -> bool:
    """Tell whether a value was meant as an error, also in the form of JSON-RPC 1.0."""
    return type(value) is dict and value.get("error") is not None and value.get("result") is None


def _read_refusal(value: Json, response: Response | InvalidResponse) -> Response | InvalidResponse:
    """Read an error that may be without an id, or in the form of JSON-RPC 1.0."""
    try:
        return read_response({"jsonrpc": VERSION, "error": value["error"], "id": None})
    except InvalidResponse:
        return response


def show(value: Json) -> str:
    """Write the beginning of a value for people, on one line.

    >>> show({"error": "nope"})
    '{"error":"nope"}'
    """
    try:
        return (escape(value[:_SHOWN]) if isinstance(value, str) else encode(value))[:_SHOWN]
    except RecursionError:
        return "a value that is nested too deeply"


def escape(text: str) -> str:
    r"""Write what could move a cursor, or cannot be printed, as an escape.

    >>> escape("\x1b[2Jbusy")
    '\\x1b[2Jbusy'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def _can_be_ours(id: Json) -> bool:
    return type(id) in _NUMBERS
