"""A class as one HTML page that needs nothing else, and as a CSV table.

What came from a hand-in or its file name is escaped, whatever it is. Every cell
of the heat map holds a word; its colour only helps.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from rpclab.classroom.grading import Class, Learner
from rpclab.conformance.reports import printable
from rpclab.course import strings
from rpclab.course.catalogue import course
from rpclab.spec import clause

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886 }
:root { --kept: #d5efda; --missed: #f7d4d0; --sharp: #8c1d18 }
@media (prefers-color-scheme: dark) {
  :root { --kept: #17401f; --missed: #5c1a15; --sharp: #ffb4ab }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem }
div { overflow-x: auto; margin-bottom: 2rem }
div:focus-visible { outline: 2px solid }
table { border-collapse: collapse }
caption { text-align: left; padding: .5rem 0 }
caption ol { margin: .3rem 0 }
th, td { text-align: left; padding: .3rem .6rem; vertical-align: top }
th, td { border: 1px solid var(--line) }
tbody th { font-weight: normal; min-width: 12rem }
small { display: block; opacity: .85 }
ul { margin: 0; padding-left: 1.1rem; overflow-wrap: anywhere; min-width: 20rem }
.kept { background: var(--kept) }
.not-judged { white-space: nowrap }
.missed { background: var(--missed); font-weight: bold }
.sharp { color: var(--sharp); font-weight: bold }
"""

_SHARP: Final = (strings.TAMPERED, strings.CRASHED, strings.HANGING, strings.UNREAD)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def page(group: Class, limits: str) -> str:
    """Give the whole page.

    >>> "<script>" in page(Class((Learner("<script>"),), ()), "")
    False
    """
    title = _text(strings.HEATMAP_TITLE)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n<main>\n<h1>{title}</h1>\n"
        f"{_scroll(strings.HEATMAP_CLAUSE, _clauses(group))}\n"
        f"{_scroll(strings.HEATMAP_MARKS, _marks(group))}\n"
        f"<p>{_text(limits)}</p>\n</main>\n</html>\n"
    )


def _text(text: str) -> str:
    return escape(printable(text))


def _scroll(label: str, table: str) -> str:
    """Put a wide table where a keyboard can scroll it."""
    return f'<div role="region" tabindex="0" aria-label="{_text(label)}">{table}</div>'


def _head(names: Iterable[str]) -> str:
    cells = "".join(f'<th scope="col">{_text(name)}</th>' for name in names)
    return f"<thead><tr>{cells}</tr></thead>"


def _clauses(group: Class) -> str:
    most = "".join(f"<li>{_text(sentence)}</li>" for sentence in tell_most_missed(group))
    told = f"{strings.HEATMAP_MOST}<ol>{most}</ol>" if most else strings.HEATMAP_NONE
    head = _head(
        [strings.HEATMAP_CLAUSE, *(one.name for one in group.learners), strings.HEATMAP_ALL]
    )
    rows = "\n".join(_clause(group, id) for id in group.clauses)
    caption = f"<caption>{_text(strings.HEATMAP_CAPTION)} {told}</caption>"
    return f"<table>{caption}{head}\n<tbody>{rows}</tbody></table>"


def _clause(group: Class, id: str) -> str:
    words = [group.word(learner, id) for learner in group.learners]
    cells = "".join(f'<td class="{word.replace(" ", "-")}">{word}</td>' for word in words)
    missed = words.count(strings.MISSED)
    count = strings.HEATMAP_OF.format(
        missed=missed, judged=len(words) - words.count(strings.NOT_JUDGED)
    )
    says = f"{_text(id)}<small>{_text(clause(id).says)}</small>"
    return f'<tr><th scope="row">{says}</th>{cells}<td>{count}</td></tr>'


def _marks(group: Class) -> str:
    rest = (strings.HEATMAP_TOTAL.format(total=group.total), strings.HEATMAP_REMARKS)
    head = _head([strings.HEATMAP_LEARNER, strings.HEATMAP_VERDICT, *group.exercises, *rest])
    rows = "\n".join(_learner(group, learner) for learner in group.learners)
    caption = f"<caption>{_text(strings.HEATMAP_MARKS_CAPTION)}</caption>"
    return f"<table>{caption}{head}\n<tbody>{rows}</tbody></table>"


def _learner(group: Class, learner: Learner) -> str:
    sharp = ' class="sharp"' if set(learner.verdicts) & set(_SHARP) else ""
    marks = "".join(f"<td>{_text(show_mark(learner, name))}</td>" for name in group.exercises)
    remarks = "".join(f"<li>{_text(remark)}</li>" for remark in learner.remarks)
    listed = f"<ul>{remarks}</ul>" if remarks else ""
    return (
        f'<tr><th scope="row">{_text(learner.name)}</th><td{sharp}>{_text(learner.verdict)}</td>'
        f"{marks}<td>{learner.earned}</td><td>{listed}</td></tr>"
    )


def show_mark(learner: Learner, exercise: str) -> str:
    """Write a learner's mark in an exercise.

    >>> show_mark(Learner("ann"), "ex04_split")
    '-'
    """
    return str(learner.marks[exercise]) if exercise in learner.marks else "-"


def tell_most_missed(group: Class) -> Iterator[str]:
    """Say which clauses were missed most, and where to return to.

    >>> list(tell_most_missed(Class((), ())))
    []
    """
    for row in group.most_missed():
        yield strings.HEATMAP_MISSED.format(
            clause=row.clause,
            says=clause(row.clause).says,
            missed=row.missed,
            judged=row.judged,
            exercise=row.exercise,
            notebook=course()[row.exercise].notebook,
        )


def table(group: Class) -> str:
    r"""Give the class as CSV, with a row for each learner.

    >>> table(Class((Learner("=1+1"),), ())).splitlines()[1]
    "'=1+1,,0,"
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    first = (strings.HEATMAP_LEARNER, strings.HEATMAP_VERDICT, strings.HEATMAP_MARKS)
    rows.writerow([*first, *group.exercises, *group.clauses, strings.HEATMAP_REMARKS])
    for one in group.learners:
        marks = [show_mark(one, name) for name in group.exercises]
        words = [group.word(one, id) for id in group.clauses]
        remarks = "; ".join(one.remarks)
        rows.writerow(map(guard, [one.name, one.verdict, str(one.earned), *marks, *words, remarks]))
    return text.getvalue()


def guard(text: str) -> str:
    """Keep a spreadsheet from taking text for a formula.

    >>> guard("=HYPERLINK(1)"), guard("ann"), guard("-")
    ("'=HYPERLINK(1)", 'ann', '-')
    """
    text = printable(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) and text != "-" else text
