"""The likely mistake where JSON's grammar is left.

Told from the state of the grammar and the byte that does not fit. A rule looks
at nothing else, save at the word that begins there, and at the start of a text
that is no JSON at all.
"""

import re
from collections.abc import Callable
from typing import Final

from rpclab.explain import advice, foreign, inside
from rpclab.explain import grammar as g
from rpclab.explain.model import Mistake
from rpclab.explain.scene import Scene
from rpclab.explain.text import Text
from rpclab.explain.tokens import Fault

_QUOTES: Final = (
    b"\xe2\x80\x98",
    b"\xe2\x80\x99",
    b"\xe2\x80\x9c",
    b"\xe2\x80\x9d",
    b"\xe2\x80\x9e",
)


def find_mistakes(text: Text, fault: Fault) -> tuple[Mistake, ...]:
    """Give the likely mistakes, the best first: one in most cases."""
    scene = Scene(text.data, text.start, text.end, fault)
    id = next(filter(None, (rule(scene) for rule in _RULES)), "")
    return (advice.mistake(id, fault.at, count=len(fault.open)),) if id else ()


def _nothing(scene: Scene) -> str:
    if scene.start < scene.end:
        return ""
    return "blank" if scene.data else "empty"


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


def clause_of(id: str) -> str:
    """Give the clause that a mistake breaks."""
    return advice.MISTAKES[id].clause


_RULES: Final[tuple[Callable[[Scene], str], ...]] = (
    _nothing,
    inside.name_limit,
    inside.name_encoding,
    lambda scene: foreign.name_text(scene.data, scene.start, scene.end, scene.fault.at),
    inside.name_string,
    inside.name_number,
    inside.name_word,
    _quotes,
    _comment,
    _value,
    _name,
    _colon,
    _comma,
    _end,
)
