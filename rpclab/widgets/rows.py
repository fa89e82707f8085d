"""Tables in HTML whose cells are safe: what came from a wire is escaped.

Make each cell with ``text``, ``code`` or ``badge``, and put them together with
``table``. A badge has a colour and a word: the colour never speaks alone.
"""

from collections.abc import Sequence
from typing import Final

from rpclab.widgets import theme
from rpclab.widgets.render import escape

_CELL: Final = (
    "text-align:left;vertical-align:top;padding:2px 8px;line-height:1.5;"
    f"border-bottom:1px solid {theme.LINE}"
)


def text(words: str) -> str:
    """Make a cell of words.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    return escape(words)


def code(line: str) -> str:
    """Make a cell of text from a wire."""
    style = f"{theme.MONO};overflow-wrap:anywhere;white-space:pre-wrap;background:none"
    return f'<code style="{style}">{escape(line)}</code>'


def badge(word: str, colour: str) -> str:
    """Make a cell of one word in a frame of its colour."""
    frame = f"border:1px solid {colour};border-left:6px solid {colour};border-radius:3px"
    return f'<span style="{frame};padding:0 6px;white-space:nowrap">{escape(word)}</span>'


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Put cells together, under the names of their columns."""
    head = "".join(f'<th scope="col" style="{_CELL}">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    style = f"{theme.TEXT};border-collapse:collapse;max-width:100%"
    return f'<table style="{style}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(made: str) -> str:
    return f'<td style="{_CELL}">{made}</td>'
