"""The theatre: two lanes, on which a call, its progress and its reply appear in time order."""

import asyncio
import html
from collections.abc import Sequence

import ipywidgets as w

from rpclab.demos.two_lanes import CALLER, LaneEntry, show_call, simulate_call
from rpclab.widgets import strings, theme
from rpclab.widgets.base import Widget
from rpclab.widgets.render import escape


class Theatre(Widget):
    """A caller and a server, and one call with progress between them.

    The call runs on the notebook's event loop, so the cancel button works while it runs.
    """

    def __init__(self) -> None:
        self.moments: list[LaneEntry] = []
        self._task: asyncio.Task[None] | None = None
        self._manner = w.ToggleButtons(
            options=[("LSP", "lsp"), ("MCP", "mcp")], description=strings.MANNER
        )
        self._call = w.Button(description=strings.CALL, button_style="primary")
        self._cancel = w.Button(description=strings.CANCEL, disabled=True)
        self._lanes = w.HTML(draw_lanes([]))
        buttons = w.HBox([self._manner, self._call, self._cancel])
        buttons.layout.flex_flow = "row wrap"
        super().__init__(buttons, self._lanes)
        self._call.on_click(self.guarded(lambda _: self.start()))
        self._cancel.on_click(self.guarded(lambda _: self.cancel()))
        for name, part in (("call", self._call), ("cancel", self._cancel), ("lanes", self._lanes)):
            part.add_class(f"rpclab-{name}")

    def start(self) -> None:
        """Do what the call button does: begin a call of three seconds."""
        self.moments.clear()
        self._call.disabled, self._cancel.disabled = True, False
        self._task = asyncio.ensure_future(show_call(self._see, dialect=self._manner.value))
        self._task.add_done_callback(lambda _: self._ended())

    def cancel(self) -> None:
        """Do what the cancel button does: give the call up."""
        if self._task:
            self._task.cancel()

    def rehearse(self, cancel_after: float | None = None, manner: str = "lsp") -> list[LaneEntry]:
        """Play a call on a virtual clock, draw it, and give its moments."""
        self.moments = simulate_call(cancel_after=cancel_after, dialect=manner)
        self._lanes.value = draw_lanes(self.moments)
        return self.moments

    def _see(self, moment: LaneEntry) -> None:
        self.moments.append(moment)
        self._lanes.value = draw_lanes(self.moments)

    def _ended(self) -> None:
        self._call.disabled, self._cancel.disabled = False, True


def draw_lanes(moments: Sequence[LaneEntry]) -> str:
    """Draw moments as rows: what the caller did on the left, the server on the right."""
    if not moments:
        return f'<p style="{theme.QUIET}">{strings.NO_CALL_YET}</p>'
    head = "".join(
        f'<th style="text-align:left">{name}</th>'
        for name in (strings.TIME, strings.CALLER_LANE, strings.SERVER_LANE)
    )
    rows = "".join(map(_row, moments))
    return f'<table style="width:98%;{theme.TEXT}"><tr>{head}</tr>{rows}</table>'


def _row(moment: LaneEntry) -> str:
    style = f"{theme.MONO};overflow-wrap:anywhere;background:none"
    if moment.message:
        says = f'<code style="{style}">{escape(moment.message)}</code>'
    else:
        says = f"<i>{html.escape(moment.note)}</i>"
    by_caller = moment.who == CALLER
    arrow = "→" if by_caller else "←"
    lanes = (f"{says} {arrow}", "") if by_caller else ("", f"{arrow} {says}")
    cells = "".join(f'<td style="text-align:left;width:45%">{lane}</td>' for lane in lanes)
    return f'<tr><td style="white-space:nowrap">{moment.time:.1f} s</td>{cells}</tr>'
