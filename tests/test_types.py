"""What a type checker says of the public names: what is right, and what is a mistake."""

import re
import subprocess
import sys

import pytest

RIGHT = """
from collections.abc import Callable
from typing import Any, assert_type

from rpclab import Client, Methods, Peer, __version__
from rpclab.peer import memory_pair

methods = Methods()


@methods.add
def plain(a: int) -> str:
    return str(a)


@methods.add("tools/list")
def by_name(a: int) -> str:
    return str(a)


@methods.add(name="rpc.discover", extension=True)
def by_keyword(a: int) -> str:
    return str(a)


@methods.add()
async def later(a: int) -> str:
    return str(a)


assert_type(plain(1), str)
assert_type(by_name(1), str)
assert_type(by_keyword(1), str)
assert_type(methods.add(len, "len")("four"), int)
assert_type(__version__, str)


def read_as(kind: Any) -> Callable[[Any], Any] | None:
    return None


Methods(bind=read_as, dump=str)
Methods(bind=lambda kind: None)


async def talk() -> None:
    one, two = memory_pair()
    Peer(one, methods, cancel="mcp")
    Peer(two, methods, dialect="lsp")
    Client.start(["server"], methods, dialect="mcp")
    Client.start(["server"], methods, cancel="lsp")
"""

WRONG = {
    "methods.add(5)": "call-overload",
    "methods.add(plain, 5)": "call-overload",
    "methods.add('one', 'two')": "call-overload",
    "by_name('text')": "arg-type",
    "Methods(bind=5)": "arg-type",
    "Methods(dump=5)": "arg-type",
    "Peer(memory_pair()[0], methods, cancel='grpc')": "arg-type",
    "Peer(memory_pair()[0], methods, dialect='grpc')": "arg-type",
    "Client.start(['server'], methods, dialect='grpc')": "arg-type",
    "Client.start(['server'], methods, cancel='grpc')": "arg-type",
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """Check the right lines, then the wrong ones, and return mypy's code for each line."""
    path = tmp_path_factory.mktemp("typed") / "program.py"
    path.write_text("\n".join([RIGHT, *WRONG]), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return {
        int(line): code
        for line, code in re.findall(r":(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    }


FIRST = len(RIGHT.split("\n")) + 1


def test_what_is_right_has_its_types(complaints):
    assert {line: code for line, code in complaints.items() if line < FIRST} == {}


@pytest.mark.parametrize(("line", "code"), [*enumerate(WRONG.values(), FIRST)], ids=[*WRONG])
def test_a_type_checker_sees_the_mistake(line, code, complaints):
    assert complaints.get(line) == code
