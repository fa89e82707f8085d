"""A run: which cases a server is put through, in which words, and what is reported."""

import json
import sys

import pytest

from rpclab.conformance.cases import Choice, load_cases, read_case
from rpclab.conformance.cases.method_names import rename, renamed_case
from rpclab.conformance.greetings import GREETINGS
from rpclab.conformance.run import judge_server
from rpclab.conformance.targets import command
from rpclab.conformance.targets.command import CommandTarget
from rpclab.conformance.targets.in_process import CallableTarget, judge_handler
from rpclab.demos.demo_server import demo_handler
from rpclab.errors import MethodNotFound

CALL = '{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":1}'
REPLY = '{"jsonrpc":"2.0","result":["hi"],"id":1}'
ROW = {
    "id": "a",
    "clause": "5.reply",
    "level": "must",
    "about": "Section 5.",
    "send": [CALL],
    "expect": [REPLY],
}
RULED = {k: v for k, v in ROW.items() if k != "expect"} | {
    "clause": "4.id-null-counts",
    "ruling": "id-null",
    "readings": {"request": [REPLY], "forbidden": "ends", "notification": []},
    "breaks": ["notification"],
}
FREE = {k: v for k, v in RULED.items() if k != "breaks"} | {"level": "free"}

NAIVE = """
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if call["method"] == "its/echo":
        answer = {"result": call["params"]}
    else:
        answer = {"error": {"code": -32601, "message": "Method not found"}}
    print(json.dumps({"jsonrpc": "2.0", "id": call.get("id")} | answer), flush=True)
"""


def naive():
    return CommandTarget([sys.executable, "-I", "-S", "-c", NAIVE], deadline=20)


def run(only, target=None, **options):
    return judge_server(target or naive(), choice=Choice(only=tuple(only)), **options)


def test_a_naive_server_breaks_what_it_breaks_and_keeps_the_rest():
    ids = ["examples.unknown-method", "examples.notification-1", "examples.broken-json"]
    found = {v.case: v.found for v in run(ids).verdicts}
    assert found == {ids[0]: "kept", ids[1]: "broken", ids[2]: "broken"}


LATE = """
import json, sys, threading
for line in sys.stdin:
    call = json.loads(line)
    reply = json.dumps({"jsonrpc": "2.0", "id": call.get("id"), "result": call["params"]})
    late = 0.1 if call["params"] == ["hi"] else 0
    threading.Timer(late, lambda text: print(text, flush=True), [reply]).start()
"""


@pytest.mark.parametrize("row", [RULED, FREE], ids=["ruled", "free"])
def test_a_late_reply_is_not_taken_for_silence(row, monkeypatch):
    monkeypatch.setattr(command, "GRACE", 20.0)  # it ends when the reply is there
    target = CommandTarget([sys.executable, "-I", "-S", "-c", LATE], deadline=20)
    silent = ROW | {"id": "b", "send": [], "expect": []}
    found = judge_server(target, [read_case(row), read_case(silent)]).verdicts
    assert (found[0].reading, found[1].found) == ("request", "kept")


ONE_REPLY = """
import json, sys
call = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32601}}), flush=True)
"""
WAITS_FOR_ROOTS = """
import json, sys
held = []
roots = None
for line in sys.stdin:
    message = json.loads(line)
    if "method" not in message:
        roots = message["result"]["roots"]
    elif "id" in message:
        held.append(message)
        if len(held) == 1 and roots is None:
            print('{"jsonrpc":"2.0","id":"r1","method":"roots/list"}', flush=True)
    while held and roots == []:
        call = held.pop(0)
        reply = {"jsonrpc": "2.0", "id": call["id"], "result": call.get("params", {})}
        print(json.dumps(reply), flush=True)
"""
FEW = ("examples.broken-json", "reply.to-each-request", "process.ends-at-once", "id.null")


def python(text, **options):
    return CommandTarget([sys.executable, "-I", "-S", "-c", text], **{"deadline": 20} | options)


def test_a_server_that_ends_after_its_first_reply_is_not_judged_at_all():
    report = run(FEW, python(ONE_REPLY))
    assert {verdict.found for verdict in report.verdicts} == {"not judged"}
    assert (report.never_worked, report.faults(), len(report.verdicts)) == (True, (), len(FEW))
    assert "before it answered a second good request" in report.verdicts[0].why


