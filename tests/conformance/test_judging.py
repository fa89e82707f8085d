"""From what was observed to a verdict, and a whole run over a server."""

import json
import sys

import pytest

from rpclab.conformance import strings
from rpclab.conformance.cases import load_cases, read_case
from rpclab.conformance.choosing import Choice
from rpclab.conformance.command import CommandTarget
from rpclab.conformance.inprocess import judge_handler
from rpclab.conformance.judging import judge, may_be_all
from rpclab.conformance.running import judge_server, rename, renamed_case
from rpclab.conformance.targets import Observation
from rpclab.conformance.verdicts import Report, Verdict
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


def verdict(row, *came, state="alive", **more):
    sent = "\n".join(item for item in row["send"]).encode()
    payloads = tuple(line if line == "<pause>" else line.encode() for line in came)
    return judge(
        read_case(row), "whole", Observation(state=state, came=payloads, sent=sent, **more)
    )


@pytest.mark.parametrize(
    ("came", "why"),
    [
        ([REPLY], ""),
        ([], strings.SILENT),
        ([REPLY, REPLY], strings.TOO_MUCH),
        ([REPLY.replace("hi", "ho")], strings.DIFFERS.format(names="result")),
        (
            [REPLY.replace("1}", '"1"}').replace("result", "error")],
            strings.DIFFERS.format(names="id, result, error"),
        ),
        (["[]"], strings.OTHER),
        (["ready"], strings.NOT_JSON),
        ([REPLY, "ready"], strings.NOT_JSON),
        (['{"jsonrpc":"2.0","method":"log","params":["x"]}', REPLY], ""),
        ([CALL, REPLY], strings.TOO_MUCH),
    ],
)
def test_what_came_is_kept_or_broken(came, why):
    found = verdict(ROW, *came)
    assert (found.found, found.why) == ("broken" if why else "kept", why)


def test_a_reply_where_silence_is_due_is_broken():
    assert verdict(ROW | {"expect": []}, REPLY).why == strings.NOT_SILENT


def test_less_than_is_due_is_broken():
    assert verdict(ROW | {"expect": [REPLY, REPLY]}, REPLY).why == strings.MISSING


@pytest.mark.parametrize(
    ("state", "words"),
    [("ends", "exit status 3"), ("hangs", "no reply"), ("floods", "without end")],
)
def test_what_became_of_the_target_is_said(state, words):
    found = verdict(ROW, REPLY, state=state, status=3)
    assert found.found == "broken"
    assert words in found.why


def test_a_session_that_should_end_and_does_not_is_broken():
    assert verdict(ROW | {"end": "eof"}, REPLY, state="hangs").why == strings.STATES["lives-on"]


@pytest.mark.parametrize(
    ("came", "state", "found", "reading"),
    [
        ([REPLY], "alive", "kept", "request"),
        ([], "ends", "kept", "forbidden"),
        ([], "alive", "broken", "notification"),
        (["7"], "alive", "broken", "other"),
        ([], "hangs", "broken", "other"),
    ],
)
def test_the_reading_that_was_taken_is_recorded(came, state, found, reading):
    got = verdict(RULED, *came, state=state)
    assert (got.found, got.reading, got.ruling) == (found, reading, "id-null")


@pytest.mark.parametrize(("came", "reading"), [([REPLY], "request"), (["7"], "other")])
def test_what_the_text_leaves_open_is_free_whatever_came(came, reading):
    assert (verdict(FREE, *came).found, verdict(FREE, *came).reading) == ("free", reading)


@pytest.mark.parametrize("state", ["absent", "mute", "spent"])
def test_a_target_that_never_worked_takes_no_reading(state):
    found = verdict(FREE, state=state, note="no reply came")
    assert (found.found, found.reading, found.why) == ("not judged", "", "no reply came")


def test_a_must_is_broken_by_a_target_that_never_worked():
    assert verdict(ROW, state="mute", note="no reply came").found == "broken"
    assert verdict(ROW, state="spent", note="it hung").found == "not judged"


