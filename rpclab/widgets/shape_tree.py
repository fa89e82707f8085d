"""The decision tree of the four shapes, and the path of a line through it."""

import html
from itertools import pairwise
from typing import Final, NamedTuple

import ipywidgets as w

from rpclab.codec import decode
from rpclab.errors import ParseError
from rpclab.messages import Json
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.html_parts import BADGE, TEXT


class Node(NamedTuple):
    """A question about one member, or a leaf, at its place in the picture."""

    text: str
    x: int
    y: int
    yes: str = ""
    no: str = ""


TITLE: Final = "Decision tree of the four shapes"
TREE: Final = {
    "method": Node("method", 300, 30, "id", "result"),
    "id": Node("id", 140, 110, "request", "notification"),
    "result": Node("result", 440, 110, "success response", "error"),
    "error": Node("error", 540, 190, "error response", "no message"),
    "request": Node("request", 70, 270),
    "notification": Node("notification", 210, 270),
    "success response": Node("success response", 360, 270),
    "error response": Node("error response", 490, 270),
    "no message": Node("no message", 610, 270),
}
"""The nodes by name. The text of a question is the member that it asks for."""


def walk(message: dict[str, Json]) -> list[str]:
    """Return the names of the nodes on the path of a message, down to its leaf.

    >>> walk({"jsonrpc": "2.0", "method": "update"})
    ['method', 'id', 'notification']
    """
    path = ["method"]
    while (node := TREE[path[-1]]).yes:
        path.append(node.yes if node.text in message else node.no)
    return path


class TreePicture:
    """The tree as a picture, and in words for readers who cannot see it."""

    def __init__(self, line: str = "") -> None:
        self._path: list[str] = []
        self._words = TITLE
        if line:
            self._path, self._words = find_path(line)

    def __repr__(self) -> str:
        """Say the path in words."""
        return self._words

    def _repr_html_(self) -> str:
        edges = [
            _edge(name, end, answer, on=name in self._path and end in self._path)
            for name, node in TREE.items()
            for end, answer in ((node.yes, "yes"), (node.no, "no"))
            if end
        ]
        nodes = [_box(name, node, on=name in self._path) for name, node in TREE.items()]
        words = html.escape(self._words)
        return (
            f'<figure style="margin:0;{TEXT}"><svg viewBox="0 0 680 300" role="img" '
            f'aria-label="{TITLE}. {words}" style="max-width:680px;width:100%">'
            f"{''.join(edges + nodes)}</svg><figcaption>{words}</figcaption></figure>"
        )


NOT_AN_OBJECT: Final = "This is not a JSON object, so there is no tree to walk."


def find_path(line: str) -> tuple[list[str], str]:
    """Return the path of a line, and the same in words.

    >>> find_path('{"jsonrpc":"2.0","result":19,"id":1}')[1]
    'Path: method? no, result? yes: success response'
    """
    try:
        value = decode(line)
    except ParseError as error:
        return [], f"{NOT_AN_OBJECT} ({error.data})"
    if isinstance(value, list):
        return [], "This is a batch: walk the tree once for each of its members."
    if not isinstance(value, dict):
        return [], NOT_AN_OBJECT
    path = walk(value)
    steps = [
        f"{name}? {'yes' if TREE[name].yes == after else 'no'}" for name, after in pairwise(path)
    ]
    return path, f"Path: {', '.join(steps)}: {path[-1]}"


def draw_tree(line: str = "") -> TreePicture:
    """Draw the decision tree, with the path of a line if one is given."""
    return TreePicture(line)


def _edge(start: str, end: str, answer: str, *, on: bool) -> str:
    a, b = TREE[start], TREE[end]
    width = 4 if on else 1
    return (
        f'<line x1="{a.x}" y1="{a.y + 16}" x2="{b.x}" y2="{b.y - 16}" stroke="currentColor" '
        f'stroke-width="{width}"/><text x="{(a.x + b.x) // 2 + 6}" y="{(a.y + b.y) // 2}" '
        f'fill="currentColor" font-size="12">{answer}</text>'
    )


def _box(name: str, node: Node, *, on: bool) -> str:
    text = f"{node.text}?" if node.yes else node.text
    half = 5 + 4 * len(text)
    colour = BADGE.get(name, "currentColor")
    return (
        f'<rect x="{node.x - half}" y="{node.y - 16}" width="{2 * half}" height="32" rx="6" '
        f'fill="var(--jp-layout-color1, #fff)" stroke="{colour}" stroke-width="{4 if on else 1}"/>'
        f'<text x="{node.x}" y="{node.y + 5}" text-anchor="middle" fill="currentColor" '
        f'font-size="13" font-weight="{"bold" if on else "normal"}">{text}</text>'
    )


class ShapeTree(Widget):
    """The tree, with a field for the line whose path it shows."""

    def __init__(self, line: str = "") -> None:
        self.line = w.Text(
            line,
            description="Line",
            placeholder="type a line of JSON and press Enter",
            layout=wide(),
        )
        self.shown = w.HTML()
        self.line.observe(self.guarded(lambda change: self.show(change.new)), "value")
        super().__init__(self.line, self.shown)
        self.line.add_class("rpclab-line")
        self.shown.add_class("rpclab-tree")
        self.show(line)

    def show(self, line: str) -> TreePicture:
        """Do what typing does: draw the path of this line."""
        picture = draw_tree(line)
        self.shown.value = picture._repr_html_()
        return picture
