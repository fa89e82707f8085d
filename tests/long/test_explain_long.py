"""The explanation agrees with the transport: 50,000 inputs of the three kinds."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.explain.test_agreement import LINES, PIECES, PROFILES, SOUP, check, mutated

KINDS = {
    "arbitrary bytes": st.binary(max_size=120),
    "near-JSON": SOUP | st.lists(PIECES, max_size=60).map(b"".join),
    "mutations of good lines": mutated() | mutated(st.lists(LINES, max_size=4).map(b"\n".join)),
}
COUNTS = {"arbitrary bytes": 10_000, "near-JSON": 20_000, "mutations of good lines": 20_000}


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", KINDS)
def test_it_agrees_on_many_inputs(kind):
    @settings(
        max_examples=COUNTS[kind],
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(KINDS[kind], st.sampled_from(PROFILES))
    def agree(data, profile):
        check(data, profile)

    agree()
