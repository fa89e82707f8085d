"""A class as one HTML page that needs no other file, and as a CSV table.

Everything that the page shows is escaped, because names and remarks come from
hand-ins. Every cell of the heat map holds a word; the colour is not needed.
"""

import csv
import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template

from rpclab.classroom.audit_hook import TAMPERED
from rpclab.classroom.grading import CRASHED, HANGING, UNREADABLE, Class, Learner
from rpclab.conformance.reports import printable
from rpclab.course.catalogue import course
from rpclab.spec import clause
from rpclab.spec.inline_code import as_plain

HEADINGS: Final = {
    "CLAUSE": "Clause",
    "LEARNER": "Learner",
    "MARKS": "Marks",
    "REMARKS": "Remarks",
    "VERDICT": "Verdict",
}
"""The headings that both the page and the table have."""

_SHARP: Final = frozenset({TAMPERED, CRASHED, HANGING, UNREADABLE})
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def render_page(group: Class, limits: str) -> str:
    """Return the whole page.

    >>> "<script>" in render_page(Class((Learner("<script>"),), ()), "")
    False
    """
    return _load_template().render(
        HEADINGS,
        group=group,
        clauses=[group.count_missed(id) for id in group.clauses],
        most_missed=list(tell_most_missed(group)),
        limits=limits,
        says=lambda clause_id: as_plain(clause(clause_id).says),
        show_mark=show_mark,
        is_sharp=lambda learner: not _SHARP.isdisjoint(learner.verdicts),
    )


@cache
def _load_template() -> Template:
    page = Environment(autoescape=True, undefined=StrictUndefined, finalize=_make_printable)
    text = Path(__file__).with_suffix(".html").read_text("utf-8")
    return page.from_string(text)


def _make_printable(value: Any) -> str:
    """Turn a value into text that controls nothing. Jinja escapes it afterwards."""
    return printable(str(value))


def show_mark(learner: Learner, exercise: str) -> str:
    """Write a learner's mark in an exercise.

    >>> show_mark(Learner("ann"), "ex04_split")
    '-'
    """
    return str(learner.marks[exercise]) if exercise in learner.marks else "-"


def tell_most_missed(group: Class) -> Iterator[str]:
    """Say which clauses were missed most, and which exercise to return to.

    >>> list(tell_most_missed(Class((), ())))
    []
    """
    for row in group.most_missed():
        notebook = course()[row.exercise].notebook
        yield (
            f"{row.clause}: {as_plain(clause(row.clause).says)} "
            f"Missed by {row.missed} of {row.judged}. Return to {row.exercise}, in {notebook}."
        )


def render_csv(group: Class) -> str:
    r"""Return the class as CSV, with a row for each learner.

    >>> render_csv(Class((Learner("=1+1"),), ())).splitlines()[1]
    "'=1+1,,0,"
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    first = [HEADINGS[name] for name in ("LEARNER", "VERDICT", "MARKS")]
    rows.writerow([*first, *group.exercises, *group.clauses, HEADINGS["REMARKS"]])
    for one in group.learners:
        marks = [show_mark(one, name) for name in group.exercises]
        words = [group.word(one, id) for id in group.clauses]
        remarks = "; ".join(one.remarks)
        cells = [one.name, one.verdict, str(one.earned), *marks, *words, remarks]
        rows.writerow(map(guard_formula, cells))
    return text.getvalue()


def guard_formula(text: str) -> str:
    """Make sure that a spreadsheet does not take text for a formula.

    >>> guard_formula("=HYPERLINK(1)"), guard_formula("ann"), guard_formula("-")
    ("'=HYPERLINK(1)", 'ann', '-')
    """
    text = printable(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) and text != "-" else text
