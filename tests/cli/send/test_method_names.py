"""The names that are known in a session."""

import json

from rpclab.cli.send.method_names import DEMO, KnownNames
from rpclab.demos import demo_server
from rpclab.errors import ERR_METHOD_NOT_FOUND, FramingError, JsonRpcError
from rpclab.transport import StdioTransport

CALL = b'{"jsonrpc":"2.0","method":"tools/call","id":41}'


def after(*payloads, profile="core"):
    names = KnownNames(profile)
    for payload in payloads:
        names.learn(payload)
    return names


def test_a_method_that_was_seen_is_known_also_from_a_broken_line():
    assert after(CALL[:-1]).methods == ["tools/call"]


def test_the_methods_of_the_profile_come_after_those_of_the_session():
    methods = after(b'{"method":"mine"}', profile="mcp").methods
    assert methods[0] == "mine"
    assert {"initialize", "tools/list", "tools/call"} <= set(methods[1:])


def test_the_names_that_a_server_lists_are_known():
    discovered = {"jsonrpc": "2.0", "id": 1, "result": {"methods": [{"name": "sum"}, {}, 7]}}
    tools = {"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "add"}, None]}}
    names = after(json.dumps(discovered).encode(), json.dumps(tools).encode())
    assert (names.methods, names.tools) == (["sum"], ["add"])


def test_what_cannot_be_read_teaches_nothing():
    names = after(FramingError("lost"), b'{"tools"', b'"method":"' + b"x" * 2**20 + b'"')
    assert (names.methods, names.tools) == ([], [])


def test_there_is_an_end_to_what_is_remembered():
    names = after(*(f'{{"method":"m{n}"}}'.encode() for n in range(1100)))
    assert len(names.methods) == 1000


def test_the_next_id_was_never_used():
    assert after().next_id == 1
    assert after(CALL, b'{"id":7}', b'{"id":"99"}').next_id == 42


def test_the_methods_of_the_demo_server_are_the_ones_it_has(tmp_path):
    with (tmp_path / "wire").open("w+b", 0) as file:
        handler = demo_server.demo_handler(StdioTransport(file, file))
        for name in DEMO:
            try:
                handler(name, {"seconds": 0} if name == "slow" else None)
            except JsonRpcError as error:
                assert error.code != ERR_METHOD_NOT_FOUND  # noqa: PT017  others are fine
            except Exception:  # noqa: BLE001  boom is there to fail
                pass
