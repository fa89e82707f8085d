"""The theatre: two lanes, on which a call, its progress and its reply appear in time order."""

import asyncio
from collections.abc import Sequence
from typing import Final

import ipywidgets as w

from rpclab.demos.two_lanes import CALLER, Moment, play, rehearse
from rpclab.widgets.base_widget import Widget
from rpclab.widgets.html_parts import Html, template


class Theatre(Widget):
    """A caller and a server, and one call with progress between them.

    The call runs on the notebook's event loop, so the cancel button works while it runs.
    """

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self._task: asyncio.Task[None] | None = None
        self.dialect = w.ToggleButtons(
            options=[("LSP", "lsp"), ("MCP", "mcp")], description="Dialect"
        )
        self.call_button = w.Button(description="Call", button_style="primary")
        self.cancel_button = w.Button(description="Cancel", disabled=True)
        self.shown = w.HTML(draw_lanes([]))
        buttons = w.HBox([self.dialect, self.call_button, self.cancel_button])
        buttons.layout.flex_flow = "row wrap"
        super().__init__(buttons, self.shown)
        self.call_button.on_click(self.guarded(lambda _: self.start()))
        self.cancel_button.on_click(self.guarded(lambda _: self.cancel()))
        self.call_button.add_class("rpclab-call")
        self.cancel_button.add_class("rpclab-cancel")
        self.shown.add_class("rpclab-lanes")

    def start(self) -> None:
        """Do what the call button does: start a call of three seconds."""
        self.moments.clear()
        self.call_button.disabled, self.cancel_button.disabled = True, False
        self._task = asyncio.ensure_future(play(self._see, cancel=self.dialect.value))
        self._task.add_done_callback(lambda _: self._ended())

    def cancel(self) -> None:
        """Do what the cancel button does: cancel the call."""
        if self._task:
            self._task.cancel()

    def rehearse(self, cancel_after: float | None = None, dialect: str = "lsp") -> list[Moment]:
        """Play a call on a virtual clock, draw it, and return its moments."""
        self.moments = rehearse(cancel_after=cancel_after, cancel=dialect)
        self.shown.value = draw_lanes(self.moments)
        return self.moments

    def _see(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.shown.value = draw_lanes(self.moments)

    def _ended(self) -> None:
        self.call_button.disabled, self.cancel_button.disabled = False, True


_LANES: Final = template("""
{% if not moments %}
<p style="{{ QUIET }}">Nothing was called yet. Press Call, and Cancel while it runs.</p>
{% else %}
<table style="width:98%;{{ TEXT }}">
<tr>
{% for name in ("time", "the caller", "the server") %}
<th style="text-align:left">{{ name }}</th>
{% endfor %}
</tr>
{% for moment in moments %}
{% set says %}
{% if moment.message %}{{ code(moment.message) }}{% else %}<i>{{ moment.note }}</i>{% endif %}
{% endset %}
<tr>
<td style="white-space:nowrap">{{ "%.1f"|format(moment.time) }} s</td>
<td style="text-align:left;width:45%">{% if moment.who == caller %}{{ says }} →{% endif %}</td>
<td style="text-align:left;width:45%">{% if moment.who != caller %}← {{ says }}{% endif %}</td>
</tr>
{% endfor %}
</table>
{% endif %}
""")


def draw_lanes(moments: Sequence[Moment]) -> Html:
    """Draw moments as rows: what the caller did on the left, the server on the right."""
    return _LANES(moments=moments, caller=CALLER)
