"""What every test run has in common.

Environment variables, which lab.py sets:
  - RPCLAB_COVERAGE=on measures the coverage of the lesson and the peer, by test file
  - RPCLAB_EXAMPLES=long tries 1,000 examples of each property a round, not 100
"""

import os
import signal

import pytest
from hypothesis import settings

from tests import coverage_by_file

os.environ["RPCLAB_PROGRESS"] = "off"  # tests must not change a learner's progress

# A busy machine must not fail an example.
settings.register_profile("rpclab", deadline=None)
settings.register_profile("long", deadline=None, max_examples=1_000, database=None)
settings.load_profile("long" if os.environ.get("RPCLAB_EXAMPLES") == "long" else "rpclab")

# A program that starts its server at once: tests run it, and it holds no tests.
collect_ignore = ["conformance/plain_client.py"]


def pytest_configure(config):
    """Let interrupts work in what tests start, and begin to measure."""
    # A shell ignores SIGINT in what it starts with "&", and children inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    is_controller = not hasattr(config, "workerinput") and config.getoption("numprocesses", None)
    if os.environ.get("RPCLAB_COVERAGE") == "on" and not is_controller:
        config.pluginmanager.register(Measure(), "rpclab-coverage")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Escape half a surrogate pair in what was captured: no worker could send it."""
    report = yield
    report.sections = [
        (title, text.encode(errors="backslashreplace").decode()) for title, text in report.sections
    ]
    return report


class Measure:
    """Notes for each line of the lesson and the peer which test file ran it.

    Interface:
      - measures while tests are collected, so that lines which run on import count
      - pauses in the test files that cover no module: these run at full speed
    """

    def __init__(self):
        self.watch = coverage_by_file.start()
        self.file = None

    def pytest_collection_finish(self):
        """Stop what counts for imports."""
        self.watch.stop()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        """Measure one test, its fixtures included."""
        file = item.location[0]
        if not coverage_by_file.is_measured(file):
            return (yield)
        self.watch.start()
        if self.file != file:
            self.file = file
            self.watch.switch_context(file)
        try:
            return (yield)
        finally:
            self.watch.stop()

    def pytest_sessionfinish(self):
        """Write the notes down."""
        self.watch.save()
