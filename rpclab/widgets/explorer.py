"""The spec explorer: from a line to its clauses, and from a clause to a line."""

from typing import Final

import ipywidgets as w

from rpclab.explain import Explanation, explain
from rpclab.spec import clause, profiles
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.byte_ruler import ByteRuler
from rpclab.widgets.clause_browser import ClauseBrowser
from rpclab.widgets.gallery import GALLERY_LINES, make_gallery
from rpclab.widgets.html_parts import Html, template

EXPLAINED_AS_TYPED: Final = 2000  # characters; a longer line waits for the button
_MOST_ROWS: Final = 40
_ORDER: Final = ("broken", "bent", "free", "kept")


class LineExplorer(Widget):
    """A field for any line, and its explanation.

    A short line is explained as it is typed, a long one when the button is pressed.
    """

    def __init__(self, line: str = "", profile: str = "core") -> None:
        self.line = w.Textarea(
            line,
            description="Line",
            placeholder="any line, valid or broken",
            rows=2,
            layout=wide(),
        )
        self.profile = w.Dropdown(
            options=[(row.title, row.id) for row in profiles()],
            value=profile,
            description="Profile",
        )
        self.gallery = make_gallery()
        self.explain_button = w.Button(description="Explain", button_style="primary")
        self.ruler = ByteRuler()
        self.shown = w.HTML()
        self._data, self._text = b"", ""  # what is shown, and how the field shows it
        self._pressed_early = False
        choices = w.HBox([self.gallery, self.profile], layout=w.Layout(flex_flow="row wrap"))
        super().__init__(choices, self.line, self.explain_button, self.ruler, self.shown)
        self.explain_button.on_click(self.guarded(lambda _: self._pressed()))
        self.line.observe(self.guarded(lambda change: self._typed(change.new)), "value")
        self.profile.observe(self.guarded(lambda _: self._again(self.line.value)), "value")
        self.gallery.observe(self.guarded(lambda change: self._picked(change.new)), "value")
        self.line.add_class("rpclab-line")
        self.shown.add_class("rpclab-said")
        self.explain_button.add_class("rpclab-explain")
        if line:
            self.explain(line)

    def explain(self, line: str | bytes) -> Explanation:
        """Do what typing does: explain a line, show that, and return it."""
        data = line if isinstance(line, bytes) else line.encode(errors="surrogatepass")
        explanation = explain(data, self.profile.value)
        self._data, self._text = data, data.decode(errors="backslashreplace")
        self._pressed_early = False
        self.line.value = self._text
        self.ruler.show(explanation)
        self.shown.value = show_explanation(explanation)
        return explanation

    def _typed(self, text: str) -> None:
        due = len(text) <= EXPLAINED_AS_TYPED or self._pressed_early
        if text != self._text and due:
            self.explain(text)

    def _pressed(self) -> None:
        # While the kernel works, the page holds typed text back, but not the press of a
        # button. So a press that finds nothing new is kept for the text behind it.
        nothing_new = self.line.value == self._text
        self._again(self.line.value)
        self._pressed_early = nothing_new

    def _picked(self, line: str) -> None:
        if line:
            self.explain(line)

    def _again(self, text: str) -> None:
        # The field shows a byte that is not a character, but cannot hold it.
        self.explain(self._data if text == self._text else text)


_EXPLANATION: Final = template("""
<div style="{{ TEXT }}">
<h4>{{ it.shape }}: {{ it.verdict }} ({{ it.data|length }} bytes)</h4>
{% if it.mistake %}
<p class="rpclab-mistake"><b>The likely mistake:</b>
{{ it.mistake.says }} (byte {{ it.mistake.offset }}). {{ it.mistake.fix }}</p>
{% endif %}
<p><b>What a server must answer:</b> {{ it.answer.kind }}: {{ it.answer.says }}
{% if it.answer.line %}<br><code style="{{ MONO }}">{{ it.answer.line }}</code>{% endif %}
</p>
<table class="rpclab-findings">
<tr>
{% for name in ("verdict", "clause", "what was found", "bytes") %}
<th style="text-align:left">{{ name }}</th>
{% endfor %}
</tr>
{% for one in findings[:most] %}
<tr>
<td style="text-align:left;padding:2px 8px;border-left:6px solid {{ VERDICT[one.verdict] }}">
{{- one.verdict }}</td>
<td style="text-align:left">{{ one.clause }}</td>
<td style="text-align:left">{{ one.says }}</td>
<td style="text-align:left">{{ one.start }} to {{ [one.start, one.end - 1]|max }}</td>
</tr>
{% endfor %}
</table>
{% if findings|length > most %}<p>{{ findings|length - most }} more are not shown.</p>{% endif %}
{% if it.members %}
<p><b>Its messages:</b></p>
<ol>
{% for member in it.members[:most] %}
<li>{{ member.shape }}: {{ member.verdict }}, from byte {{ member.at }}</li>
{% endfor %}
</ol>
{% endif %}
{% for message in it.quoted[:3] %}
<p class="rpclab-quoted"><b>The message inside, from byte {{ message.at }} on:</b>
{{ message.shape }}: {{ message.verdict }}
{%- if message.mistake %}: {{ message.mistake.says }}{% endif %}
<br><code style="{{ MONO }}">{{ message.data.decode(errors="replace")[:500] }}</code></p>
{% endfor %}
</div>
""")


def show_explanation(explanation: Explanation) -> Html:
    """Show an explanation: verdict, likely mistake, answer, findings, messages."""
    findings = sorted(explanation.findings, key=lambda finding: _ORDER.index(finding.verdict))
    return _EXPLANATION(it=explanation, findings=findings, most=_MOST_ROWS)


class Explorer(Widget):
    """The line explorer and the clause browser as one page."""

    def __init__(self, line: str = GALLERY_LINES[0][1]) -> None:
        self.lines = LineExplorer(line)
        self.clauses = ClauseBrowser(load=self.lines.explain)
        title = w.HTML("<h3>A line, byte by byte</h3>")
        clauses_title = w.HTML("<h3>The clauses</h3>")
        super().__init__(title, self.lines, clauses_title, self.clauses)

    def explain(self, line: str | bytes) -> Explanation:
        """Explain a line on this page."""
        return self.lines.explain(line)

    def show_clause(self, id: str) -> str:
        """Show a clause on this page, and return what it says."""
        self.clauses.choose(id)
        return clause(id).says
