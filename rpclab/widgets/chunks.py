"""The chunk slider: cut a byte stream anywhere, and see what framing makes of it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import ipywidgets as w

from rpclab.framing import NewlineFraming, Payload
from rpclab.widgets import rows, strings, theme
from rpclab.widgets.base import Widget


class Piece(NamedTuple):
    """One chunk, the payloads that it completes, and how many bytes wait after it."""

    chunk: bytes
    payloads: list[Payload]
    waiting: int


@dataclass(frozen=True, repr=False, slots=True)
class Cutting:
    """What framing gives for each chunk of a stream, and for its end."""

    pieces: tuple[Piece, ...]

    @property
    def payloads(self) -> list[Payload]:
        """All payloads, in order."""
        return [payload for piece in self.pieces for payload in piece.payloads]

    def __repr__(self) -> str:
        """Say what each chunk gives."""
        return "\n".join(
            f"{name_piece(number, piece)}\n   {say_payloads(piece)}; {say_waiting(piece)}"
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
        pieces.append(Piece(stream[start:end], framing.feed(stream[start:end]), waiting))
    return Cutting((*pieces, Piece(b"", framing.feed(b""), 0)))


def name_piece(number: int, piece: Piece) -> str:
    """Name a chunk by its number and its bytes."""
    return strings.CHUNK.format(number=number, chunk=piece.chunk) if piece.chunk else strings.END


def say_payloads(piece: Piece) -> str:
    """Say what a chunk completes."""
    lines = ", ".join(map(repr, piece.payloads)) or strings.NO_PAYLOAD
    return strings.COMPLETES.format(lines=lines)


def say_waiting(piece: Piece) -> str:
    """Say how many bytes wait for their newline."""
    return strings.WAITING.format(count=piece.waiting)


def say_place(stream: bytes, place: int) -> str:
    """Say whether a cut is between two characters or inside one (UTF-8)."""
    inside = 0 < place < len(stream) and stream[place] & 0xC0 == 0x80
    return strings.CUT_INSIDE if inside else strings.CUT_BETWEEN


class ChunkSlider(Widget):
    """A stream of bytes, and a slider that cuts it in two."""

    def __init__(self) -> None:
        names = [(name, text.encode()) for name, text in strings.STREAMS]
        self._stream = w.Dropdown(options=names, description=strings.STREAM)
        self._place = w.IntSlider(
            value=0,
            min=0,
            max=len(self._stream.value),
            description=strings.CUT_AT,
            layout=w.Layout(width="98%"),
        )
        self._place.style.description_width = "initial"
        self._shown = w.HTML()
        self._stream.observe(self.guarded(lambda _: self._fit()), "value")
        self._place.observe(self.guarded(lambda change: self.cut(change.new)), "value")
        super().__init__(self._stream, self._place, self._shown)
        for name, part in (
            ("stream", self._stream),
            ("cut", self._place),
            ("cut-shown", self._shown),
        ):
            part.add_class(f"rpclab-{name}")
        self._place.value = strings.FIRST_CUT

    def cut(self, place: int) -> Cutting:
        """Do what the slider does: cut the stream before this byte."""
        self._place.value = place
        cutting = cut_stream(self.stream, place)
        picture = draw_bytes(self.stream, place)
        place_said = f"<p>{rows.text(say_place(self.stream, place))}</p>"
        self._shown.value = (
            f'<div style="{theme.TEXT}">{picture}{place_said}{as_table(cutting)}</div>'
        )
        return cutting

    @property
    def stream(self) -> bytes:
        """The bytes that are cut."""
        return bytes(self._stream.value)

    def _fit(self) -> None:
        self._place.max = len(self.stream)
        self.cut(min(self._place.value, len(self.stream)))


def as_table(cutting: Cutting) -> str:
    """Show what each chunk gives, as a table."""
    return rows.table(
        strings.CUT_COLUMNS,
        [
            (
                rows.code(name_piece(number, piece)),
                rows.code(", ".join(map(repr, piece.payloads)) or strings.NO_PAYLOAD),
                rows.text(str(piece.waiting)),
            )
            for number, piece in enumerate(cutting.pieces, start=1)
        ],
    )


def draw_bytes(stream: bytes, place: int) -> str:
    """Draw the bytes, one box each, with a bar where the stream is cut."""
    boxes = [_box(byte, cut=0 < at == place) for at, byte in enumerate(stream)]
    style = f"display:flex;flex-wrap:wrap;row-gap:4px;{theme.MONO}"
    return f'<div class="rpclab-bytes" aria-hidden="true" style="{style}">{"".join(boxes)}</div>'


def _box(byte: int, *, cut: bool) -> str:
    seen = chr(byte) if 0x20 < byte < 0x7F else f"{byte:02X}"
    bar = f"border-left:4px solid {theme.VERDICT['broken']};margin-left:8px" if cut else ""
    under = "" if len(seen) == 1 else f"border-bottom:3px solid {theme.LINE};margin:0 2px;"
    return f'<span style="padding:0 1px;{under}{bar}">{rows.text(seen)}</span>'
