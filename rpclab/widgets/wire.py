"""The wire console: type a line, see what a server says."""

import warnings

import ipywidgets as w

from rpclab.demos.console import Console, Exchange
from rpclab.messages import Handler
from rpclab.widgets import render, strings
from rpclab.widgets.base import Widget


class WireConsole(Widget):
    """A one-line terminal to a server that lives in this kernel.

    Args:
        handler: the server's handler; the demo server's if left out.
        line: what stands in the line at first.
    """

    def __init__(self, handler: Handler | None = None, line: str = "") -> None:
        self.console = Console(handler)
        wide = w.Layout(width="98%")
        self._gallery = w.Dropdown(
            options=[(strings.GALLERY_HINT, ""), *strings.GALLERY_LINES],
            description=strings.GALLERY,
            layout=wide,
        )
        self._line = w.Text(
            line, description=strings.LINE, placeholder=strings.LINE_HINT, layout=wide
        )
        self._log = w.HTML(render.transcript([]))
        send = w.Button(description=strings.SEND, button_style="primary", tooltip=strings.LINE_HINT)
        clear = w.Button(description=strings.CLEAR)
        send.on_click(self.guarded(lambda _: self.send(self._line.value)))
        clear.on_click(self.guarded(lambda _: self.clear()))
        self._gallery.observe(self.guarded(lambda change: self.fill(change.new)), "value")
        with warnings.catch_warnings():  # what is proposed instead also sends on leaving the field
            warnings.simplefilter("ignore", DeprecationWarning)
            self._line.on_submit(self.guarded(lambda _: self.send(self._line.value)))
        super().__init__(self._gallery, self._line, w.HBox([send, clear]), self._log)
        for name, part in (("line", self._line), ("send", send), ("log", self._log)):
            part.add_class(f"rpclab-{name}")
        self._gallery.add_class("rpclab-gallery")

    def send(self, line: str) -> Exchange:
        """Do what the button does. Notebooks and tests call this."""
        exchange = self.console.send(line)
        self._log.value = render.transcript(self.console.transcript)
        return exchange

    def fill(self, line: str) -> None:
        """Put a line of the gallery into the field, ready to be sent."""
        if line:
            self._line.value = line

    def clear(self) -> None:
        """Forget the transcript."""
        self.console.transcript.clear()
        self._log.value = render.transcript([])
