"""What `import rpclab` brings into a fresh interpreter, and what it leaves out."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

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


def test_the_version_is_that_of_the_package_and_costs_nothing_before_it_is_asked_for():
    code = """if True:
        import sys, rpclab
        assert "importlib.metadata" not in sys.modules
        print(rpclab.__version__)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["version"]


def run_alone(code):
    """Run code with the standard library and rpclab: nothing else is installed."""
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PYPROJECT.parent)},
    )


def test_without_the_packages_of_the_course_the_explorer_says_what_to_install():
    code = "import rpclab\ntry: rpclab.explorer()\nexcept ImportError as error: print(error)"
    done = run_alone(code)
    assert (done.stdout, done.stderr) == (
        "the explorer needs the course's packages: pip install 'rpclab[course]' "
        "(ipywidgets is missing)\n",
        "",
    )


def test_a_package_that_is_not_installed_has_no_version():
    done = run_alone("import rpclab; print(getattr(rpclab, '__version__', 'none'))")
    assert (done.stdout, done.stderr) == ("none\n", "")
