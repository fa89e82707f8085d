"""The chunk slider: cut a byte stream anywhere, and see what framing makes of it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import ipywidgets as w

from rpclab.framing import NewlineFraming, Payload
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.html_parts import Html, code, table, template

FIRST_CUT: Final = 20
STREAMS: Final = (
    ("two messages", '{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}\n'),
    ("a price in euro", '{"jsonrpc":"2.0","method":"pay","params":["5 €"]}\n'),
    ("a face of four bytes", '{"jsonrpc":"2.0","method":"smile","params":["😀"]}\n'),
    ("Windows line ends", '{"jsonrpc":"2.0","method":"a"}\r\n{"jsonrpc":"2.0","method":"b"}\r\n'),
    ("blank lines", '\n \t\n{"jsonrpc":"2.0","method":"a"}\n\n'),
    ("a byte order mark", '\ufeff{"jsonrpc":"2.0","method":"a"}\n'),
    ("no newline at the end", '{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}'),
)


class StreamPiece(NamedTuple):
    """One chunk, the payloads that it completes, and how many bytes wait after it."""

    chunk: bytes
    payloads: list[Payload]
    waiting: int


@dataclass(frozen=True, repr=False, slots=True)
class Cutting:
    """What framing makes of each chunk of a stream, and of its end."""

    pieces: tuple[StreamPiece, ...]

    @property
    def payloads(self) -> list[Payload]:
        """All payloads, in order."""
        return [payload for piece in self.pieces for payload in piece.payloads]

    def __repr__(self) -> str:
        """Say what each chunk completes, and how many bytes wait."""
        return "\n".join(
            f"{name_piece(number, piece)}\n"
            f"   completes {say_payloads(piece)}; {piece.waiting} bytes wait"
            for number, piece in enumerate(self.pieces, start=1)
        )


def cut_stream(stream: bytes, *places: int) -> Cutting:
    r"""Cut a stream before the bytes at these places, and feed the chunks one by one.

    >>> cut_stream(b"[1]\n[2]\n", 6).payloads
    [b'[1]', b'[2]']
    """
    framing = NewlineFraming()
    ends = sorted({0, len(stream), *(place for place in places if 0 < place < len(stream))})
    pieces = []
    for start, end in pairwise(ends):
        waiting = end - (stream.rfind(b"\n", 0, end) + 1)
        pieces.append(StreamPiece(stream[start:end], framing.feed(stream[start:end]), waiting))
    return Cutting((*pieces, StreamPiece(b"", framing.feed(b""), 0)))


def name_piece(number: int, piece: StreamPiece) -> str:
    """Name a chunk by its number and its bytes."""
    return f"chunk {number}: {piece.chunk!r}" if piece.chunk else "end of the stream"


def say_payloads(piece: StreamPiece) -> str:
    """Say which payloads a chunk completes."""
    return ", ".join(map(repr, piece.payloads)) or "nothing"


def say_place(stream: bytes, place: int) -> str:
    """Say whether a cut is between two characters or inside one (UTF-8).

    >>> say_place("5 €".encode(), 3)
    'The cut is inside a character: neither half of it is UTF-8.'
    """
    if 0 < place < len(stream) and stream[place] & 0xC0 == 0x80:
        return "The cut is inside a character: neither half of it is UTF-8."
    return "The cut is between two characters."


class ChunkSlider(Widget):
    """A stream of bytes, and a slider that cuts it in two."""

    def __init__(self) -> None:
        names = [(name, text.encode()) for name, text in STREAMS]
        self.streams = w.Dropdown(options=names, description="Stream")
        self.place = w.IntSlider(
            value=0,
            min=0,
            max=len(self.streams.value),
            description="cut before byte",
            layout=wide(),
        )
        self.place.style.description_width = "initial"
        self.shown = w.HTML()
        self.streams.observe(self.guarded(lambda _: self._fit()), "value")
        self.place.observe(self.guarded(lambda change: self.cut(change.new)), "value")
        super().__init__(self.streams, self.place, self.shown)
        self.streams.add_class("rpclab-stream")
        self.place.add_class("rpclab-cut")
        self.shown.add_class("rpclab-cut-shown")
        self.place.value = FIRST_CUT

    def cut(self, place: int) -> Cutting:
        """Do what the slider does: cut the stream before this byte."""
        self.place.value = place
        cutting = cut_stream(self.stream, place)
        self.shown.value = _CUTTING(
            bytes=draw_bytes(self.stream, place),
            place=say_place(self.stream, place),
            pieces=show_pieces(cutting),
        )
        return cutting

    @property
    def stream(self) -> bytes:
        """The bytes that are cut."""
        return bytes(self.streams.value)

    def _fit(self) -> None:
        self.place.max = len(self.stream)
        self.cut(min(self.place.value, len(self.stream)))


_CUTTING: Final = template(
    '<div style="{{ TEXT }}">{{ bytes }}<p>{{ place }}</p>{{ pieces }}</div>'
)


def show_pieces(cutting: Cutting) -> Html:
    """Show what each chunk completes, as a table."""
    return table(
        ("chunk", "completes", "bytes that wait"),
        [
            (code(name_piece(number, piece)), code(say_payloads(piece)), str(piece.waiting))
            for number, piece in enumerate(cutting.pieces, start=1)
        ],
    )


_BYTES: Final = template("""
<div class="rpclab-bytes" aria-hidden="true"
 style="display:flex;flex-wrap:wrap;row-gap:4px;{{ MONO }}">
{% for seen in boxes %}
<span style="padding:0 1px;
{%- if seen|length > 1 %}border-bottom:3px solid {{ LINE }};margin:0 2px;{% endif %}
{% if 0 < loop.index0 == place %}
border-left:4px solid {{ VERDICT["broken"] }};margin-left:8px
{%- endif %}
">{{ seen }}</span>
{% endfor %}
</div>
""")


def draw_bytes(stream: bytes, place: int) -> Html:
    """Draw the bytes, one box each, with a bar where the stream is cut."""
    boxes = [chr(byte) if 0x20 < byte < 0x7F else f"{byte:02X}" for byte in stream]
    return _BYTES(boxes=boxes, place=place)
