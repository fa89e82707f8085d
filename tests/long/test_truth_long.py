"""The real programs whose installation or judgement takes a while, as in test_truth.py."""

import pytest

from rpclab.conformance.matrix.environments import CannotInstall
from tests.conformance.truth_files import find_differences, install, judge, load_truths

pytestmark = pytest.mark.timeout(1200)


@pytest.mark.parametrize("truth", load_truths(quick=False), ids=lambda truth: truth.id)
def test_a_program_is_accused_of_what_it_does_wrong_and_of_nothing_else(truth):
    try:
        command = install(truth)
    except CannotInstall as error:
        pytest.skip(f"{truth.name}: {error}")
    assert find_differences(truth, judge(truth, command)) == []
