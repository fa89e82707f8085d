"""How far the learner is: done, next, time, clauses mastered."""

import html

import ipywidgets as w

from rpclab import course
from rpclab.course.overview import STATES, ExerciseState, Overview, overview
from rpclab.widgets import strings, theme
from rpclab.widgets.base import Widget


class Dashboard(Widget):
    """The exercises of the course, and what is known of each."""

    def __init__(self) -> None:
        self._seen = overview()
        self._shown = w.HTML()
        self._said = w.HTML()
        self._choice = w.Dropdown(
            options=[row.exercise.name for row in self._seen.rows], description=strings.ONE_EXERCISE
        )
        actions = (
            (strings.REFRESH, self.refresh),
            (strings.SKIP, lambda: self.skip(self._choice.value)),
            (strings.RESET, lambda: self.reset(self._choice.value)),
        )
        buttons = []
        for label, act in actions:
            button = w.Button(description=label)
            button.on_click(self.guarded(lambda _, act=act: act()))
            buttons.append(button)
        row = w.HBox([self._choice, *buttons], layout=w.Layout(flex_flow="row wrap"))
        super().__init__(self._shown, row, self._said)
        self._shown.add_class("rpclab-dashboard")
        self._show()

    def refresh(self) -> Overview:
        """Read the progress file again, show what it says, and give it."""
        self._seen = overview()
        self._show()
        return self._seen

    def skip(self, exercise: str) -> str:
        """Leave an exercise out."""
        return self._after(course.skip(exercise))

    def reset(self, exercise: str) -> str:
        """Begin an exercise anew."""
        return self._after(course.reset(exercise))

    def _after(self, sentence: str) -> str:
        self._said.value = html.escape(sentence)
        self.refresh()
        return sentence

    def _show(self) -> None:
        if ahead := self._seen.next:
            self._choice.value = ahead.name
        self._shown.value = as_html(self._seen)

    def __repr__(self) -> str:
        """Say it in sentences, for a reader without a kernel."""
        return "\n".join(self._seen.sentences())


def as_html(seen: Overview) -> str:
    """Draw an overview: sentences, a bar, a table, and the clauses mastered."""
    sentences = "<br>".join(map(html.escape, seen.sentences()))
    done, total = len(seen.done), len(seen.rows)
    bar = (
        f'<progress value="{done}" max="{total}" style="width:100%;max-width:30em" '
        f'aria-label="{strings.DASHBOARD}"></progress>'
    )
    heads = "".join(f"<th>{name}</th>" for name in strings.DASHBOARD_HEAD)
    rows = "".join(map(_row, seen.rows))
    mastered = html.escape(", ".join(seen.mastered)) or strings.NONE_MASTERED
    return (
        f'<div style="{theme.TEXT}">{sentences}<br>{bar}'
        f'<details open><summary>{strings.DASHBOARD}</summary><div style="max-height:20em;'
        f'overflow:auto"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        f"</div></details><details><summary>{strings.MASTERED}</summary>{mastered}</details></div>"
    )


def _row(row: ExerciseState) -> str:
    one = row.exercise
    weight = "bold" if row.state == "next" else "normal"
    cells = (STATES[row.state], one.name, one.kind, str(one.minutes), one.notebook)
    text = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
    return f'<tr style="font-weight:{weight}">{text}</tr>'