@pytest.mark.parametrize("profile", ["core", "mcp"])
def test_a_server_that_waits_for_an_answer_of_its_client_is_judged(profile):
    target = python(WAITS_FOR_ROOTS, greeting=GREETINGS.get(profile, ()))
    report = judge_server(target, choice=Choice(profile, ("id.spaces", "id.zero")))
    assert [verdict.found for verdict in report.verdicts] == ["kept"] * len(report.verdicts)
    assert report.verdicts


def test_a_method_that_is_not_there_is_found_and_its_cases_are_not_judged():
    report = run(["conventions.six-types", "examples.positional-1"])
    assert report.missing == ("echo", "subtract")
    assert [v.found for v in report.verdicts] == ["not judged", "not judged"]
    assert report.ran == 0


def test_names_of_methods_can_be_mapped():
    report = run(["process.last-line"], names={"echo": "its/echo"})
    assert report.missing == ()
    assert [v.found for v in report.verdicts] == ["kept"]
    assert b"its/echo" in report.verdicts[0].sent


def test_names_are_mapped_in_everything_that_is_sent_and_wanted():
    [case] = [case for case in load_cases() if case.id == "progress.in-flight"]
    other = renamed_case(case, {"slow": "long", "progress": "$/progress"})
    assert '"method":"long"' in other.send[0]
    assert '"method":"$/progress"' in other.outcomes[0].lines[0]
    assert rename('{"method": "echoes"', {"echo": "x"}) == '{"method": "echoes"'
    [big] = [case for case in load_cases() if case.id == "newline.lf-written"]
    assert "its/echo" in renamed_case(big, {"echo": "its/echo"}).send[0]["before"]


def test_a_delivery_that_needs_boom_is_left_out_without_it():
    def handler(method, params):
        if method != "echo":
            raise MethodNotFound
        return params

    row = ROW | {"delivery": ["stderr-flood"]}
    [found] = judge_server(judge_handler(lambda _: handler), [read_case(row)]).verdicts
    assert (found.found, found.why) == ("not judged", "no delivery of the case is possible")
    row = ROW | {"delivery": ["stderr-flood", "whole"]}
    [found] = judge_server(judge_handler(lambda _: handler), [read_case(row)]).verdicts
    assert (found.found, found.delivery) == ("kept", "whole")


def test_the_first_delivery_that_breaks_is_the_verdict():
    def session(reader, writer):
        for line in iter(lambda: reader.read1(9999), b""):  # takes each chunk for a message
            if line.endswith(b"\n") and line.startswith(b"{"):
                value = json.loads(line)
                value["result"] = value.pop("params", [])
                del value["method"]
                writer.write(json.dumps(value).encode() + b"\n")

    row = ROW | {"delivery": ["whole", "slow", "bytes"]}
    [found] = judge_server(CallableTarget(session), [read_case(row)]).verdicts
    assert (found.found, found.delivery) == ("broken", "slow")


def test_a_race_that_goes_well_most_of_the_time_is_found():
    """A server that loses the first of two calls in one chunk, but not each time."""
    sessions = []

    def session(reader, writer):
        sessions.append(reader)
        for chunk in iter(lambda: reader.read1(9999), b""):
            lines = chunk.splitlines()
            loses = len(lines) > 1 and len(sessions) % 4 == 0
            for value in map(json.loads, lines[1:] if loses else lines):
                reply = {"jsonrpc": "2.0", "result": value["params"], "id": value["id"]}
                writer.write(json.dumps(reply).encode() + b"\n")

    row = ROW | {"send": [CALL, CALL], "expect": [REPLY, REPLY], "delivery": ["apart", "joined"]}
    [found] = judge_server(CallableTarget(session), [read_case(row)]).verdicts
    assert (found.found, found.delivery) == ("broken", "joined")
    assert found.why.endswith("(sent in the way 'joined')")


def test_each_verdict_is_told_when_it_is_there():
    told = []
    report = judge_server(
        judge_handler(demo_handler), choice=Choice(only=("id.null",)), after_each=told.append
    )
    assert tuple(told) == report.verdicts
