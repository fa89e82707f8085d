"""A conformance report: the clauses as a grid, and the bytes behind each."""

import ipywidgets as w

from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import details
from rpclab.widgets import strings, theme
from rpclab.widgets.base import Widget
from rpclab.widgets.render import escape

_ORDER = ("broken", "kept", "free", "not judged")
_SIGN = {"broken": "✗", "kept": "✓", "free": "○", "not judged": "?"}


class ReportGrid(Widget):
    """Every clause of a report as a button; a click shows what was sent, came and was wanted."""

    def __init__(self, report: Report) -> None:
        self.report = report
        clauses = sorted(report.clauses().items(), key=lambda item: _ORDER.index(item[1]))
        self._buttons = {clause: _button(clause, found) for clause, found in clauses}
        for clause, button in self._buttons.items():
            button.on_click(self.guarded(lambda _, clause=clause: self.show(clause)))
        self._detail = w.HTML(f"<p>{strings.REPORT_HINT}</p>")
        self._detail.add_class("rpclab-report-detail")
        grid = w.Box(
            [*self._buttons.values()],
            layout=w.Layout(flex_flow="row wrap", max_height="320px", overflow="auto"),
        )
        grid.add_class("rpclab-report")
        head = w.HTML(f"<p>{escape(repr(self))}</p>")
        super().__init__(head, grid, self._detail)

    def show(self, clause: str) -> list[Verdict]:
        """Do what a click does: show the cases of a clause, and give their verdicts."""
        verdicts = [one for one in self.report.verdicts if one.clause == clause]
        verdicts.sort(key=lambda one: _ORDER.index(one.found))
        self._detail.value = "".join(map(_as_html, verdicts)) or f"<p>{strings.REPORT_NONE}</p>"
        return verdicts

    def __repr__(self) -> str:
        """Count the clauses by verdict."""
        found = [*self.report.clauses().values()]
        counts = ", ".join(f"{found.count(word)} {word}" for word in _ORDER if word in found)
        return strings.REPORT_HEAD.format(count=len(found), counts=counts)


def _button(clause: str, found: str) -> w.Button:
    button = w.Button(
        description=f"{_SIGN[found]} {clause}",
        tooltip=f"{clause}: {found}",
        layout=w.Layout(width="auto", border_left=f"6px solid {theme.VERDICT[found]}"),
    )
    button.add_class(f"rpclab-{found.replace(' ', '-')}")
    return button


def _as_html(verdict: Verdict) -> str:
    code = f'<code style="{theme.MONO};white-space:pre-wrap;background:none">'
    rows = [*details(verdict), (strings.WHY, verdict.why)]
    cells = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{name}</th>'
        f'<td style="text-align:left">{code}{escape(value)}</code></td></tr>'
        for name, value in rows
        if value
    )
    head = escape(f"{verdict.case}: {verdict.found}")
    return f'<div style="{theme.TEXT}"><h4>{head}</h4><table>{cells}</table></div>'
