"""The pictures of the README: made by scripts, whole in themselves, and described in words."""

import re
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
README = (ROOT / "README.md").read_text("utf-8")
SHOWN = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", README)


def test_each_picture_is_there_and_is_described_in_words():
    assert {Path(file).name for _, file in SHOWN} == {"session.svg", "ruler.png", "notebook.png"}
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


def test_the_session_loads_nothing_from_elsewhere():
    svg = (IMAGES / "session.svg").read_text("utf-8")
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
