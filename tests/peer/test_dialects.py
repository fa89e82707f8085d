"""How LSP and MCP write cancel and progress, and how a peer is told which."""

import pytest

from rpclab.peer import Client, Peer, memory_pair
from rpclab.peer.dialects import find_dialect
from tests.peer.helpers import read_line
from tests.peer.virtual import virtual

LSP, MCP = find_dialect("lsp"), find_dialect("mcp")


def test_there_is_no_third_manner():
    with pytest.raises(ValueError, match="one of lsp, mcp"):
        find_dialect("grpc")


def test_each_manner_spells_a_cancel_its_own_way():
    assert LSP.cancel_call(7, "late") == ("$/cancelRequest", {"id": 7})
    assert MCP.cancel_call(7, "late") == (
        "notifications/cancelled",
        {"requestId": 7, "reason": "late"},
    )


@pytest.mark.parametrize(
    ("note", "value"),
    [
        ((5, None, None), 5),
        (({"kind": "end"}, None, None), {"kind": "end"}),
        ((1, 4, None), {"kind": "report", "percentage": 25}),
        ((1, 4, "a quarter"), {"kind": "report", "percentage": 25, "message": "a quarter"}),
        ((1, None, "on it"), {"kind": "report", "message": "on it"}),
        ((0, 0, None), {"kind": "report"}),
    ],
)
def test_progress_in_the_manner_of_lsp(note, value):
    method, params = LSP.report("t", LSP.write_progress(*note, None))
    assert (method, params) == ("$/progress", {"token": "t", "value": value})
    assert LSP.read_progress(params) == value


@pytest.mark.parametrize(
    ("note", "value"),
    [
        ((5, None, None), {"progress": 5}),
        ((0, 4, "begun"), {"progress": 0, "total": 4, "message": "begun"}),
    ],
)
def test_progress_in_the_manner_of_mcp(note, value):
    method, params = MCP.report("t", MCP.write_progress(*note, "title"))
    assert (method, params) == ("notifications/progress", {"progressToken": "t"} | value)
    assert MCP.read_progress(params) == value


# The parameter of Peer and Client


CANCEL_METHODS = {"lsp": b"$/cancelRequest", "mcp": b"notifications/cancelled"}


@pytest.mark.parametrize(
    ("options", "dialect"),
    [
        ({}, "lsp"),
        ({"dialect": "lsp"}, "lsp"),
        ({"dialect": "mcp"}, "mcp"),
        ({"cancel": "lsp"}, "lsp"),
        ({"cancel": "mcp"}, "mcp"),
    ],
    ids=str,
)
@virtual
async def test_a_peer_takes_its_dialect_by_the_new_and_by_the_old_name(options, dialect):
    near, wire = memory_pair()
    async with Peer(near, **options) as peer:
        with pytest.raises(TimeoutError):
            await peer.call("m", timeout=1)
        await read_line(wire)
        assert CANCEL_METHODS[dialect] in await read_line(wire)


BAD = [
    ({"dialect": "lsp", "cancel": "lsp"}, "give only one"),
    ({"dialect": "grpc"}, "one of lsp, mcp"),
    ({"cancel": "grpc"}, "one of lsp, mcp"),
    ({"dialect": ""}, "one of lsp, mcp"),
]


@pytest.mark.parametrize(("options", "words"), BAD, ids=str)
@virtual
async def test_a_peer_refuses_both_names_at_once_and_a_dialect_that_does_not_exist(options, words):
    near, _ = memory_pair()
    with pytest.raises(ValueError, match=words):
        Peer(near, **options)


@pytest.mark.parametrize(("options", "words"), BAD, ids=str)
def test_a_client_refuses_them_before_it_starts_the_server(options, words):
    with pytest.raises(ValueError, match=words):
        Client.start(["no-such-program-anywhere"], **options)
