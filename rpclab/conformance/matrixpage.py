"""The matrix as Markdown and as one HTML page that needs nothing else.

Both are printed from ``matrix_data``. Every verdict is a word, so nothing
depends on colour; what is broken is a link to the commands that show it, so a
keyboard reaches it. Whatever came from elsewhere is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from rpclab.conformance import strings
from rpclab.conformance.reports import printable
from rpclab.messages import Json

_OVERALL: Final = (
    "implementation",
    "version",
    "kind",
    "profile",
    "kept",
    "broken",
    strings.MATRIX_NOT_JUDGED,
)
_VOTES: Final = ("point", "ours", "readings", strings.MATRIX_ALONE)
_BROKEN: Final = ("case", "clause", "level", "what came of it", "command")
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --broken: #b3261e }
@media (prefers-color-scheme: dark) { :root { --broken: #ffb4ab } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse }
caption { text-align: left; font-weight: bold; padding: .5rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem }
th, td { border: 1px solid var(--line) }
td a { color: var(--broken); font-weight: bold }
a:focus-visible, .wide:focus-visible { outline: 2px solid }
"""

Table = tuple[str, Sequence[str], list[list[str]]]


def columns(data: Json) -> list[str]:
    """Give the sections that anybody was judged on: JSON-RPC's by number, then the others."""
    names = {name for row in data["rows"] for name in row["sections"]}
    return sorted(names, key=lambda name: (not name[0].isdigit(), name))


def cell(counts: dict[str, int] | None) -> str:
    """Say in words what was found in one section.

    >>> cell({"kept": 5, "broken": 2, "free": 0, "not judged": 1}), cell(None)
    ('2 broken of 7', '')
    """
    if not counts:
        return ""
    if counts["broken"]:
        return f"{counts['broken']} broken of {counts['broken'] + counts['kept']}"
    for word in ("kept", "free"):
        if counts[word]:
            return f"{counts[word]} {word}"
    return strings.MATRIX_NOT_JUDGED


def _overall(data: Json) -> Table:
    rows = []
    for row in data["rows"]:
        figures = [
            str(row["must"].get(word, "")) for word in ("kept", "broken", strings.MATRIX_NOT_JUDGED)
        ]
        why = f"{row['id']} ({row['why']})" if row["why"] else row["id"]
        rows.append([why, row["version"], row["kind"], row["profile"], *figures])
    return strings.MATRIX_OVERALL, _OVERALL, rows


def _votes(data: Json) -> Table:
    rows = []
    for one in data["rulings"]:
        said = "; ".join(f"{name}: {', '.join(ids)}" for name, ids in one["votes"].items())
        rows.append([one["point"], one["default"], said, ", ".join(one["alone"])])
    return strings.MATRIX_VOTES, _VOTES, rows


def _broken(row: Json) -> Table:
    names = ("case", "clause", "level", "why", "command")
    return row["id"], _BROKEN, [[one[name] for name in names] for one in row["broken"]]


def _notes(data: Json) -> Iterable[tuple[str, str]]:
    for row in data["rows"]:
        missing = ", ".join(row.get("missing", ()))
        without = f" Not there: {missing}." if missing else ""
        yield row["id"], f"{row['note']}{without} {row['home']}".strip()


def markdown(data: Json) -> str:
    """Give the matrix as Markdown."""
    about = strings.MATRIX_ABOUT.format(made=data["made"]).replace(". ", ".\n")
    parts = [f"# {strings.MATRIX_TITLE}", about, f"{strings.MATRIX_MADE_BY} `{data['command']}`"]
    parts += [_md_table(_overall(data)), _md_sections(data), _md_table(_votes(data))]
    parts.append(f"## {strings.MATRIX_BROKEN}")
    for row in data["rows"]:
        if row["judged"]:
            parts.append(_md_table(_broken(row), "###") if row["broken"] else _md_none(row))
    notes = "\n".join(f"- **{id}**: {_md(note)}" for id, note in _notes(data))
    return "\n\n".join([*parts, f"## {strings.MATRIX_NOTES}", notes]) + "\n"


def _md_none(row: Json) -> str:
    return f"### {row['id']}\n\n{strings.MATRIX_NONE}"


def _md(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("<", "&lt;")


def _md_sections(data: Json) -> str:
    rows = []
    for row in data["rows"]:
        words = [cell(row["sections"].get(name)) for name in columns(data)]
        link = f"(#{row['id'].replace('.', '')})"
        rows.append([row["id"], *(f"[{w}]{link}" if "broken" in w else w for w in words)])
    return _md_table((strings.MATRIX_SECTIONS, ["implementation", *columns(data)], rows))


def _md_table(table: Table, level: str = "##") -> str:
    title, head, rows = table
    lines = [head, ["---"] * len(head), *([_md(text) for text in row] for row in rows)]
    if "command" in head:
        lines[2:] = [[*line[:-1], f"`{line[-1]}`"] for line in lines[2:]]
    return f"{level} {title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(data: Json) -> str:
    """Give the matrix as one HTML page."""
    parts = [
        f"<h1>{_html(strings.MATRIX_TITLE)}</h1>",
        f"<p>{_html(strings.MATRIX_ABOUT.format(made=data['made']))}</p>",
    ]
    parts.append(f"<p>{_html(strings.MATRIX_MADE_BY)} <code>{_html(data['command'])}</code></p>")
    parts += [_html_table(_overall(data)), _html_sections(data), _html_table(_votes(data))]
    parts.append(f"<h2>{_html(strings.MATRIX_BROKEN)}</h2>")
    for row in data["rows"]:
        if row["judged"]:
            body = (
                _html_table(_broken(row))
                if row["broken"]
                else f"<p>{_html(strings.MATRIX_NONE)}</p>"
            )
            parts.append(f'<h3 id="{_html(row["id"])}">{_html(row["id"])}</h3>{body}')
    notes = "".join(f"<dt>{_html(id)}</dt><dd>{_html(note)}</dd>" for id, note in _notes(data))
    parts.append(f"<h2>{_html(strings.MATRIX_NOTES)}</h2><dl>{notes}</dl>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{_html(strings.MATRIX_TITLE)}</title>\n<style>{_STYLE}</style>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</html>\n"
    )


def _html(text: str) -> str:
    return escape(printable(text))


def _html_sections(data: Json) -> str:
    rows = []
    for row in data["rows"]:
        words = [_html(cell(row["sections"].get(name))) for name in columns(data)]
        link = f'<a href="#{_html(row["id"])}">'
        cells = [f"{link}{word}</a>" if "broken" in word else word for word in words]
        rows.append([_html(row["id"]), *cells])
    return _html_rows(strings.MATRIX_SECTIONS, ["implementation", *columns(data)], rows)


def _html_table(table: Table) -> str:
    title, head, rows = table
    escaped = [[_html(text) for text in row] for row in rows]
    if "command" in head:
        escaped = [[*row[:-1], f"<code>{row[-1]}</code>"] for row in escaped]
    return _html_rows(title, head, escaped)


def _html_rows(title: str, head: Sequence[str], rows: list[list[str]]) -> str:
    names = "".join(f'<th scope="col">{_html(name)}</th>' for name in head)
    lines = [
        f'<th scope="row">{first}</th>' + "".join(f"<td>{c}</td>" for c in rest)
        for first, *rest in rows
    ]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    label = _html(title)
    table = f"<table><caption>{label}</caption>\n<tr>{names}</tr>\n{body}</table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'
