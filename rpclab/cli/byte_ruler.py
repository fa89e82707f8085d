"""A line in a terminal, with a word under each of its bytes.

Of a long line only the part around the fault is shown. Bytes that are not
printable are shown as escapes.
"""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from rpclab.cli.terminal import printable
from rpclab.explain import Explanation, Span
from rpclab.explain.syntax import character_length

_STYLES: Final = {"frame": "magenta", "json": "blue", "member": "cyan"}
_FAULT: Final = "bold red"
_WINDOW: Final = 600  # bytes that are shown
_INDENT: Final = "  "


class RulerCell(NamedTuple):
    """What is shown of one character, and the span that owns it."""

    at: int
    end: int
    text: str
    span: Span


def draw(explanation: Explanation, width: int) -> Iterator[Text]:
    """Yield the rows of the line, each with its words below it, and the caret."""
    mistake = explanation.mistake
    focus = mistake.offset if mistake is not None else 0
    start = max(0, focus - _WINDOW // 2) if len(explanation.data) > _WINDOW else 0
    cells = list(_cells(explanation, start, start + _WINDOW))
    end = cells[-1].end if cells else 0
    if start:
        yield Text(f"{_INDENT}… {cells[0].at} bytes before", "dim")
    for row in _rows(cells, _room_in(width)):
        yield _line(row)
        yield _words(row)
        if mistake is not None and row[0].at <= focus <= row[-1].at:
            yield from _caret(row, focus, mistake.says, width)
    if mistake is not None and focus >= end:
        yield from _caret(_last_row(cells, width), focus, mistake.says, width)
    if end < len(explanation.data):
        yield Text(f"{_INDENT}… {len(explanation.data) - end} bytes after", "dim")
    yield Text()


def _cells(explanation: Explanation, start: int, end: int) -> Iterator[RulerCell]:
    """Yield the characters of a window."""
    data = explanation.data
    for span in explanation.spans:
        if span.start >= end:
            return
        at = max(span.start, start)
        while at < min(span.end, end):
            length = min(character_length(data, at), span.end - at)
            char = data[at : at + length].decode(errors="backslashreplace")
            yield RulerCell(at, at + length, printable(char), span)
            at += length


def _rows(cells: list[RulerCell], width: int) -> Iterator[list[RulerCell]]:
    """Yield rows that fit into the width. A full row ends after a space or a comma."""
    row: list[RulerCell] = []
    for cell in cells:
        if row and row[-1].text == "\\n":
            yield row
            row = []
        elif row and _width_of(row) + cell_len(cell.text) > width:
            whole = _before_word(row)
            yield row[:whole]
            row = row[whole:]
        row.append(cell)
    if row:
        yield row


def _width_of(row: list[RulerCell]) -> int:
    return sum(cell_len(cell.text) for cell in row)


def _before_word(row: list[RulerCell]) -> int:
    """Return where the last word of a row begins, or its end if that word is long."""
    ends = (place for place in range(len(row), len(row) // 2, -1) if row[place - 1].text in " ,")
    return next(ends, len(row))


def _room_in(width: int) -> int:
    return max(12, width - len(_INDENT))


def _last_row(cells: list[RulerCell], width: int) -> list[RulerCell]:
    *_, row = [[], *_rows(cells, _room_in(width))]
    return row


def _style(span: Span) -> str:
    return _FAULT if span.name == "fault" else _STYLES[span.owner]


def _line(row: list[RulerCell]) -> Text:
    text = Text(_INDENT)
    for cell in row:
        text.append(cell.text, _style(cell.span))
    return text


def _words(row: list[RulerCell]) -> Text:
    """Return a word for each run of bytes that belong together, cut to its room."""
    text = Text(_INDENT)
    start = 0
    for place, cell in enumerate(row):
        following = row[place + 1].span if place + 1 < len(row) else None
        if following is None or _word(following) != _word(cell.span):
            room = sum(cell_len(part.text) for part in row[start : place + 1])
            word = printable(_word(cell.span))
            word = set_cell_size(word, min(cell_len(word), max(1, room - 1)))
            text.append(f"{word}{'·' * (room - cell_len(word))}", _style(cell.span))
            start = place + 1
    return text


def _word(span: Span) -> str:
    """Return the word under a span: punctuation between members has only a dot."""
    return "" if span.owner == "json" and span.end - span.start == 1 else span.name


def _caret(row: list[RulerCell], focus: int, says: str, width: int) -> Iterator[Text]:
    """Yield the caret and what is said about its byte: beside it, or below if it is long."""
    before = sum(cell_len(cell.text) for cell in row if cell.at < focus)
    words = printable(says)
    caret = f"{_INDENT}{' ' * before}^"
    if cell_len(caret) + cell_len(words) < width:
        yield Text(f"{caret} {words}", _FAULT)
        return
    yield Text(caret, _FAULT)
    for line in wrap(words, _room_in(width)):
        yield Text(f"{_INDENT}{line}", _FAULT)
