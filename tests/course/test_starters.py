"""The starters: each breaks what its list says, and nothing else.

``python -m tests.course.test_starters`` judges them and rewrites the lists.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from rpclab.conformance.cases import load_cases
from rpclab.conformance.expected import compare_expected, load_expected
from rpclab.conformance.run import judge_server
from rpclab.conformance.targets.command import CommandTarget
from rpclab.spec import clause

FOLDER = Path(__file__).resolve().parents[2] / "exercises" / "starters"
NAMES = ("python", "node", "c", "shell")
MARK = "<!-- broken -->\n"
CASES = {case.id: case for case in load_cases()}
SIDE_BY_SIDE = 4


def can(*command, typed=""):
    """Tell whether a command exists and succeeds."""
    if not shutil.which(command[0]):
        return False
    return not subprocess.run(
        command, input=typed, text=True, capture_output=True, check=False
    ).returncode


def missing(name):
    """Say what a starter needs that this machine does not have, or nothing."""
    match name:
        case "node" if not shutil.which("node"):
            return "no Node.js"
        case "c" if not can("cc", "-E", "-", typed="#include <jansson.h>\n"):
            return "no C compiler, or no libjansson-dev"
        case "c" if not shutil.which("make"):
            return "no make"
        case "shell" if not can("sed", "--version"):
            return "no GNU sed"
    return ""


def command(name, built):
    """Return the command of a starter; the one in C is built in a folder of its own."""
    match name:
        case "python":
            return [sys.executable, str(FOLDER / "python" / "server.py")]
        case "node":
            return ["node", str(FOLDER / "node" / "server.js")]
        case "shell":
            return ["sh", str(FOLDER / "shell" / "server.sh")]
    for file in ("server.c", "Makefile"):
        shutil.copy(FOLDER / "c" / file, built)
    subprocess.run(["make", "-s"], cwd=built, check=True)
    return [str(built / "server")]


@cache
def report(name):
    """Judge a starter. Several of it run side by side, because they mostly wait."""
    if reason := missing(name):
        pytest.skip(reason)
    built = Path(mkdtemp(prefix="rpclab-starter-"))
    try:
        words = command(name, built)
        found = judge_server(lambda: CommandTarget(words), CASES.values(), jobs=SIDE_BY_SIDE)
    finally:
        shutil.rmtree(built)
    return found


def reasons(name):
    return load_expected(FOLDER / name / "expected.toml")


def lists():
    """Return the lists as the README has them."""
    text = ""
    for name in NAMES:
        clauses = dict.fromkeys(CASES[case].clause for case in reasons(name))
        rows = "".join(f"- `{id}`: {clause(id).says}\n" for id in clauses)
        text += f"\n### {name}\n\n{len(reasons(name))} cases, {len(clauses)} clauses.\n\n{rows}"
    return text


@pytest.mark.parametrize("name", NAMES)
def test_a_starter_works_and_breaks_what_its_list_says_and_nothing_else(name):
    held = compare_expected(report(name), reasons(name), CASES)
    surprises = {verdict.case: verdict.why for verdict in held.surprises}
    assert (surprises, held.stale, held.unknown) == ({}, (), ())
    kept = {verdict.case for verdict in report(name).verdicts if verdict.found == "kept"}
    assert {"examples.unknown-method", "examples.notification-1"} <= kept


@pytest.mark.parametrize("name", NAMES)
def test_each_expectation_says_why(name):
    assert all(reasons(name).values())


def test_the_readme_lists_what_each_starter_breaks():
    assert (FOLDER / "README.md").read_text("utf-8").partition(MARK)[2] == lists()


@pytest.mark.parametrize("name", NAMES)
def test_the_head_of_a_starter_says_how_to_judge_it(name):
    server = next((FOLDER / name).glob("server.*"))
    head = server.read_text("utf-8")[:700]
    assert re.search(r"rpclab conform --expected expected\.toml -- ", head)
    assert re.search(r"\.\./README\.md", head)


def write_lists():
    """Judge each starter and write its list; known reasons are kept."""
    for name in NAMES:
        file = FOLDER / name / "expected.toml"
        known = reasons(name) if file.exists() else {}
        text = "# What this starter is known to break, and what came of it.\n"
        for verdict in report(name).verdicts:
            if verdict.found == "broken":
                why = known.get(verdict.case, verdict.why).replace("\\", "\\\\").replace('"', '\\"')
                text += f'\n[[expected]]\ncase = "{verdict.case}"\nwhy = "{why}"\n'
        tomllib.loads(text)
        file.write_text(text, "utf-8")
    readme = FOLDER / "README.md"
    head = readme.read_text("utf-8").partition(MARK)[0]
    readme.write_text(head + MARK + lists(), "utf-8")


if __name__ == "__main__":
    write_lists()
