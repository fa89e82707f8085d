"""The specimens: each is a small program with a header that tells the truth."""

import ast
import re
import sys
from collections import Counter

import pytest

from rpclab.conformance.cases import Choice, load_cases, load_client_cases
from rpclab.conformance.specimens import specimens
from rpclab.spec import clauses

SPECIMENS = specimens()
CASES = {"server": load_cases(), "client": load_client_cases()}
REPORT = re.compile(r"[JN]\d{2,3}")
HARMLESS = {"threading.Lock", "threading.Event", "len"}  # what a value at the top may call
MOST_LINES = {"server": 80, "client": 102}  # a client has the contract to keep as well

each_specimen = pytest.mark.parametrize(
    "specimen", SPECIMENS, ids=[f"{one.role}-{one.id}" for one in SPECIMENS]
)


def parse(specimen):
    return ast.parse(specimen.path.read_text("utf-8"))


def test_there_are_enough_of_them_and_they_break_many_clauses():
    roles = Counter(one.role for one in SPECIMENS)
    assert roles["server"] >= 40
    assert roles["client"] >= 15
    assert len({one.breaks for one in SPECIMENS}) >= 60


def test_no_two_have_one_id():
    assert [id for id, count in Counter(one.id for one in SPECIMENS).items() if count > 1] == []


@each_specimen
def test_it_is_caught_by_cases_of_the_clause_it_breaks_that_fit_it(specimen):
    fitting = Choice(specimen.profile).of(CASES[specimen.role], specimen.framing)
    clause_of = {case.id: case.clause for case in fitting if case.level != "free"}
    assert specimen.caught_by
    assert {clause_of.get(case) for case in specimen.caught_by} == {specimen.breaks}


@each_specimen
def test_it_is_modelled_on_field_reports_or_says_why_not(specimen):
    if specimen.report.startswith("none: "):
        assert specimen.report.removeprefix("none: ")
    else:
        assert all(map(REPORT.fullmatch, specimen.report.split(", ")))


@each_specimen
def test_it_says_what_is_wrong_in_one_sentence(specimen):
    assert specimen.says.endswith(".")
    assert "\n" not in specimen.says


@each_specimen
def test_it_stands_on_the_standard_library_alone(specimen):
    names = set()
    for node in ast.walk(parse(specimen)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


@each_specimen
def test_it_does_nothing_when_it_is_imported(specimen):
    _, *rest, last = parse(specimen).body
    assert ast.unparse(last).startswith("if __name__ == '__main__':")
    kinds = (
        ast.Import,
        ast.ImportFrom,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Assign,
    )
    assert all(isinstance(node, kinds) for node in rest)
    made = [node.value for node in rest if isinstance(node, ast.Assign)]
    calls = [node for value in made for node in ast.walk(value) if isinstance(node, ast.Call)]
    assert {ast.unparse(call.func) for call in calls} <= HARMLESS


@each_specimen
def test_it_can_be_read_in_a_minute(specimen):
    lines = specimen.path.read_text("utf-8").splitlines()
    assert len(lines) <= MOST_LINES[specimen.role]
    assert max(map(len, lines)) <= 100


def test_a_clause_names_a_specimen_that_breaks_it_where_there_is_one():
    broken_by = {}
    for one in SPECIMENS:
        broken_by.setdefault(one.breaks, set()).add(one.id)
    named = {clause.id: clause.specimen for clause in clauses() if clause.specimen}
    assert named.keys() == broken_by.keys()
    assert [id for id, specimen in named.items() if specimen not in broken_by[id]] == []
