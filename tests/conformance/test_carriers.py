"""A case is carried by another method where the server lacks the usual one."""

import sys

import pytest

from rpclab.conformance.carriers import Carriers, carry, carry_missing, find_carriers
from rpclab.conformance.cases import DEMO_METHODS, Choice, load_cases
from rpclab.conformance.greetings import greeting as greeting_of
from rpclab.conformance.run import judge_server
from rpclab.conformance.specimens import base_source, find_specimen, source
from rpclab.conformance.targets import UNKNOWN
from rpclab.conformance.targets.command import CommandTarget
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.errors import InternalError, InvalidParams, InvalidRequest, MethodNotFound

CASES = {case.id: case for case in load_cases()}
LANGUAGE_SERVER = (
    base_source("header_server")
    .replace('method != "echo"', 'method not in ("initialize", "shutdown")')
    .replace("isinstance(message, list) and message", "False")
)
STRANGERS = {
    "core": base_source("table_server"),
    "mcp": base_source("mcp_server"),
    "lsp": LANGUAGE_SERVER,
    "acp": base_source("acp_agent"),
}


def stranger(program, framing="newline", greeting=()):
    """Return a server that has none of our methods: each has another name."""
    for name in DEMO_METHODS:
        program = program.replace(f'"{name}"', f'"their/{name}"')
    return CommandTarget([sys.executable, "-I", "-S", "-c", program], framing, 5.0, greeting)


@pytest.mark.parametrize("profile", STRANGERS)
def test_most_clauses_are_judged_on_a_server_that_lacks_the_demo_methods(profile):
    framing = "content-length" if profile == "lsp" else "newline"
    target = stranger(STRANGERS[profile], framing, greeting_of(profile))
    found = judge_server(target, choice=Choice(profile)).verdicts
    must = [verdict for verdict in found if verdict.level == "must"]
    judged = [verdict for verdict in must if verdict.found != "not judged"]
    assert [v.case for v in must if v.found == "broken"] == []
    assert len(judged) >= 0.7 * len(must)


@pytest.mark.parametrize(
    ("specimen", "case"),
    [
        ("falsy-id-unanswered", "id.zero"),
        ("id-as-text", "reply.ids-of-many"),
        ("id-through-double", "id.past-64-bits"),
        ("id-without-fraction", "id.fraction"),
        ("null-id-unanswered", "id.null"),
        ("parses-early", "newline.partial-waits"),
        ("chunks-decoded-apart", "newline.any-chunks"),
        ("unicode-line-ends", "newline.line-separators"),
        ("crlf-written", "newline.lf-written"),
        ("last-line-dropped", "process.last-line"),
        ("code-page", "json.writes-utf8"),
        ("length-in-characters", "lsp.length-in-bytes"),
        ("content-in-one-read", "lsp.large-content"),
    ],
)
def test_a_defect_is_caught_in_a_server_that_lacks_the_demo_methods(specimen, case):
    defect = find_specimen(specimen)
    ids = (case, "id.negative")
    report = judge_server(stranger(source(defect), defect.framing), choice=Choice(only=ids))
    found = {verdict.case: verdict for verdict in report.verdicts}
    assert (found[case].found, found[case].clause) == ("broken", defect.breaks)
    assert found[case].carrier == UNKNOWN
    assert "echo" in report.missing


# --- which method carries ---------------------------------------------------------


def handler_of(profile, error=MethodNotFound):
    """Return a target that has the methods of a profile, and refuses others with an error."""
    results = {"mcp": {"ping": {}, "tools/list": {"tools": []}}}.get(profile, {})

    def handler(method, params):
        if method not in results:
            raise error("not here")
        return results[method]

    return judge_handler(lambda _: handler)


@pytest.mark.parametrize("error", [MethodNotFound, InvalidParams, InvalidRequest, InternalError])
def test_any_error_to_an_unknown_method_carries(error):
    assert find_carriers(handler_of("core", error), "core") == Carriers("", UNKNOWN)
    report = judge_server(handler_of("core", error), choice=Choice(only=("id.zero",)))
    assert [(v.found, v.carrier) for v in report.verdicts] == [("kept", UNKNOWN)]


def test_mcp_is_carried_by_ping():
    assert find_carriers(handler_of("mcp"), "mcp") == Carriers("ping", UNKNOWN)
    assert find_carriers(handler_of("core"), "mcp") == Carriers("", UNKNOWN)


def test_a_server_that_is_silent_on_unknown_methods_is_not_judged_by_them():
    nothing = Carriers()
    assert carry_missing([CASES["id.zero"]], {"echo"}, nothing) == [CASES["id.zero"]]


def test_a_case_that_must_be_answered_with_an_error_is_not_carried_by_a_method_that_works():
    both = Carriers("ping", UNKNOWN)
    assert both.method_for(CASES["id.zero"]) == "ping"
    assert both.method_for(CASES["reply.id-of-bad-params"]) == UNKNOWN
    assert both.method_for(CASES["notification.known-method"]) == "ping"
    assert both.method_for(CASES["conventions.six-types"]) == ""


def test_a_method_that_is_there_is_not_replaced():
    cases = [CASES["id.zero"], CASES["reply.one-object"]]
    kept, carried = carry_missing(cases, {"subtract"}, Carriers("", UNKNOWN))
    assert kept is CASES["id.zero"]
    assert (carried.carrier, carried.needs) == (UNKNOWN, frozenset())


def test_a_carried_batch_and_a_pause_keep_their_form():
    batch = carry(CASES["batch.bad-among-good"], "ping").outcomes[0].lines[0]
    assert batch.count('"result":"<optional>"') == 1
    assert batch.count('"code":-32600') == 2
    assert "<pause>" in carry(CASES["newline.partial-waits"], "ping").outcomes[0].lines


def test_only_cases_that_need_a_method_say_that_another_carries_them():
    assert [case.id for case in CASES.values() if case.carried and not case.needs] == []
