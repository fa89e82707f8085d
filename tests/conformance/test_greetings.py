"""Revisions: what is asked for, what the handshake agrees on, and which clauses hold."""

import sys

import pytest

from rpclab.conformance.cases import Choice, load_cases, load_client_cases
from rpclab.conformance.greetings import greeting, open_cases
from rpclab.conformance.run import judge_server
from rpclab.conformance.specimens import base_source
from rpclab.conformance.targets.command import CommandTarget
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.demos.demo_server import demo_handler
from rpclab.spec import clause, profile

CASES = load_cases()
VERSIONS = profile("mcp").versions


def ids_of(name, cases=CASES):
    return {case.id for case in Choice(name).of(cases, "newline")}


def judge(name, ids, versions='("2025-06-18", "2025-11-25")'):
    """Judge an MCP server that knows some revisions by cases."""
    program = base_source("mcp_server").replace('("2025-06-18", "2025-11-25")', versions)
    command = [sys.executable, "-I", "-S", "-c", program]
    target = CommandTarget(command, greeting=greeting(name))
    report = judge_server(target, choice=Choice(name, ids))
    return report, {verdict.case: verdict for verdict in report.verdicts}


# --- a revision that is asked for -------------------------------------------------


@pytest.mark.parametrize("revision", VERSIONS)
def test_only_cases_of_clauses_that_a_revision_has_are_chosen(revision):
    chosen = ids_of(f"mcp@{revision}")
    assert [case for case in CASES if case.id in chosen and not _holds(case, revision)] == []
    assert ("mcp.ping" in chosen) == (revision != "2026-07-28")
    assert ("mcp.code-range" in chosen) == (revision == "2026-07-28")


def _holds(case, revision):
    return clause(case.clause).holds_in(revision)


@pytest.mark.parametrize("revision", VERSIONS)
def test_batches_hold_in_one_revision_of_mcp_and_are_refused_in_the_others(revision):
    chosen = ids_of(f"mcp@{revision}")
    has_batches = revision == "2025-03-26"
    assert ("batch.two-requests" in chosen) == has_batches
    assert ("batch.where-mcp-has-none" in chosen) != has_batches
    assert chosen.isdisjoint({"batch.null-id", "examples.mixed-batch", "id.fraction-bent"})


def test_the_clauses_of_clients_have_revisions_too():
    cases = load_client_cases()
    assert "client.mcp.ping" in ids_of("mcp@2025-06-18", cases)
    assert "client.mcp.ping" not in ids_of("mcp@2026-07-28", cases)


def test_the_handshake_asks_for_the_revision():
    assert '"protocolVersion":"2024-11-05"' in greeting("mcp@2024-11-05")[0]
    assert greeting("mcp@2026-07-28") == ()
    assert greeting("lsp")[0].count("initialize") == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mcp@2020-01-01", "the revisions are 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25"),
        ("lsp@3.17", "it has no revisions to choose from"),
        ("core@", "it has no revisions to choose from"),
        ("mpc@2025-06-18", "the profiles are core, mcp"),
    ],
)
def test_a_revision_that_does_not_exist_is_refused_with_those_that_do(name, says):
    with pytest.raises(LookupError, match=says):
        profile(name)


# --- a revision that the handshake agrees on --------------------------------------


def test_what_the_handshake_agreed_on_decides_if_nothing_was_asked_for():
    report, found = judge("mcp", ("mcp.code-range", "mcp.ping", "mcp.version"))
    assert (report.profile, report.revision) == ("mcp", "2025-11-25")
    assert found["mcp.code-range"].found == "not judged"
    assert found["mcp.code-range"].why == "mcp@2025-11-25 does not have this rule"
    assert found["mcp.ping"].found == "kept"


def test_what_was_asked_for_decides_whatever_the_handshake_says():
    report, found = judge("mcp@2024-11-05", ("mcp.stdout-clean",))
    assert (report.revision, found["mcp.stdout-clean"].found) == ("2024-11-05", "kept")


def test_a_revision_that_nobody_knows_leaves_open_what_only_some_have():
    unknown = '("2031-01-01",)'
    report, found = judge("mcp", ("mcp.ping", "mcp.result-is-an-object"), unknown)
    assert report.revision == ""
    assert (found["mcp.ping"].found, found["mcp.ping"].level) == ("free", "free")
    assert found["mcp.result-is-an-object"].found == "kept"


def test_without_a_handshake_no_revision_is_known():
    target = judge_handler(demo_handler)
    report = judge_server(target, choice=Choice("mcp", ("batch.where-mcp-has-none",)))
    assert (report.revision, report.verdicts[0].found) == ("", "free")


def test_a_profile_without_revisions_leaves_nothing_open():
    assert open_cases(CASES, profile("core")) == list(CASES)
