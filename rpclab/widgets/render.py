"""Exchanges as HTML. Whatever came from a wire is escaped, and bounded."""

import html
from collections.abc import Sequence
from typing import Final

from rpclab.demos.console import SILENCE, Exchange, name_shape, read_codes
from rpclab.widgets import strings, theme

MOST_CHARACTERS: Final = 2000
MOST_EXCHANGES: Final = 20


def escape(text: str) -> str:
    """Make text from a wire safe to show, and cut it where it is very long.

    >>> escape("<script>")
    '&lt;script&gt;'
    """
    more = len(text) - MOST_CHARACTERS
    cut = f" {strings.CUT.format(more=more)}" if more > 0 else ""
    return html.escape(text[:MOST_CHARACTERS]) + cut


def transcript(exchanges: Sequence[Exchange]) -> str:
    """Show exchanges in time order, the newest last."""
    if not exchanges:
        return f'<p style="{theme.QUIET}">{strings.NOTHING_YET}</p>'
    hidden = len(exchanges) - MOST_EXCHANGES
    note = strings.EARLIER.format(count=hidden) if hidden > 0 else ""
    shown = "".join(map(exchange, exchanges[-MOST_EXCHANGES:]))
    return f'<p style="{theme.QUIET}">{note}</p>{shown}' if note else shown


def exchange(one: Exchange) -> str:
    """Show one line, then what came back, in the order in which it came."""
    rows = [_row(f"1 → {strings.TO_SERVER}", one.sent, one.shape)]
    for number, line in enumerate(one.received, start=2):
        codes = "".join(f" {code}" for code in read_codes(line))
        rows.append(_row(f"{number} ← {strings.FROM_SERVER}", line, name_shape(line), codes))
    if not one.received:
        rows.append(_row(f"2 ← {strings.FROM_SERVER}", "", SILENCE))
    rows += [f'<div style="{theme.QUIET}">{strings.SERVER_LOG}: {escape(e)}</div>' for e in one.log]
    style = f"border-top:1px solid {theme.LINE};padding:6px 0;{theme.TEXT}"
    return f'<div class="rpclab-exchange" style="{style}">{"".join(rows)}</div>'


def _row(way: str, line: str, shape: str, codes: str = "") -> str:
    colour = theme.BADGE.get(shape, theme.BADGE[SILENCE])
    frame = f"border:1px solid {colour};border-left:6px solid {colour};border-radius:3px"
    style = f"{theme.MONO};overflow-wrap:anywhere;background:none"
    return (
        '<div style="display:flex;gap:8px;align-items:baseline;padding:2px 0">'
        f'<span style="{theme.QUIET};white-space:nowrap;flex:0 0 auto;min-width:9em">{way}</span>'
        f'<span class="rpclab-shape" style="{frame};padding:0 6px;white-space:nowrap">'
        f"{shape}{codes}</span>"
        f'<code style="{style}">{escape(line)}</code></div>'
    )
