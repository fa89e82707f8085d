"""The design page: its map, its walks and its list of places say what is there."""

import ast
import re
import runpy
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "rpclab"
PAGE = (ROOT / "docs" / "design.md").read_text("utf-8")
PRINT = runpy.run_path(str(ROOT / "docs" / "print.py"))


def section(title):
    return re.search(rf"^### {title}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)[1]


def names_in(path):
    """Return the names that a module defines: functions, classes, methods and constants."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(target.id for target in targets if isinstance(target, ast.Name))
    return found


MAP = re.findall(r"^\| `([\w/]+\.py)` \| (.+?) \|$", section("The map"), re.MULTILINE)
WALKS = {
    title: re.findall(r"^\d+\. `([\w/.]+)`: (.+)$", body, re.MULTILINE)
    for title, body in re.findall(
        r"^\*\*(.+?)\*\*\n(.*?)(?=^\*\*|\Z)", section("Five walks"), re.MULTILINE | re.DOTALL
    )
}
PLACES = re.findall(
    r"^\| (.+?) \| `([\w/.]+)` \| (?:`(.+?)`|-) \|$", section("Twenty places"), re.MULTILINE
)


def test_every_module_has_its_line_in_the_map():
    assert PRINT["renew_map"](PAGE) == PAGE, "run: python docs/print.py"
    assert [name for name, does in MAP if len(does.split()) < 3] == []


def test_there_are_five_walks():
    assert len(WALKS) == 5
    assert all(len(steps) > 3 for steps in WALKS.values())


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_visits_each_file_once_and_comes_back_to_no_folder(walk):
    files = [name for name, _ in WALKS[walk]]
    assert len(files) == len(set(files))
    folders = [folder for folder, _ in groupby(files, lambda name: name.rpartition("/")[0])]
    assert len(folders) == len(set(folders))


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_names_what_is_there(walk):
    for name, does in WALKS[walk]:
        path = PACKAGE / name
        assert path.exists(), name
        if path.suffix == ".py":
            said = re.findall(r"`([\w.]+)`", does)
            assert said, name
            assert {word.rpartition(".")[2] for word in said} <= names_in(path), name


def test_there_are_twenty_places_and_each_is_there():
    assert len(PLACES) == 20
    for question, name, defined in PLACES:
        path = PACKAGE / name
        assert path.exists(), question
        if defined:
            assert defined.rpartition(".")[2] in names_in(path), question


def test_the_page_names_no_file_that_is_not_there():
    lines = [line for line in PAGE.splitlines() if "*planned*" not in line]
    named = re.findall(
        r"`((?:rpclab|tests|docs|exercises|benchmarks)/[\w/.-]+\.\w+)`", "\n".join(lines)
    )
    assert [name for name in named if not (ROOT / name).exists()] == []
