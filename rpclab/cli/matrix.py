"""The command ``rpclab matrix``: the suite, run on other people's implementations."""

import json
import shlex
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

from rpclab.cli.options import completed_by
from rpclab.cli.report_files import STDOUT, find_unwritable, write_reports
from rpclab.cli.report_view import show_report
from rpclab.cli.terminal import (
    did_you_mean,
    make_screen,
    prose,
    refuse,
    screen,
    show_indented,
    stopped,
)
from rpclab.conformance.cases import Case, load_cases
from rpclab.conformance.expected import compare_expected
from rpclab.conformance.matrix import MatrixRow, judge_adapter, matrix_data
from rpclab.conformance.matrix.environments import Adapter, is_installed, load_adapters
from rpclab.conformance.matrix.pages import cell, columns, matrix_markdown, matrix_page
from rpclab.messages import Json

HELP: Final = """Run the suite over other people's implementations, and print a dated table.

Each is installed on demand into an environment of its own, in a cache folder. Name some, or \
leave all out for every one. --case shows a case in full.

Try: rpclab matrix jayson --case examples.empty-array

Exit status: 0 if one or more could be judged, 2 if none could or if a name or a file is wrong.
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

    @property
    def files(self) -> dict[str, str]:
        """The files of the matrix, by option."""
        return {f"--{name}": getattr(self, name) for name in ("json", "markdown", "html")}


@app.command("matrix", help=HELP)
def matrix(  # noqa: PLR0913, PLR0917  one for each option
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            help="Whom to judge: names that --list shows. Everyone if left out.",
            autocompletion=completed_by(lambda: (one.id for one in load_adapters())),
        ),
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option(
            "--case",
            metavar="ID",
            help="Only this case, and all of it: sent, came, wanted. May be repeated.",
            autocompletion=completed_by(lambda: (case.id for case in load_cases())),
        ),
    ] = None,
    json: Annotated[
        str,
        typer.Option(
            "--json", metavar="FILE", help="Write the matrix to this file as JSON. - is stdout."
        ),
    ] = "",
    markdown: Annotated[
        str,
        typer.Option(
            "--markdown",
            metavar="FILE",
            help="Write the matrix to this file as Markdown. - is stdout.",
        ),
    ] = "",
    html: Annotated[
        str,
        typer.Option(
            "--html", metavar="FILE", help="Write the matrix to this file as one page of HTML."
        ),
    ] = "",
    cache: Annotated[
        str,
        typer.Option(
            "--cache",
            metavar="FOLDER",
            help="Where the environments are kept. This user's cache folder if left out.",
        ),
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="List the implementations and judge none.")
    ] = False,
) -> None:
    """Judge other people's implementations, then exit with 0 if one could be judged."""
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
    if why := find_unknown(options, [one.id for one in every], [case.id for case in cases]):
        return refuse(why)
    if why := find_unwritable(options.files):
        return refuse(why)
    chosen = [adapter for adapter in every if not options.names or adapter.id in options.names]
    cache = Path(options.cache or user_cache_path("rpclab", appauthor=False)).absolute()
    if options.listed:
        show_list(chosen, cache)
        return 0
    rows = _judge_all(chosen, cases, cache, options)
    made = datetime.now(UTC).date().isoformat()
    data = matrix_data(rows, made, command_of(options))
    _show(rows, data, cases, options)
    if why := _write_files(data, options):
        return refuse(why)
    return 0 if any(row.report for row in rows) else 2


def find_unknown(options: MatrixOptions, known: Sequence[str], cases: Sequence[str]) -> str:
    """Say which name does not exist, or return ""."""
    for name in options.names:
        if name not in known:
            near = did_you_mean(name, known)
            return f"There is no implementation {name}.{near} rpclab matrix --list shows all."
    for case in options.cases:
        if case not in cases:
            return f"There is no case {case}.{did_you_mean(case, cases)}"
    return ""


def command_of(options: MatrixOptions) -> str:
    """Return the command that asks for the same again.

    >>> command_of(MatrixOptions(names=("jayson",), html="m.html"))
    'rpclab matrix jayson --html m.html'
    """
    words = ["rpclab", "matrix", *options.names]
    for case in options.cases:
        words += ["--case", case]
    for option, file in options.files.items():
        if file:
            words += [option, file]
    return shlex.join(words)


def _judge_all(
    chosen: Sequence[Adapter], cases: Sequence[Case], cache: Path, options: MatrixOptions
) -> list[MatrixRow]:
    screen = make_screen(stderr=True)
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
    screen = make_screen(stderr=STDOUT in options.files.values())
    if options.cases:
        known = [case.id for case in cases]
        for row in rows:
            if row.report:
                show_report(screen, row.report, compare_expected(row.report, {}, known))
        return
    _show_table(screen, data)
    for one in data["rulings"]:
        for name in one["alone"]:
            reading = next(word for word, ids in one["votes"].items() if ids == [name])
            screen.print(Text(f"Alone: {name}, on ").append_text(prose(one["point"])), end="")
            screen.print(Text(f": {reading}"))
    end = "rpclab matrix NAME --case ID shows the bytes of a case; --html FILE writes a page."
    screen.print(Text(end, "dim"))


def _show_table(screen: Console, data: Json) -> None:
    """Show how many clauses each keeps, and below that where the others are."""
    names = ("", "kind", "profile", "kept", "broken", "not judged")
    table = Table(*names, title=f"The matrix, measured on {data['made']}: clauses that say MUST")
    for row in data["rows"]:
        figures = [str(row["must"].get(word, "")) for word in ("kept", "broken", "not judged")]
        table.add_row(f"{row['id']} {row['version']}", row["kind"], row["profile"], *figures)
    screen.print(table)
    for row in data["rows"]:
        cells = [(name, cell(row["sections"].get(name))) for name in columns(data)]
        where = ", ".join(f"{name}: {word}" for name, word in cells if "broken" in word)
        if row["why"] or where:
            show_indented(screen, Text(f"  {row['id']}: {row['why'] or where}"))


def show_list(chosen: Sequence[Adapter], cache: Path) -> None:
    """List implementations: a paragraph for each in a terminal, a row with tabs in a pipe."""
    for one in chosen:
        there = not one.install or is_installed(one, cache)
        state = "installed" if there else "not installed"
        facts = [one.version, one.ecosystem, one.kind, one.profile, state]
        if not screen.is_terminal:
            print(one.id, *facts, one.note, sep="\t")
            continue
        screen.print(Text(one.id, "bold").append(f"  {', '.join(facts)}", "not bold"))
        show_indented(screen, Text(f"  {one.note}"))


def _write_files(data: Json, options: MatrixOptions) -> str:
    return write_reports(
        [
            (options.json, lambda: json.dumps(data, indent=1) + "\n"),
            (options.markdown, lambda: matrix_markdown(data)),
            (options.html, lambda: matrix_page(data)),
        ]
    )
