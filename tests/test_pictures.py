"""The pictures of the README and the docs: made by scripts, and described in words."""

import re
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rpclab.conformance import load_cases, premises
from rpclab.conformance.premises import PREMISES, plan

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
README = (ROOT / "README.md").read_text("utf-8")
SHOWN = [
    (words, (page.parent / file).relative_to(ROOT).as_posix())
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    for words, file in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text("utf-8"))
]
PRINT = runpy.run_path(str(ROOT / "docs" / "print.py"))


def test_each_picture_is_there_and_is_described_in_words():
    names = {"session.svg", "ruler.png", "notebook.png", "premises.svg"}
    assert {Path(file).name for _, file in SHOWN} == names
    for words, file in SHOWN:
        assert (ROOT / file).is_file()
        assert len(words.split()) > 10, file


def test_each_picture_of_the_folder_is_shown():
    kept = {path.name for path in IMAGES.iterdir() if path.suffix in {".svg", ".png"}}
    assert kept == {Path(file).name for _, file in SHOWN}


def test_the_first_screen_says_how_to_install_and_what_to_type():
    first = README.partition("## ")[0]
    for command in ("pip install rpclab", "rpclab explain '", "rpclab send", "rpclab course"):
        assert command in first


@pytest.mark.parametrize("name", ["session.svg", "premises.svg"])
def test_a_drawing_loads_nothing_from_elsewhere(name):
    svg = (IMAGES / name).read_text("utf-8")
    assert re.findall(r"""(?:href|src)\s*=|@import|@font-face|url\((?!#)""", svg) == []
    assert "script" not in {
        element.tag.partition("}")[2] for element in ElementTree.fromstring(svg).iter()
    }


@pytest.mark.skipif(sys.platform == "win32", reason="the commands run in a pty")
def test_the_session_is_what_the_commands_print_now():
    record = runpy.run_path(str(IMAGES / "record.py"))
    assert record["PICTURE"].read_text("utf-8") == record["picture"](), (
        "run: python docs/images/record.py"
    )


# --- the premises -----------------------------------------------------------------


def test_the_premises_are_drawn_as_they_are_now():
    drawn = PRINT["PICTURE"].read_text("utf-8")
    assert drawn == PRINT["premises_picture"](), "run: python docs/print.py"


def test_the_picture_has_each_premise_in_its_group_and_no_arc_that_another_way_makes_needless():
    rows = PRINT["premise_rows"]()
    assert [row.cases.split(", ") for row in rows] == [list(one.cases) for one in PREMISES]
    source = Path(premises.__file__).read_text("utf-8").partition("PREMISES: Final")[2]
    comments = re.findall(r"^ +# --- (.+)$", source, re.MULTILINE)
    assert list(dict.fromkeys(row.group for row in rows)) == [PRINT["FIRST_GROUP"], *comments]
    ways = [set() for _ in rows]
    for place, row in enumerate(rows):
        through = set().union(*(ways[other] for other in row.rests_on))
        assert all(other < place for other in row.rests_on)
        assert row.rests_on.isdisjoint(through)
        ways[place] = row.rests_on | through


def test_the_picture_counts_the_cases_that_rest_on_a_premise():
    found = plan(load_cases()).premises.values()
    for row in PRINT["premise_rows"]():
        cases = row.cases.split(", ")
        assert row.count == len([one for one in found if any(case in one for case in cases)]) > 0
