"""What can be judged: a target takes a script, and returns what it observed.

One rule: a target knows no clause and no verdict. ``command`` is a program on
pipes, ``in_process`` a function, and a client under test is told what to do and
meets a ``scripted_server``. Here is what they share: a ``Script``, an
``Observation``, and the good request that proves that a server still works.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from rpclab.codec import encode
from rpclab.conformance.cases.server import SendItem
from rpclab.conformance.comparison import read_payload
from rpclab.errors import FramingError
from rpclab.messages import Json

DEADLINE: Final = 5.0
"""How many seconds a target has for one case, unless the run says otherwise."""

STARTUP: Final = 30.0
"""How many seconds a process has to start and to answer a first request."""

PATIENCE: Final = 12
"""How many tries of cases may hang, before no more are tried. A hang is tried twice."""

UNKNOWN: Final = "rpclab.there-is-no-such-method"
_FIRST_ID: Final = 700_001  # far from the ids of cases, and within 32 bits

Came: TypeAlias = bytes | FramingError | Literal["<pause>"]
State: TypeAlias = Literal["alive", "ends", "hangs", "floods", "absent", "mute", "spent"]
"""What became of the target. In three states the case was not tried at all: ``absent`` cannot
be started, ``mute`` never answered a good request, ``spent`` hung too often."""

NEVER_WORKED: Final[tuple[State, ...]] = ("absent", "mute")
UNASKED: Final[tuple[State, ...]] = (*NEVER_WORKED, "spent")


def nothing_is_missing(_: Sequence[Came]) -> bool:
    """Return True: the ``enough`` of a script that waits for nothing more."""
    return True


class Pace(NamedTuple):
    """How much time a case has.

    Args:
        slack: multiplies the deadline, and the wait for what is missing.
        pauses: multiplies the pauses in what is sent.
        fresh: whether it gets a process that did nothing else.
    """

    slack: float = 1.0
    pauses: float = 1.0
    fresh: bool = False


USUAL: Final = Pace()
PATIENT: Final = Pace(slack=3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What is done to a target: one case, in one delivery.

    ``enough`` tells whether what came so far can be everything. If it is not,
    the target waits a little longer. ``pace`` is for a case that is tried again.
    """

    pieces: tuple[SendItem, ...]
    delivery: str = "whole"
    isolated: bool = False
    end: str = ""
    reads_late: bool = False
    deadline: float = 0.0
    pace: Pace = USUAL
    enough: Callable[[Sequence[Came]], bool] = nothing_is_missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What came, and what became of the target.

    ``state`` is ``alive`` if all went well: the good request was answered, or the
    session ended by itself after the script had ended it. ``timed_out`` says that
    something was waited for in vain: more time might have shown more.
    """

    state: State
    came: tuple[Came, ...] = ()
    sent: bytes = b""
    raw: bytes = field(default=b"", repr=False)
    status: int | None = None
    stderr: str = ""
    note: str = ""
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class ClientObservation:
    """What a client under test said, and what it wrote to its server."""

    said: Observation
    wrote: tuple[bytes, ...]


class Target(Protocol):
    """A server that can be judged."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def framing(self) -> str:
        """How it separates messages."""

    @property
    def revision(self) -> str:
        """The revision that its handshake agreed on, or "" if there was none."""

    def exchange(self, script: Script) -> Observation:
        """Play a script. It never raises because of what the target does."""

    def close(self) -> None:
        """End it, and everything that it started."""


def preflight(target: Target) -> Observation:
    """Start a target and see whether it works, before any case is put to it.

    If its state is one of ``NEVER_WORKED``, the ``note`` says why no case can be judged.
    """
    return target.exchange(Script(pieces=()))


def find_revision(came: Sequence[Came]) -> str:
    """Return the revision that a reply to a handshake names, or "".

    >>> find_revision([b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}'])
    '2025-06-18'
    """
    for payload in came:
        match read_payload(payload):
            case {"result": {"protocolVersion": str(revision)}}:
                return revision
    return ""


@dataclass(slots=True)
class ProofOfLife:
    """Good requests to one target: each reply proves life, and silence before it.

    A target may have a defect in its ids, so a reply is recognised by its id or by
    its result. Every later reply must be like the first one.
    """

    method: str = "echo"
    id: int = _FIRST_ID
    usual: Json = None
    seen: Json = field(default=None, init=False)

    def request(self) -> bytes:
        """Return the next good request."""
        self.id += 1
        call = {"jsonrpc": "2.0", "method": self.method, "params": self._params, "id": self.id}
        return encode(call).encode()

    @property
    def _params(self) -> Json:
        return {"alive": self.id}

    def find(self, came: list[Came], start: int = 0) -> bool:
        """Look for the reply. If it is the usual one, remove it from what came."""
        for place in range(start, len(came)):
            value = read_payload(came[place])
            members = value if isinstance(value, list) else [value]
            if reply := next((member for member in members if self._is_reply(member)), None):
                self.seen = reply
                if self.usual is None or _kind(reply) == self.usual:
                    del came[place]
                return True
        return False

    def _is_reply(self, value: Json) -> bool:
        if not isinstance(value, dict) or "method" in value:
            return False
        return value.get("result") == self._params or str(value.get("id")) == str(self.id)

    def settle(self) -> bool:
        """Take the first reply as the usual one; return whether to try another method."""
        if self.method != UNKNOWN and "result" not in self.seen:
            self.method = UNKNOWN
            return True
        self.usual = _kind(self.seen)
        return False


def _kind(reply: Json) -> Json:
    """Return what is the same in every reply to a good request."""
    error = reply.get("error")
    return ["error", error.get("code")] if isinstance(error, dict) else sorted(reply)
