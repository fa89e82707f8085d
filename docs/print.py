"""Print what is made from data: three pages, two tables and the picture of the premises.

    python docs/print.py

The pages are clauses.md, rulings.md and codes.md; the tables are the map in design.md and the
matrix in README.md. The data is in rpclab/spec, rpclab/errors.py, docs/matrix.json,
rpclab/explain/error_words.toml and rpclab/conformance/premises.py. A test fails if one of them
is out of date.
"""

import ast
import inspect
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from rpclab import errors, spec
from rpclab.conformance import load_cases, premises
from rpclab.explain import error_words

DOCS = Path(__file__).parent
HEAD = "<!-- Printed from {source}. Renew it with: python docs/print.py -->\n"


def cell(text: str) -> str:
    """Escape a text for a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def clauses_page() -> Iterator[str]:
    """Return the page of clauses, by source and section, line by line."""
    yield HEAD.format(source="rpclab/spec/clauses.toml")
    yield "# The clauses\n"
    yield "Every rule that the course teaches, in our own words, by source and section."
    yield "The level is how strictly the source asks for it."
    yield "The actor is the side that has to keep it.\n"
    for source in spec.sources():
        rows = [row for row in spec.clauses() if row.source == source.id]
        yield f"## {source.title}\n"
        yield f"Revision: {source.revision}. {source.url and f'<{source.url}>'}".strip() + "\n"
        for section, group in groupby(rows, lambda row: row.section):
            yield f"### {source.id}, {section}\n"
            yield "| clause | level | actor | says | profiles |\n|---|---|---|---|---|"
            for row in group:
                says = f"**{cell(row.title)}.** {cell(row.says)}"
                bound = " ".join(row.profiles)
                yield f"| `{row.id}` | {row.level} | {row.actor} | {says} | {bound} |"
            yield ""


def rulings_page() -> Iterator[str]:
    """Return the page of rulings: the design's, then those of the field."""
    yield HEAD.format(source="rpclab/spec/rulings.toml")
    yield "# The rulings\n"
    yield "What this project does where a specification is silent or can be read in two ways.\n"
    titles = {"design": "The transport's defaults", "field": "Added from the field"}
    for origin, group in groupby(spec.rulings(), lambda row: row.origin):
        yield f"## {titles[origin]}\n"
        yield "| ruling | point | here | why | other readings in use | clauses |"
        yield "|---|---|---|---|---|---|"
        for row in group:
            others = "<br>".join(f"{o.reading}: {o.does} ({o.who})" for o in row.others)
            switch = f" Switch: `{row.switch}`." if row.switch else ""
            here = f"{row.reading}: {row.default}{switch}"
            clauses = " ".join(f"`{id}`" for id in row.clauses)
            cells = (f"`{row.id}`", row.point, here, row.why, others, clauses)
            yield f"| {' | '.join(cell(text) for text in cells)} |"
        yield ""
    yield from _profiles()


def _profiles() -> Iterator[str]:
    yield "## The profiles\n"
    yield "A profile is a set of readings."
    yield "For a ruling that it does not name, the default above applies.\n"
    yield "| profile | framing | other readings |\n|---|---|---|"
    for row in spec.profiles():
        framing = ", ".join((row.framing, *row.also))
        readings = "<br>".join(f"`{id}`: {reading}" for id, reading in row.readings.items())
        yield f"| **{row.id}**: {cell(row.title)} | {framing} | {readings} |"


PREDEFINED = {
    errors.ParseError: "5.1.parse-error",
    errors.InvalidRequest: "5.1.invalid-request",
    errors.MethodNotFound: "5.1.method-not-found",
    errors.InvalidParams: "5.1.invalid-params",
    errors.InternalError: "5.1.internal-error",
}
RANGES = {
    "-32099 to -32000": "5.1.server-range",
    "the rest of -32768 to -32000": "5.1.reserved",
    "every other": "5.1.application-space",
}


def codes_page() -> Iterator[str]:
    """Return the page of error codes: the five, the ranges, what protocols and clients mean."""
    sources = "rpclab/errors.py, rpclab/spec/clauses.toml and rpclab/explain/error_words.toml"
    yield HEAD.format(source=sources)
    yield "# The error codes\n"
    yield "| code | message | exception | clause | says |\n|---|---|---|---|---|"
    for kind, id in PREDEFINED.items():
        says = cell(spec.clause(id).says)
        yield f"| {kind.code} | {kind.title} | `{kind.__name__}` | `{id}` | {says} |"
    for range, id in RANGES.items():
        yield f"| {range} | | `JsonRpcError` | `{id}` | {cell(spec.clause(id).says)} |"
    yield from _codes_in_use()
    yield from _words_of_errors()


