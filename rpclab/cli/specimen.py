"""The command ``rpclab specimen``: list the specimens, and read one."""

import sys
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from rpclab.conformance.specimens import Specimen, difference, find_specimen, source, specimens

app = typer.Typer()


@app.command("specimen")
def specimen_command(
    name: Annotated[str, typer.Argument(help="Its id. All are listed if left out.")] = "",
    diff: Annotated[bool, typer.Option("--diff", help="Show its change to its base.")] = False,
) -> None:
    """Read a specimen: a server or client with one defect, which the cases must catch."""
    raise typer.Exit(show_specimen(name, diff=diff))


def show_specimen(name: str, *, diff: bool) -> int:
    """Show one specimen, or the list if there is no name; return the exit status."""
    if not name:
        show_list(specimens())
        return 0
    try:
        one = find_specimen(name)
    except LookupError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    show_code(difference(one) if diff else source(one), "diff" if diff else "python")
    return 0


def show_list(rows: Iterable[Specimen]) -> None:
    """Print a row for each specimen: a table in a terminal, tabs between cells in a pipe."""
    console = Console()
    if not console.is_terminal:
        for one in rows:
            print(one.role, one.id, one.breaks, one.about, sep="\t")
        return
    table = Table(box=None, pad_edge=False)
    for title in ("role", "id", "breaks", "what is wrong with it"):
        table.add_column(title)
    for one in rows:
        table.add_row(one.role, one.id, one.breaks, one.about)
    console.print(table)


def show_code(text: str, language: str) -> None:
    """Print code: in colours in a terminal, the bare text in a pipe."""
    console = Console()
    if console.is_terminal:
        console.print(
            Syntax(text, language, theme="ansi_dark", background_color="default", word_wrap=True)
        )
    else:
        print(text, end="")
