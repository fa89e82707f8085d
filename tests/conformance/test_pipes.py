"""The pipes of a program under test: the same over one loop, and over threads."""

import sys
import threading
import time

import pytest

from rpclab.conformance.targets import pipes as pipes_module
from rpclab.conformance.targets.pipes import SelectorPipes, ThreadPipes
from rpclab.conformance.targets.process import Process

PLENTY = 20.0
"""Seconds that no test waits for: a busy machine is not a fault of the program."""

COPY = "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"


@pytest.fixture(params=[SelectorPipes, ThreadPipes], ids=["loop", "threads"])
def start(request, monkeypatch):
    monkeypatch.setattr(pipes_module, "PIPES", request.param)
    processes = []

    def start(text):
        processes.append(Process([sys.executable, "-I", "-S", "-u", "-c", text]))
        return processes[-1]

    yield start
    for process in processes:
        process.close()


def step_until(process, is_done):
    """Read until something is so."""
    until = time.monotonic() + PLENTY
    while not is_done() and time.monotonic() < until:
        process.pipes.step(wait=0.01)
    assert is_done()


def test_what_does_not_fit_into_a_pipe_is_read_while_the_rest_is_written(start):
    process = start(COPY)
    data = rest = bytes(range(256)) * (1 << 14)
    until = time.monotonic() + PLENTY
    while rest and time.monotonic() < until:
        rest = rest[process.pipes.step(rest) :]
    process.pipes.close_stdin()
    step_until(process, lambda: not process.pipes.stdout_open)
    assert bytes(process.pipes.read) == data
    assert process.wait(PLENTY) == 0


def test_what_nobody_reads_any_more_counts_as_written(start):
    process = start("raise SystemExit(3)")
    assert process.wait(PLENTY) == 3
    step_until(process, lambda: process.pipes.step(b"x" * 1000, 0.01) == 1000)
    step_until(process, lambda: not process.pipes.is_open)
    assert not process.pipes.stdout_open


@pytest.mark.parametrize("is_read", [False, True], ids=["at-once", "while-it-is-read"])
def test_a_program_can_no_longer_write_when_our_end_is_closed(start, is_read):
    process = start("import time\nwhile True: print('x'); time.sleep(0.01)")
    if is_read:
        step_until(process, lambda: process.pipes.read)
    process.pipes.close_stdout()
    assert process.wait(PLENTY) == 1
    assert "BrokenPipeError" in process.stderr_tail
    assert process.pipes.gone


def test_no_thread_is_left_behind(start):
    before = threading.active_count()
    process = start("import sys, time\nwhile True: sys.stdout.write('x' * 100000)")
    step_until(process, lambda: process.pipes.read)
    process.close()
    assert threading.active_count() == before
