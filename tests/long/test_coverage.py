"""Each module of the transport reaches full branch coverage from its own test file alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rpclab

ROOT = Path(__file__).parents[2]
TRANSPORT = [
    "errors",
    "messages",
    "codec",
    "framing",
    "parsing",
    "rendering",
    "dispatch",
    "methods",
    "transport",
    "child",
    "server",
]


@pytest.mark.parametrize("module", TRANSPORT)
def test_a_module_is_covered_by_its_own_test_file(module, tmp_path):
    data, report = tmp_path / "data", tmp_path / "report.json"
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run(
        [*coverage, "run", "--branch", "--source=rpclab", f"--data-file={data}", "-m", "pytest",
         "-q", "-p", "no:cacheprovider", f"tests/test_{module}.py"],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    subprocess.run(
        [*coverage, "json", f"--data-file={data}", f"--include=rpclab/{module}.py", "-o", report],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (measured,) = json.loads(report.read_text())["files"].values()
    missing = measured["missing_lines"], measured["missing_branches"]
    assert missing == ([], [])


def test_every_module_of_the_transport_is_measured():
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, rpclab; print(*(m for m in sys.modules))"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    package = f"{rpclab.__name__}."
    measured = {name.removeprefix(package) for name in loaded if name.startswith(package)}
    assert measured <= set(TRANSPORT)
