"""A thousand calls each way, a hundred times."""

import pytest

from tests.peer.test_peer import test_a_thousand_calls_each_way_end_once_each as thousand_calls


@pytest.mark.parametrize("manner", ["lsp", "mcp"])
@pytest.mark.parametrize("seed", range(100, 200))
def test_a_thousand_calls_each_way_end_once_each(seed, manner):
    thousand_calls(seed, manner)
