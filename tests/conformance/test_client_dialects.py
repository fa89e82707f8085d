"""Client cases in the words of a protocol: what is called, sent back and expected."""

import json

import pytest

from rpclab.conformance.cases import Choice, load_client_cases
from rpclab.conformance.cases.client_dialects import call_in, result_in, spoken

CASES = {case.id: case for case in load_client_cases()}
PROFILES = ("mcp", "lsp", "acp")


def spoken_cases(profile):
    return [spoken(case, profile) for case in Choice(profile).of(CASES.values(), "newline")]


def written_messages(case):
    """Every whole JSON object that the script writes."""
    for step in case.script:
        written = step.get("write", "")
        for text in written if isinstance(written, list) else written.split("\n"):
            try:
                value = json.loads(text)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value


def test_the_core_keeps_the_words_of_the_rows():
    case = CASES["client.call.members"]
    assert spoken(case, "core") is case
    assert spoken(case, "a2a") is case


def test_mcp_calls_a_tool_and_gets_text():
    case = spoken(CASES["client.reply.out-of-order"], "mcp")
    assert json.loads(case.calls[0]) == {
        "call": "tools/call",
        "params": {"name": "echo", "arguments": {"text": "one"}},
        "as": "a",
    }
    result = {"content": [{"type": "text", "text": "two"}]}
    assert json.loads(case.script[1]["write"]) == {
        "jsonrpc": "2.0",
        "result": result,
        "id": "<id 2>",
    }
    assert json.loads(case.outcomes[0].lines[1]) == {"as": "b", "result": result}
    assert case.profile == "mcp"


def test_what_a_client_must_write_is_in_the_same_words():
    case = spoken(CASES["client.call.members"], "mcp")
    first, second = map(json.loads, case.wrote)
    assert (first["method"], first["params"]["arguments"]) == ("tools/call", "<any>")
    assert second == {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}
    case = spoken(CASES["client.call.params-omitted"], "mcp")
    assert [json.loads(line)["params"] for line in case.wrote_not] == [None, None]


def test_every_result_of_mcp_is_an_object():
    at_fault = {"client.response.bare-value"}
    results = [
        message["result"]
        for case in spoken_cases("mcp")
        for message in written_messages(case)
        if "result" in message and case.id not in at_fault
    ]
    assert len(results) > 20
    assert [result for result in results if not isinstance(result["content"], list)] == []


@pytest.mark.parametrize("profile", ["mcp", "acp"])
def test_no_params_are_by_position_where_the_protocol_has_names_for_all(profile):
    orders = [json.loads(line) for case in spoken_cases(profile) for line in case.calls]
    params = [order["params"] for order in orders if "params" in order]
    assert len(params) > 40
    assert [one for one in params if not isinstance(one, dict)] == []


@pytest.mark.parametrize("profile", PROFILES)
def test_a_server_calls_only_what_its_protocol_has(profile):
    known = {
        "mcp": ("ping", "notifications/"),
        "lsp": ("window/", "textDocument/", "$/"),
        "acp": ("_",),
    }[profile]
    methods = {
        message["method"]
        for case in spoken_cases(profile)
        for message in written_messages(case)
        if "method" in message
    }
    methods.discard("rpclab.there-is-no-such-method")  # which must be refused
    assert len(methods) >= 2
    assert [method for method in methods if not method.startswith(known)] == []


@pytest.mark.parametrize("profile", PROFILES)
def test_a_result_that_comes_in_pieces_is_whole_again(profile):
    case = spoken(CASES["client.read.cut-character"], profile)
    hexed = "".join(step.get("raw_hex", "") for step in case.script)
    text = bytes.fromhex(hexed).decode() + case.script[-1]["write"]
    assert json.loads(text)["result"] == result_in(profile, ["naïve €"])
    case = spoken(CASES["client.read.long-line"], profile)
    text = "".join(step.get("raw", "") + step.get("write", "") for step in case.script)
    assert json.loads(text)["result"] == result_in(profile, ["a"])


def test_the_spelling_that_a_case_is_about_stays():
    case = spoken(CASES["client.response.names-escaped"], "mcp")
    text = case.script[1]["write"]
    assert r'"re\u0073ult":{"content"' in text
    assert json.loads(text)["result"] == result_in("mcp", ["hi"])
    case = spoken(CASES["client.read.line-separators"], "mcp")
    assert "a\u2028b\u2029c\u0085d" in case.script[1]["write"]
    case = spoken(CASES["client.read.foreign-json"], "mcp")
    assert case.script[3]["raw"] == '[1, [2], "x"]\n'


@pytest.mark.parametrize(
    ("profile", "method", "params", "asks", "called"),
    [
        ("mcp", "get_data", None, True, {"method": "prompts/list"}),
        ("mcp", "update", [1], False, {"method": "notifications/roots/list_changed"}),
        ("lsp", "update", [1], False, {"method": "$/update", "params": [1]}),
        ("lsp", "get_data", None, True, {"method": "shutdown"}),
        ("acp", "update", [1, 2], False, {"method": "_update", "params": {"items": [1, 2]}}),
        ("acp", "get_data", None, True, {"method": "_get_data"}),
        ("mcp", "nothing", None, True, {"method": "tools/call", "params": {"name": "nothing"}}),
        ("mcp", "a/b", ["x"], True, {"method": "a/b", "params": {"text": "x"}}),
        ("lsp", "a/b", ["x"], True, {"method": "a/b", "params": ["x"]}),
    ],
)
def test_a_call_in_the_words_of_a_protocol(profile, method, params, asks, called):
    assert call_in(profile, method, params, asks=asks) == called


@pytest.mark.parametrize(
    ("profile", "value", "result"),
    [
        ("mcp", None, {"content": [{"type": "text", "text": "null"}]}),
        ("lsp", ["hi"], ["hi"]),
        ("acp", 19, {"value": 19}),
        ("acp", {"n": 1}, {"n": 1}),
        ("acp", [1], {"items": [1]}),
    ],
)
def test_a_result_in_the_words_of_a_protocol(profile, value, result):
    assert result_in(profile, value) == result


def test_a_notification_that_is_told_has_the_words_too():
    case = spoken(CASES["client.reply.notification-between"], "mcp")
    [note] = [json.loads(line) for line in case.outcomes[1].lines if "notification" in line]
    assert note["notification"] == {
        "method": "notifications/message",
        "params": {"level": "info", "data": "working"},
    }
    assert case.script[1]["write"].count("notifications/message") == 1
