"""The command ``rpclab matrix``: the suite over other people's implementations."""

import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rpclab.cli import look, strings
from rpclab.cli.judging import refuse, show
from rpclab.conformance.cases import Case, load_cases
from rpclab.conformance.matrix import MatrixRow, judge_adapter, matrix_data
from rpclab.conformance.matrix.environments import Adapter, is_installed, load_adapters
from rpclab.conformance.matrix.pages import cell, columns, matrix_markdown, matrix_page
from rpclab.conformance.reports import compare_expected
from rpclab.messages import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is wanted of the matrix: whom, which cases, and where it is written."""

    names: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    json: str = ""
    markdown: str = ""
    html: str = ""
    cache: str = ""
    listed: bool = False


def user_cache() -> Path:
    """Give the folder of this user's caches that is ours."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rpclab"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rpclab"


def matrix(names: tuple[str, ...], cases: tuple[str, ...], *, listed: bool, **files: str) -> int:
    """Run the command, and give the exit status."""
    try:
        return run_matrix(Wanted(names=names, cases=cases, listed=listed, **files))
    except KeyboardInterrupt:
        look.show_note(strings.INTERRUPTED)
        return 130


def run_matrix(wanted: Wanted) -> int:
    """Judge the implementations, show and write what was found, and give the exit status."""
    every = load_adapters()
    cases = load_cases()
    for known, asked, sentence in (
        ([adapter.id for adapter in every], wanted.names, strings.MATRIX_NO_NAME),
        ([case.id for case in cases], wanted.cases, strings.CONFORM_NO_CASE),
    ):
        if unknown := [name for name in asked if name not in known]:
            return refuse(sentence.format(name=unknown[0], case=unknown[0]))
    chosen = [adapter for adapter in every if not wanted.names or adapter.id in wanted.names]
    cache = Path(wanted.cache or user_cache()).absolute()
    if wanted.listed:
        Console(soft_wrap=True).print(_listing(chosen, cache))
        return 0
    rows = _judge_all(chosen, cases, cache, wanted)
    made = datetime.now(UTC).date().isoformat()
    data = matrix_data(rows, made, command_of(wanted))
    _show(rows, data, cases, wanted)
    try:
        _write_files(data, wanted)
    except OSError as error:
        return refuse(strings.CONFORM_CANNOT_WRITE.format(file=error.filename, why=error.strerror))
    return 0 if all(row.report and not row.why for row in rows) else 1


def command_of(wanted: Wanted) -> str:
    """Give the command that asks for the same again.

    >>> command_of(Wanted(names=("jayson",), html="m.html"))
    'rpclab matrix jayson --html m.html'
    """
    words = ["rpclab", "matrix", *wanted.names]
    for case in wanted.cases:
        words += ["--case", case]
    for name in ("json", "markdown", "html"):
        if file := getattr(wanted, name):
            words += [f"--{name}", file]
    return shlex.join(words)


def _judge_all(
    chosen: Sequence[Adapter], cases: Sequence[Case], cache: Path, wanted: Wanted
) -> list[MatrixRow]:
    screen = Console(stderr=True, highlight=False, soft_wrap=True)
    with screen.status(strings.MATRIX_BEGINS, spinner="line") as status:
        rows = []
        for adapter in chosen:
            row = judge_adapter(adapter, cases, cache, wanted.cases, status.update)
            rows.append(row)
            if not screen.is_terminal or row.why:
                screen.print(Text(_end(row)))
    return rows


def _end(row: MatrixRow) -> str:
    if row.report is None:
        return f"{row.adapter.id}: {row.why}"
    counts = {word: row.report.count(word, "must") for word in ("kept", "broken")}
    return strings.MATRIX_ROW.format(name=row.adapter.id, **counts, why=row.why).strip()


def _show(rows: Sequence[MatrixRow], data: Json, cases: Sequence[Case], wanted: Wanted) -> None:
    """Show the table; and where cases were asked for, each of them in full."""
    screen = Console(highlight=False, soft_wrap=True, stderr=wanted.json == "-")
    if wanted.cases:
        for row in rows:
            if row.report:
                show(screen, row.report, compare_expected(row.report, {}, [c.id for c in cases]))
        return
    screen.print(_table(data))
    for one in data["rulings"]:
        for name in one["alone"]:
            reading = next(word for word, ids in one["votes"].items() if ids == [name])
            note = strings.MATRIX_ALONE.format(name=name, point=one["point"], reading=reading)
            screen.print(Text(note))
    screen.print(Text(strings.MATRIX_END, "dim"))


def _table(data: Json) -> Table:
    table = Table(*strings.MATRIX_COLUMNS, title=strings.MATRIX_TITLE.format(made=data["made"]))
    for row in data["rows"]:
        cells = [(name, cell(row["sections"].get(name))) for name in columns(data)]
        where = ", ".join(f"{name}: {word}" for name, word in cells if "broken" in word)
        figures = [str(row["must"].get(word, "")) for word in ("kept", "broken", "not judged")]
        who = f"{row['id']} {row['version']}"
        table.add_row(who, row["kind"], row["profile"], *figures, row["why"] or where)
    return table


def _listing(chosen: Sequence[Adapter], cache: Path) -> Table:
    table = Table("name", "version", "ecosystem", "kind", "profile", "installed", "note")
    for one in chosen:
        there = "yes" if not one.install or is_installed(one, cache) else "no"
        table.add_row(one.id, one.version, one.ecosystem, one.kind, one.profile, there, one.note)
    return table


def _write_files(data: Json, wanted: Wanted) -> None:
    texts = {
        wanted.json: json.dumps(data, indent=1) + "\n",
        wanted.markdown: matrix_markdown(data),
        wanted.html: matrix_page(data),
    }
    for file, text in texts.items():
        if file == "-":
            sys.stdout.write(text)
        elif file:
            Path(file).write_text(text, encoding="utf-8")
