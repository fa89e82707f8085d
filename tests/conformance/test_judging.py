"""From what was observed to a verdict, and the report of many."""

from dataclasses import replace

import pytest

from rpclab.conformance.cases import read_case
from rpclab.conformance.judging import OTHER, SILENT, STATES, Report, Verdict, judge, may_be_all
from rpclab.conformance.targets import Observation

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
        ([], SILENT),
        ([REPLY, REPLY], "more came than is due"),
        ([REPLY.replace("hi", "ho")], f"{OTHER}: look at result"),
        (
            [REPLY.replace("1}", '"1"}').replace("result", "error")],
            f"{OTHER}: look at id, result, error",
        ),
        (["[]"], OTHER),
        (["ready"], "something came that is not JSON"),
        ([REPLY, "ready"], "something came that is not JSON"),
        (['{"jsonrpc":"2.0","method":"log","params":["x"]}', REPLY], ""),
        ([CALL, REPLY], "more came than is due"),
    ],
)
def test_what_came_is_kept_or_broken(came, why):
    found = verdict(ROW, *came)
    assert (found.found, found.why) == ("broken" if why else "kept", why)


def test_a_reply_where_silence_is_due_is_broken():
    assert verdict(ROW | {"expect": []}, REPLY).why == "something came, where silence is due"


def test_less_than_is_due_is_broken():
    assert (
        verdict(ROW | {"expect": [REPLY, REPLY]}, REPLY).why == "something is missing in what came"
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [("ends", "exit status 3"), ("hangs", "no reply"), ("floods", "without end")],
)
def test_what_became_of_the_target_is_said(state, words):
    found = verdict(ROW, REPLY, state=state, status=3)
    assert found.found == "broken"
    assert words in found.why


def test_a_session_that_should_end_and_does_not_is_broken():
    assert verdict(ROW | {"end": "eof"}, REPLY, state="hangs").why == STATES["lives-on"]


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


@pytest.mark.parametrize("state", ["absent", "mute", "spent"])
def test_no_must_is_broken_by_a_target_that_was_not_tried(state):
    found = verdict(ROW, state=state, note="no reply came")
    assert (found.found, found.why) == ("not judged", "no reply came")


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


# --- the form of what came --------------------------------------------------------

FORM = {
    "id": "a",
    "clause": "5.jsonrpc-exact",
    "level": "must",
    "about": "Section 5.",
    "send": [CALL],
    "expect": [REPLY],
    "matches": '"jsonrpc": ?"2.0"',
    "lacks": "\r",
    "form": True,
}
BARE = REPLY.replace('"jsonrpc":"2.0",', "")


@pytest.mark.parametrize(
    ("came", "state", "found"),
    [
        ([REPLY], "alive", "kept"),
        ([REPLY.replace("hi", "ho")], "ends", "kept"),
        ([REPLY, BARE], "alive", "broken"),
        ([REPLY, '{"method":"log"}'], "alive", "kept"),
        ([REPLY + "\r"], "hangs", "broken"),
        ([], "hangs", "not judged"),
        (["?"], "mute", "not judged"),
        (["\r"], "mute", "broken"),
    ],
)
def test_a_form_is_judged_by_what_came_and_not_by_what_did_not(came, state, found):
    verdict_now = verdict(FORM, *came, state=state, raw="\n".join(came).encode())
    assert verdict_now.found == found


def test_the_form_of_what_a_program_says_that_ends_at_once_is_not_judged():
    assert verdict(FORM, "\r", state="mute", raw=b"\r", status=2).found == "not judged"


@pytest.mark.parametrize(("raw", "found"), [(b"", "kept"), (b"ready", "broken")])
def test_where_silence_is_due_each_byte_is_too_much(raw, found):
    row = {k: v for k, v in FORM.items() if k not in ("matches", "lacks")} | {"expect": []}
    assert verdict(row | {"end": "eof"}, state="hangs", raw=raw).found == found


@pytest.mark.parametrize(("came", "found"), [((), "kept"), ((REPLY,), "broken")])
def test_where_silence_is_due_the_reply_to_the_good_request_does_not_count(came, found):
    row = {k: v for k, v in FORM.items() if k not in ("matches", "lacks")} | {"expect": []}
    assert verdict(row, *came, state="ends", raw=REPLY.encode()).found == found


@pytest.mark.parametrize(
    ("came", "found", "reading"),
    [
        ([], "not judged", ""),
        ([REPLY.replace("1}", "null}")], "kept", "null-id"),
        ([REPLY], "broken", "echoed"),
    ],
)
def test_a_form_with_readings_records_the_one_that_came(came, found, reading):
    row = {k: v for k, v in FORM.items() if k not in ("lacks", "expect")} | {
        "ruling": "id-wrong-type",
        "readings": {"null-id": [REPLY.replace("1}", "null}")], "echoed": [REPLY]},
        "breaks": ["echoed"],
        "matches": '"id":null',
    }
    now = verdict(row, *came, raw="".join(came).encode())
    assert (now.found, now.reading) == (found, reading)


def test_faults_are_told_with_what_they_block_the_worst_first():
    some = Verdict(case="a", clause="5.reply", level="must", found="broken")
    verdicts = [
        replace(some, case="small", clause="6.empty-array"),
        some,
        replace(some, case="b", clause="2.json", found="not judged", blocked_by="5.reply"),
        replace(some, case="c", found="kept"),
    ]
    report = Report(target="", profile="core", framing="newline", verdicts=tuple(verdicts))
    assert report.faults() == (("5.reply", ("a",), ("b",)), ("6.empty-array", ("small",), ()))
