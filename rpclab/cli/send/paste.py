"""Several lines at once, as a person pastes them: one message, or one for each line.

A message that was formatted for people has line breaks in it, and on a newline
stream each of them would end a message. So the person is asked.
"""

from typing import Final

from rpclab.codec import decode
from rpclab.errors import ParseError

ONE: Final = "o"
EACH: Final = "e"
NOTHING: Final = "n"


def split_lines(text: str) -> list[str]:
    """Return the lines that are not blank. Only a line feed ends one."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def likely_choice(lines: list[str]) -> str:
    """Return what is probably meant: one message, or a message for each line.

    >>> likely_choice(["{", '"id": 1', "}"]), likely_choice(['{"id":1}', '{"id":2}'])
    ('o', 'e')
    """
    return EACH if all(map(_is_json, lines)) else ONE


def question(lines: list[str]) -> str:
    """Return the question what to do with several lines.

    >>> question(["{", '"id": 1', "}"])
    'These 3 lines are one message. Send it as one line? [Enter: yes, e: each line, n: nothing] '
    """
    count = f"These {len(lines)} lines"
    if likely_choice(lines) == EACH:
        return f"{count} are a message each. Send each? [Enter: yes, o: as one line, n: nothing] "
    what = "are one message. Send it" if _is_json(" ".join(lines)) else "are not JSON. Send them"
    return f"{count} {what} as one line? [Enter: yes, e: each line, n: nothing] "


def lines_to_send(lines: list[str], answer: str) -> list[str]:
    """Return the lines to send after an answer to the question. Enter is an empty answer.

    >>> lines_to_send(["{", "}"], ""), lines_to_send(["{", "}"], "n")
    (['{ }'], [])
    """
    choice = answer.strip().lower()[:1] or likely_choice(lines)
    if choice == "y":
        choice = likely_choice(lines)
    if choice == EACH:
        return lines
    return [" ".join(lines)] if choice == ONE else []


def _is_json(text: str) -> bool:
    try:
        decode(text.encode(errors="surrogatepass"))
    except ParseError:
        return False
    return True
