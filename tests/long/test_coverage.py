"""Each module of the transport reaches full branch coverage from one test file alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# By the test file: as a rule a module has its own, and the parts of a peer share one.
MODULES = {
    "errors": ["errors"],
    "messages": ["messages"],
    "codec": ["codec"],
    "framing": ["framing"],
    "parsing": ["parsing"],
    "rendering": ["rendering"],
    "dispatch": ["dispatch"],
    "methods": ["methods"],
    "pending": ["pending"],
    "cancel": ["cancel", "manners"],
    "transport": ["transport"],
    "child": ["child"],
    "server": ["server"],
    "peer": ["peer", "waiting", "sending", "asking", "answering", "streams"],
    "client": ["client", "threads"],
    "trace_ids": ["meta", "spans"],
    "races": ["clock"],
}


@pytest.mark.parametrize(("file", "modules"), MODULES.items(), ids=MODULES)
def test_modules_are_covered_by_one_test_file(file, modules, tmp_path):
    data, report = tmp_path / "data", tmp_path / "report.json"
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run(
        [*coverage, "run", "--branch", "--source=rpclab", f"--data-file={data}", "-m", "pytest",
         "-q", "-p", "no:cacheprovider", f"tests/test_{file}.py"],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    names = ",".join(f"rpclab/{module}.py" for module in modules)
    subprocess.run(
        [*coverage, "json", f"--data-file={data}", f"--include={names}", "-o", report],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    measured = json.loads(report.read_text())["files"]
    assert len(measured) == len(modules)
    missing = {
        name: (one["missing_lines"], one["missing_branches"])
        for name, one in measured.items()
        if one["missing_lines"] or one["missing_branches"]
    }
    assert missing == {}


def test_every_module_of_the_transport_is_measured():
    loaded = subprocess.run(
        [sys.executable, "-c",
         "import sys, rpclab.peer.client; print(*(m for m in sys.modules if 'rpclab.' in m))"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    measured = {f"rpclab.{module}" for modules in MODULES.values() for module in modules}
    assert set(loaded) <= measured
