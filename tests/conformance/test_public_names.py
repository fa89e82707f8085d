"""What `import rpclab.conformance` offers, and what it leaves out."""

import json
import subprocess
import sys

import pytest

from rpclab import conformance


def test_every_public_name_exists():
    assert [name for name in conformance.__all__ if not hasattr(conformance, name)] == []


def test_another_name_does_not_exist():
    with pytest.raises(AttributeError, match="has no attribute 'nobody'"):
        _ = conformance.nobody


def test_the_loaders_are_where_notebooks_import_them():
    from rpclab.conformance.cases import load_cases

    assert load_cases is conformance.load_cases


def test_a_browser_can_import_it_without_processes_and_without_templates():
    code = "import json, sys, rpclab.conformance; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert not {"psutil", "jinja2", "subprocess"} & set(json.loads(done.stdout))
