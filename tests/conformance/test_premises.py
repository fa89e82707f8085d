"""What a case takes for granted: the signs, the order, and what is blocked."""

import sys
from dataclasses import replace

import pytest

from rpclab.conformance.cases import Choice, load_cases, read_case
from rpclab.conformance.judging import Verdict, blocked
from rpclab.conformance.premises import PREMISES, find_blocker, plan
from rpclab.conformance.run import judge_server
from rpclab.conformance.targets.command import CommandTarget
from rpclab.spec import profiles

CASES = {case.id: case for case in load_cases()}
PREMISE_IDS = [id for premise in PREMISES for id in premise.cases]
ROW = {"id": "a", "clause": "7.mixed-batch", "level": "must", "about": "Section 7."}
ERROR = '{"jsonrpc":"2.0","error":{"code":"<any>"},"id":"<any>"}'
CALL = '{"jsonrpc":"2.0","method":"no.such","params":{"a":1},"id":"a"}'
NOTE = '{"jsonrpc":"2.0","method":"no.such"}'


def presumed(send, expect, **more):
    """Return what a case rests on that sends and expects these lines."""
    case = read_case(ROW | {"send": send, "expect": expect} | more)
    return set(plan([*CASES.values(), case]).premises["a"])


def test_every_premise_is_a_case_that_can_be_broken():
    assert [id for id in PREMISE_IDS if CASES[id].level == "free"] == []
    assert len(PREMISE_IDS) == len(set(PREMISE_IDS))


def test_a_row_presumes_cases_that_exist():
    named = {id for case in CASES.values() for id in (*case.presumes, *case.presumes_not)}
    assert named <= CASES.keys()


@pytest.mark.parametrize("framing", ["newline", "content-length"])
@pytest.mark.parametrize("profile", [one.id for one in profiles()])
def test_a_case_is_judged_after_its_premises_so_they_form_no_circle(profile, framing):
    chosen = Choice(profile).of(CASES.values(), framing)
    order = plan(chosen)
    place = {case.id: at for at, case in enumerate(order.cases)}
    assert sorted(place) == sorted(case.id for case in chosen)
    assert [
        (id, premise)
        for id, premises in order.premises.items()
        for premise in premises
        if place[premise] > place[id]
    ] == []


def test_a_case_never_rests_on_its_own_clause():
    premises = plan(CASES.values()).premises
    assert [
        id for id in CASES for one in premises[id] if CASES[one].clause == CASES[id].clause
    ] == []


@pytest.mark.parametrize(
    ("send", "expect", "more", "premise"),
    [
        (["{oops"], [ERROR], {}, "error.parse-truncated"),
        (["{oops"], [], {}, "newline.goes-on-after-a-broken-line"),
        ([{"hex": "22ff22"}], [ERROR], {}, "newline.not-utf8"),
        ([{"raw": "\n"}], [], {}, "newline.blank-lines"),
        ([{"raw": CALL + "\r\n"}], [ERROR], {}, "newline.crlf"),
        (["7"], [ERROR], {}, "method.number"),
        (["[7]"], [f"[{ERROR}]"], {}, "batch.bad-among-good"),
        (["[]"], [ERROR], {}, "examples.empty-array"),
        ([f"[{CALL},{CALL}]"], [f"[{ERROR},{ERROR}]"], {}, "batch.two-requests"),
        ([f"[{CALL}]"], [f"[{ERROR}]"], {}, "batch.of-one-error"),
        ([f"[{CALL},{NOTE}]"], [f"[{ERROR}]"], {}, "batch.failing-notification"),
        ([NOTE], [], {}, "notification.unknown-method"),
        ([CALL], [ERROR], {"delivery": ["stderr-flood"]}, "notification.unknown-method"),
        ([CALL], [ERROR], {}, "reply.version-of-an-error"),
        ([CALL], [ERROR.replace("error", "result")], {}, "reply.version-of-a-result"),
        ([CALL], [ERROR.replace('"<any>"}', "-32601}")], {}, "examples.unknown-method"),
        ([CALL.replace('"a"}', "0}")], [ERROR], {}, "id.zero"),
        ([CALL], [ERROR.replace('id":"<any>"', 'id":5')], {}, "reply.numbers-as-ids"),
        ([CALL], [ERROR.replace('id":"<any>"', 'id":"é"')], {}, "json.writes-utf8"),
        ([CALL.replace('"params":{"a":1},', "")], [ERROR], {}, "reply.to-each-request"),
        ([CALL, {"pause": 0.1}], [ERROR], {}, "newline.flushed"),
        ([CALL], [ERROR], {"end": "eof"}, "process.ends-at-once"),
        ([CALL], [ERROR], {"delivery": ["bytes"]}, "newline.any-chunks"),
        ([{"repeat": "a", "times": 9000}], [ERROR], {}, "newline.one-mib"),
        ([CALL.replace("no.such", 'a\\"b')], [ERROR], {}, "conventions.hostile-method-name"),
        ([CALL], [ERROR, ERROR], {}, "newline.one-reply-a-line"),
        ([CALL], [ERROR], {"presumes": ["id.negative"]}, "id.negative"),
    ],
)
def test_what_a_case_sends_and_expects_shows_what_it_presumes(send, expect, more, premise):
    assert premise in presumed(send, expect, **more)


