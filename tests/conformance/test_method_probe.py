"""A method is there only if it answers as it should."""

import pytest

from rpclab.conformance.cases import Choice, load_cases
from rpclab.conformance.method_probe import find_missing, probe_params
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.demos.demo_server import demo_handler
from rpclab.errors import InternalError, InvalidParams, InvalidRequest, MethodNotFound

CASES = load_cases()
NEEDED = {name for case in CASES for name in case.needs} | {"boom"}


@pytest.mark.parametrize("error", [InvalidParams, InvalidRequest, InternalError, MethodNotFound])
def test_a_server_that_answers_every_method_with_an_error_has_none(error):
    def refuse(method, params):
        raise error("not here")

    for profile in ("core", "mcp"):
        assert find_missing(judge_handler(lambda _: refuse), CASES, {}, profile) == NEEDED


def test_a_server_that_answers_every_method_with_its_params_has_no_wrong_results():
    missing = find_missing(judge_handler(lambda _: lambda method, params: params), CASES, {})
    assert {"subtract", "sum", "boom"} <= missing
    assert "echo" not in missing


@pytest.mark.parametrize("profile", ["core", "mcp"])
def test_the_demo_server_has_every_method(profile):
    assert find_missing(judge_handler(demo_handler), CASES, {}, profile) == set()


def test_mcp_is_asked_by_name():
    assert probe_params("echo", "mcp") == "{}"


def test_a_method_that_fails_as_every_unknown_method_does_is_not_there():
    def answer(method, params):
        if method == "echo":
            return params
        raise InternalError("not here")

    missing = find_missing(judge_handler(lambda _: answer), CASES, {})
    assert {"boom", "typeerr", "keyerr", "badresult"} <= missing
    assert "echo" not in missing


def test_mcp_needs_no_method_that_is_asked_by_position_alone():
    asked = {name for case in Choice("mcp").of(CASES, "newline") for name in case.needs}
    assert [name for name in sorted(asked) if probe_params(name, "mcp").startswith("[")] == []
