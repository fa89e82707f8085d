"""The course reads as one text: words in order, budgets kept, nothing left without a name."""

from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from rpclab.course.catalogue import course
from rpclab.spec import clauses
from tests.notebooks import content

PATHS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]
BOOKS = {path.stem: nbformat.read(path, as_version=4) for path in PATHS}
LINKS = [None, *(f"[{content.title_of(BOOKS[name])}]({name}.ipynb)" for name in NAMES), None]
each_notebook = pytest.mark.parametrize("name", NAMES)

COMMON = {
    # English before they are terms, and read rightly by someone who has not met the term yet
    "call": "'a function that it calls'",
    "cancel": "a word on a button, one notebook before it is explained",
    "case": "'in any case', 'with case'",
    "code": "'the same in code'",
    "fault": "'the caller's own fault'",
    "broken": "'a broken line'",
    "free": "'frees what it held'",
    "kept": "'what follows is not kept'",
    "mistake": "'joined by mistake'",
}
"""Glossary words that the order is not asked of, each with a use that needs no glossary."""

TERMS = content.glossary(COMMON)
KNOWN = {row.id for row in clauses()}
TAUGHT = [name for name in NAMES if name > "02"]


# --- words -------------------------------------------------------------------------


def test_there_are_terms_to_look_for():
    assert len(TERMS) >= 35
    assert set(COMMON) < {term for term, _ in content.glossary(())}


@each_notebook
def test_no_term_is_used_before_the_notebook_that_introduces_it(name):
    assert content.used_too_early(BOOKS[name], name, TERMS) == []


@each_notebook
def test_the_first_use_of_a_term_is_set_apart(name):
    assert content.not_introduced(BOOKS[name], name, TERMS) == []


@each_notebook
def test_no_word_of_the_prose_is_forbidden(name):
    assert content.forbidden_words(BOOKS[name]) == []


@each_notebook
def test_each_sentence_has_a_line_of_its_own(name):
    assert content.two_sentences_on_a_line(BOOKS[name]) == []


# --- form --------------------------------------------------------------------------


@each_notebook
def test_cells_are_short(name):
    assert content.over_budget(BOOKS[name]) == []


@each_notebook
def test_each_picture_is_told_in_words(name):
    assert content.pictures_without_words(BOOKS[name]) == []


@pytest.mark.parametrize("place", range(len(NAMES)), ids=NAMES)
def test_the_first_and_the_last_cell_have_their_form_and_agree_in_order(place):
    name = NAMES[place]
    wrong = content.wrong_header_or_footer(BOOKS[name], name, LINKS[place], LINKS[place + 2])
    assert wrong == []


@each_notebook
def test_links_lead_to_notebooks_that_are_there(name):
    assert content.broken_links(BOOKS[name], NAMES) == []


@pytest.mark.parametrize("name", TAUGHT)
def test_a_notebook_ends_with_a_whole_module(name):
    assert content.no_whole_module_at_the_end(BOOKS[name]) == []


# --- clauses and exercises ---------------------------------------------------------


@each_notebook
def test_each_clause_in_the_prose_exists(name):
    assert content.unknown_clauses(BOOKS[name], KNOWN) == []


@each_notebook
def test_the_section_that_a_clause_names_names_the_clause(name):
    assert content.unnamed_clauses(BOOKS[name], name, clauses()) == []


@each_notebook
def test_each_exercise_stands_once_in_its_notebook_and_in_order(name):
    wanted = [exercise for exercise, row in course().items() if row.notebook == name]
    assert content.wrong_exercises(BOOKS[name], wanted) == []


def test_no_exercise_is_an_orphan():
    assert {row.notebook for row in course().values()} <= set(NAMES)


# --- each check can fail -----------------------------------------------------------


def planted(*cells):
    """Return a notebook with faults."""
    head = "# A\n\n**Index** · Back: none · Next: none\n\n"
    return nbformat.v4.new_notebook(cells=[new_markdown_cell(head), *cells, new_markdown_cell("")])


def shown(markdown):
    output = new_output("display_data", {"text/markdown": markdown})
    return new_code_cell("show_source(x)", outputs=[output])


TEXT = planted(
    new_markdown_cell(
        "The peer is just here. It is late.\n\n`9.9.no-clause` ![](a.png) [a](b.ipynb)"
    ),
    new_markdown_cell(
        "**Explain**: one sentence.\n\n```mermaid\nsequenceDiagram\n    A->>B: x\n```"
    ),
    new_markdown_cell('<img src="a.png"> <svg><path/></svg>'),
    new_code_cell("\n".join(f"x = {number}" for number in range(13))),
    new_code_cell('task("ex02_replies")\ncheck("ex02_replies", 1)'),
)
PEER = [("peer", "07_notifications")]


def test_each_check_finds_a_planted_fault():
    assert content.used_too_early(TEXT, "01_messages", PEER) == ["peer is met in 07_notifications"]
    assert content.not_introduced(TEXT, "07_notifications", PEER) == ["peer is not introduced"]
    assert content.forbidden_words(TEXT) == ["just"]
    assert len(content.two_sentences_on_a_line(TEXT)) == 1
    assert len(content.over_budget(TEXT)) == 2
    assert len(content.pictures_without_words(TEXT)) == 4
    assert len(content.wrong_header_or_footer(TEXT, "a", None, None)) == 2
    assert content.broken_links(TEXT, NAMES) == ["b.ipynb"]
    assert content.unknown_clauses(TEXT, KNOWN) == ["9.9.no-clause"]
    assert len(content.wrong_exercises(TEXT, ["ex01_shapes"])) == 1
    assert len(content.no_whole_module_at_the_end(TEXT)) == 1
    assert len(content.no_whole_module_at_the_end(planted(shown("```python\n# a.b\ndef c")))) == 1


def test_a_row_whose_section_does_not_name_it_is_found():
    rows = [row for row in clauses() if row.notebook.startswith("01_messages")]
    assert len(content.unnamed_clauses(TEXT, "01_messages", rows)) == len(rows) > 10


def test_the_order_of_the_notebooks_is_that_of_their_numbers():
    assert all(int(one[:2]) < int(other[:2]) for one, other in pairwise(NAMES))
