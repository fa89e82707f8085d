"""Tests that are coroutines, on a virtual clock: no test sleeps."""

import functools

from rpclab.demos.virtual_clock import run


def virtual(test):
    """Run a coroutine test on a virtual clock, and see that it leaves no task."""

    @functools.wraps(test)
    def on_a_virtual_clock(*args, **kwargs):
        run(test(*args, **kwargs))

    return on_a_virtual_clock
