"""The spec explorer: from a line to its clauses, and from a clause to a line."""

import ipywidgets as w

from rpclab.explain import Explanation, explain
from rpclab.spec import clause, profiles
from rpclab.widgets import findings, strings
from rpclab.widgets.base import Widget
from rpclab.widgets.clauses import ClauseBrowser
from rpclab.widgets.ruler import ByteRuler


class LineExplorer(Widget):
    """A field for any line, and all that can be said about it.

    A short line is explained as it is typed, a long one when the button is pressed.
    """

    def __init__(self, line: str = "", profile: str = "core") -> None:
        wide = w.Layout(width="98%")
        self._line = w.Textarea(
            line, description=strings.LINE, placeholder=strings.EXPLAIN_HINT, rows=2, layout=wide
        )
        self._profile = w.Dropdown(
            options=[(row.title, row.id) for row in profiles()],
            value=profile,
            description=strings.PROFILE,
        )
        self._gallery = w.Dropdown(
            options=[(strings.GALLERY_HINT, ""), *strings.GALLERY_LINES],
            description=strings.GALLERY,
        )
        button = w.Button(description=strings.EXPLAIN, button_style="primary")
        self._ruler = ByteRuler()
        self._said = w.HTML()
        self._data, self._text = b"", ""  # what is shown, and how it stands in the field
        super().__init__(
            w.HBox([self._gallery, self._profile], layout=w.Layout(flex_flow="row wrap")),
            self._line,
            button,
            self._ruler,
            self._said,
        )
        button.on_click(self.guarded(lambda _: self._again(self._line.value)))
        self._line.observe(self.guarded(lambda change: self._typed(change.new)), "value")
        self._profile.observe(self.guarded(lambda _: self._again(self._line.value)), "value")
        self._gallery.observe(self.guarded(lambda change: self._picked(change.new)), "value")
        self._line.add_class("rpclab-line")
        self._said.add_class("rpclab-said")
        button.add_class("rpclab-explain")
        if line:
            self.explain(line)

    def explain(self, line: str | bytes) -> Explanation:
        """Do what typing does: show what is to be said, and give it."""
        data = line if isinstance(line, bytes) else line.encode(errors="surrogatepass")
        explanation = explain(data, self._profile.value)
        self._data, self._text = data, data.decode(errors="backslashreplace")
        self._line.value = self._text
        self._ruler.show(explanation)
        self._said.value = findings.as_html(explanation)
        return explanation

    def _typed(self, text: str) -> None:
        if text != self._text and len(text) <= strings.EXPLAIN_AS_TYPED:
            self.explain(text)

    def _picked(self, line: str) -> None:
        if line:
            self.explain(line)

    def _again(self, text: str) -> None:
        # The field can show a byte that is no character, and not hold it.
        self.explain(self._data if text == self._text else text)


class Explorer(Widget):
    """The line explorer and the clause browser as one page."""

    def __init__(self, line: str = strings.GALLERY_LINES[0][1]) -> None:
        self.lines = LineExplorer(line)
        self.clauses = ClauseBrowser(load=self.lines.explain)
        title = w.HTML(f"<h3>{strings.EXPLORER}</h3>")
        clauses_title = w.HTML(f"<h3>{strings.CLAUSES}</h3>")
        super().__init__(title, self.lines, clauses_title, self.clauses)

    def explain(self, line: str | bytes) -> Explanation:
        """Explain a line on this page."""
        return self.lines.explain(line)

    def show_clause(self, id: str) -> str:
        """Show a clause on this page, and give what it says."""
        self.clauses.choose(id)
        return clause(id).says