def _codes_in_use() -> Iterator[str]:
    yield "\n## What a code means to those who use it\n"
    yield "The same code can have several meanings: look for the protocol that you speak."
    yield "`rpclab explain -32000` prints a row of this table.\n"
    yield "| code | used by | name | made by | what happened | where to look |"
    yield "|---|---|---|---|---|---|"
    for row in error_words.codes():
        used_by = row.used_by.upper() or "JSON-RPC"
        cells = (str(row.code), used_by, row.name, row.made_by, row.says, row.look)
        yield f"| {' | '.join(cell(text) for text in cells)} |"


def _words_of_errors() -> Iterator[str]:
    yield "\n## Words of errors that are not messages\n"
    yield "Clients and libraries make these errors themselves."
    yield "Give the words to `rpclab explain`, and it finds the row.\n"
    yield "| words, for example | what happened | where to look |\n|---|---|---|"
    for row in error_words.words():
        yield f"| {cell(row.example)} | {cell(row.says)} | {cell(row.look)} |"


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "clauses.md": clauses_page,
    "rulings.md": rulings_page,
    "codes.md": codes_page,
}


PROGRAMS = ("conformance/adapters/", "conformance/bases/")
"""Folders of programs, of which the map has no line for each."""


def module_lines() -> Iterator[str]:
    """Return the map: a row for each module, with the first line of its docstring."""
    yield "| module | what it does |\n|---|---|"
    package = Path(spec.__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if not name.startswith(PROGRAMS):
            text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            yield f"| `{name}` | {cell(text.splitlines()[0])} |"


def matrix_lines() -> Iterator[str]:
    """Return five rows of the matrix: the servers that break the fewest MUST clauses."""
    matrix = json.loads((DOCS / "matrix.json").read_text("utf-8"))
    servers = [row for row in matrix["rows"] if row["kind"] == "server" and row["judged"]]
    best = sorted(servers, key=lambda row: row["must"]["broken"])[:5]
    yield f"| on {matrix['made']} | kept | broken | not judged |\n|---|---|---|---|"
    for row in best:
        name = f"[{row['id']}]({row['home']})" if row["home"] else row["id"]
        counts = [row["must"][word] for word in ("kept", "broken", "not judged")]
        yield f"| {name} {row['version']} | {' | '.join(map(str, counts))} |"


# --- the picture of the premises --------------------------------------------------

PICTURE = DOCS / "images" / "premises.svg"
FIRST_GROUP = "the program, and its first bytes"
WIDTH, LEFT, ROW, TOP = 840, 200, 34, 74
STYLE = """
svg { --ink: #1f2328; --dim: #59636e; --line: #0969da; --ground: #ffffff }
@media (prefers-color-scheme: dark) {
  svg { --ink: #f0f6fc; --dim: #9198a1; --line: #58a6ff; --ground: #0d1117 }
}
text { font: 12px 'DejaVu Sans', Verdana, sans-serif; fill: var(--ink) }
.dim { fill: var(--dim); font-size: 11px }
.head { font-weight: bold; font-size: 15px }
path { fill: none; stroke: var(--line); stroke-opacity: .55 }
.mark { fill: var(--line) }
"""


class Row(NamedTuple):
    """A premise in the picture: what it is about, and the earlier rows that it rests on."""

    group: str
    clauses: str
    cases: str
    count: int
    rests_on: frozenset[int]


def premise_groups() -> list[str]:
    """Return the group of each premise: the comment that is above it in the source."""
    source = inspect.getsource(premises)
    tree = ast.parse(source)
    [rows] = [
        node.value.elts
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == "PREMISES"
        and isinstance(node.value, ast.Tuple)
    ]
    lines = source.splitlines()
    title, groups = FIRST_GROUP, []
    for before, row in zip([rows[0], *rows], rows, strict=False):
        for line in lines[before.lineno - 1 : row.lineno - 1]:
            if line.strip().startswith("# --- "):
                title = line.strip().removeprefix("# --- ")
        groups.append(title)
    return groups


def premise_rows() -> list[Row]:
    """Return the premises in their order. A row that another one leads to is left out."""
    cases = {case.id: case for case in load_cases()}
    rests_on = premises.plan(cases.values()).premises
    place = {id: row for row, one in enumerate(premises.PREMISES) for id in one.cases}
    rows: list[Row] = []
    above: list[set[int]] = []  # all rows that a row rests on, through others too
    for group, one in zip(premise_groups(), premises.PREMISES, strict=True):
        direct = {place[id] for case in one.cases for id in rests_on[case] if id in place}
        direct -= {len(rows)}
        through = set().union(*(above[row] for row in direct))
        above.append(direct | through)
        clauses = dict.fromkeys(cases[id].clause for id in one.cases)
        count = sum(not set(one.cases).isdisjoint(found) for found in rests_on.values())
        rows.append(
            Row(group, ", ".join(clauses), ", ".join(one.cases), count, frozenset(direct - through))
        )
    return rows


def premises_picture() -> str:
    """Return the premises as SVG: a row for each, with an arc to each that it rests on."""
    rows = premise_rows()
    parts: list[str] = []
    heights: list[float] = []
    y = TOP
    for row, before in zip(rows, [None, *rows], strict=False):
        if before is None or row.group != before.group:
            y += ROW
            parts.append(
                f'<text class="head" x="{LEFT + 14}" y="{y - 8}">{escape(row.group)}</text>'
            )
        heights.append(y + ROW / 2 - 4)
        parts += _premise_row(row, heights)
        y += ROW
    head = [
        ("head", f"What a case takes for granted: {len(rows)} premises, in order"),
        ("dim", "An arc goes up to a premise that this one rests on. Where there is a longer way"),
        ("dim", "up, there is no arc. The bar is how many cases rest on the premise."),
    ]
    lines = [
        f'<text class="{kind}" x="16" y="{26 + 18 * place}">{line}</text>'
        for place, (kind, line) in enumerate(head)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 10}" role="img">',
            "<title>The premises, in the order in which they are judged</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{WIDTH}" height="{y + 10}" style="fill: var(--ground)"/>',
            *lines,
            *parts,
            "</svg>\n",
        ]
    )


