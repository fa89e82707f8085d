"""A conformance report: the clauses as a grid, and the bytes behind each."""

from typing import Final

import ipywidgets as w

from rpclab.conformance.reports import details
from rpclab.conformance.verdicts import Report, Verdict
from rpclab.widgets.base_widget import Widget
from rpclab.widgets.html_parts import VERDICT, Html, paragraph, template

_ORDER = ("broken", "kept", "free", "not judged")
_SIGN = {"broken": "✗", "kept": "✓", "free": "○", "not judged": "?"}


class ReportGrid(Widget):
    """Every clause of a report as a button. A click shows the bytes of its cases."""

    def __init__(self, report: Report) -> None:
        self.report = report
        clauses = sorted(report.clauses().items(), key=lambda item: _ORDER.index(item[1]))
        self.buttons = {clause: _button(clause, found) for clause, found in clauses}
        for clause, button in self.buttons.items():
            button.on_click(self.guarded(lambda _, clause=clause: self.show(clause)))
        self.shown = w.HTML(paragraph("Choose a clause to see its bytes."))
        self.shown.add_class("rpclab-report-detail")
        grid = w.Box(
            [*self.buttons.values()],
            layout=w.Layout(flex_flow="row wrap", max_height="320px", overflow="auto"),
        )
        grid.add_class("rpclab-report")
        head = w.HTML(paragraph(repr(self)))
        super().__init__(head, grid, self.shown)

    def show(self, clause: str) -> list[Verdict]:
        """Do what a click does: show the cases of a clause, and return their verdicts."""
        verdicts = [one for one in self.report.verdicts if one.clause == clause]
        verdicts.sort(key=lambda one: _ORDER.index(one.found))
        self.shown.value = show_verdicts(verdicts)
        return verdicts

    def __repr__(self) -> str:
        """Count the clauses by verdict."""
        found = [*self.report.clauses().values()]
        counts = ", ".join(f"{found.count(word)} {word}" for word in _ORDER if word in found)
        return f"{len(found)} clauses: {counts}"


def _button(clause: str, found: str) -> w.Button:
    button = w.Button(
        description=f"{_SIGN[found]} {clause}",
        tooltip=f"{clause}: {found}",
        layout=w.Layout(width="auto", border_left=f"6px solid {VERDICT[found]}"),
    )
    button.add_class(f"rpclab-{found.replace(' ', '-')}")
    return button


_VERDICTS: Final = template("""
{% for verdict, facts in verdicts %}
<div style="{{ TEXT }}">
<h4>{{ verdict.case }}: {{ verdict.found }}</h4>
<table>
{% for name, value in facts if value %}
<tr><th style="text-align:left;vertical-align:top">{{ name }}</th>
<td style="text-align:left">{{ code(value) }}</td></tr>
{% endfor %}
</table>
</div>
{% else %}
<p>The report has no case of this clause.</p>
{% endfor %}
""")


def show_verdicts(verdicts: list[Verdict]) -> Html:
    """Show for each case what was sent, what came, what was wanted, and why it is so."""
    return _VERDICTS(verdicts=[(one, [*details(one), ("why", one.why)]) for one in verdicts])
