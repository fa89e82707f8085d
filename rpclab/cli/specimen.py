"""The command ``rpclab specimen``: list the specimens, and read one."""

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from rpclab.cli.options import completed_by
from rpclab.cli.terminal import did_you_mean, make_screen, refuse, show_indented
from rpclab.conformance.specimens import Specimen, difference, source, specimens

app = typer.Typer()


@app.command("specimen")
def specimen_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Its id. All are listed if left out.",
            autocompletion=completed_by(lambda: (one.id for one in specimens())),
        ),
    ] = "",
    diff: Annotated[bool, typer.Option("--diff", help="Show its change to its base.")] = False,
) -> None:
    """Read a specimen: a server or client with one defect, which the cases must catch."""
    raise typer.Exit(show_specimen(name, diff=diff))


def show_specimen(name: str, *, diff: bool) -> int:
    """Show one specimen, or the list if there is no name; return the exit status."""
    if not name:
        show_list(specimens())
        return 0
    known = {one.id: one for one in specimens()}
    if name not in known:
        near = did_you_mean(name, known)
        return refuse(f"There is no specimen {name}.{near} rpclab specimen lists them all.")
    one = known[name]
    show_code(difference(one) if diff else source(one), "diff" if diff else "python")
    return 0


def show_list(rows: Iterable[Specimen]) -> None:
    """List specimens: two lines for each in a terminal, a row with tabs in a pipe."""
    console = make_screen()
    for one in rows:
        if not console.is_terminal:
            print(one.role, one.id, one.breaks, one.about, sep="\t")
            continue
        facts = f"  {one.role}, breaks {one.breaks}"
        console.print(Text(one.id, "bold").append(facts, "not bold"))
        show_indented(console, Text(f"  {one.about}"))


def show_code(text: str, language: str) -> None:
    """Print code: in colours in a terminal, the bare text in a pipe."""
    console = Console()
    if console.is_terminal:
        console.print(
            Syntax(text, language, theme="ansi_dark", background_color="default", word_wrap=True)
        )
    else:
        print(text, end="")