def _premise_row(row: Row, heights: list[float]) -> Iterator[str]:
    y = heights[-1]
    for other in sorted(row.rests_on):
        up = heights[other]
        reach = 14 + (LEFT - 30) * ((y - up) / (ROW * len(premises.PREMISES))) ** 0.5
        side = f"{LEFT - reach:.0f}"
        yield f'<path d="M{LEFT} {y:g}C{side} {y:g} {side} {up:g} {LEFT} {up:g}"/>'
    yield f'<circle class="mark" cx="{LEFT}" cy="{y:g}" r="4"/>'
    yield f'<text x="{LEFT + 14}" y="{y - 2:g}">{escape(row.clauses)}</text>'
    yield f'<text class="dim" x="{LEFT + 14}" y="{y + 12:g}">{escape(row.cases)}</text>'
    length = row.count / len(load_cases()) * 130
    yield f'<rect class="mark" x="{WIDTH - 180}" y="{y - 6:g}" width="{length:.1f}" height="12"/>'
    yield f'<text x="{WIDTH - 174 + length:.0f}" y="{y + 4:g}">{row.count}</text>'


def renew(page: str, mark: str, lines: Iterable[str]) -> str:
    """Return a page with fresh lines between its two marks."""
    before, rest = page.split(f"<!-- {mark} -->")
    _, after = rest.split(f"<!-- end of {mark} -->")
    text = "\n".join(lines)
    return f"{before}<!-- {mark} -->\n{text}\n<!-- end of {mark} -->{after}"


def renew_map(page: str) -> str:
    """Return the design page with a fresh map."""
    return renew(page, "map", module_lines())


def renew_readme(page: str) -> str:
    """Return the README with fresh rows of the matrix."""
    return renew(page, "matrix", matrix_lines())


def render(name: str) -> str:
    """Return the text of a page."""
    return "\n".join(PAGES[name]()).rstrip("\n") + "\n"


if __name__ == "__main__":
    for name in PAGES:
        (DOCS / name).write_text(render(name), encoding="utf-8", newline="\n")
    for path, fresh in ((DOCS / "design.md", renew_map), (DOCS.parent / "README.md", renew_readme)):
        text = fresh(path.read_text("utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")
    PICTURE.write_text(premises_picture(), encoding="utf-8", newline="\n")
