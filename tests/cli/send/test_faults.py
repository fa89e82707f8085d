"""What is wrong with a payload, in one sentence."""

import pytest

from rpclab.cli.send.faults import Faults, binds, known_revisions
from rpclab.errors import FramingError

RESULT = b'{"jsonrpc":"2.0","id":1,"result":{}}'
INITIALIZED = b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"%s"}}'


@pytest.mark.parametrize(
    ("payload", "clause"),
    [
        (b"banner", "broken 2.json: "),
        (b'{"jsonrpc":"2.0","id":1,"result":1,"error":{}}', "broken 5.not-both"),
        (b"Content-Length: 38", "broken newline.one-message: "),
    ],
    ids=["noise", "both", "header"],
)  # fmt: skip
def test_the_clause_that_is_broken_is_named(payload, clause):
    assert Faults("core").describe(payload).startswith(clause)


@pytest.mark.parametrize(
    "payload", [RESULT, b'{"jsonrpc":"2.0","method":"up"}', FramingError("lost"), b"[" * 100_000]
)
def test_nothing_is_said_of_good_payloads_and_of_what_is_too_long(payload):
    assert Faults("core").describe(payload) == ""


def test_a_server_of_an_older_revision_is_not_judged_by_the_newest():
    faults = Faults("mcp")
    assert "mcp.result-type" in faults.describe(RESULT)
    assert faults.describe(INITIALIZED % b"2025-06-18") == ""
    assert faults.describe(RESULT) == ""
    assert "mcp.result-type" in faults.describe(INITIALIZED % b"2026-07-28")


def test_a_reply_to_us_is_not_called_a_response_to_a_server():
    assert "responses to a client" not in Faults("mcp").describe(RESULT.replace(b"{}", b"[]"))


def test_a_revision_between_two_is_judged_by_the_one_before():
    first, second = known_revisions()[:2]
    assert binds("mcp.initialize-first", first)
    assert binds("mcp.initialize-first", "2026-01-01") is (second > "2026-01-01")
    assert binds("5.jsonrpc-exact", first)
