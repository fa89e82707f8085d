"""The command ``rpclab explain``: any bytes, and what is to be said about them."""

import json
import os
import sys
from collections.abc import Iterator
from typing import Final

from rich.text import Text

from rpclab.cli import look, ruler, strings
from rpclab.explain import Explanation, Finding, explain
from rpclab.explain.model import NOTHING, SEVERAL

_STYLES: Final = {"broken": "red", "bent": "yellow", "free": "cyan", "kept": "green"}
_MANY: Final = 20  # rows of one kind, and no more


def explain_line(line: str | None, profile: str, *, as_json: bool) -> int:
    """Explain a line, or the bytes of stdin, and give the exit status."""
    try:
        explanation = explain(typed_bytes() if line is None else os.fsencode(line), profile)
    except LookupError as error:
        print(look.printable(str(error.args[0])), file=sys.stderr)
        return 2
    if as_json:
        print(json.dumps(explanation.to_json()))
    else:
        show(explanation)
    return 1 if explanation.verdict == "broken" else 0


def typed_bytes() -> bytes:
    """Read stdin to its end, with a word first where a person types."""
    if sys.stdin.isatty():
        look.show_note(strings.EXPLAIN_HELLO)
    return sys.stdin.buffer.read()


def show(explanation: Explanation) -> None:
    """Show all of an explanation: bytes, rules, answer, mistake, messages."""
    head = strings.EXPLAIN_HEAD.format(
        shape=name_shape(explanation),
        verdict=explanation.verdict,
        count=len(explanation.data),
        profile=explanation.profile,
    )
    look.screen.print(Text(head, f"bold {_STYLES[explanation.verdict]}"))
    look.screen.print()
    for row in ruler.draw(explanation, look.screen.width):
        look.screen.print(row)
    for verdict in _STYLES:
        show_findings(verdict, [f for f in explanation.findings if f.verdict == verdict])
    show_answer(explanation)
    show_mistakes(explanation)
    show_members(explanation)


def name_shape(explanation: Explanation) -> str:
    """Say the shape, or what it is nearest to."""
    if explanation.valid or explanation.shape in {NOTHING, SEVERAL}:
        return explanation.shape
    return strings.EXPLAIN_NEAREST.format(shape=explanation.shape)


def show_findings(verdict: str, findings: list[Finding]) -> None:
    """Show the clauses with one verdict."""
    for row in _cut([say_finding(finding) for finding in findings[:_MANY]], len(findings)):
        look.screen.print(Text(f"{verdict:<6}  ", _STYLES[verdict]).append(row, "default"))


def say_finding(finding: Finding) -> str:
    """Say one finding: clause, sentence, place, ruling."""
    place = strings.EXPLAIN_AT if finding.end - finding.start < 2 else strings.EXPLAIN_BYTES
    where = place.format(start=finding.start, end=finding.end - 1)
    ruling = f"; {strings.EXPLAIN_RULING.format(ruling=finding.ruling)}" if finding.ruling else ""
    return look.printable(f"{finding.clause}  {finding.says}  ({where}{ruling})")


def show_answer(explanation: Explanation) -> None:
    """Show the reply that is due, or why none is."""
    look.screen.print()
    look.show_note(f"{strings.EXPLAIN_ANSWER}: {explanation.answer.kind}", "bold")
    look.show_note(look.printable(explanation.answer.says), "default")
    if explanation.answer.line:
        look.show_note(look.printable(f"<- {explanation.answer.line}"), "default")


def show_mistakes(explanation: Explanation) -> None:
    """Show the likely mistakes, the best first."""
    broken = explanation.verdict != "kept"
    for number, mistake in enumerate(explanation.mistakes[:3]):
        sentence = strings.EXPLAIN_NOTE if number or not broken else strings.EXPLAIN_MISTAKE
        says = sentence.format(offset=mistake.offset, says=mistake.says)
        look.screen.print()
        look.show_note(look.printable(says), "default" if number else "bold")
        look.show_note(look.printable(strings.EXPLAIN_FIX.format(fix=mistake.fix)), "default")


def show_members(explanation: Explanation) -> None:
    """Show each message of a batch, or of several lines, in one row."""
    if not explanation.members:
        return
    look.screen.print()
    look.show_note(strings.EXPLAIN_MEMBERS, "bold")
    rows = [
        strings.EXPLAIN_MEMBER.format(
            number=number, at=member.at, shape=name_shape(member), verdict=member.verdict
        )
        for number, member in enumerate(explanation.members[:_MANY], start=1)
    ]
    for row in _cut(rows, len(explanation.members)):
        look.show_note(row, "default")


def _cut(rows: list[str], count: int) -> Iterator[str]:
    yield from rows
    if count > len(rows):
        yield strings.EXPLAIN_MORE.format(count=count - len(rows))
