"""The wire console: type a line, and see what a server says."""

import warnings
from collections.abc import Sequence
from typing import Final

import ipywidgets as w

from rpclab.demos.console import SILENCE, Console, Exchange, name_shape, read_codes
from rpclab.messages import Handler
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.gallery import make_gallery
from rpclab.widgets.html_parts import Html, template

MOST_EXCHANGES: Final = 20
_HINT: Final = "type a line of JSON and press Enter"


class WireConsole(Widget):
    """A one-line terminal to a server that runs in this kernel.

    Args:
        handler: the server's handler; the demo server's if left out.
        line: the text of the line at first.
    """

    def __init__(self, handler: Handler | None = None, line: str = "") -> None:
        self.console = Console(handler)
        self.gallery = make_gallery(layout=wide())
        self.line = w.Text(line, description="Line", placeholder=_HINT, layout=wide())
        self.send_button = w.Button(description="Send", button_style="primary", tooltip=_HINT)
        self.clear_button = w.Button(description="Clear")
        self.shown = w.HTML(show_transcript([]))
        self.send_button.on_click(self.guarded(lambda _: self.send(self.line.value)))
        self.clear_button.on_click(self.guarded(lambda _: self.clear()))
        self.gallery.observe(self.guarded(lambda change: self.fill(change.new)), "value")
        with warnings.catch_warnings():  # what is proposed instead also sends on leaving the field
            warnings.simplefilter("ignore", DeprecationWarning)
            self.line.on_submit(self.guarded(lambda _: self.send(self.line.value)))
        buttons = w.HBox([self.send_button, self.clear_button])
        super().__init__(self.gallery, self.line, buttons, self.shown)
        self.gallery.add_class("rpclab-gallery")
        self.line.add_class("rpclab-line")
        self.send_button.add_class("rpclab-send")
        self.shown.add_class("rpclab-log")

    def send(self, line: str) -> Exchange:
        """Do what the Send button does, and return what went over the wire."""
        exchange = self.console.send(line)
        self.shown.value = show_transcript(self.console.transcript)
        return exchange

    def fill(self, line: str) -> None:
        """Put a line of the gallery into the field, ready to be sent."""
        if line:
            self.line.value = line

    def clear(self) -> None:
        """Forget the transcript."""
        self.console.transcript.clear()
        self.shown.value = show_transcript([])


_TRANSCRIPT: Final = template("""
{% if not exchanges %}
<p style="{{ QUIET }}">Nothing was sent yet. Type a line, or pick one from the gallery.</p>
{% endif %}
{% if hidden > 0 %}<p style="{{ QUIET }}">{{ hidden }} earlier lines are not shown</p>{% endif %}
{% for exchange in exchanges %}{{ exchange }}{% endfor %}
""")


def show_transcript(exchanges: Sequence[Exchange]) -> Html:
    """Show exchanges in time order, the newest last."""
    newest = [show_exchange(one) for one in exchanges[-MOST_EXCHANGES:]]
    return _TRANSCRIPT(exchanges=newest, hidden=len(exchanges) - len(newest))


_EXCHANGE: Final = template("""
<div class="rpclab-exchange" style="border-top:1px solid {{ LINE }};padding:6px 0;{{ TEXT }}">
{% for way, line, shape, codes in lines %}
<div style="display:flex;gap:8px;align-items:baseline;padding:2px 0">
<span style="{{ QUIET }};white-space:nowrap;flex:0 0 auto;min-width:9em">
{{- loop.index }} {{ way }}</span>
{{ badge(shape ~ codes, BADGE.get(shape, BADGE[silence])) }}
{{ code(line) }}
</div>
{% endfor %}
{% for entry in log %}<div style="{{ QUIET }}">server's log: {{ entry }}</div>{% endfor %}
</div>
""")


def show_exchange(exchange: Exchange) -> Html:
    """Show one line, then what came back, in the order in which it came."""
    lines = [("→ to the server", exchange.sent, exchange.shape, "")]
    for line in exchange.received:
        codes = "".join(f" {code}" for code in read_codes(line))
        lines.append(("← from the server", line, name_shape(line), codes))
    if not exchange.received:
        lines.append(("← from the server", "", SILENCE, ""))
    return _EXCHANGE(lines=lines, log=exchange.log, silence=SILENCE)
