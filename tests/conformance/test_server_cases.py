"""The server cases as data: every rule that binds a server has a case, or a reason."""

import re

import pytest

from rpclab.conformance.cases import Choice, load_cases, load_client_cases
from rpclab.conformance.run import judge_server
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.demos.demo_server import demo_handler
from rpclab.spec import clause, clauses, rulings
from tests.conformance.clause_cases import CLAUSES, renewed

CASES = load_cases()
SOURCES = {"jsonrpc", "json", "newline", "lsp", "lsp-base"}
DEMANDS = [
    row
    for row in clauses()
    if row.level in {"MUST", "MUST NOT"} and row.source in SOURCES and row.actor != "client"
]

# What binds the caller is judged on the server that understands it, and only here.
JUDGED_BY_ITS_ANSWER = {
    "4.2.by-position": "the result shows that the caller's order was understood",
    "4.2.by-name": "the result shows that the caller's names were understood",
    "4.params-omitted": "a permission: what the server makes of it is recorded",
    "mcp.params-object": "what the server says to an array is recorded",
    "cancel.lsp-names-the-id": "what the server makes of another type is recorded",
}

# Rulings about servers on which no case takes a vote.
NO_VOTE = {
    "system-exit": "no demo method raises SystemExit",
    "loop-end": "a traceback is on stderr, and a reading is what comes on stdout",
    "traceparent": "no demo method makes a call of its own",
    "invalid-request-data": "which errors have no details is each server's affair",
    "reply-escaping": "both spellings are the same JSON value",
    "progress-without-token": "no demo method takes a token in the form of LSP or MCP",
    "binding-schema": "it is about what explain says",
}


# --- clauses and cases agree ------------------------------------------------------


def test_the_clauses_name_the_cases_that_name_them():
    text = CLAUSES.read_text("utf-8")
    assert text == renewed(text), "run: python tests/conformance/clause_cases.py"


def test_what_a_server_must_do_has_a_case_or_a_reason():
    assert [row.id for row in DEMANDS if not (row.untestable or row.cases)] == []


def test_a_clause_has_cases_or_a_reason_why_there_are_none():
    assert [row.id for row in clauses() if bool(row.cases) == bool(row.untestable)] == []


def test_a_server_is_judged_by_what_binds_a_server():
    client_clauses = {case.clause for case in CASES if clause(case.clause).actor == "client"}
    assert client_clauses <= JUDGED_BY_ITS_ANSWER.keys()


def test_what_is_only_recorded_breaks_nothing():
    for case in CASES:
        assert case.level != "free" or all(outcome.keeps for outcome in case.outcomes), case.id


# --- rulings ----------------------------------------------------------------------


def test_every_ruling_about_servers_is_voted_on_or_says_why_not():
    about_servers = {row.id for row in rulings() if row.actor != "client"}
    voted = {case.ruling for case in CASES if case.ruling}
    assert about_servers - voted == NO_VOTE.keys()


def test_a_vote_can_be_cast_for_the_reading_of_rpclab():
    reading = {row.id: row.reading for row in rulings()}
    for case in CASES:
        if case.ruling:
            assert reading[case.ruling] in {o.reading for o in case.outcomes}, case.id


def test_the_reading_of_rpclab_keeps_every_case():
    reading = {row.id: row.reading for row in rulings()}
    for case in CASES:
        for outcome in case.outcomes:
            if outcome.reading and outcome.reading == reading[case.ruling]:
                assert outcome.keeps, case.id


# --- the ids ----------------------------------------------------------------------


def test_an_id_is_made_of_words():
    for case in CASES:
        assert re.fullmatch(r"[a-z]+\.[a-z0-9][a-z0-9.-]*", case.id), case.id


def test_no_id_is_used_for_servers_and_clients():
    assert not {case.id for case in CASES} & {case.id for case in load_client_cases()}


@pytest.mark.parametrize("profile", ["core", "mcp", "lsp", "acp"])
def test_every_profile_has_cases_that_no_other_has(profile):
    assert any(profile in case.profiles and len(case.profiles) <= 2 for case in CASES)


# --- the reference ----------------------------------------------------------------


@pytest.mark.timeout(60)
@pytest.mark.parametrize("framing", ["newline", "content-length"])
def test_the_demo_keeps_every_case_in_this_process(framing):
    report = judge_server(judge_handler(demo_handler, framing), choice=Choice("core"))
    assert report.ran == len(Choice("core").of(CASES, framing))
    assert [v.case for v in report.verdicts if v.why or v.reading == "other"] == []


@pytest.mark.parametrize(
    ("profile", "case", "found"),
    [("lsp", "lsp.changes-in-order", "kept"), ("mcp", "order.of-notifications", "free")],
)
def test_the_demo_hands_notifications_on_in_order(profile, case, found):
    report = judge_server(judge_handler(demo_handler), choice=Choice(profile, (case,)))
    [verdict] = report.verdicts
    assert (verdict.found, verdict.why) == (found, "")
    assert report.votes().get("notification-order", "in-order") == "in-order"
