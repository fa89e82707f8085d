"""The conformance lab over real pipes: our own server, our own client, and a gigabyte."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from rpclab.conformance.run import judge_client, judge_server
from rpclab.conformance.targets.command import ClientCommand, CommandTarget
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.demos.demo_server import demo_handler

TESTS = Path(__file__).parents[1] / "conformance"
SERVE = [sys.executable, "-m", "rpclab", "serve", "--framing"]
CLIENTS = {
    "plain": [sys.executable, "-I", "-S", str(TESTS / "plain_client.py")],
    "rpclab": [sys.executable, str(TESTS / "rpclab_client.py"), "lsp"],
}
GIGABYTE = """
import os, sys
line = b"x" * 999_999 + b"\\n"
for _ in range(1000):
    os.write(1, line)
"""


def broken(report):
    return [(v.case, v.delivery, v.why, v.came[:3]) for v in report.verdicts if v.found == "broken"]


@pytest.mark.parametrize("framing", ["newline", "content-length"])
def test_our_server_keeps_every_case_over_a_pipe_as_in_this_process(framing):
    over_a_pipe = judge_server(CommandTarget([*SERVE, framing], framing))
    assert broken(over_a_pipe) == []
    assert over_a_pipe.ran == len(over_a_pipe.verdicts)
    here = judge_server(judge_handler(demo_handler, framing))
    assert broken(here) == []
    assert over_a_pipe.clauses() == here.clauses()
    assert over_a_pipe.votes() == here.votes()


@pytest.mark.parametrize("framing", ["newline", "content-length"])
@pytest.mark.parametrize("name", CLIENTS)
def test_a_good_client_keeps_every_case(name, framing):
    assert broken(judge_client(ClientCommand(CLIENTS[name], framing, 10))) == []


def test_a_target_that_writes_a_gigabyte_is_stopped_with_its_memory_bounded():
    command = [sys.executable, "-m", "rpclab", "conform", "--deadline", "5", "--"]
    command += [sys.executable, "-c", GIGABYTE]
    most = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        watched = psutil.Process(run.pid)
        while run.poll() is None:
            most = max(most, watched.memory_info().rss)
            time.sleep(0.01)
        text = run.stderr.read().decode()
    assert run.returncode == 2
    assert "it flooded its stdout" in text
    assert most < 300 << 20
