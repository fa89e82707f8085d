"""The ways in which the same bytes can be sent: whole, apart, byte by byte, slowly.

One rule: a delivery changes when bytes are written, and never which ones. (A
``stderr-flood`` comes before the case and is not part of it.)
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from rpclab.conformance.cases.server import Pause, Payload, SendItem
from rpclab.framing import FRAMINGS, Framing

CUT_SECONDS: Final = 0.02
SLOW_SECONDS: Final = 0.05
APART_SECONDS: Final = 0.2
RACES: Final = 5
"""How often ``joined`` is tried where a case is also sent ``apart``: a race may go well."""

FLOOD: Final = b'{"jsonrpc":"2.0","method":"boom"}'
FLOOD_TIMES: Final = 300
_MOST_PIECES: Final = 4096
"""A longer chunk is not sent byte by byte, which would take too long."""

Chunk: TypeAlias = bytes | Pause
"""One write, or a pause. The end of a case's own pause is marked in what came."""


class Cut(Pause):
    """A pause that the delivery makes; the case has none there."""


class Turn(Cut):
    """A pause that is over as soon as a response comes."""


def tries(deliveries: Sequence[str]) -> Iterator[str]:
    """Yield each delivery as often as it is tried.

    >>> list(tries(["apart", "joined"]))
    ['apart', 'joined', 'joined', 'joined', 'joined', 'joined']
    """
    for delivery in deliveries:
        is_race = delivery == "joined" and "apart" in deliveries
        yield from [delivery] * (RACES if is_race else 1)


def plan(pieces: Sequence[SendItem], framing: str, delivery: str = "whole") -> list[Chunk]:
    r"""Return what is written, and when.

    >>> plan([Payload(b"{}"), Payload(b"[]")], "newline", "joined")
    [b'{}\n[]\n']
    """
    marks: Framing = FRAMINGS[framing]()
    chunks = [_frame(piece, marks) for piece in pieces]
    match delivery:
        case "joined":
            return _joined(chunks)
        case "apart":
            return _apart(chunks)
        case "bytes":
            return [part for chunk in chunks for part in _bytes(chunk)]
        case "cut-utf8":
            return [part for chunk in chunks for part in _cut(chunk)]
        case "slow":
            return [part for chunk in chunks for part in _slow(chunk)]
        case "stderr-flood":
            return [marks.wrap(FLOOD) * FLOOD_TIMES, *chunks]
    return chunks


def _frame(piece: SendItem, marks: Framing) -> Chunk:
    if isinstance(piece, Pause):
        return piece
    return marks.wrap(piece.data) if isinstance(piece, Payload) else piece.data


def _joined(chunks: list[Chunk]) -> list[Chunk]:
    joined: list[Chunk] = []
    for chunk in chunks:
        if joined and isinstance(chunk, bytes) and isinstance(joined[-1], bytes):
            joined[-1] += chunk
        else:
            joined.append(chunk)
    return joined


def _apart(chunks: list[Chunk]) -> list[Chunk]:
    apart = [part for chunk in chunks for part in (chunk, Turn(APART_SECONDS))]
    return apart[:-1]


def _bytes(chunk: Chunk) -> Iterator[Chunk]:
    if isinstance(chunk, Pause) or len(chunk) > _MOST_PIECES:
        yield chunk
    else:
        yield from (chunk[i : i + 1] for i in range(len(chunk)))


def _cut(chunk: Chunk) -> Iterator[Chunk]:
    """Cut before each byte that continues a character."""
    if isinstance(chunk, Pause):
        yield chunk
        return
    start = 0
    for place, byte in enumerate(chunk):
        if byte & 0b1100_0000 == 0b1000_0000:
            yield chunk[start:place]
            yield Cut(CUT_SECONDS)
            start = place
    yield chunk[start:]


def _slow(chunk: Chunk) -> Iterator[Chunk]:
    if isinstance(chunk, Pause):
        yield chunk
        return
    third = max(1, len(chunk) // 3)
    for start, end in ((0, third), (third, 2 * third), (2 * third, len(chunk))):
        yield chunk[start:end]
        yield Cut(SLOW_SECONDS)


def sent_bytes(chunks: Sequence[Chunk]) -> bytes:
    """Return everything that a plan writes."""
    return b"".join(chunk for chunk in chunks if isinstance(chunk, bytes))
