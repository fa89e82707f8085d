"""The command ``rpclab explain``: what any bytes are, and which rules they break."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text
from typer.core import TyperCommand

from rpclab.cli import byte_ruler, terminal
from rpclab.explain import Explanation, Finding, explain
from rpclab.explain.error_words import clause_of
from rpclab.explain.model import NOTHING, SEVERAL

_STYLES: Final = {"broken": "red", "bent": "yellow", "free": "cyan", "kept": "green"}
_MOST_ROWS: Final = 20  # of one kind
_MOST_QUOTED: Final = 5
_MOST_WORDS: Final = 300  # characters of words that are looked up

HELP: Final = """Explain any line, good or broken: its bytes, its rules, its answer.

Give the line as one argument, read it from a file, or pipe bytes in. The words of an error \
and bare codes are looked up.

Exit status: 0 if no rule is broken, 1 if one is, 2 if the file or the profile does not exist.

Try: rpclab explain '{"jsonrpc":"2.0","method":"sum","params":[1,2],}'

In cmd.exe and PowerShell, which change quotes: rpclab explain --file line.json
"""
app = typer.Typer()


class NumbersAreWords(TyperCommand):
    """A command for which ``-32000`` is a word, and not an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put words such as ``-32000`` behind two dashes."""
        if "--" not in args:
            args = [*args]
            first = next((i for i, word in enumerate(args) if re.match(r"-[0-9]", word)), None)
            if first is not None and any(word.startswith("--") for word in args[first:]):
                args = [*args[:first], *args[first + 1 :], "--", args[first]]
            elif first is not None:
                args.insert(first, "--")
        return super().parse_args(ctx, args)


@app.command("explain", help=HELP, cls=NumbersAreWords)
def explain_command(
    line: Annotated[
        list[str] | None,
        typer.Argument(help="The line, or the words of an error. The bytes of stdin if left out."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Read the bytes of this file, whatever the shell.")
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            help="Whose readings to take: core, mcp, lsp, acp or a2a; or one revision of a"
            " protocol: mcp@2025-06-18."
        ),
    ] = "core",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the explanation as JSON, for programs.")
    ] = False,
) -> None:
    """Explain a line, then exit with 1 if it breaks a rule."""
    raise typer.Exit(explain_line(line or [], file, profile, as_json=as_json))


def explain_line(words: list[str], file: Path | None, profile: str, *, as_json: bool) -> int:
    """Explain a line, a file or the bytes of stdin, and return the exit status."""
    if words and file is not None:
        return terminal.refuse("give a line or --file, not both")
    try:
        explanation = explain(read_bytes(words, file), profile)
    except LookupError as error:
        return terminal.refuse(str(error.args[0]))
    except OSError as error:
        return terminal.refuse(f"{file} cannot be read: {error.strerror}")
    if as_json:
        print(json.dumps(explanation.to_json()))
    else:
        show_file_hint(words)
        show(explanation)
        show_shell_hint(words, explanation)
    return 1 if explanation.verdict == "broken" else 0


def read_bytes(words: list[str], file: Path | None) -> bytes:
    """Return the bytes that are to be explained. Words that a shell has split are joined."""
    if file is not None:
        return file.read_bytes()
    return os.fsencode(" ".join(words)) if words else typed_bytes()


def typed_bytes() -> bytes:
    """Read stdin to its end. A person who types is told how to end it."""
    if sys.stdin.isatty():
        terminal.show_note(
            "Type what is to be explained. Ctrl-D (on Windows Ctrl-Z, Enter) ends it."
        )
    return sys.stdin.buffer.read()


def show_file_hint(words: list[str]) -> None:
    """Say how to explain a file, if the line is the name of one."""
    if len(words) != 1 or not _is_file(words[0]):
        return
    name = terminal.printable(words[0])
    terminal.show_note(
        f"{name} is a file, and its name is explained here. To explain what is in it:"
        f" rpclab explain --file {name}, or rpclab explain < {name}",
        "bold",
    )
    terminal.screen.print()


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long for a name, or a zero byte in it
        return False


def show_shell_hint(words: list[str], explanation: Explanation) -> None:
    """Say that the shell has cut the line, if it came in several words."""
    if len(words) < 2 or "quotes-eaten" in {mistake.id for mistake in explanation.mistakes}:
        return
    if not words[0].lstrip("'").startswith(("{", "[")):
        return
    terminal.screen.print()
    terminal.show_note(
        f"The line came in {len(words)} words: the shell has cut it, and perhaps taken its"
        " quotes. No shell changes what is in a file: rpclab explain --file line.json",
        "bold",
    )


def show(explanation: Explanation) -> None:
    """Show an explanation: bytes, rules, answer, likely mistakes, messages."""
    if explanation.mistake is not None and clause_of(explanation.mistake):
        show_looked_up(explanation)
        return
    head = (
        f"{name_shape(explanation)}: {explanation.verdict}, {len(explanation.data)} bytes,"
        f" by the profile {explanation.profile}"
    )
    terminal.show_note(head, f"bold {_STYLES[explanation.verdict]}")
    terminal.screen.print()
    for row in byte_ruler.draw(explanation, terminal.screen.width):
        terminal.screen.print(row)
    for verdict in _STYLES:
        show_findings(verdict, [f for f in explanation.findings if f.verdict == verdict])
    show_answer(explanation)
    show_mistakes(explanation)
    show_members(explanation)
    show_quoted(explanation)


def show_looked_up(explanation: Explanation) -> None:
    """Show what is behind the words of an error, or behind a code."""
    mistake = explanation.mistakes[0]
    said = terminal.printable(explanation.data.decode(errors="backslashreplace").strip())
    terminal.show_note(f"Looked up: {said[:_MOST_WORDS]}", "bold")
    terminal.screen.print()
    terminal.show_note(f"{mistake.says[0].upper()}{mistake.says[1:]}.", "default")
    terminal.screen.print()
    terminal.show_note(f"What to do: {mistake.fix}", "default")
    terminal.screen.print()
    clauses = " and ".join(dict.fromkeys([clause_of(mistake), "newline.stdout-clean"]))
    terminal.show_note(
        f"If a server wrote this to its stdout: it is not a message ({clauses})."
        " Errors for people go to stderr."
    )


def name_shape(explanation: Explanation) -> str:
    """Return the shape, or the shape that it is nearest to."""
    if explanation.valid or explanation.shape in {NOTHING, SEVERAL}:
        return explanation.shape
    return f"nearest to: {explanation.shape}"


def show_findings(verdict: str, findings: list[Finding]) -> None:
    """Show the clauses with one verdict."""
    rows = [describe_finding(finding) for finding in findings[:_MOST_ROWS]]
    for row in _cut(rows, len(findings)):
        line = Text(f"{verdict:<6}  ", _STYLES[verdict]).append(row, "default")
        terminal.show_indented(terminal.screen, line, indent=8)


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
        + "".join(f"; in it, from byte {one.at} on: {one.shape}" for one in member.quoted[:1])
        for number, member in enumerate(explanation.members[:_MOST_ROWS], start=1)
    ]
    for row in _cut(rows, len(explanation.members)):
        terminal.show_note(row, "default")


def show_quoted(explanation: Explanation) -> None:
    """Show the messages that a text quotes, each with its own explanation."""
    quoted = [(explanation.at + one.at, one) for one in explanation.quoted]
    for member in explanation.members:
        quoted += [(member.at + one.at, one) for one in member.quoted]
    for at, message in quoted[:_MOST_QUOTED]:
        is_there = explanation.data[at : at + len(message.data)] == message.data
        same = "The same, written as JSON" if message.valid else "The same, written in UTF-8"
        terminal.screen.print()
        what = "The message inside" if is_there else same
        terminal.show_note(f"{what}, from byte {at} on", "bold underline")
        terminal.screen.print()
        show(message)
    if len(quoted) > _MOST_QUOTED:
        terminal.screen.print()
        terminal.show_note(f"… and {len(quoted) - _MOST_QUOTED} more messages inside", "bold")


def _cut(rows: list[str], count: int) -> Iterator[str]:
    yield from rows
    if count > len(rows):
        yield f"… and {count - len(rows)} more"
