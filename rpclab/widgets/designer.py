"""The error designer: choose code, message and data, and hear what speaks against them."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.errors import ABSENT, ParseError
from rpclab.explain import explain
from rpclab.messages import Json
from rpclab.widgets import rows, strings, theme
from rpclab.widgets.base import Widget

_LONG: Final = 80  # characters of a message that still reads as one short sentence
_INSIDE: Final = re.compile(r"Traceback|File \"|/(?:home|usr|etc|var|srv)/|[A-Z]:\\")


class Remark(NamedTuple):
    """What is to be said of one part of an error object, and the clause for it."""

    verdict: str
    clause: str
    says: str


@dataclass(frozen=True, repr=False, slots=True)
class Design:
    """An error response, and the remarks on its error object."""

    line: str
    remarks: tuple[Remark, ...]

    def __repr__(self) -> str:
        """Say the line, then each remark."""
        words = strings.REMARK_WORDS
        width = max(map(len, words.values()))
        said = [f"   {words[r.verdict]:<{width}}  {r.says} ({r.clause})" for r in self.remarks]
        return "\n".join([self.line, *said])


def judge_design(code: Json, message: Json, data: Json = ABSENT) -> Design:
    """Write the error response to call 1, and say what a reader would say of it.

    >>> [remark.clause for remark in judge_design(-32500, "Out of stock").remarks]
    ['5.1.future', '5.1.message-string']
    """
    error = {"code": code, "message": message} | ({} if data is ABSENT else {"data": data})
    line = encode({"jsonrpc": "2.0", "error": error, "id": 1})
    found = [Remark(f.verdict, f.clause, f.says) for f in explain(line.encode()).findings]
    kept = [remark for remark in found if remark.clause.startswith("5.1.")]
    return Design(line, (*kept, *_judge_message(message)))


def _judge_message(message: Json) -> list[Remark]:
    """Say what a person would: is it there, is it short, does it give something away?"""
    said = str(message)
    faults = [
        strings.MESSAGE_EMPTY if not said.strip() else "",
        strings.MESSAGE_LONG.format(count=len(said)) if len(said) > _LONG else "",
        strings.MESSAGE_INSIDE if _INSIDE.search(said) else "",
    ]
    return [Remark("bent", "5.1.message-short", fault) for fault in faults if fault]


class ErrorDesigner(Widget):
    """A field each for ``code``, ``message`` and ``data``, and some errors to start from."""

    def __init__(self) -> None:
        wide = w.Layout(width="98%")
        self._idea = w.Dropdown(
            options=[(name, values) for name, *values in strings.ERROR_IDEAS],
            description=strings.IDEA,
        )
        self._code = w.Text(description="code")
        self._message = w.Text(description="message", layout=wide)
        self._data = w.Text(description="data", placeholder=strings.DATA_HINT, layout=wide)
        self._shown = w.HTML()
        self._idea.observe(self.guarded(lambda change: self._fill(*change.new)), "value")
        for part in (self._code, self._message, self._data):
            part.observe(self.guarded(lambda _: self._show()), "value")
        super().__init__(self._idea, self._code, self._message, self._data, self._shown)
        for name in ("idea", "code", "message", "data"):
            getattr(self, f"_{name}").add_class(f"rpclab-error-{name}")
        self._shown.add_class("rpclab-error")
        self._fill(*self._idea.value)

    def design(self, code: Json, message: str, data: Json = ABSENT) -> Design:
        """Do what the fields do: show this error, and give it with its remarks."""
        self._fill(encode(code), message, "" if data is ABSENT else encode(data))
        return self._show()

    def _fill(self, code: str, message: str, data: str) -> None:
        self._code.value, self._message.value, self._data.value = code, message, data

    def _show(self) -> Design:
        try:
            data = decode(self._data.value) if self._data.value.strip() else ABSENT
            design = judge_design(decode(self._code.value), self._message.value, data)
        except ParseError as error:
            design = Design(
                "", (Remark("broken", "2.json", f"{strings.NOT_JSON_YET} {error.data}"),)
            )
        self._shown.value = as_html(design)
        return design


def as_html(design: Design) -> str:
    """Show an error response and the remarks on it."""
    remarks = [
        (
            rows.badge(strings.REMARK_WORDS[remark.verdict], theme.VERDICT[remark.verdict]),
            rows.text(remark.says),
            rows.text(remark.clause),
        )
        for remark in design.remarks
    ]
    return f"<p>{rows.code(design.line)}</p>{rows.table(strings.REMARK_COLUMNS, remarks)}"
