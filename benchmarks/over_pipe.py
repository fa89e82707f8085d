"""What a message costs over a real pipe, to a server process.

Pipelined, the client sends without waiting, which shows how many calls get
through. In ping-pong it waits for each reply before it sends the next request,
which shows how long one call takes.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from time import perf_counter
from typing import Final

from measure import Measurement, take_turns
from workloads import SMALL

CHUNK: Final = 64 * 1024
FLOOD: Final = SMALL * 1_000


class Server(subprocess.Popen[bytes]):
    """A server to measure. It ends when its stdin is closed, at the end of a ``with``."""

    def __init__(self, loop: str) -> None:
        program = str(Path(__file__).with_name("served.py"))
        pipe = subprocess.PIPE
        super().__init__([sys.executable, program, loop], stdin=pipe, stdout=pipe)
        assert self.stdin is not None
        assert self.stdout is not None
        self.to_server, self.from_server = self.stdin.fileno(), self.stdout.fileno()


@contextmanager
def two_servers() -> Iterator[tuple[Server, Server]]:
    """Start the bare loop and ours, and end both."""
    with Server("bare") as bare, Server("ours") as ours:
        for server in (bare, ours):
            ping(server)  # both are up and warm
        yield bare, ours


@contextmanager
def one_cpu() -> Iterator[None]:
    """Keep this process and its children on one CPU, if the system can.

    In ping-pong one of them waits while the other works. Whether they share a
    CPU makes more of a difference than the server, and depends on the scheduler.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def ping(server: Server) -> list[float]:
    """Send 100 requests one by one, and return the microseconds of each."""
    taken = []
    for _ in range(100):
        start = perf_counter()
        os.write(server.to_server, SMALL)
        while not os.read(server.from_server, CHUNK).endswith(b"\n"):
            pass
        taken.append((perf_counter() - start) * 1e6)
    return taken


def flood(server: Server) -> float:
    """Send 1000 requests without waiting, and return microseconds per reply."""
    start = perf_counter()
    sender = Thread(target=lambda: (server.stdin.write(FLOOD), server.stdin.flush()))
    sender.start()
    replies = 0
    while replies < 1_000:
        replies += os.read(server.from_server, CHUNK).count(b"\n")
    sender.join()
    return (perf_counter() - start) * 1e3


def p99(taken: list[float]) -> float:
    """Return the time within which 99 of 100 replies arrived."""
    return quantiles(taken, n=100)[98]


def measure_pipelined(rounds: int) -> Measurement:
    """Measure small requests that are sent without waiting."""
    with two_servers() as (bare, ours):
        taken = take_turns(lambda: flood(bare), lambda: flood(ours), rounds)
    return Measurement("over a pipe, pipelined", "µs", *taken, 0.7)


def measure_ping_pong(rounds: int) -> list[Measurement]:
    """Measure the time from a request to its reply."""
    with one_cpu(), two_servers() as (bare, ours):
        sides = take_turns(lambda: ping(bare), lambda: ping(ours), rounds)
    p50s = [[median(taken) for taken in side] for side in sides]
    p99s = [[p99(taken) for taken in side] for side in sides]
    return [
        Measurement("over a pipe, ping-pong, median", "µs", *p50s, most=0.9),
        Measurement("over a pipe, ping-pong, slowest 1 %", "µs", *p99s),
    ]
