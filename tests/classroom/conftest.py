"""What every test of the classroom has in common."""

import ctypes
import sys

import psutil
import pytest

ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER in <linux/prctl.h>


@pytest.fixture(autouse=True)
def nothing_is_left_running():
    """Fail if a test leaves a process behind, even one whose parent has ended."""
    adopt_orphans(True)
    before = find_descendants()
    yield
    _, alive = psutil.wait_procs(find_descendants() - before, timeout=30)
    adopt_orphans(False)
    assert alive == []


def adopt_orphans(wanted):
    """Become the parent of descendants whose own parent ends, or stop that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, int(wanted), 0, 0, 0)


def find_descendants():
    return set(psutil.Process().children(recursive=True))
