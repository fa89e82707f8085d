"""What the course promises about its text, each as a function: complaints about a notebook.

A notebook is what nbformat reads. A function gives sentences, and none is good news.
"""

import ast
import json
import re
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
TERM = re.compile(r"^\| ([^|]+) \| [^|]+ \| `(\d\d_\w+)` \|$", re.MULTILINE)
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
CLAUSE = re.compile(
    r"(?:\d(?:\.\d)?|json|newline|lsp|mcp|acp|a2a|sse|cancel|progress)\.[a-z0-9][a-z0-9.-]+"
)
FORBIDDEN = re.compile(
    r"\b(simply|just|obviously|of course|clearly|basically|trivial(ly)?|easy|easily|actually|"
    r"please|should be able to|error dict|errno|callback|bulk|packet|deserializ\w+)\b",
    re.IGNORECASE,
)
MOST_LINES = 12


def prose(notebook):
    """Return the text that is read, without code and without the words of links."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return LINK.sub(" ", CODE.sub(" ` ", "\n\n".join(texts)))


def find_term(term):
    return re.compile(rf"\b{re.escape(term)}(?:s|es)?\b", re.IGNORECASE)


def glossary(common):
    """Return each term with the notebook where it is first met."""
    rows = TERM.findall((ROOT / "docs" / "glossary.md").read_text("utf-8"))
    terms = [(term, first) for names, first in rows for term in names.split(", ")]
    return [(term, first) for term, first in terms if term not in common]


def used_too_early(notebook, name, terms):
    text = prose(notebook)
    return [
        f"{term} is met in {first}"
        for term, first in terms
        if name < first and find_term(term).search(text)
    ]


def not_introduced(notebook, name, terms):
    """Complain of a term whose first use in its notebook is not set apart in italics or as code."""
    cells = [cell.source for cell in notebook.cells[1:] if cell.cell_type == "markdown"]
    text = re.sub(r"```.*?```", " ", "\n\n".join(cells), flags=re.DOTALL)
    text = LINK.sub(" ", re.sub(r"(?m)^(?:#|\*\*Objective).*$", " ", text))
    complaints = []
    for term, first in terms:
        if first == name:
            set_apart = re.search(rf"[*`]{re.escape(term)}(?:s|es)?[*`]", text, re.IGNORECASE)
            plain = find_term(term).search(CODE.sub(lambda code: " " * len(code[0]), text))
            if not set_apart or (plain and plain.start() < set_apart.start()):
                complaints.append(f"{term} is not introduced")
    return complaints


def over_budget(notebook):
    complaints = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and "# TODO" not in cell.source:
            lines = [line for line in cell.source.splitlines() if line.strip()]
            if len([line for line in lines if not re.match(r"(from|import) ", line)]) > MOST_LINES:
                complaints.append(f"too long: {lines[0]}")
        if match := re.search(r"\*\*Explain\*\*.*?(?=\n\n|\Z)", cell.source, re.DOTALL):
            rest = cell.source[match.end() :].strip()
            if not (3 <= len(match[0].splitlines()) <= 6 or rest.startswith(("|", "1."))):
                complaints.append(f"3 to 6 sentences explain: {match[0][:60]}")
    return complaints


def two_sentences_on_a_line(notebook):
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    lines = CODE.sub("`", "\n".join(texts)).splitlines()
    return [
        line
        for line in lines
        if re.search(r"[.?!] [A-Z`]", line) and not re.match(r"[|#-]|\d\.", line)
    ]


def pictures_without_words(notebook):
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", []) if "data" in out]
    texts += [out.data.get(kind, "") for out in outputs for kind in ("text/html", "text/markdown")]
    complaints = []
    for text in texts:
        drawings = re.findall(r"```mermaid\s(.*?)```", text, re.DOTALL)
        named = re.compile(r"accTitle: \S.*\n\s+accDescr: \S")
        complaints += [f"Mermaid: {one[:40]}" for one in drawings if not named.search(one)]
        complaints += [f"image: {url}" for url in re.findall(r"!\[\s*\]\(([^)]*)\)", text)]
        complaints += [
            tag for tag in re.findall(r"<img\b[^>]*>", text) if not re.search(r'alt="[^"]', tag)
        ]
        for drawing in re.findall(r"<svg\b.*?</svg>", text, re.DOTALL):
            if not re.search(r'<svg[^>]*aria-(label|labelledby)="[^"]|<title>[^<]', drawing):
                complaints.append(drawing[:80])
    return complaints


def forbidden_words(notebook):
    return [match[0] for match in FORBIDDEN.finditer(prose(notebook))]


def title_of(notebook):
    return notebook.cells[0].source.partition("\n")[0].removeprefix("# ")


def wrong_header_or_footer(notebook, name, before, after):
    """Compare both with what they must be. ``before`` and ``after`` are Markdown links, or None."""
    head, foot = notebook.cells[0].source, notebook.cells[-1].source
    index = "**Index**" if before is None else "[Index](00_start_here.ipynb)"
    line = f"{index} · Back: {before or 'none'} · Next: {after or 'none, this is the last'}"
    form = (
        rf"# [^\n]+\n\n{re.escape(line)}\n\nAbout \d+ minutes\.\n\n\*\*Questions\*\*\n\n(- .+\?\n)+"
    )
    complaints = []
    if not re.match(form + r"\n\*\*After this notebook you can\*\* .+\.", head):
        complaints.append(f"{name}: the first cell wants {line}")
    ending = rf"\*\*Next\*\*: {re.escape(after or 'none, this is the last')}"
    if not re.fullmatch(rf"## Key points\n\n(- .+[^.]\.\n)+\n{ending}", foot):
        complaints.append(f"{name}: the last cell wants key points, and next {after}")
    return complaints


def broken_links(notebook, names):
    urls = [url for cell in notebook.cells for _, url in LINK.findall(CODE.sub("", cell.source))]
    return [u for u in urls if u.endswith(".ipynb") and u.removesuffix(".ipynb") not in names]


def sections(notebook):
    """Return the text of each section by its anchor: the heading in lower case, with hyphens."""
    found, anchor = {}, ""
    for cell in notebook.cells:
        if match := re.match(r"## (?:\d+\. )?(.*)", cell.source):
            anchor = re.sub(r"[^a-z0-9]+", "-", re.sub(r"['`]", "", match[1].lower())).strip("-")
        if cell.cell_type == "markdown":
            found[anchor] = found.get(anchor, "") + cell.source + "\n"
    return found


def unknown_clauses(notebook, known):
    spans = re.findall(r"`([^`\s]+)`", "\n".join(sections(notebook).values()))
    ids = [span for span in spans if CLAUSE.fullmatch(span)]
    python = {f"json.{name}" for name in dir(json)}
    return [id for id in ids if id not in known and id not in python]


def unnamed_clauses(notebook, name, rows):
    """Complain of rows whose anchor is not a section, or one that does not name the clause."""
    found = sections(notebook)
    mine = [
        (row.id, row.notebook.partition("#")[2]) for row in rows if row.notebook.startswith(name)
    ]
    return [f"{id} in {anchor}" for id, anchor in mine if f"`{id}`" not in found.get(anchor, "")]


def wrong_exercises(notebook, wanted):
    """Compare the exercises that a notebook sets, and checks, with those it should have."""
    source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for function in ("task", "check"):
        if (found := re.findall(rf'^{function}\("(\w+)"', source, re.MULTILINE)) != wanted:
            return [f"{function}: {found}, and not {wanted}"]
    return []


def no_whole_module_at_the_end(notebook):
    last = [cell for cell in notebook.cells if cell.cell_type == "code"][-1]
    if (
        not isinstance(ast.parse(last.source).body[-1], ast.Expr)
        or "show_source(" not in last.source
    ):
        return ["the last code cell shows no source"]
    shown = re.match(r"```python\n# ([\w.]+)\n\"\"\"", last.outputs[0].data["text/markdown"])
    return [] if shown and find_spec(shown[1]) else ["what the last code cell shows is no module"]
