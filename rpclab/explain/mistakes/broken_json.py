"""The likely mistake behind a fault in JSON's grammar.

A rule looks at the state of the grammar, the byte that is not allowed and the word
that begins there. A text that never was JSON is known from its beginning. The
first rule that names a mistake decides.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from rpclab.explain import grammar as g
from rpclab.explain.mistakes.catalogue import mistake
from rpclab.explain.model import Mistake
from rpclab.explain.not_json import is_latin_1, is_utf_16, name_text
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


class Scene(NamedTuple):
    """What a rule may look at."""

    data: bytes
    start: int
    end: int
    fault: Fault

    @property
    def byte(self) -> bytes:
        """The byte that does not fit, or b"" at the end."""
        return self.data[self.fault.at : min(self.fault.at + 1, self.end)]

    @property
    def rest(self) -> bytes:
        """The text from that byte on, as far as a rule may look."""
        return self.data[self.fault.at : min(self.fault.at + 64, self.end)]

    @property
    def before(self) -> bytes:
        """The byte before the one that does not fit."""
        return self.data[max(self.start, self.fault.at - 1) : self.fault.at]

    @property
    def word(self) -> bytes:
        """The word that begins at the token with the fault, or b""."""
        found = _WORD.match(self.data, self.fault.start, self.end)
        return found[0] if found else b""


def find_mistake(text: Text, fault: Fault) -> Mistake | None:
    """Return the likely mistake, or None if no rule names one."""
    scene = Scene(text.data, text.start, text.end, fault)
    id = next(filter(None, (rule(scene) for rule in _RULES)), "")
    return mistake(id, fault.at, count=len(fault.open)) if id else None


def _nothing(scene: Scene) -> str:
    if scene.start < scene.end:
        return ""
    return "blank" if scene.data else "empty"


def _never_json(scene: Scene) -> str:
    """A log line, a prompt, markup or the like."""
    return name_text(scene.data, scene.start, scene.end, scene.fault.at)


def _encoding(scene: Scene) -> str:
    """Name what is wrong with the bytes themselves."""
    if scene.rest.startswith((b"\xff\xfe", b"\xfe\xff")) or is_utf_16(scene.data):
        return "utf-16"
    if scene.byte == b"\0":
        return "nul-byte"
    if scene.rest.startswith(b"\xef\xbb\xbf"):
        return "bom-elsewhere"
    if scene.byte == b"\x1b":
        return "ansi-colours"
    if scene.fault.inside == "encoding":
        return "latin-1" if is_latin_1(scene.data, scene.fault.at) else "not-utf-8"
    return ""


def _limit(scene: Scene) -> str:
    """Name the limit that is passed."""
    limits = {"depth limit": "too-deep", "number limit": "number-too-large"}
    return limits.get(scene.fault.inside, "")


def _string(scene: Scene) -> str:
    """Name what breaks a string off."""
    if scene.fault.inside != "string":
        return ""
    if not scene.byte:
        return "unterminated-string"
    if scene.byte < b" ":
        return "raw-newline" if scene.byte == b"\n" else "raw-control"
    return "bad-escape"


def _number(scene: Scene) -> str:
    """Name what breaks a number off."""
    if scene.fault.inside != "number":
        return ""
    if scene.byte in {b"I", b"i", b"N", b"n"}:
        return "not-finite"
    if scene.before == b"-" and scene.byte == b".":
        return "no-digit-before-point"
    return "no-digit-after-point" if scene.before == b"." else "number-cut-off"


def _word(scene: Scene) -> str:
    """Name a word where a value belongs, or one that is nearly true, false or null."""
    value = scene.fault.expected in {g.VALUE, g.ELEMENT}
    if not value or not scene.word:
        return ""
    if not scene.byte:
        return "not-closed"
    if scene.word in _PYTHON:
        return "python-literal"
    if scene.word in _NOT_FINITE:
        return "not-finite"
    if scene.word == b"undefined":
        return "undefined"
    prefix = scene.data[scene.fault.start : scene.fault.start + len(scene.word) + 1]
    if scene.word in {b"b", b"B", b"rb", b"u", b"r", b"f"} and prefix[-1:] in {b"'", b'"'}:
        return "python-bytes"
    return "bare-word"


def _quotes(scene: Scene) -> str:
    """Quotes, brackets and marks that other languages have."""
    if scene.fault.expected in {g.IN_ARRAY, g.IN_OBJECT, g.END}:
        return ""
    if scene.rest.startswith(_QUOTES):
        return "smart-quotes"
    if scene.byte == b"'":
        return "python-dict" if _has_python_word(scene) else "single-quotes"
    return {b"`": "backticks", b"\\": "escaped-quotes"}.get(scene.byte, "")


def _has_python_word(scene: Scene) -> bool:
    after = scene.data[scene.fault.at : scene.fault.at + 4096]
    return re.search(rb"[:,\[({ ](?:True|False|None)[],})]", after) is not None


def _comment(scene: Scene) -> str:
    if scene.rest.startswith((b"//", b"/*")):
        return "comment-star" if scene.rest.startswith(b"/*") else "comment-slashes"
    return "comment-hash" if scene.byte == b"#" else ""


def _value(scene: Scene) -> str:
    if scene.fault.expected not in {g.VALUE, g.ELEMENT}:
        return ""
    if scene.byte == b"]" and scene.fault.open.endswith("["):
        return "trailing-comma-array"
    if scene.byte == b".":
        return "no-digit-before-point"
    if scene.byte == b"}" and scene.fault.open.endswith("["):
        return "wrong-closing"
    if scene.byte == b"," and scene.fault.open.endswith("{"):
        return "missing-value"
    marks = {b"": "not-closed", b"+": "plus-sign", b"(": "python-tuple", b",": "extra-comma"}
    closing = {b"}": "missing-value", b"]": "missing-value", b";": "missing-value"}
    return (marks | closing | {b"<": "xml"}).get(scene.byte, "")


def _name(scene: Scene) -> str:
    if scene.fault.expected not in {g.NAME, g.MEMBER}:
        return ""
    if not scene.byte:
        return "not-closed"
    if scene.byte == b"}":
        return "trailing-comma-object"
    if scene.byte == b"]":
        return "wrong-closing"
    if scene.byte == b",":
        return "extra-comma"
    return "unquoted-name" if scene.word or scene.byte.isalnum() else "name-not-string"


def _colon(scene: Scene) -> str:
    if scene.fault.expected != g.COLON:
        return ""
    if not scene.byte:
        return "not-closed"
    if scene.byte == b"=":
        return "arrow-for-colon" if scene.rest.startswith(b"=>") else "equals-for-colon"
    return "missing-colon"


def _comma(scene: Scene) -> str:
    if scene.fault.expected not in {g.IN_ARRAY, g.IN_OBJECT}:
        return ""
    marks = {b"": "not-closed", b";": "semicolon-for-comma"}
    marks |= {b"}": "wrong-closing", b"]": "wrong-closing", b")": "wrong-closing"}
    return marks.get(scene.byte) or _after_number(scene) or _after_string(scene) or "missing-comma"


def _after_number(scene: Scene) -> str:
    """A number in another language's spelling goes on where JSON's ends."""
    if not scene.before.isdigit():
        return ""
    zero = re.search(
        rb"(?<![0-9.eE+-])-?0\Z", scene.data[max(0, scene.fault.at - 3) : scene.fault.at]
    )
    if zero and scene.byte.isdigit():
        return "leading-zero"
    if zero and scene.byte in {b"x", b"X", b"o", b"O", b"b", b"B"}:
        return "hexadecimal"
    return "number-spelling" if scene.byte in {b"_", b"n", b"L", b".", b"f"} else ""


def _after_string(scene: Scene) -> str:
    """A quote inside a string ends it, and the rest of it stands bare."""
    return "unescaped-quote" if scene.before == b'"' and scene.byte.isalnum() else ""


def _end(scene: Scene) -> str:
    if scene.fault.expected != g.END:
        return ""
    if scene.byte in {b"]", b"}"}:
        return "extra-closing"
    if re.match(rb"[,;]?[ \t\r]*[{\[]", scene.rest):
        return "two-messages"
    if scene.byte == b":":
        return "no-braces"
    return _after_number(scene) or "text-after"


_RULES: Final[tuple[Callable[[Scene], str], ...]] = (
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
