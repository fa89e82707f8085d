"""Plain words in docstrings and comments: docs/style.md, section 2.9.

The list has only turns of phrase that a pattern can find without doubt. Text in
backquotes and doctests are code, so they are not checked.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

ROOMS = ["rpclab", "exercises", "tests", "lab.py", "benchmarks", "docs"]
"""The folders and files that are checked."""

START = r"(?:^|(?<=[.:;] ))"  # of a sentence
BE = r"(?:is|was|are|were)"
TICS = {
    "Return, not Give": re.compile(r"\AGives? (?!up\b)"),
    "is not a, not is no": re.compile(
        rf"(?<![Tt]here )\b{BE} no (?!longer\b|more\b|less\b|better\b|different\b)"
    ),
    "if you, not who": re.compile(rf"{START}Who(?:ever)? [^.?]*(?:\.|$)"),
    "if you, not by who": re.compile(r"\b(?:by|for|to|from|with) who\b"),
    "what it is, not is none": re.compile(rf"(?<![Tt]here )\b{BE} none(?=[.;,]|$)"),
    "is, not stands": re.compile(
        r"\bstands? (?:in|at|on|beside|below|above|before|after|under|where|alone|still|here)\b"
    ),
    "use the common word": re.compile(
        r"\b(?:nought|whilst|hitherto|whereabouts|thereof|wherein|foretell\w*|foretold|mends?|mended)\b",
        re.IGNORECASE,
    ),
    "our, not of ours": re.compile(r"\bof ours\b"),
    "leave out simply and obviously": re.compile(r"\b(?:simply|obviously)\b", re.IGNORECASE),
}

CODE = re.compile(r"``[^`]*``|`[^`]*`|^ *>>> .*(?:\n(?! *$).*)*|^ *\.\.\. .*$", re.MULTILINE)


def docstrings(tree):
    """Return the line and text of each docstring, also of attributes."""
    return [
        (node.lineno, node.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
    ]


def comments(source):
    """Return the line and text of each comment; adjacent lines are one."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text, line = token.string.lstrip("#:! "), token.start[0]
            alone = not token.line[: token.start[1]].strip()
            if alone and found and found[-1][2] == line - 1:
                first, before, _ = found.pop()
                found.append((first, f"{before} {text}", line))
            else:
                found.append((line, text, line if alone else None))
    return [(first, text) for first, text, _ in found]


def plain(text):
    """Return a text on one line, without the code in it."""
    return " ".join(CODE.sub("`", text).split())


def complaints(source):
    """Return each listed turn of phrase in a file, with the line of its text."""
    texts = docstrings(ast.parse(source)) + comments(source)
    return [
        f"line {line}: {tic}: {found[0]!r} in {words[:70]!r}"
        for line, words in sorted((line, plain(text)) for line, text in texts)
        for tic, pattern in TICS.items()
        for found in [pattern.search(words)]
        if found
    ]


def files_of(room):
    path = ROOT / room
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_comments_are_in_plain_words(room):
    found = [
        f"{path.relative_to(ROOT)}, {complaint}"
        for path in files_of(room)
        for complaint in complaints(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_python_files(room):
    assert files_of(room)


@pytest.mark.parametrize(
    ("text", "tic"),
    [
        ("Give the rows of one kind.", "Return, not Give"),
        ("A bare string is no call.", "is not a, not is no"),
        ("The reply is none.", "what it is, not is none"),
        ("A pipe holds 64 kB. Who writes to it waits.", "if you, not who"),
        ("Read by who has not met it.", "if you, not by who"),
        ("The id stands in the reply.", "is, not stands"),
        ("The clock stands still.", "is, not stands"),
        ("Mend the line.", "use the common word"),
        ("A list of ours.", "our, not of ours"),
        ("It is simply a line.", "leave out simply and obviously"),
    ],
)
def test_each_turn_of_phrase_is_found_in_a_docstring_and_in_a_comment(text, tic):
    in_docstring = complaints(f'def f():\n    """{text}"""\n')
    in_comment = complaints(f"x = 1  # {text}\n")
    assert [tic in complaint for complaint in in_docstring + in_comment] == [True, True]


@pytest.mark.parametrize(
    "text",
    [
        "Return the rows of one kind.",
        "Give up the call that was cancelled.",
        "A name that is no longer used.",
        "There is no reason to wait, and there are no errors.",
        "Empty if there are none.",
        "Who reads it?",
        "Those who write to it wait.",
        "The reply is `None`, as ``is no`` is code.",
        "The message understands nothing.",
        "Return it.\n\n    >>> print('a call is no more')\n    a call is no call\n    ",
    ],
)
def test_plain_words_and_code_are_left_alone(text):
    assert complaints(f'def f():\n    """{text}"""\n') == []


def test_the_docstring_of_an_attribute_is_read_too():
    assert len(complaints('"""A module."""\n\nX = 1\n"""A name that is no name."""\n')) == 1


def test_a_comment_that_is_broken_over_two_lines_is_read_as_one_text():
    assert len(complaints("# A bare string is\n# no call.\n")) == 1
