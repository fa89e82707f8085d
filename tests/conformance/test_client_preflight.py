"""A run of a client: its first call, its order, and what is repeated."""

import sys
from pathlib import Path

import pytest

from rpclab.conformance.cases import Choice
from rpclab.conformance.client_preflight import find_dead
from rpclab.conformance.run import judge_client
from rpclab.conformance.targets.command import ClientCommand

PLAIN = Path(__file__).parent / "plain_client.py"
FIRST = 'import json, sys\nprint(json.dumps({"as": "a", "result": ["no"]}))'


def program(text, deadline=20.0):
    return ClientCommand([sys.executable, "-I", "-S", "-c", text], deadline=deadline)


@pytest.mark.parametrize(
    ("text", "deadline", "why", "stderr"),
    [
        ("import nobody_has_it", 20, "it ended (exit status 1), and it neither", "nobody_has_it"),
        ("import time; time.sleep(60)", 0.1, "it goes on, and it neither", ""),
    ],
)
def test_a_client_that_never_calls_is_accused_of_nothing(text, deadline, why, stderr):
    report = judge_client(program(text, deadline))
    assert {(v.found, v.state) for v in report.verdicts} == {("not judged", "mute")}
    assert report.faults() == ()
    assert report.verdicts[0].why.startswith(why)
    assert stderr in report.verdicts[0].stderr


def test_a_client_that_makes_its_handshake_alone_never_calls():
    text = (
        "import json, subprocess, sys\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=-1, stdout=-1)\n"
        "call = {'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {}}\n"
        "server.communicate(json.dumps(call).encode() + b'\\n')\n"
    )
    dead = find_dead(program(text), "mcp")
    assert dead is not None
    assert "neither called its server" in dead.note
    assert find_dead(program(text), "core") is None  # there it is a call like any other


def test_a_client_that_fails_a_plain_call_has_one_fault():
    report = judge_client(program(FIRST))
    [fault] = report.faults()
    assert (fault.clause, fault.cases[0]) == ("5.result-on-success", "client.call.plain")
    assert len(fault.blocked) > 60


def test_a_client_that_hangs_is_judged_again_with_more_time(tmp_path):
    """It hangs whenever it is asked for the first time, and works the second time."""
    text = (
        "import json, pathlib, runpy, sys, time\n"
        f"mark = pathlib.Path({str(tmp_path / 'asked')!r})\n"
        "asked = sys.stdin.readline()\n"
        "if '\"two\"' in sys.stdin.read() and not mark.exists():\n"
        "    mark.touch()\n"
        "    time.sleep(60)\n"
        "print(json.dumps({'as': 'a', 'result': ['one' if 'one' in asked else 'hi']}))\n"
        "if 'one' in asked: print(json.dumps({'as': 'b', 'result': ['two']}))\n"
    )
    choice = Choice(only=("client.reply.out-of-order",))
    report = judge_client(program(text, 0.7), choice=choice)
    assert (tmp_path / "asked").exists()
    assert [(v.found, v.why) for v in report.verdicts] == [("kept", "")]


def test_verdicts_are_told_as_they_fall_and_a_run_can_be_ended():
    told = []

    def after_each(verdict):
        told.append(verdict.case)
        return len(told) == 3

    client = ClientCommand([sys.executable, "-I", "-S", str(PLAIN)], deadline=20)
    report = judge_client(client, after_each=after_each)
    assert told[0] == "client.line.no-newline-inside"
    assert {v.case for v in report.verdicts} == set(told)
