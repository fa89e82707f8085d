"""The error designer: choose code, message and data, and see which rules they break."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import ipywidgets as w

from rpclab.codec import decode, encode
from rpclab.errors import ABSENT, ParseError
from rpclab.explain import explain
from rpclab.messages import Json
from rpclab.widgets.base_widget import Widget, wide
from rpclab.widgets.html_parts import VERDICT, Html, badge, template

ERROR_IDEAS: Final = (
    ("an error of the application", "1001", "Out of stock", '{"left":0}'),
    ("a code of the specification", "-32602", "Invalid params", '{"missing":["amount"]}'),
    ("a code for servers", "-32000", "Server busy", '{"retry_after":2}'),
    ("a code that is kept for later", "-32500", "Out of stock", ""),
    ("a code that is a word", '"E_STOCK"', "Out of stock", ""),
    ("a message that says too much", "1001", 'File "shop.py", line 7, in buy', ""),
)
REMARK_WORDS: Final = {"kept": "fine", "bent": "warning", "broken": "not allowed", "free": "open"}

_LONG: Final = 80  # characters of a message that still reads as one short sentence
_INSIDE: Final = re.compile(r"Traceback|File \"|/(?:home|usr|etc|var|srv)/|[A-Z]:\\")


class Remark(NamedTuple):
    """A remark on one part of an error object, and its clause."""

    verdict: str
    clause: str
    says: str


@dataclass(frozen=True, repr=False, slots=True)
class Design:
    """An error response, and the remarks on its error object."""

    line: str
    remarks: tuple[Remark, ...]

    def __repr__(self) -> str:
        """Show the line, then each remark."""
        words = REMARK_WORDS
        width = max(map(len, words.values()))
        said = [f"   {words[r.verdict]:<{width}}  {r.says} ({r.clause})" for r in self.remarks]
        return "\n".join([self.line, *said])


def judge_design(code: Json, message: Json, data: Json = ABSENT) -> Design:
    """Write an error response to the request 1, and judge its error object.

    >>> [remark.clause for remark in judge_design(-32500, "Out of stock").remarks]
    ['5.1.future', '5.1.message-string']
    """
    error = {"code": code, "message": message} | ({} if data is ABSENT else {"data": data})
    line = encode({"jsonrpc": "2.0", "error": error, "id": 1})
    found = [Remark(f.verdict, f.clause, f.says) for f in explain(line.encode()).findings]
    kept = [remark for remark in found if remark.clause.startswith("5.1.")]
    return Design(line, (*kept, *_judge_message(message)))


def _judge_message(message: Json) -> list[Remark]:
    """Judge a message: is it there, is it short, does it give something away?"""
    said = str(message)
    faults = [
        "message is empty. People read it, so say what went wrong." if not said.strip() else "",
        f"message has {len(said)} characters. One short sentence is enough."
        if len(said) > _LONG
        else "",
        "message shows the inside of the server. That belongs in its log."
        if _INSIDE.search(said)
        else "",
    ]
    return [Remark("bent", "5.1.message-short", fault) for fault in faults if fault]


class ErrorDesigner(Widget):
    """A field each for ``code``, ``message`` and ``data``, and some errors to start from."""

    def __init__(self) -> None:
        self.idea = w.Dropdown(
            options=[(name, values) for name, *values in ERROR_IDEAS], description="Start from"
        )
        self.code = w.Text(description="code")
        self.message = w.Text(description="message", layout=wide())
        self.data = w.Text(
            description="data", placeholder="any JSON value, or nothing", layout=wide()
        )
        self.shown = w.HTML()
        self.idea.observe(self.guarded(lambda change: self._fill(*change.new)), "value")
        for part in (self.code, self.message, self.data):
            part.observe(self.guarded(lambda _: self._show()), "value")
        super().__init__(self.idea, self.code, self.message, self.data, self.shown)
        self.idea.add_class("rpclab-error-idea")
        self.code.add_class("rpclab-error-code")
        self.message.add_class("rpclab-error-message")
        self.data.add_class("rpclab-error-data")
        self.shown.add_class("rpclab-error")
        self._fill(*self.idea.value)

    def design(self, code: Json, message: str, data: Json = ABSENT) -> Design:
        """Do what the fields do: show this error, and return it with its remarks."""
        self._fill(encode(code), message, "" if data is ABSENT else encode(data))
        return self._show()

    def _fill(self, code: str, message: str, data: str) -> None:
        self.code.value, self.message.value, self.data.value = code, message, data

    def _show(self) -> Design:
        try:
            data = decode(self.data.value) if self.data.value.strip() else ABSENT
            design = judge_design(decode(self.code.value), self.message.value, data)
        except ParseError as error:
            says = f"code and data are JSON values; this is not JSON yet: {error.data}"
            design = Design("", (Remark("broken", "2.json", says),))
        self.shown.value = show_design(design)
        return design


_DESIGN: Final = template(
    '<p>{{ code(line) }}</p>{{ table(("verdict", "why", "clause"), remarks) }}'
)


def show_design(design: Design) -> Html:
    """Show an error response and the remarks on it."""
    remarks = [
        (badge(REMARK_WORDS[one.verdict], VERDICT[one.verdict]), one.says, one.clause)
        for one in design.remarks
    ]
    return _DESIGN(line=design.line, remarks=remarks)
