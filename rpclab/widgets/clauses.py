"""The clause browser: find a rule, see what keeps and breaks it, and try that."""

from collections.abc import Callable
from typing import Final

import ipywidgets as w

from rpclab.spec import Clause, clause, clauses, profiles, sources
from rpclab.widgets import strings, theme
from rpclab.widgets.base import Widget
from rpclab.widgets.render import escape

_ANY: Final = ""


class ClauseBrowser(Widget):
    """All clauses, filtered by source, level, actor, profile and text.

    Args:
        load: takes an example, as a line or as bytes; the explorer's field, as a rule.
    """

    def __init__(self, load: Callable[[str | bytes], object] | None = None) -> None:
        self._load = load or (lambda line: None)
        self._filters = {
            "source": _dropdown(strings.SOURCE, [(s.title, s.id) for s in sources()]),
            "level": _dropdown(strings.LEVEL, _values("level")),
            "actor": _dropdown(strings.ACTOR, _values("actor")),
            "profile": _dropdown(strings.PROFILE, [(p.title, p.id) for p in profiles()]),
        }
        self._text = w.Text(description=strings.TEXT, placeholder=strings.TEXT_HINT)
        self._list = w.Select(rows=10, layout=w.Layout(width="98%"), description=strings.FOUND)
        self._detail = w.HTML()
        self._keep = w.Button(description=strings.LOAD_KEEPS)
        self._break = w.Button(description=strings.LOAD_BREAKS)
        wrap = w.Layout(flex_flow="row wrap")
        super().__init__(
            w.HBox([*self._filters.values(), self._text], layout=wrap),
            self._list,
            self._detail,
            w.HBox([self._keep, self._break], layout=wrap),
        )
        for part in (*self._filters.values(), self._text):
            part.observe(self.guarded(lambda _: self.filter()), "value")
        self._list.observe(self.guarded(lambda change: self._show(change.new)), "value")
        self._keep.on_click(self.guarded(lambda _: self.load("keeps")))
        self._break.on_click(self.guarded(lambda _: self.load("breaks")))
        self._list.add_class("rpclab-clauses")
        self._detail.add_class("rpclab-clause")
        self._break.add_class("rpclab-load-breaks")
        self._text.add_class("rpclab-clause-text")
        self.filter()

    def filter(self, **chosen: str) -> list[str]:
        """Choose filters as the fields do, and give the ids of the clauses found."""
        for name, value in chosen.items():
            (self._text if name == "text" else self._filters[name]).value = value
        found = [row for row in clauses() if self._fits(row)]
        self._list.options = [(f"{row.id}   {row.level}   {row.title}", row.id) for row in found]
        self._list.value = found[0].id if found else None
        self._show(self._list.value)
        return [row.id for row in found]

    def choose(self, id: str) -> None:
        """Show one clause, whatever the filters say."""
        if id not in [value for _, value in self._list.options]:
            self.filter(text="", **dict.fromkeys(self._filters, _ANY))
        self._list.value = clause(id).id

    def load(self, which: str) -> None:
        """Do what the buttons do: put the example that ``keeps`` or ``breaks`` into the line."""
        row = clause(self._list.value)
        held = getattr(row, f"{which}_bytes")
        self._load(bytes.fromhex(held) if held else getattr(row, which))

    def _fits(self, row: Clause) -> bool:
        chosen = {name: part.value for name, part in self._filters.items()}
        words = f"{row.id} {row.title} {row.says}".lower()
        return (
            chosen["source"] in (_ANY, row.source)
            and chosen["level"] in (_ANY, row.level)
            and chosen["actor"] in (_ANY, row.actor)
            and (chosen["profile"] == _ANY or chosen["profile"] in row.profiles)
            and self._text.value.lower() in words
        )

    def _show(self, id: str | None) -> None:
        row = clause(id) if id else None
        self._keep.disabled = not (row and (row.keeps or row.keeps_bytes))
        self._break.disabled = not (row and (row.breaks or row.breaks_bytes))
        self._detail.value = as_html(row) if row else f"<p>{strings.NOTHING_FOUND}</p>"


def as_html(row: Clause) -> str:
    """Show a clause: what it says, what keeps and breaks it, and where it is learned."""
    code = f'<code style="{theme.MONO};white-space:pre-wrap;background:none">'
    facts = (
        (strings.GIVEN, row.given),
        (strings.KEEPS, row.keeps or row.keeps_bytes or row.keeps_why),
        (strings.BREAKS, row.breaks or row.breaks_bytes or row.breaks_why),
        (strings.LEARNED_IN, row.notebook),
        (strings.EXERCISE, row.exercise or row.exercise_none),
        (strings.CASES, ", ".join(row.cases) or row.untestable),
    )
    rows = "".join(
        f'<tr><th style="text-align:left;vertical-align:top;white-space:nowrap">{name}</th>'
        f'<td style="text-align:left">{code}{escape(value)}</code></td></tr>'
        for name, value in facts
        if value
    )
    head = f"{row.id} · {row.level} · {row.actor} · {row.title}"
    says = f"<h4>{escape(head)}</h4><p>{escape(row.says)}</p>"
    return f'<div style="{theme.TEXT}">{says}<table>{rows}</table></div>'


def _dropdown(description: str, options: list[tuple[str, str]]) -> w.Dropdown:
    return w.Dropdown(options=[(strings.ANY, _ANY), *options], value=_ANY, description=description)


def _values(field: str) -> list[tuple[str, str]]:
    found = dict.fromkeys(getattr(row, field) for row in clauses())
    return [(value, value) for value in found]
