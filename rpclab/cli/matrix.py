"""The command ``rpclab matrix``: the suite, run on other people's implementations."""

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer
from platformdirs import user_cache_path
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rpclab.cli.report_view import show_report
from rpclab.cli.terminal import refuse, stopped
from rpclab.conformance.cases import Case, load_cases
from rpclab.conformance.matrix import MatrixRow, judge_adapter, matrix_data
from rpclab.conformance.matrix.environments import Adapter, is_installed, load_adapters
from rpclab.conformance.matrix.pages import cell, columns, matrix_markdown, matrix_page
from rpclab.conformance.reports import compare_expected
from rpclab.messages import Json

HELP: Final = """Run the suite over other people's implementations, and print a dated table.

Each is installed on demand into an environment of its own, in a cache folder.
Name some, or leave all out for every one. --case shows a case in full.

Try: rpclab matrix jayson --case examples.empty-batch
"""
app = typer.Typer()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixOptions:
    """Which implementations and cases the matrix has, and where it is written."""

    names: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    json: str = ""
    markdown: str = ""
    html: str = ""
    cache: str = ""
    listed: bool = False


@app.command("matrix", help=HELP)
def matrix(  # noqa: PLR0913, PLR0917  one for each option
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Whom to judge: names that --list shows. Everyone if left out."),
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option(
            "--case", help="Only this case, and all of it: sent, came, wanted. May be repeated."
        ),
    ] = None,
    json: Annotated[
        str, typer.Option("--json", help="Write the matrix to this file as JSON. - is stdout.")
    ] = "",
    markdown: Annotated[
        str,
        typer.Option("--markdown", help="Write the matrix to this file as Markdown. - is stdout."),
    ] = "",
    html: Annotated[
        str, typer.Option("--html", help="Write the matrix to this file as one page of HTML.")
    ] = "",
    cache: Annotated[
        str,
        typer.Option(
            "--cache",
            help="Where the environments are kept. This user's cache folder if left out.",
        ),
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="List the implementations and judge none.")
    ] = False,
) -> None:
    """Judge other people's implementations, then exit with 0 if each could be judged."""
    options = MatrixOptions(
        names=tuple(names or ()),
        cases=tuple(case or ()),
        json=json,
        markdown=markdown,
        html=html,
        cache=cache,
        listed=listed,
    )
    try:
        status = run_matrix(options)
    except KeyboardInterrupt:
        status = stopped()
    raise typer.Exit(status)


def run_matrix(options: MatrixOptions) -> int:
    """Judge the implementations, show and write the matrix, and return the exit status."""
    every = load_adapters()
    cases = load_cases()
    if unknown := [name for name in options.names if name not in {one.id for one in every}]:
        return refuse(f"There is no implementation {unknown[0]}. rpclab matrix --list shows all.")
    if unknown := [id for id in options.cases if id not in {case.id for case in cases}]:
        return refuse(f"There is no case {unknown[0]}.")
    chosen = [adapter for adapter in every if not options.names or adapter.id in options.names]
    cache = Path(options.cache or user_cache_path("rpclab", appauthor=False)).absolute()
    if options.listed:
        Console(soft_wrap=True).print(_listing(chosen, cache))
        return 0
    rows = _judge_all(chosen, cases, cache, options)
    made = datetime.now(UTC).date().isoformat()
    data = matrix_data(rows, made, command_of(options))
    _show(rows, data, cases, options)
    try:
        _write_files(data, options)
    except OSError as error:
        return refuse(f"Cannot write {error.filename}: {error.strerror}")
    return 0 if all(row.report and not row.why for row in rows) else 1


def command_of(options: MatrixOptions) -> str:
    """Return the command that asks for the same again.

    >>> command_of(MatrixOptions(names=("jayson",), html="m.html"))
    'rpclab matrix jayson --html m.html'
    """
    words = ["rpclab", "matrix", *options.names]
    for case in options.cases:
        words += ["--case", case]
    for name in ("json", "markdown", "html"):
        if file := getattr(options, name):
            words += [f"--{name}", file]
    return shlex.join(words)


def _judge_all(
    chosen: Sequence[Adapter], cases: Sequence[Case], cache: Path, options: MatrixOptions
) -> list[MatrixRow]:
    screen = Console(stderr=True, highlight=False, soft_wrap=True)
    with screen.status("The matrix", spinner="line") as status:
        rows = []
        for adapter in chosen:
            row = judge_adapter(adapter, cases, cache, options.cases, status.update)
            rows.append(row)
            if not screen.is_terminal or row.why:
                screen.print(Text(_end(row)))
    return rows


def _end(row: MatrixRow) -> str:
    if row.report is None:
        return f"{row.adapter.id}: {row.why}"
    kept, broken = (row.report.count(word, "must") for word in ("kept", "broken"))
    return f"{row.adapter.id}: {kept} MUST cases kept, {broken} broken. {row.why}".strip()


def _show(
    rows: Sequence[MatrixRow], data: Json, cases: Sequence[Case], options: MatrixOptions
) -> None:
    """Show the table, or the cases that were asked for, each in full."""
    screen = Console(highlight=False, soft_wrap=True, stderr=options.json == "-")
    if options.cases:
        known = [case.id for case in cases]
        for row in rows:
            if row.report:
                show_report(screen, row.report, compare_expected(row.report, {}, known))
        return
    screen.print(_table(data))
    for one in data["rulings"]:
        for name in one["alone"]:
            reading = next(word for word, ids in one["votes"].items() if ids == [name])
            screen.print(Text(f"Alone: {name}, on {one['point']}: {reading}"))
    end = "rpclab matrix NAME --case ID shows the bytes of a case; --html FILE writes a page."
    screen.print(Text(end, "dim"))


def _table(data: Json) -> Table:
    names = ("", "kind", "profile", "kept", "broken", "not judged", "broken, of all")
    table = Table(*names, title=f"The matrix, measured on {data['made']}: clauses that say MUST")
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


def _write_files(data: Json, options: MatrixOptions) -> None:
    texts = {
        options.json: json.dumps(data, indent=1) + "\n",
        options.markdown: matrix_markdown(data),
        options.html: matrix_page(data),
    }
    for file, text in texts.items():
        if file == "-":
            sys.stdout.write(text)
        elif file:
            Path(file).write_text(text, encoding="utf-8")
