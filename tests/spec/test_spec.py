"""The rows of the specification: read, frozen, and without orphans.

One check at the end needs notebooks that do not exist yet, so it is expected to fail.
Once they exist it passes, and ``strict`` then fails until the mark is removed.
"""

import dataclasses
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rpclab
from rpclab import spec

ROOT = Path(rpclab.__file__).parents[1]
SPEC = Path(rpclab.__file__).parent / "spec"
PRINT = runpy.run_path(str(ROOT / "docs" / "print.py"))


def table(file, name):
    return tomllib.loads((SPEC / f"{file}.toml").read_text(encoding="utf-8"))[name]


KINDS = {
    "source": (spec.sources, spec.source, table("clauses", "source")),
    "clause": (spec.clauses, spec.clause, table("clauses", "clause")),
    "ruling": (spec.rulings, spec.ruling, table("rulings", "ruling")),
    "profile": (spec.profiles, spec.profile, table("profiles", "profile")),
}


def plain(value):
    """Return a row's value as it is in TOML."""
    match value:
        case tuple():
            return [plain(item) for item in value]
        case spec.Reading():
            return dataclasses.asdict(value)
        case str():
            return value
        case _:
            return dict(value)


# --- the rows -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_rows_are_those_of_the_file_in_its_order(kind):
    rows, _, written = KINDS[kind]
    assert [row.id for row in rows()] == [row["id"] for row in written]


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_has_exactly_the_fields_of_the_file(kind):
    rows, _, written = KINDS[kind]
    examples = {"given_bytes", "keeps_bytes", "breaks_bytes", "example_bytes"}
    for row, fields in zip(rows(), written, strict=True):
        names = [field.name for field in dataclasses.fields(row)]
        assert {name: plain(getattr(row, name)) for name in fields} == fields
        versions = {"revisions", "versions", "only_in", "revision"}
        assert set(names) - set(fields) <= examples | versions | {"no_specimen", "anchors"}
        assert all(not getattr(row, name) for name in set(names) - set(fields))


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_is_found_by_its_id_and_read_once(kind):
    rows, find, _ = KINDS[kind]
    assert all(find(row.id) is row for row in rows())


@pytest.mark.parametrize("kind", KINDS)
def test_an_id_that_does_not_exist_is_refused_with_a_sentence(kind):
    with pytest.raises(LookupError, match=f"there is no {kind} 'nope'"):
        KINDS[kind][1]("nope")


def test_a_row_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.clause("4.object").says = "Anything goes."
    with pytest.raises(TypeError):
        spec.profile("mcp").readings["batches"] = "answered"


def test_the_transport_reads_no_row():
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, rpclab; print(*sys.modules)"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert "rpclab" in loaded
    assert not {"rpclab.spec", "rpclab.explain", "tomllib"} & set(loaded)


# --- the pages that are printed from them ---------------------------------------------


@pytest.mark.parametrize("page", PRINT["PAGES"])
def test_a_page_is_as_its_data_says(page):
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert written == PRINT["render"](page), "run: python docs/print.py"
    assert "python docs/print.py" in written.splitlines()[0]


def test_the_readme_has_five_rows_of_the_matrix_as_it_was_measured():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == PRINT["renew_readme"](readme), "run: python docs/print.py"
    rows = list(PRINT["matrix_lines"]())[1:]
    assert rows[0].startswith("| rpclab ")
    assert len(rows) == 5


def test_the_clause_page_has_every_clause_once():
    page = (ROOT / "docs" / "clauses.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert sorted(found) == sorted(row.id for row in spec.clauses())


# --- no orphans, in either direction ------------------------------------------------------------

MUSTS = [row for row in spec.clauses() if row.level in {"MUST", "MUST NOT"}]
LATER_NOTEBOOKS = "the notebooks come with later issues"


def names_in(folder, pattern):
    return {path.name.removesuffix(path.suffix) for path in (ROOT / folder).glob(pattern)}


def exercises_named():
    return {row.exercise for row in spec.clauses() if row.exercise}


def cases_named():
    return {case for row in spec.clauses() for case in row.cases}


def cases_written():
    files = (ROOT / "rpclab" / "conformance" / "cases").rglob("*.toml")
    rows = [row for file in files for row in tomllib.loads(file.read_text("utf-8")).get("case", [])]
    return {row["id"]: row["clause"] for row in rows}


def test_every_clause_that_a_ruling_reads_exists():
    known = {row.id for row in spec.clauses()}
    assert {id for row in spec.rulings() for id in row.clauses} <= known


def test_every_clause_names_a_notebook_and_an_exercise_or_why_there_is_none():
    for row in spec.clauses():
        assert row.notebook, row.id
        assert bool(row.exercise) != bool(row.exercise_none), row.id


@pytest.mark.xfail(strict=True, reason=LATER_NOTEBOOKS)
def test_every_notebook_that_a_clause_names_is_there():
    named = {row.notebook.partition("#")[0] for row in spec.clauses()}
    assert named <= names_in("notebooks", "*.ipynb")


def test_every_exercise_that_a_clause_names_is_there():
    assert exercises_named() <= names_in("exercises", "ex*")


def test_every_exercise_is_named_by_a_clause():
    assert names_in("exercises", "ex*") <= exercises_named()


def test_every_must_has_a_case_or_a_reason():
    assert [row.id for row in MUSTS if not (row.cases or row.untestable)] == []


def test_every_case_that_a_clause_names_is_written_and_names_it_back():
    assert cases_named() <= set(cases_written())


def test_every_case_is_named_by_its_clause():
    assert cases_written(), "no cases yet"
    missing = {id for id, clause in cases_written().items() if id not in spec.clause(clause).cases}
    assert missing == set()


def test_every_must_with_a_case_has_a_specimen_that_only_it_catches_or_says_why_not():
    said = [row for row in MUSTS if row.specimen or row.no_specimen or row.untestable]
    assert [row.id for row in MUSTS if row not in said] == []


def test_a_clause_says_why_it_has_no_specimen_only_where_it_has_cases_and_none():
    said = [row for row in spec.clauses() if row.no_specimen]
    assert [row.id for row in said if row.specimen or row.untestable or not row.cases] == []


def test_no_specimen_is_caught_by_two_clauses():
    named = [row.specimen for row in spec.clauses() if row.specimen]
    assert named, "no specimens yet"
    assert len(named) == len(set(named))