def test_a_row_may_leave_a_premise_out():
    batch = ([f"[{CALL},{CALL}]"], [f"[{ERROR},{ERROR}]"])
    assert "batch.two-requests" not in presumed(*batch, presumes_not=["batch.two-requests"])


def test_a_plain_request_presumes_nothing_of_batches_or_broken_lines():
    clauses = {CASES[id].clause for id in presumed([CALL], [ERROR])}
    assert clauses.isdisjoint({"6.reply-array", "5.1.parse-error", "newline.goes-on"})


# --- what is blocked --------------------------------------------------------------

CASE = read_case(ROW | {"send": [CALL], "expect": [ERROR]})
BROKEN = Verdict(case="b", clause="5.reply", level="must", found="broken")


@pytest.mark.parametrize(
    ("before", "blocker"),
    [
        (BROKEN, "5.reply"),
        (replace(BROKEN, found="not judged", blocked_by="5.1.parse-error"), "5.1.parse-error"),
        (replace(BROKEN, found="not judged", why="it has no method boom"), ""),
        (replace(BROKEN, found="kept"), ""),
        (replace(BROKEN, clause=CASE.clause), ""),
    ],
    ids=["broken", "blocked", "lacks-a-method", "kept", "own-clause"],
)
def test_a_case_is_blocked_by_a_broken_premise_alone(before, blocker):
    found = find_blocker(CASE, ["b"], {"b": before})
    assert (blocked(CASE, found).blocked_by if found else "") == blocker


def test_a_premise_that_is_not_judged_yet_blocks_nothing():
    assert find_blocker(CASE, ["b"], {}) is None


SILENT_ON_BAD_LINES = """
import json, sys
for line in sys.stdin:
    try:
        call = json.loads(line)
    except ValueError:
        continue
    if isinstance(call, dict) and "method" in call and "id" in call:
        error = {"code": -32601, "message": "Method not found"}
        print(json.dumps({"jsonrpc": "2.0", "error": error, "id": call["id"]}), flush=True)
"""
SOME = [
    "error.parse-truncated",
    "json.trailing-comma-array",
    "reply.error-is-an-object",
    "reply.id-of-a-broken-line",
    "newline.not-utf8",
    "newline.goes-on-after-a-broken-line",
    "newline.goes-on-after-each-fault",
    "newline.resync-after-a-broken-line",
    "batch.broken-at-the-end",
]


def test_a_server_that_is_silent_on_bad_lines_is_accused_of_that_alone():
    target = CommandTarget([sys.executable, "-I", "-S", "-c", SILENT_ON_BAD_LINES])
    report = judge_server(target, choice=Choice("core", tuple(SOME)))
    [fault] = report.faults()
    assert fault.clause == "5.1.parse-error"
    assert set(fault.cases) == {"error.parse-truncated", "json.trailing-comma-array"}
    assert set(fault.blocked) == {
        "newline.not-utf8",
        "newline.goes-on-after-each-fault",
        "newline.resync-after-a-broken-line",
        "batch.broken-at-the-end",
    }
    found = {verdict.case: verdict for verdict in report.verdicts}
    assert found["newline.not-utf8"].why == "blocked by 5.1.parse-error, which is broken"
    assert found["newline.goes-on-after-a-broken-line"].found == "kept"
    assert found["reply.id-of-a-broken-line"].why == "nothing came whose form could be judged"


@pytest.mark.parametrize("id", ["false", "[1]", "{}"])
def test_a_request_whose_id_has_the_wrong_type_may_be_refused(id):
    call = f'{{"jsonrpc":"2.0","method":"no.such","params":{{}},"id":{id}}}'
    assert "method.number" in presumed([call], ['{"jsonrpc":"2.0","error":{"code":1},"id":null}'])


def test_a_request_that_may_be_refused_rests_on_refusals():
    refused = ERROR.replace('"<any>"},"id"', '-32600},"id"')
    assert "method.number" in presumed([CALL], [refused])
    assert "method.number" not in presumed([CALL], [ERROR])
