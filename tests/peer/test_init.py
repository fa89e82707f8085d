"""The package itself: its names are there, and are loaded when they are asked for."""

import json
import subprocess
import sys

import pytest

import rpclab.peer


def loaded_by(code):
    """Return the modules that a fresh interpreter has loaded after some code."""
    code += "\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", rpclab.peer.__all__)
def test_each_public_name_can_be_imported(name):
    assert getattr(rpclab.peer, name) is not None


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"'rpclab.peer' has no attribute 'asyncio'"):
        rpclab.peer.asyncio  # noqa: B018


def test_dir_lists_every_public_name():
    assert set(rpclab.peer.__all__) <= set(dir(rpclab.peer))


def test_its_modules_can_still_be_imported_from_it():
    from rpclab.peer import client, peer

    assert (client.Client, peer.Peer) == (rpclab.peer.Client, rpclab.peer.Peer)


def test_importing_the_package_loads_no_event_loop_and_no_module_of_it():
    loaded = loaded_by("import rpclab.peer")
    assert "asyncio" not in loaded
    assert [name for name in loaded if name.startswith("rpclab.peer.")] == []


def test_a_server_that_reads_one_line_at_a_time_loads_no_event_loop():
    loaded = loaded_by(
        "import io\n"
        "from rpclab import Methods, StdioTransport, serve\n"
        'call = b\'{"jsonrpc":"2.0","method":"no.such","id":1}\'\n'
        "serve(Methods(), StdioTransport(io.BytesIO(call), io.BytesIO()))"
    )
    assert "asyncio" not in loaded
    assert "rpclab.peer" not in loaded


def test_what_a_handler_needs_loads_no_event_loop():
    assert "asyncio" not in loaded_by("from rpclab import cancelled, progress, traceparent")
