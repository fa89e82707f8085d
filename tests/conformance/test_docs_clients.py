"""The clients in docs/conformance.md: each is complete, runs, and is accused of what it does."""

import re
import sys
from pathlib import Path

import pytest

from rpclab.conformance.cases import Choice
from rpclab.conformance.run import judge_client
from rpclab.conformance.targets.command import ClientCommand

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "conformance.md").read_text("utf-8")
PROGRAMS = re.findall(r'```python\n("""[^\n]*conform-client.*?)```', PAGE, re.DOTALL)
FEW = (
    "client.call.plain client.call.members client.line.flushed client.reply.out-of-order"
    " client.error.told client.read.foreign-line client.mcp.ping client.end.in-mid-call"
)


def judged(tmp_path, text, profile, cases=""):
    file = tmp_path / "client.py"
    file.write_text(text, encoding="utf-8")
    choice = Choice(profile, tuple(cases.split()))
    return judge_client(ClientCommand([sys.executable, str(file)], deadline=20), choice=choice)


def test_the_page_has_a_plain_client_and_one_of_mcp():
    assert [text.splitlines()[0].split(",")[0] for text in PROGRAMS] == [
        '"""A plain client on the standard library',
        '"""The client of MCP\'s Python SDK',
    ]


def test_the_plain_client_keeps_every_rule_that_it_can_be_judged_by(tmp_path):
    report = judged(tmp_path, PROGRAMS[0], "core")
    assert [(v.case, v.why) for v in report.verdicts if v.found == "broken"] == []
    assert report.count("kept") > 50
    cannot = {v.why for v in report.verdicts if v.found == "not judged"}
    assert cannot == {"it cannot do this: batches, timeouts and cancels"}


def test_the_client_of_the_python_sdk_can_be_judged(tmp_path):
    pytest.importorskip("mcp")
    report = judged(tmp_path, PROGRAMS[1], "mcp", FEW)
    assert [(v.case, v.found, v.why) for v in report.verdicts if v.found != "kept"] == []
    assert len(report.verdicts) == len(FEW.split())


def test_the_client_of_the_python_sdk_is_the_one_that_is_checked_by_hand():
    path = ROOT / "tests" / "conformance" / "truth" / "mcp_python_client.py"
    assert PROGRAMS[1] == path.read_text("utf-8")
