"""The matrix with real packages: it asks the registries that pip and npm are set up for."""

import subprocess

import pytest

from rpclab.conformance.cases import load_cases
from rpclab.conformance.matrix import judge_adapter
from rpclab.conformance.matrix.environments import load_adapters

pytestmark = pytest.mark.timeout(1200)

CASES = load_cases()
SOME = tuple(case.id for case in CASES if case.id.startswith("examples."))
OTHERS = load_adapters()[1:]


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("one", OTHERS, ids=[one.id for one in OTHERS])
def test_an_implementation_is_installed_in_its_version_and_answers_the_good_calls(one, cache):
    row = judge_adapter(one, CASES, cache, SOME)
    if row.report is None:
        pytest.skip(f"{one.id}: {row.why}")
    assert row.packages[one.id] == one.version
    kept = {verdict.case for verdict in row.report.verdicts if verdict.found == "kept"}
    assert "examples.notification-2" in kept


def test_no_process_is_left(cache):
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(cache) not in listed.stdout
