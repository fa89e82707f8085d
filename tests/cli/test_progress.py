"""What is seen of a run while it goes on, and what is left of one that ends early."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from rpclab.cli.commands import app
from rpclab.cli.judge import ConformOptions
from rpclab.cli.progress import Terminated, ended_by_sigterm

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a process politely")
RPCLAB = [sys.executable, "-m", "rpclab"]
SERVE = [*RPCLAB, "serve"]
CLIENT = Path(__file__).parents[1] / "conformance/plain_client.py"
EARLY = 15

pytestmark = pytest.mark.timeout(120)


def test_in_a_pipe_each_verdict_is_a_line_of_stderr():
    ids = ["id.null", "process.last-line", "examples.unknown-method"]
    words = [word for id in ids for word in ("--case", id)]
    done = CliRunner().invoke(app, ["conform", *words, "--", *SERVE])
    assert sorted(line.partition(" ")[2] for line in done.stderr.splitlines()) == [
        "kept examples.unknown-method",
        "kept id.null",
        "kept process.last-line",
    ]
    assert [line.partition(" ")[0] for line in done.stderr.splitlines()] == ["1/3", "2/3", "3/3"]
    assert "kept" in done.stdout.splitlines()[-1]


@POSIX
@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("conform", SERVE),
        ("conform-client", [sys.executable, "-I", "-S", str(CLIENT)]),
    ],
    ids=["server", "client"],
)
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_ended_early_keeps_what_was_judged(
    tmp_path, command, program, number, status
):
    names = ("json", "junit", "html", "badge")
    files = {name: tmp_path / name for name in names}
    words = [word for name in names for word in (f"--{name}", str(files[name]))]
    early = EARLY if command == "conform" else 2
    with subprocess.Popen(
        [*RPCLAB, command, *words, "--", *program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        for _ in range(early):
            assert run.stderr.readline()
        run.send_signal(number)
        out, _ = run.communicate(timeout=60)
    assert run.returncode == status
    report = json.loads(files["json"].read_text())
    judged, due = len(report["cases"]), report["interrupted"]["of"]
    assert early <= judged < due
    assert report["interrupted"]["judged"] == judged
    assert out.splitlines()[-1] == f"interrupted: {judged} of {due} cases were judged"
    assert ElementTree.parse(files["junit"]).getroot().get("tests") == str(judged)
    assert "<html" in files["html"].read_text()
    assert "<svg" in files["badge"].read_text()


def test_sigterm_is_ours_only_during_a_run():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated), ended_by_sigterm():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_handler_that_is_there_is_kept():
    came = []
    before = signal.signal(signal.SIGTERM, lambda *_: came.append(1))
    try:
        with ended_by_sigterm():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert came == [1]


def test_one_case_at_a_time_is_judged_if_the_first_fault_ends_the_run():
    assert ConformOptions(exit_first=True).side_by_side == 1
    assert ConformOptions(exit_first=True, jobs=3).side_by_side == 3
    assert 1 <= ConformOptions().side_by_side <= 4
