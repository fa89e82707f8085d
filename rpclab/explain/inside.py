"""The likely mistake where a token breaks off, or is a word of another language.

Each function looks at one kind of token, and gives the mistake's id or "".
"""

from typing import Final

from rpclab.explain import foreign
from rpclab.explain import grammar as g
from rpclab.explain.scene import Scene

_PYTHON: Final = {b"True", b"False", b"None"}
_NOT_FINITE: Final = {b"NaN", b"nan", b"Infinity", b"Inf", b"inf", b"infinity"}


def name_encoding(scene: Scene) -> str:
    """Name what is wrong with the bytes themselves."""
    if scene.rest.startswith((b"\xff\xfe", b"\xfe\xff")) or foreign.is_utf_16(scene.data):
        return "utf-16"
    if scene.byte == b"\0":
        return "nul-byte"
    if scene.rest.startswith(b"\xef\xbb\xbf"):
        return "bom-elsewhere"
    if scene.byte == b"\x1b":
        return "ansi-colours"
    if scene.fault.inside == "encoding":
        return "latin-1" if foreign.is_latin_1(scene.data, scene.fault.at) else "not-utf-8"
    return ""


def name_limit(scene: Scene) -> str:
    """Name the limit that is passed."""
    limits = {"depth limit": "too-deep", "number limit": "number-too-large"}
    return limits.get(scene.fault.inside, "")


def name_string(scene: Scene) -> str:
    """Name what breaks a string off."""
    if scene.fault.inside != "string":
        return ""
    if not scene.byte:
        return "unterminated-string"
    if scene.byte < b" ":
        return "raw-newline" if scene.byte == b"\n" else "raw-control"
    return "bad-escape"


def name_number(scene: Scene) -> str:
    """Name what breaks a number off."""
    if scene.fault.inside != "number":
        return ""
    if scene.byte in {b"I", b"i", b"N", b"n"}:
        return "not-finite"
    if scene.before == b"-" and scene.byte == b".":
        return "no-digit-before-point"
    return "no-digit-after-point" if scene.before == b"." else "number-cut-off"


def name_word(scene: Scene) -> str:
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
