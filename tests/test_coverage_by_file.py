"""The check of coverage by test file: it must see every kind of gap."""

import coverage
import pytest

from tests.coverage_by_file import ROOT, left_out, owners

MODULE = """\
def sign(n):
    if n < 0:
        n = -1
    return n


if __debug__:
    ONE = 1
"""
OWN, OTHER = "tests/test_sign.py", "tests/test_other.py"
ON_IMPORT = {(-1, 1), (1, 7), (7, 8), (8, -1)}
NEGATIVE = {(-1, 2), (2, 3), (3, 4), (4, -1)}
POSITIVE = {(-1, 2), (2, 4), (4, -1)}


@pytest.fixture
def gaps(tmp_path):
    """Return what is left out when the contexts ran these branches."""
    path = tmp_path / "sign.py"
    path.write_text(MODULE)

    def find(**ran):
        watch = coverage.Coverage(data_file=str(tmp_path / "data"), branch=True, config_file=False)
        data = watch.get_data()
        for context, arcs in ran.items():
            data.set_context({"on_import": "", "own": OWN, "other": OTHER}[context])
            data.add_arcs({str(path): arcs})
        return left_out(watch, path, OWN)

    return find


def test_a_module_that_its_own_tests_run_whole_has_no_gap(gaps):
    assert gaps(on_import=ON_IMPORT, own=NEGATIVE | POSITIVE) == []


def test_a_line_that_only_another_file_runs_is_a_gap(gaps):
    assert gaps(on_import=ON_IMPORT, own=POSITIVE, other=NEGATIVE) == ["3", "2->3"]


def test_a_branch_that_only_another_file_takes_is_a_gap(gaps):
    assert gaps(on_import=ON_IMPORT, own=NEGATIVE, other=POSITIVE) == ["2->4"]


def test_what_a_function_runs_while_modules_are_imported_does_not_count(gaps):
    assert gaps(on_import=ON_IMPORT | NEGATIVE, own=POSITIVE) == ["3", "2->3"]


def test_a_module_that_nothing_runs_is_one_gap(gaps):
    assert gaps() == ["1", "2", "3", "4", "7", "8"]


def test_every_module_has_the_tests_that_must_cover_it():
    assert [owner for owner in owners().values() if not (ROOT / owner).exists()] == []
