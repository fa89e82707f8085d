"""The clause browser: find a rule, see what keeps and breaks it, and try that."""

from collections.abc import Callable
from typing import Final

import ipywidgets as w

from rpclab.spec import Clause, clause, clauses, profiles, sources
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.html_parts import Html, paragraph, template

NOTHING_FOUND: Final = "No clause fits. Take a filter away."
_ANY: Final = ""


class ClauseBrowser(Widget):
    """All clauses, filtered by source, level, actor, profile and text.

    Args:
        load: called with an example, as a line or as bytes; usually it fills a field.
    """

    def __init__(self, load: Callable[[str | bytes], object] | None = None) -> None:
        self._load = load or (lambda line: None)
        self.filters = {
            "source": _dropdown("Source", [(s.title, s.id) for s in sources()]),
            "level": _dropdown("Level", _values("level")),
            "actor": _dropdown("Actor", _values("actor")),
            "profile": _dropdown("Profile", [(p.title, p.id) for p in profiles()]),
        }
        self.text = w.Text(description="Text", placeholder="words of the rule")
        self.found = w.Select(rows=10, layout=wide(), description="Clauses")
        self.shown = w.HTML()
        self.keeps_button = w.Button(description="Load what keeps it")
        self.breaks_button = w.Button(description="Load what breaks it")
        wrap = w.Layout(flex_flow="row wrap")
        super().__init__(
            w.HBox([*self.filters.values(), self.text], layout=wrap),
            self.found,
            self.shown,
            w.HBox([self.keeps_button, self.breaks_button], layout=wrap),
        )
        for part in (*self.filters.values(), self.text):
            part.observe(self.guarded(lambda _: self.filter()), "value")
        self.found.observe(self.guarded(lambda change: self._show(change.new)), "value")
        self.keeps_button.on_click(self.guarded(lambda _: self.load("keeps")))
        self.breaks_button.on_click(self.guarded(lambda _: self.load("breaks")))
        self.found.add_class("rpclab-clauses")
        self.shown.add_class("rpclab-clause")
        self.breaks_button.add_class("rpclab-load-breaks")
        self.text.add_class("rpclab-clause-text")
        self.filter()

    def filter(self, **chosen: str) -> list[str]:
        """Choose filters as the fields do, and return the ids of the clauses found."""
        for name, value in chosen.items():
            (self.text if name == "text" else self.filters[name]).value = value
        found = [row for row in clauses() if self._fits(row)]
        self.found.options = [(f"{row.id}   {row.level}   {row.title}", row.id) for row in found]
        self.found.value = found[0].id if found else None
        self._show(self.found.value)
        return [row.id for row in found]

    def choose(self, id: str) -> None:
        """Show one clause, whatever the filters say."""
        if id not in [value for _, value in self.found.options]:
            self.filter(text="", **dict.fromkeys(self.filters, _ANY))
        self.found.value = clause(id).id

    def load(self, which: str) -> None:
        """Do what the buttons do: put the example that ``keeps`` or ``breaks`` into the line."""
        row = clause(self.found.value)
        held = getattr(row, f"{which}_bytes")
        self._load(bytes.fromhex(held) if held else getattr(row, which))

    def _fits(self, row: Clause) -> bool:
        chosen = {name: part.value for name, part in self.filters.items()}
        words = f"{row.id} {row.title} {row.says}".lower()
        return (
            chosen["source"] in (_ANY, row.source)
            and chosen["level"] in (_ANY, row.level)
            and chosen["actor"] in (_ANY, row.actor)
            and (chosen["profile"] == _ANY or chosen["profile"] in row.profiles)
            and self.text.value.lower() in words
        )

    def _show(self, id: str | None) -> None:
        row = clause(id) if id else None
        self.keeps_button.disabled = not (row and (row.keeps or row.keeps_bytes))
        self.breaks_button.disabled = not (row and (row.breaks or row.breaks_bytes))
        self.shown.value = show_clause(row) if row else paragraph(NOTHING_FOUND)


_CLAUSE: Final = template("""
<div style="{{ TEXT }}">
<h4>{{ row.id }} · {{ row.level }} · {{ row.actor }} · {{ row.title }}</h4>
<p>{{ row.says }}</p>
<table>
{% for name, value in facts if value %}
<tr><th style="text-align:left;vertical-align:top;white-space:nowrap">{{ name }}</th>
<td style="text-align:left">{{ code(value) }}</td></tr>
{% endfor %}
</table>
</div>
""")


def show_clause(row: Clause) -> Html:
    """Show a clause: what it says, what keeps and breaks it, and where it is learned."""
    facts = (
        ("after", row.given),
        ("keeps it", row.keeps or row.keeps_bytes or row.keeps_why),
        ("breaks it", row.breaks or row.breaks_bytes or row.breaks_why),
        ("notebook", row.notebook),
        ("exercise", row.exercise or row.exercise_none),
        ("cases", ", ".join(row.cases) or row.untestable),
    )
    return _CLAUSE(row=row, facts=facts)


def _dropdown(description: str, options: list[tuple[str, str]]) -> w.Dropdown:
    return w.Dropdown(options=[("any", _ANY), *options], value=_ANY, description=description)


def _values(field: str) -> list[tuple[str, str]]:
    found = dict.fromkeys(getattr(row, field) for row in clauses())
    return [(value, value) for value in found]
