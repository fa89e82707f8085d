"""The command ``rpclab explain``: what any bytes are, and which rules they break."""

import json
import os
import sys
from collections.abc import Iterator
from typing import Annotated, Final

import typer
from rich.text import Text

from rpclab.cli import byte_ruler, terminal
from rpclab.explain import Explanation, Finding, explain
from rpclab.explain.model import NOTHING, SEVERAL

_STYLES: Final = {"broken": "red", "bent": "yellow", "free": "cyan", "kept": "green"}
_MOST_ROWS: Final = 20  # of one kind

HELP: Final = """Explain any line, good or broken: its bytes, its rules, its answer.

Give the line as one argument, or pipe bytes in. The exit status is 0 if no rule is broken,
1 if one is.

Try: rpclab explain '{"jsonrpc":"2.0","method":"sum","params":[1,2],}'
"""
app = typer.Typer()


@app.command("explain", help=HELP)
def explain_command(
    line: Annotated[
        str | None, typer.Argument(help="The line. The bytes of stdin if left out.")
    ] = None,
    profile: Annotated[
        str, typer.Option(help="Whose readings to take: core, mcp, lsp, acp or a2a.")
    ] = "core",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the explanation as JSON, for programs.")
    ] = False,
) -> None:
    """Explain a line, then exit with 1 if it breaks a rule."""
    raise typer.Exit(explain_line(line, profile, as_json=as_json))


def explain_line(line: str | None, profile: str, *, as_json: bool) -> int:
    """Explain a line, or the bytes of stdin, and return the exit status."""
    try:
        explanation = explain(typed_bytes() if line is None else os.fsencode(line), profile)
    except LookupError as error:
        return terminal.refuse(str(error.args[0]))
    if as_json:
        print(json.dumps(explanation.to_json()))
    else:
        show(explanation)
    return 1 if explanation.verdict == "broken" else 0


def typed_bytes() -> bytes:
    """Read stdin to its end. A person who types is told how to end it."""
    if sys.stdin.isatty():
        terminal.show_note(
            "Type what is to be explained. Ctrl-D (on Windows Ctrl-Z, Enter) ends it."
        )
    return sys.stdin.buffer.read()


def show(explanation: Explanation) -> None:
    """Show an explanation: bytes, rules, answer, likely mistakes, messages."""
    head = (
        f"{name_shape(explanation)}: {explanation.verdict}, {len(explanation.data)} bytes,"
        f" by the profile {explanation.profile}"
    )
    terminal.screen.print(Text(head, f"bold {_STYLES[explanation.verdict]}"))
    terminal.screen.print()
    for row in byte_ruler.draw(explanation, terminal.screen.width):
        terminal.screen.print(row)
    for verdict in _STYLES:
        show_findings(verdict, [f for f in explanation.findings if f.verdict == verdict])
    show_answer(explanation)
    show_mistakes(explanation)
    show_members(explanation)


def name_shape(explanation: Explanation) -> str:
    """Return the shape, or the shape that it is nearest to."""
    if explanation.valid or explanation.shape in {NOTHING, SEVERAL}:
        return explanation.shape
    return f"nearest to: {explanation.shape}"


def show_findings(verdict: str, findings: list[Finding]) -> None:
    """Show the clauses with one verdict."""
    rows = [describe_finding(finding) for finding in findings[:_MOST_ROWS]]
    for row in _cut(rows, len(findings)):
        terminal.screen.print(Text(f"{verdict:<6}  ", _STYLES[verdict]).append(row, "default"))


def describe_finding(finding: Finding) -> str:
    """Return one finding as a row: clause, sentence, place, ruling."""
    last = finding.end - 1
    one = last <= finding.start
    where = f"at byte {finding.start}" if one else f"bytes {finding.start} to {last}"
    ruling = f"; ruling {finding.ruling}" if finding.ruling else ""
    return terminal.printable(f"{finding.clause}  {finding.says}  ({where}{ruling})")


def show_answer(explanation: Explanation) -> None:
    """Show the reply that is due, or why no reply is due."""
    terminal.screen.print()
    terminal.show_note(f"What a server must answer: {explanation.answer.kind}", "bold")
    terminal.show_note(terminal.printable(explanation.answer.says), "default")
    if explanation.answer.line:
        terminal.show_note(terminal.printable(f"<- {explanation.answer.line}"), "default")


def show_mistakes(explanation: Explanation) -> None:
    """Show the likely mistakes, the most likely first."""
    broken = explanation.verdict != "kept"
    for number, mistake in enumerate(explanation.mistakes[:3]):
        kind = "To note" if number or not broken else "The likely mistake"
        says = f"{kind}, at byte {mistake.offset}: {mistake.says}."
        terminal.screen.print()
        terminal.show_note(terminal.printable(says), "default" if number else "bold")
        terminal.show_note(terminal.printable(f"What to do: {mistake.fix}"), "default")


def show_members(explanation: Explanation) -> None:
    """Show each message of a batch, or of several lines, in one row."""
    if not explanation.members:
        return
    terminal.screen.print()
    terminal.show_note("Message by message", "bold")
    rows = [
        f"{number}. at byte {member.at}: {name_shape(member)}, {member.verdict}"
        for number, member in enumerate(explanation.members[:_MOST_ROWS], start=1)
    ]
    for row in _cut(rows, len(explanation.members)):
        terminal.show_note(row, "default")


def _cut(rows: list[str], count: int) -> Iterator[str]:
    yield from rows
    if count > len(rows):
        yield f"… and {count - len(rows)} more"
