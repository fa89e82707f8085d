"""What a client case takes for granted, and the order in which cases are judged.

As for servers (see ``premises``): a premise is a case of its own that is judged
first, and if it is broken, the cases that rest on it are not judged. Most follow
from what a case tells the client and what its server does; a row adds others with
``presumes``.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Final

from rpclab.conformance.cases import ClientCase
from rpclab.conformance.premises import Plan, arrange

PLAIN: Final = "client.call.plain"
"""One call, answered as it should be. No case can be judged without it."""


def always(_: ClientCase) -> bool:
    """Return True: nothing works without it."""
    return True


def waits(case: ClientCase) -> bool:
    """Tell whether the client waits for one call before it begins the next."""
    return any('"wait"' in line for line in case.calls)


def notifies(case: ClientCase) -> bool:
    """Tell whether the client sends a notification."""
    return any('"notify"' in line for line in case.calls)


def is_read(case: ClientCase) -> bool:
    """Tell whether messages are looked for in what the client wrote."""
    return bool(case.wrote)


def calls_twice(case: ClientCase) -> bool:
    """Tell whether the client makes two calls or more."""
    return sum(line.count('"call"') for line in case.calls) > 1


def has_calls_in_flight(case: ClientCase) -> bool:
    """Tell whether two calls wait for a reply at the same time."""
    reads_two = any(step.get("read", 0) > 1 for step in case.script)
    return calls_twice(case) and (reads_two or not waits(case))


def needs_json(case: ClientCase) -> bool:
    """Tell whether params are sent that another language would write in its own way."""
    return any(part in line for line in case.calls for part in ("null", "true", "\\"))


def sends_other_alphabets(case: ClientCase) -> bool:
    """Tell whether text outside ASCII is sent."""
    return not "".join(case.calls).isascii()


def hears_more_than_replies(case: ClientCase) -> bool:
    """Tell whether the server writes a message that replies to no call."""
    texts = [str(step["write"]) for step in case.script if "write" in step]
    return any("echo" in step for step in case.script) or any(
        '"<id ' not in text or '"method"' in text for text in texts
    )


def hears_two_at_once(case: ClientCase) -> bool:
    """Tell whether the server writes twice, and need not wait in between."""
    if not case.script:
        return has_calls_in_flight(case)
    wrote = [bool(step.keys() & {"write", "raw", "raw_hex"}) for step in case.script]
    has_list = any(isinstance(step.get("write"), list) for step in case.script)
    return has_list or any(one and other for one, other in pairwise(wrote))


def hears_pieces(case: ClientCase) -> bool:
    """Tell whether a message comes in several writes."""
    texts = [step["raw"] for step in case.script if "raw" in step]
    has_pieces = any(not text.endswith("\n") for text in texts)
    return has_pieces or sum("raw_hex" in step for step in case.script) > 2


def hears_null_id(case: ClientCase) -> bool:
    """Tell whether a response has null as its id."""
    return any('"id":null' in str(step.get("write", "")) for step in case.script)


def compares_messages(case: ClientCase) -> bool:
    """Tell whether the text of an error is compared."""
    return "message" in case.compare


PREMISES: Final[tuple[tuple[str, Callable[[ClientCase], bool]], ...]] = (
    ("client.line.no-newline-inside", always),
    ("client.frame.nothing-between", always),
    (PLAIN, always),
    ("client.line.flushed", waits),
    ("client.notify.no-id", notifies),
    ("client.call.version-exact", is_read),
    ("client.call.members", is_read),
    ("client.notify.not-awaited", notifies),
    ("client.mcp.id-unused", calls_twice),
    ("client.call.own-id-each", has_calls_in_flight),
    ("client.read.two-in-one-write", hears_two_at_once),
    ("client.reply.notification-between", hears_more_than_replies),
    ("client.reply.out-of-order", has_calls_in_flight),
    ("client.call.id-not-null", hears_null_id),
    ("client.line.json", needs_json),
    ("client.frame.length-in-bytes", sends_other_alphabets),
    ("client.line.utf8", sends_other_alphabets),
    ("client.read.half-a-line", hears_pieces),
    ("client.error.told", compares_messages),
)
"""The basic facts, in the order in which they are judged, and what rests on each."""

_RANKS: Final = {id: rank for rank, (id, _) in enumerate(PREMISES)}


def plan(cases: Iterable[ClientCase]) -> Plan[ClientCase]:
    """Return the cases with premises in front, and what each rests on.

    >>> from rpclab.conformance.cases import load_client_cases
    >>> plan(load_client_cases()).premises["client.line.flushed"]
    ('client.line.no-newline-inside', 'client.frame.nothing-between', 'client.call.plain')
    """
    known = {case.id: case for case in cases}
    return arrange(known, {id: _rests_on(known[id], known) for id in known}, _RANKS)


def _rests_on(case: ClientCase, known: Mapping[str, ClientCase]) -> tuple[str, ...]:
    earlier = PREMISES[: _RANKS.get(case.id, len(PREMISES))]
    named = [*(id for id, sign in earlier if sign(case)), *case.presumes]
    return tuple(id for id in named if id in known and known[id].clause != case.clause)
