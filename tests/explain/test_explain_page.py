"""The page docs/explain.md says the truth: its example, its map, its quoted rule."""

import doctest
import inspect
import re
from pathlib import Path

from rpclab import explain
from rpclab.explain import rules

PAGE = Path(__file__).parents[2] / "docs" / "explain.md"


def test_the_example_of_the_page_holds():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_the_map_has_a_line_for_every_module():
    room = Path(explain.__file__).parent
    modules = {str(path.relative_to(room.parent)) for path in room.rglob("*.py")}
    listed = set(re.findall(r"^\| `(explain/\S+\.py)` \|", PAGE.read_text(), re.MULTILINE))
    assert listed == modules - {"explain/mistakes/__init__.py"}


def test_the_rule_on_the_page_is_the_rule_in_the_code():
    assert inspect.getsource(rules._params) in PAGE.read_text()
