"""The programs in the README, run as they are printed there."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import attrs
import msgspec
import pydantic
import pytest

from rpclab.errors import InvalidParams

README = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SERVER, MODELS, SOCKET_SERVER, SOCKET_CLIENT = PROGRAMS
CALL = '{"jsonrpc":"2.0","method":"subtract","params":%s,"id":1}\n'


def start(program, folder):
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=folder
    )


def talk(server, client, folder):
    """Return what the client's program prints while the server's runs."""
    with start(server, folder) as serving:
        try:
            assert serving.stdout.readline() == "ready\n"
            with start(client, folder) as calling:
                return calling.communicate()[0]
        finally:
            serving.kill()


def test_the_server_on_stdio_answers():
    lines = CALL % "[42,23]" + CALL % '["a",1]'
    command = [sys.executable, "-c", SERVER]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    result, error = map(json.loads, done.stdout.splitlines())
    assert (result["result"], error["error"]["code"]) == (19, -32602)


def test_the_server_and_the_client_talk_over_tcp(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    server, client = (text.replace("8765", port) for text in (SOCKET_SERVER, SOCKET_CLIENT))
    assert server != SOCKET_SERVER
    assert talk(server, client, tmp_path) == "19\n"


@pytest.mark.skipif(not hasattr(asyncio, "start_unix_server"), reason="Windows has TCP only")
def test_the_same_programs_talk_over_a_unix_socket(tmp_path):
    listen, connect = re.findall(r"`(asyncio\.\w+_unix_\w+\(.+?\))`", README)
    server = re.sub(r"asyncio\.start_server\(.+?\)", listen, SOCKET_SERVER)
    client = re.sub(r"asyncio\.open_connection\(.+?\)", connect, SOCKET_CLIENT)
    assert (listen in server, connect in client) == (True, True)
    assert talk(server, client, tmp_path) == "19\n"


def test_each_socket_program_is_short():
    lines = [[line for line in text.splitlines() if line] for text in PROGRAMS[2:]]
    assert max(map(len, lines)) <= 15


def test_the_tables_for_models_of_other_libraries_read_and_write_them():
    names = {}
    exec(MODELS, names)
    users = {
        "of_pydantic": pydantic.create_model("User", name=str, age=int),
        "of_msgspec": msgspec.defstruct("User", [("name", str), ("age", int)]),
        "of_attrs": attrs.make_class("User", ["name", "age"]),
    }
    for table, user in users.items():

        def older(who):
            who.age += 1
            return who

        older.__annotations__ = {"who": user}
        methods = names[table]
        methods.add(older)
        assert methods("older", [{"name": "Ada", "age": 36}]) == {"name": "Ada", "age": 37}
        with pytest.raises(InvalidParams) as caught:
            methods("older", [{"name": "Ada"}])
        assert "age" in caught.value.data["reason"]
