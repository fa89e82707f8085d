"""What the HTML of every widget is made of: templates, cells, tables and colours.

Whatever a template shows is escaped, and cut if it is very long, because it may
come from a wire. Only HTML that one of these functions made is shown as it is.

The colours are JupyterLab's own variables, so a widget follows the dark theme.
A colour always has a word beside it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as escape_html

from rpclab.demos.console import BATCH, NO_MESSAGE, NOT_JSON, SILENCE

Html = Markup
"""HTML that is safe to show: a template shows it as it is."""

MOST_CHARACTERS: Final = 2000

BADGE: Final = {
    "request": "var(--jp-info-color1, #0277bd)",
    "notification": "var(--jp-accent-color1, #2e7d32)",
    "success response": "var(--jp-success-color1, #2e7d32)",
    "error response": "var(--jp-error-color1, #c62828)",
    BATCH: "var(--jp-brand-color1, #1565c0)",
    NOT_JSON: "var(--jp-error-color1, #c62828)",
    NO_MESSAGE: "var(--jp-warn-color1, #bf5f00)",
    SILENCE: "var(--jp-ui-font-color2, #616161)",
}
"""The colour of each shape of message."""
VERDICT: Final = {
    "broken": "var(--jp-error-color1, #c62828)",
    "bent": "var(--jp-warn-color1, #bf5f00)",
    "free": "var(--jp-info-color1, #0277bd)",
    "kept": "var(--jp-success-color1, #2e7d32)",
    "not judged": "var(--jp-ui-font-color2, #616161)",
}
MONO: Final = "font-family:var(--jp-code-font-family,monospace);font-size:13px"
TEXT: Final = "color:var(--jp-ui-font-color1,#212121)"
QUIET: Final = "color:var(--jp-ui-font-color2,#616161)"
LINE: Final = "var(--jp-border-color1,#bdbdbd)"


def escape(words: str) -> Html:
    """Return words with what has a meaning in HTML escaped."""
    return escape_html(words)


def cut(value: object) -> object:
    """Cut text that is very long, and say how much is left out."""
    if isinstance(value, Html) or not isinstance(value, str):
        return value
    more = len(value) - MOST_CHARACTERS
    return f"{value[:MOST_CHARACTERS]} … and {more} characters more" if more > 0 else value


_ENVIRONMENT: Final = Environment(
    autoescape=True, finalize=cut, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def template(source: str) -> Callable[..., Html]:
    """Make a function from a Jinja template: it takes the values and returns the HTML.

    >>> template("<p>{{ line }}</p>")(line="<script>")
    Markup('<p>&lt;script&gt;</p>')
    """
    made = _ENVIRONMENT.from_string(source)

    def render(**values: Any) -> Html:
        return Html(made.render(values))

    return render


_PARAGRAPH: Final = template("<p>{{ words }}</p>")
_CODE: Final = template(
    '<code style="{{ MONO }};overflow-wrap:anywhere;white-space:pre-wrap;background:none">'
    "{{ line }}</code>"
)
_BADGE: Final = template(
    '<span class="rpclab-badge" style="border:1px solid {{ colour }};border-left:6px solid'
    ' {{ colour }};border-radius:3px;padding:0 6px;white-space:nowrap">{{ word }}</span>'
)
_TABLE: Final = template("""
{% set cell %}
text-align:left;vertical-align:top;padding:2px 8px;line-height:1.5;
border-bottom:1px solid {{ LINE }}
{%- endset %}
<table style="{{ TEXT }};border-collapse:collapse;max-width:100%">
{% if columns %}
<thead><tr>
{% for name in columns %}<th scope="col" style="{{ cell }}">{{ name }}</th>{% endfor %}
</tr></thead>
{% endif %}
<tbody>
{% for row in rows %}
<tr>{% for value in row %}<td style="{{ cell }}">{{ value }}</td>{% endfor %}</tr>
{% endfor %}
</tbody></table>
""")


def paragraph(words: str) -> Html:
    """Return a paragraph of words."""
    return _PARAGRAPH(words=words)


def code(line: str) -> Html:
    """Return text from a wire in the font of code."""
    return _CODE(line=line)


def badge(word: str, colour: str) -> Html:
    """Return one word in a frame of its colour."""
    return _BADGE(word=word, colour=colour)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """Return a table. A cell is text, or HTML that one of these functions made."""
    return _TABLE(columns=columns, rows=rows)


_ENVIRONMENT.globals.update(
    BADGE=BADGE, VERDICT=VERDICT, MONO=MONO, TEXT=TEXT, QUIET=QUIET, LINE=LINE,
    code=code, badge=badge, table=table,
)  # fmt: skip