@pytest.mark.parametrize(
    ("demand", "seen", "words"),
    [
        ({"lacks": "\r"}, {"raw": b"{}\r\n"}, "must not have: '\\r'"),
        ({"lacks": "\r"}, {"raw": b"{}\n"}, ""),
        ({"matches": "^Content"}, {"raw": b"content"}, "lack what they must have"),
        ({"matches": "^Content"}, {"raw": b"Content"}, ""),
        ({"stderr_lacks": "Traceback"}, {"stderr": "Traceback (most"}, "its stderr has"),
        ({"stderr_lacks": "Traceback"}, {"stderr": ""}, ""),
        ({"end": "eof", "status": 0}, {"status": 1}, "its exit status is 1, where 0 is due"),
        ({"end": "eof", "status": 0}, {"status": 0}, ""),
    ],
)
def test_what_else_a_case_demands(demand, seen, words):
    found = verdict(ROW | demand, REPLY, **seen)
    assert found.found == ("broken" if words else "kept")
    assert words in found.why


@pytest.mark.parametrize(
    ("row", "came", "enough"),
    [
        (ROW, [REPLY], True),
        (ROW, [], False),
        (ROW | {"expect": []}, [], True),
        (RULED, [REPLY], True),
        (RULED, [], False),  # a reading that breaks the clause
        (FREE, [REPLY], True),
        (FREE, [], False),  # one that is recorded, and another has a reply
        (FREE | {"readings": {"forbidden": "ends", "notification": []}}, [], True),
        (RULED | {"readings": {"request": ["<pause>", REPLY]}, "breaks": []}, ["<pause>"], False),
    ],
)
def test_what_keeps_a_case_is_enough_but_silence_is_not_where_there_may_be_a_reply(
    row, came, enough
):
    payloads = [line if line == "<pause>" else line.encode() for line in came]
    assert may_be_all(read_case(row), CALL.encode(), payloads) is enough


# --- a run ------------------------------------------------------------------------

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
    return CommandTarget([sys.executable, "-I", "-S", "-c", NAIVE], deadline=3)


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
def test_a_late_reply_is_not_taken_for_silence(row):
    target = CommandTarget([sys.executable, "-I", "-S", "-c", LATE], deadline=3)
    silent = ROW | {"id": "b", "send": [], "expect": []}
    found = judge_server(target, [read_case(row), read_case(silent)]).verdicts
    assert (found[0].reading, found[1].found) == ("request", "kept")


def test_a_method_that_is_not_there_is_found_and_its_cases_are_not_judged():
    report = run(["process.last-line", "examples.positional-1"])
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
    assert (found.found, found.why) == ("not judged", strings.NO_DELIVERY)
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

    from rpclab.conformance.inprocess import CallableTarget

    row = ROW | {"delivery": ["whole", "slow", "bytes"]}
    [found] = judge_server(CallableTarget(session), [read_case(row)]).verdicts
    assert (found.found, found.delivery) == ("broken", "slow")


def test_each_verdict_is_told_when_it_is_there():
    told = []
    report = judge_server(
        judge_handler(demo_handler), choice=Choice(only=("id.null",)), after_each=told.append
    )
    assert tuple(told) == report.verdicts


# --- the same cases, three ways ---------------------------------------------------


@pytest.mark.parametrize("framing", ["newline", "content-length"])
def test_every_case_of_the_core_is_kept_in_this_process(framing):
    report = judge_server(judge_handler(demo_handler, framing))
    assert [(v.case, v.why) for v in report.verdicts if v.found not in ("kept", "free")] == []
    assert report.ran == len(report.verdicts) > 10


# --- the report -------------------------------------------------------------------


def one(case, found, **more):
    return Verdict(case=case, found=found, **({"clause": "5.reply", "level": "must"} | more))


def report(*verdicts):
    return Report(target="t", profile="core", framing="newline", verdicts=verdicts)


def test_a_clause_is_broken_if_one_of_its_cases_is():
    assert report(one("a", "kept"), one("b", "broken")).clauses() == {"5.reply": "broken"}
    assert report(one("a", "free"), one("b", "kept")).clauses() == {"5.reply": "kept"}
    assert report(one("a", "not judged")).clauses() == {"5.reply": "not judged"}


def test_a_vote_names_every_reading_that_was_taken():
    votes = [one(n, "free", ruling="crlf", reading=n) for n in ("accepted", "ends-session")]
    assert report(*votes, votes[0]).votes() == {"crlf": "accepted, ends-session"}


def test_every_must_is_kept_or_not():
    assert report(one("a", "kept"), one("b", "broken", level="should")).keeps_every_must
    assert not report(one("a", "broken")).keeps_every_must
    assert not report(one("a", "not judged", state="spent")).keeps_every_must
    assert report(one("a", "not judged")).keeps_every_must
