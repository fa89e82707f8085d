"""The regular expressions of cases: one that could search without end is refused.

A search tries every way in which a pattern fits. Where a part that is repeated
fits in several ways by itself, their number doubles with each repetition:
``(a+)+b`` is not done with forty letters in this life.
"""

import re
from typing import Final

_PLAIN: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""An escape or a set: it stands for one character."""

_FLAGS: Final = re.compile(r"\(\?[a-zA-Z]+\)")
_HEAD: Final = re.compile(r"\(\?(?:[a-zA-Z-]*:|<?[=!]|P<\w+>)")
_INNERMOST: Final = re.compile(r"\((?P<atomic>\?>)?(?P<body>[^()]*)\)(?P<repeat>[*+{]?)")


def check_pattern(pattern: str) -> None:
    r"""Refuse what is no pattern, or could search without end.

    A group that is repeated has no repetition and no alternatives in it, unless
    it is atomic: ``(?>...)`` keeps to the first way that fits. What passes may
    still be slow, if many repetitions follow each other: ``.*.*.*``.

    >>> check_pattern(r"(?>[^\r\n]+\r\n)*\r\n")

    Raises:
        ValueError: it is refused; the text says why.
    """
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{pattern[:80]}: {error}") from error
    rest = _HEAD.sub("(", _FLAGS.sub("", _PLAIN.sub("x", pattern)))
    while found := _INNERMOST.search(rest):
        several = not found["atomic"] and re.search(r"[*+?{|]", found["body"])
        if several and found["repeat"]:
            raise ValueError(
                f"{pattern[:80]}: in a repeated group is a repetition or an alternative;"
                " make it atomic, (?>...)"
            )
        start, end = found.span()
        rest = rest[:start] + ("x|x" if several else "x") + found["repeat"] + rest[end:]
