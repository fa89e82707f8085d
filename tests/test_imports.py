"""What `import rpclab` brings into a fresh interpreter, and what it leaves out."""

import json
import subprocess
import sys

import pytest

NEW_MODULES = """
import json, sys
before = set(sys.modules)
import rpclab
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.fixture(scope="module")
def loaded():
    done = subprocess.run(
        [sys.executable, "-c", NEW_MODULES], capture_output=True, check=True, text=True
    )
    return json.loads(done.stdout)


def test_import_loads_nothing_outside_the_standard_library(loaded):
    tops = {name.partition(".")[0] for name in loaded} - {"rpclab"}
    assert tops <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "name",
    ["asyncio", "IPython", "ipywidgets", "anywidget", "jupyterlab", "typer", "rich"],
)
def test_import_does_not_load(name, loaded):
    assert [module for module in loaded if module.partition(".")[0] == name] == []


@pytest.mark.parametrize("name", ["inspect", "subprocess", "dataclasses", "typer"])
def test_import_does_not_load_what_takes_long_to_load(name, loaded):
    assert name not in loaded


def test_import_loads_nothing_above_the_transport(loaded):
    above = ("cli", "console", "demo", "course", "widgets", "child")
    assert [name for name in loaded if name.startswith(tuple(f"rpclab.{a}" for a in above))] == []


def test_import_writes_nothing():
    done = subprocess.run([sys.executable, "-c", "import rpclab"], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_every_public_name_exists():
    import rpclab

    assert [name for name in rpclab.__all__ if not hasattr(rpclab, name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "StdioTransport",
        "parse_request",
        "write_response",
        "write_error",
        "write_notification",
        "serve",
        "MethodNotFound",
        "InvalidParams",
        "ERR_PARSE",
        "ERR_INVALID_REQUEST",
        "ERR_METHOD_NOT_FOUND",
        "ERR_INVALID_PARAMS",
        "ERR_INTERNAL",
    ],
)
def test_the_public_names_of_the_lesson_exist(name):
    import rpclab

    assert name in rpclab.__all__
