"""The grammar of JSON, as tables.

A state says what may come next, a step what a token does there. ``STEPS`` is
RFC 8259. ``REPAIRS`` says how to read on after a fault: as if a missing comma
were there, and a wrong one were not. Source: RFC 8259, sections 2 to 7.
"""

import re
from typing import Final

# What may come next.
VALUE: Final = "a value"
ELEMENT: Final = "a value or ]"
NAME: Final = "a name in double quotes"
MEMBER: Final = "a name in double quotes or }"
COLON: Final = "a colon"
IN_ARRAY: Final = "a comma or ]"
IN_OBJECT: Final = "a comma or }"
END: Final = "the end of the text"

# What a token does.
HOLD, OPEN, CLOSE, NAMED, NEXT, ASSIGN = "hold", "open", "close", "named", "next", "assign"

Steps = dict[str, dict[str, str]]

_VALUES: Final = {"string": HOLD, "number": HOLD, "literal": HOLD, "{": OPEN, "[": OPEN}

STEPS: Final[Steps] = {
    VALUE: _VALUES,
    ELEMENT: _VALUES | {"]": CLOSE},
    NAME: {"string": NAMED},
    MEMBER: {"string": NAMED, "}": CLOSE},
    COLON: {":": ASSIGN},
    IN_ARRAY: {",": NEXT, "]": CLOSE},
    IN_OBJECT: {",": NEXT, "}": CLOSE},
    END: {},
}

_CLOSES: Final = {"}": CLOSE, "]": CLOSE}
_NAMES: Final = {"string": NAMED, "number": NAMED, "literal": NAMED}

REPAIRS: Final[Steps] = {
    VALUE: _VALUES | _CLOSES | {",": NEXT},
    ELEMENT: _VALUES | _CLOSES | {",": NEXT},
    NAME: _NAMES | _CLOSES,
    MEMBER: _NAMES | _CLOSES,
    COLON: _VALUES | _CLOSES | {":": ASSIGN, ",": NEXT},
    IN_ARRAY: _VALUES | _CLOSES | {",": NEXT},
    IN_OBJECT: _NAMES | _CLOSES | {",": NEXT},
    END: {"{": OPEN, "[": OPEN},
}

LEXEME: Final = re.compile(
    rb"""
      (?P<space>[ \t\r\n]++)
    | [{}\[\]:,]
    | (?P<string>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    | (?P<torn_string>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+
        (?:\\(?:u[0-9a-fA-F]{0,3})?)?)
    | (?P<torn_number>-(?![0-9])
        |-?(?:0|[1-9][0-9]*+)(?:\.(?![0-9])|(?:\.[0-9]++)?+[eE][+-]?+(?![0-9])))
    | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    | (?P<literal>true|false|null)
    | (?P<torn_literal>t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
"""One token. A torn one begins well, and breaks off where the match ends."""

LOOSE: Final = re.compile(
    rb"""
      (?P<space>[ \t\r\n]++)
    | (?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\#[^\n]*+)
    | (?P<colon>=>?|:=?)
    | (?P<comma>;)
    | [{}\[\],]
    | (?P<string>"(?:[^"\\\n]++|\\.)*+"?
        |'(?:[^'\\\n]++|\\.)*+'?
        |`[^`\n]*+`?
        |\xe2\x80[\x98-\x9f](?:[^\xe2]++|\xe2(?!\x80[\x98-\x9f]))*+(?:\xe2\x80[\x98-\x9f])?)
    | (?P<number>[-+]?\.?[0-9][0-9A-Za-z_.+-]*+)
    | (?P<word>[-+]?[A-Za-z_$\x80-\xff][A-Za-z0-9_$.\x80-\xff-]*+)
    | (?P<other>[^][{}:,;"'`=\#/ \t\r\nA-Za-z0-9_$\x80-\xff]++|.)
    """,
    re.VERBOSE | re.DOTALL,
)
"""One token after a fault: what was probably meant."""
