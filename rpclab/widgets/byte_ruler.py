"""The byte ruler: every byte of a line, its member, and its clause."""

from pathlib import Path
from typing import Any, Final

import anywidget
import traitlets as t

from rpclab.explain import Explanation, Span
from rpclab.widgets.base_widget import describe

SIZE: Final = 512
"""How many bytes are drawn at once: a line may have a million."""

WORDS: Final = {
    "ruler": "The bytes of the line. Move with the arrow keys.",
    "hint": "Point at a byte, or press Tab and the arrow keys.",
    "empty": "There are no bytes.",
    "byte": "byte {offset}: {hex}",
    "fault": "here the grammar is left",
    "back": "Earlier bytes",
    "next": "Later bytes",
    "part": "bytes {first} to {last} of {total}",
    "to_fault": "To the fault",
}
"""The words of the front end."""

_HERE: Final = Path(__file__).parent


class ByteRuler(anywidget.AnyWidget):
    """The bytes of an explanation, of which a window is drawn.

    Move with the arrow keys, or point at a byte.
    """

    _esm = _HERE / "byte_ruler.js"
    _css = _HERE / "byte_ruler.css"
    words = t.Dict(WORDS).tag(sync=True)
    size = t.Int(SIZE).tag(sync=True)
    offset = t.Int(0).tag(sync=True)
    window = t.List(t.Int()).tag(sync=True)
    total = t.Int(0).tag(sync=True)
    fault = t.Int(-1).tag(sync=True)
    spans = t.List(t.Dict()).tag(sync=True)
    drawn = t.Int(0).tag(sync=True)  # the front end draws once all of the above have come

    def __init__(self) -> None:
        self._explanation: Explanation | None = None
        super().__init__()
        self.observe(lambda _: self._show_window(), "offset")

    def show(self, explanation: Explanation) -> None:
        """Draw the bytes of this explanation, from the first."""
        self._explanation = explanation
        self.fault = -1 if explanation.fault is None else explanation.fault
        self.total = len(explanation.data)
        self.offset = 0
        self._show_window()

    def _show_window(self) -> None:
        if self._explanation is None:
            return
        first, last = self.offset, self.offset + SIZE
        with self.hold_sync():
            self.window = list(self._explanation.data[first:last])
            spans = self._explanation.spans
            self.spans = [_as_dict(s) for s in spans if s.start < last and s.end > first]
            self.drawn += 1

    def __repr__(self) -> str:
        """Say what is here and how to use it."""
        return describe(self)


def _as_dict(span: Span) -> dict[str, Any]:
    return span._asdict()
