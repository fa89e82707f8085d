"""The same verdicts, ten times, beside four processes that want the processors too."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

from rpclab.conformance.cases import Choice
from rpclab.conformance.greetings import GREETINGS
from rpclab.conformance.run import judge_server
from rpclab.conformance.specimens import find_specimen
from rpclab.conformance.targets.command import CommandTarget

BURNERS = 4
RUNS = 10
DEMO = [sys.executable, "-m", "rpclab", "serve"]
LATE = find_specimen("cancelled-left-open")


@contextmanager
def burners():
    """Let four processes burn processor time."""
    burn = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(burn) for _ in range(BURNERS)]
    try:
        yield running
    finally:
        for one in running:
            one.kill()
            one.wait()


def judged(command, framing, profile):
    def make():
        return CommandTarget(command, framing, greeting=GREETINGS.get(profile, ()))

    report = judge_server(make, choice=Choice(profile), jobs=2)
    return {
        one.case: (one.found, one.delivery, one.blocked_by, one.reading, one.state)
        for one in report.verdicts
    }


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("command", "framing", "profile"),
    [(DEMO, "newline", "core"), (LATE.command, LATE.framing, LATE.profile)],
    ids=["demo", LATE.id],
)
def test_load_changes_no_verdict(command, framing, profile):
    quiet = judged(command, framing, profile)
    with burners() as running:
        for _ in range(RUNS):
            loud = judged(command, framing, profile)
            changed = {case: (quiet[case], one) for case, one in loud.items() if one != quiet[case]}
            assert changed == {}
        assert all(one.poll() is None for one in running)
