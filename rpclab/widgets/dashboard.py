"""The dashboard: what is done, what is next, and the clauses mastered."""

from typing import Final

import ipywidgets as w

from rpclab import course
from rpclab.course.overview import Overview, overview
from rpclab.course.strings import STATES
from rpclab.widgets.base_widget import Widget
from rpclab.widgets.html_parts import Html, escape, template


class Dashboard(Widget):
    """The exercises of the course, and what is known of each."""

    def __init__(self) -> None:
        self._seen = overview()
        self.shown = w.HTML()
        self.said = w.HTML()
        self.choice = w.Dropdown(
            options=[row.exercise.name for row in self._seen.rows], description="Exercise"
        )
        self.refresh_button = w.Button(description="Look again")
        self.skip_button = w.Button(description="Skip")
        self.reset_button = w.Button(description="Reset")
        self.refresh_button.on_click(self.guarded(lambda _: self.refresh()))
        self.skip_button.on_click(self.guarded(lambda _: self.skip(self.choice.value)))
        self.reset_button.on_click(self.guarded(lambda _: self.reset(self.choice.value)))
        row = w.HBox(
            [self.choice, self.refresh_button, self.skip_button, self.reset_button],
            layout=w.Layout(flex_flow="row wrap"),
        )
        super().__init__(self.shown, row, self.said)
        self.shown.add_class("rpclab-dashboard")
        self._show()

    def refresh(self) -> Overview:
        """Read the progress file again, show what it says, and return it."""
        self._seen = overview()
        self._show()
        return self._seen

    def skip(self, exercise: str) -> str:
        """Leave an exercise out, and return the sentence that says so."""
        return self._after(course.skip(exercise))

    def reset(self, exercise: str) -> str:
        """Forget what is known of an exercise, and return the sentence that says so."""
        return self._after(course.reset(exercise))

    def _after(self, sentence: str) -> str:
        self.said.value = escape(sentence)
        self.refresh()
        return sentence

    def _show(self) -> None:
        if ahead := self._seen.next:
            self.choice.value = ahead.name
        self.shown.value = show_overview(self._seen)

    def __repr__(self) -> str:
        """Say how far the learner is, for a reader without a kernel."""
        return "\n".join(self._seen.sentences())


_OVERVIEW: Final = template("""
<div style="{{ TEXT }}">
{% for sentence in seen.sentences() %}{{ sentence }}<br>{% endfor %}
<progress value="{{ seen.done|length }}" max="{{ seen.rows|length }}"
 style="width:100%;max-width:30em" aria-label="Your progress"></progress>
<details open><summary>Your progress</summary>
<div style="max-height:20em;overflow:auto">
<table>
<thead><tr>
{% for name in ("", "exercise", "kind", "minutes", "notebook") %}<th>{{ name }}</th>{% endfor %}
</tr></thead>
<tbody>
{% for row in seen.rows %}
{% set one = row.exercise %}
<tr style="font-weight:{{ "bold" if row.state == "next" else "normal" }}">
{% for cell in (states[row.state], one.name, one.kind, one.minutes, one.notebook) %}
<td>{{ cell }}</td>
{% endfor %}
</tr>
{% endfor %}
</tbody>
</table>
</div>
</details>
<details><summary>Clauses mastered</summary>
{{- seen.mastered|join(", ") or "None yet." }}</details>
</div>
""")


def show_overview(seen: Overview) -> Html:
    """Show an overview: sentences, a bar, a table, and the clauses mastered."""
    return _OVERVIEW(seen=seen, states=STATES)
