"""The matrix as Markdown, and as one HTML page that needs no other file.

Both are printed from ``matrix_data``. Every verdict is a word, so nothing depends
on colour. What is broken is a link to the commands that show it, so a keyboard
reaches it. One rule: whatever came from elsewhere is escaped.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rpclab.conformance.reports import fill_template, printable
from rpclab.messages import Json

_TITLE: Final = "The matrix: other implementations under the suite"
_ABOUT: Final = (
    "Measured on {made}. A cell counts clauses: kept, broken, free (the text leaves it open) or"
    " not judged (the adapter answers for it, or the method does not exist). Each implementation"
    " is reached through a small adapter that we wrote. A server is judged on JSON-RPC 2.0, a layer"
    " by the profile of the protocol that it is made for: the two do not compare. A broken clause"
    " is a difference from the text as this suite reads it, and may be on purpose."
)
_MADE_BY: Final = "To make it again:"
_BROKEN: Final = "What is broken, and the command that shows it"
_NOTHING_BROKEN: Final = "Nothing is broken."
_NOTES: Final = "What is theirs, and what is ours"
_NOT_JUDGED: Final = "not judged"
_OVERALL: Final = ("implementation", "version", "kind", "profile", "kept", "broken", _NOT_JUDGED)


class _Table(NamedTuple):
    title: str
    head: Sequence[str]
    rows: list[list[str]]


def columns(data: Json) -> list[str]:
    """Return the sections that anything was judged on: JSON-RPC's by number, then others."""
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
    return _NOT_JUDGED


def _overall(data: Json) -> _Table:
    rows = []
    for row in data["rows"]:
        figures = [str(row["must"].get(word, "")) for word in ("kept", "broken", _NOT_JUDGED)]
        why = f"{row['id']} ({row['why']})" if row["why"] else row["id"]
        rows.append([why, row["version"], row["kind"], row["profile"], *figures])
    return _Table("The clauses that say MUST", _OVERALL, rows)


def _sections(data: Json) -> _Table:
    names = columns(data)
    rows = [
        [row["id"], *(cell(row["sections"].get(name)) for name in names)] for row in data["rows"]
    ]
    return _Table("Clauses by section", ["implementation", *names], rows)


def _votes(data: Json) -> _Table:
    rows = []
    for one in data["rulings"]:
        said = "; ".join(f"{name}: {', '.join(ids)}" for name, ids in one["votes"].items())
        rows.append([one["point"], one["default"], said, ", ".join(one["alone"])])
    head = ("point", "ours", "readings", "alone")
    return _Table("How each reads what the text leaves open", head, rows)


def _broken(row: Json) -> _Table:
    names = ("case", "clause", "level", "why", "command")
    head = ("case", "clause", "level", "what came of it", "command")
    return _Table(row["id"], head, [[one[name] for name in names] for one in row["broken"]])


def _notes(data: Json) -> Iterable[tuple[str, str]]:
    for row in data["rows"]:
        missing = ", ".join(row.get("missing", ()))
        without = f" Not there: {missing}." if missing else ""
        yield row["id"], f"{row['note']}{without} {row['home']}".strip()


def matrix_page(data: Json) -> str:
    """Return the matrix as one HTML page."""
    return fill_template(
        "matrix.html",
        title=_TITLE,
        about=_ABOUT.format(made=data["made"]),
        made_by=_MADE_BY,
        command=data["command"],
        overall=_overall(data),
        sections=_sections(data),
        votes=_votes(data),
        broken_title=_BROKEN,
        broken=[_broken(row) for row in data["rows"] if row["judged"]],
        nothing_broken=_NOTHING_BROKEN,
        notes_title=_NOTES,
        notes=_notes(data),
    )


def matrix_markdown(data: Json) -> str:
    """Return the matrix as Markdown."""
    about = _ABOUT.format(made=data["made"]).replace(". ", ".\n")
    sections = _sections(data)
    linked = [
        [id, *(f"[{word}](#{id.replace('.', '')})" if "broken" in word else word for word in words)]
        for id, *words in sections.rows
    ]
    parts = [f"# {_TITLE}", about, f"{_MADE_BY} `{data['command']}`"]
    parts += [_md_table(_overall(data)), _md_table(sections._replace(rows=linked))]
    parts += [_md_table(_votes(data)), f"## {_BROKEN}"]
    for row in data["rows"]:
        if row["judged"]:
            nothing = f"### {row['id']}\n\n{_NOTHING_BROKEN}"
            parts.append(_md_table(_broken(row), "###") if row["broken"] else nothing)
    notes = "\n".join(f"- **{id}**: {_md(note)}" for id, note in _notes(data))
    return "\n\n".join([*parts, f"## {_NOTES}", notes]) + "\n"


def _md(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("<", "&lt;")


def _md_table(table: _Table, level: str = "##") -> str:
    lines = [table.head, ["---"] * len(table.head)]
    lines += [[_md(text) for text in row] for row in table.rows]
    if "command" in table.head:
        lines[2:] = [[*line[:-1], f"`{line[-1]}`"] for line in lines[2:]]
    return f"{level} {table.title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
