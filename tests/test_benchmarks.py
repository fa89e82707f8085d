"""The benchmarks: what they print is what the README says they print."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def readme_rows():
    """Return the first cells of the table of costs."""
    section = (ROOT / "README.md").read_text("utf-8").split("## What a message costs")[1]
    table = section.split("## ")[0]
    return [name for name in re.findall(r"^\| (.+?) \|", table, re.MULTILINE) if name != "what"]


def test_quick_prints_every_row_of_the_readme():
    command = [sys.executable, "benchmarks/run.py", "--quick", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=120)
    printed = [row["name"] for row in json.loads(done.stdout)]
    rows = [name.replace("1,000,000", "100,000") for name in readme_rows()]
    assert len(rows) == 7
    assert [name for name in printed if name in rows] == rows
