"""What is wrong with a payload, in one sentence."""

import pytest

from rpclab.cli.send.faults import describe_fault
from rpclab.errors import FramingError

RESULT = b'{"jsonrpc":"2.0","id":1,"result":{}}'
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize(
    ("payload", "profile", "clause"),
    [
        (b"banner", "core", "broken 2.json: "),
        (b'{"jsonrpc":"2.0","id":1,"result":1,"error":{}}', "core", "broken 5.not-both"),
        (b"Content-Length: 38", "core", "broken newline.one-message: "),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', "core", "broken 4.method-string: "),
        (b'{"jsonrpc":"2.0","id":1,"result":[]}', "mcp", "broken mcp.result-object: "),
    ],
    ids=["noise", "both", "header", "request", "mcp"],
)
def test_the_clause_that_is_broken_is_named(payload, profile, clause):
    assert describe_fault(payload, profile).startswith(clause)


@pytest.mark.parametrize(
    "payload", [RESULT, PING, b'{"jsonrpc":"2.0","method":"up"}', FramingError("lost")]
)
def test_nothing_is_said_of_a_good_payload(payload):
    assert describe_fault(payload, "core") == ""


def test_what_is_very_long_is_not_explained():
    assert describe_fault(b"[" * 100_000, "core") == ""


def test_a_server_that_asks_need_not_do_what_mcp_wants_of_clients():
    assert describe_fault(PING, "mcp") == ""


def test_a_reply_to_us_is_not_called_a_response_to_a_server():
    assert "responses to a client" not in describe_fault(RESULT.replace(b"{}", b"[]"), "mcp")
