"""The likely mistake behind a fault in JSON's grammar.

A rule looks at the state of the grammar, the byte that is not allowed and the word
that begins there. A text that never was JSON is known from its beginning. The
first rule that names a mistake decides.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from rpclab.explain import grammar as g
from rpclab.explain.encodings import is_latin_1, is_utf_16
from rpclab.explain.mistakes.catalogue import mistake
from rpclab.explain.model import Mistake
from rpclab.explain.not_json import name_text
from rpclab.explain.syntax import Fault, Text

_WORD: Final = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]{0,40}")
_QUOTES: Final = (
    b"\xe2\x80\x98",
    b"\xe2\x80\x99",
    b"\xe2\x80\x9c",
    b"\xe2\x80\x9d",
    b"\xe2\x80\x9e",
)
_PYTHON: Final = {b"True", b"False", b"None"}
_NOT_FINITE: Final = {b"NaN", b"nan", b"Infinity", b"Inf", b"inf", b"infinity"}


class Context(NamedTuple):
    """A fault, and the bytes around it that a rule may look at."""

    data: bytes
    start: int
    end: int
    fault: Fault

    @property
    def byte(self) -> bytes:
        """The byte that is not allowed, or b"" at the end."""
        return self.data[self.fault.at : min(self.fault.at + 1, self.end)]

    @property
    def rest(self) -> bytes:
        """The text from that byte on, cut after 64 bytes."""
        return self.data[self.fault.at : min(self.fault.at + 64, self.end)]

    @property
    def before(self) -> bytes:
        """The byte before the one that is not allowed."""
        return self.data[max(self.start, self.fault.at - 1) : self.fault.at]

    @property
    def word(self) -> bytes:
        """The word that begins at the token with the fault, or b""."""
        found = _WORD.match(self.data, self.fault.start, self.end)
        return found[0] if found else b""


def find_mistake(text: Text, fault: Fault) -> Mistake | None:
    """Return the likely mistake, or None if no rule names one."""
    context = Context(text.data, text.start, text.end, fault)
    id = next(filter(None, (rule(context) for rule in _RULES)), "")
    count = len(fault.open)
    brackets = f"{count} bracket{'' if count == 1 else 's'}"
    return mistake(id, fault.at, open=brackets) if id else None


def _nothing(context: Context) -> str:
    if context.start < context.end:
        return ""
    return "blank" if context.data else "empty"


def _never_json(context: Context) -> str:
    """Text that never was JSON: a log line, a prompt, markup or the like."""
    return name_text(context.data, context.start, context.end, context.fault.at)


def _encoding(context: Context) -> str:
    """Bytes that are wrong in any JSON text."""
    if context.rest.startswith((b"\xff\xfe", b"\xfe\xff")) or is_utf_16(context.data):
        return "utf-16"
    if context.byte == b"\0":
        return "nul-byte"
    if context.rest.startswith(b"\xef\xbb\xbf"):
        return "bom-elsewhere"
    if context.byte == b"\x1b":
        return "ansi-colours"
    if context.fault.inside == "encoding":
        return "latin-1" if is_latin_1(context.data, context.fault.at) else "not-utf-8"
    return ""


def _limit(context: Context) -> str:
    """A limit of this reader."""
    limits = {"depth limit": "too-deep", "number limit": "number-too-large"}
    return limits.get(context.fault.inside, "")


def _string(context: Context) -> str:
    """A string that breaks off."""
    if context.fault.inside != "string":
        return ""
    if not context.byte:
        return "unterminated-string"
    if context.byte < b" ":
        return "raw-newline" if context.byte == b"\n" else "raw-control"
    return "bad-escape"


def _number(context: Context) -> str:
    """A number that breaks off."""
    if context.fault.inside != "number":
        return ""
    if context.byte in {b"I", b"i", b"N", b"n"}:
        return "not-finite"
    if context.before == b"-" and context.byte == b".":
        return "no-digit-before-point"
    return "no-digit-after-point" if context.before == b"." else "number-cut-off"


def _word(context: Context) -> str:
    """A word in place of a value, or one that is nearly true, false or null."""
    value = context.fault.expected in {g.VALUE, g.ELEMENT}
    if not value or not context.word:
        return ""
    if not context.byte:
        return "not-closed"
    if context.word in _PYTHON:
        return "python-literal"
    if context.word in _NOT_FINITE:
        return "not-finite"
    if context.word == b"undefined":
        return "undefined"
    prefix = context.data[context.fault.start : context.fault.start + len(context.word) + 1]
    if context.word in {b"b", b"B", b"rb", b"u", b"r", b"f"} and prefix[-1:] in {b"'", b'"'}:
        return "python-bytes"
    return "bare-word"


def _quotes(context: Context) -> str:
    """Quotes of another language, or of a word processor."""
    if context.fault.expected in {g.IN_ARRAY, g.IN_OBJECT, g.END}:
        return ""
    if context.rest.startswith(_QUOTES):
        return "smart-quotes"
    if context.byte == b"'":
        return "python-dict" if _has_python_word(context) else "single-quotes"
    return {b"`": "backticks", b"\\": "escaped-quotes"}.get(context.byte, "")


def _has_python_word(context: Context) -> bool:
    after = context.data[context.fault.at : context.fault.at + 4096]
    return re.search(rb"[:,\[({ ](?:True|False|None)[],})]", after) is not None


def _comment(context: Context) -> str:
    if context.rest.startswith((b"//", b"/*")):
        return "comment-star" if context.rest.startswith(b"/*") else "comment-slashes"
    return "comment-hash" if context.byte == b"#" else ""


def _value(context: Context) -> str:
    if context.fault.expected not in {g.VALUE, g.ELEMENT}:
        return ""
    if context.byte == b"]" and context.fault.open.endswith("["):
        return "trailing-comma-array"
    if context.byte == b".":
        return "no-digit-before-point"
    if context.byte == b"}" and context.fault.open.endswith("["):
        return "wrong-closing"
    if context.byte == b"," and context.fault.open.endswith("{"):
        return "missing-value"
    marks = {b"": "not-closed", b"+": "plus-sign", b"(": "python-tuple", b",": "extra-comma"}
    closing = {b"}": "missing-value", b"]": "missing-value", b";": "missing-value"}
    return (marks | closing | {b"<": "xml"}).get(context.byte, "")


def _name(context: Context) -> str:
    if context.fault.expected not in {g.NAME, g.MEMBER}:
        return ""
    if not context.byte:
        return "not-closed"
    if context.byte == b"}":
        return "trailing-comma-object"
    if context.byte == b"]":
        return "wrong-closing"
    if context.byte == b",":
        return "extra-comma"
    return "unquoted-name" if context.word or context.byte.isalnum() else "name-not-string"


def _colon(context: Context) -> str:
    if context.fault.expected != g.COLON:
        return ""
    if not context.byte:
        return "not-closed"
    if context.byte == b"=":
        return "arrow-for-colon" if context.rest.startswith(b"=>") else "equals-for-colon"
    return "missing-colon"


def _comma(context: Context) -> str:
    if context.fault.expected not in {g.IN_ARRAY, g.IN_OBJECT}:
        return ""
    marks = {b"": "not-closed", b";": "semicolon-for-comma"}
    marks |= {b"}": "wrong-closing", b"]": "wrong-closing", b")": "wrong-closing"}
    return (
        marks.get(context.byte)
        or _after_number(context)
        or _after_string(context)
        or "missing-comma"
    )


def _after_number(context: Context) -> str:
    """A number in the notation of another language: it goes on after JSON's number ends."""
    if not context.before.isdigit():
        return ""
    zero = re.search(
        rb"(?<![0-9.eE+-])-?0\Z", context.data[max(0, context.fault.at - 3) : context.fault.at]
    )
    if zero and context.byte.isdigit():
        return "leading-zero"
    if zero and context.byte in {b"x", b"X", b"o", b"O", b"b", b"B"}:
        return "hexadecimal"
    return "number-spelling" if context.byte in {b"_", b"n", b"L", b".", b"f"} else ""


def _after_string(context: Context) -> str:
    """A quote inside a string ends it, and the rest has no quotes."""
    return "unescaped-quote" if context.before == b'"' and context.byte.isalnum() else ""


def _end(context: Context) -> str:
    if context.fault.expected != g.END:
        return ""
    if context.byte in {b"]", b"}"}:
        return "extra-closing"
    if re.match(rb"[,;]?[ \t\r]*[{\[]", context.rest):
        return "two-messages"
    if context.byte == b":":
        return "no-braces"
    return _after_number(context) or "text-after"


_RULES: Final[tuple[Callable[[Context], str], ...]] = (
    _nothing,
    _limit,
    _encoding,
    _never_json,
    _string,
    _number,
    _word,
    _quotes,
    _comment,
    _value,
    _name,
    _colon,
    _comma,
    _end,
)
