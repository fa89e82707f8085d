"""What exercise 6 must do."""

from collections.abc import Callable

from rpclab.course import expect

Reader = Callable[[list[bytes]], list[str]]
CITY = '{"city":"Zürich"}'.encode()


def check_plain_lines_are_read(read_messages: Reader) -> None:
    """ASCII lines are read, however they are cut."""
    expect(read_messages, [b"[1]\n[", b"2]\n"]).gives(["[1]", "[2]"])


def check_a_character_may_be_cut(read_messages: Reader) -> None:
    """A chunk may end in the middle of a character."""
    place = CITY.index(b"\xbc")
    expect(read_messages, [CITY[:place], CITY[place:] + b"\n"]).gives(['{"city":"Zürich"}'])


def check_one_byte_at_a_time(read_messages: Reader) -> None:
    """It may come one byte at a time."""
    chunks = [bytes([byte]) for byte in CITY + b"\n[1]\n"]
    expect(read_messages, chunks).gives(['{"city":"Zürich"}', "[1]"])


def check_a_line_separator_is_text(read_messages: Reader) -> None:
    """The character U+2028 is part of the text, and so is a carriage return."""
    expect(read_messages, ['["a\u2028b"]\n'.encode()]).gives(['["a\u2028b"]'])
    expect(read_messages, [b"[1]\r[2]\n"]).gives(["[1]\r[2]"])


def check_the_end_ends_the_last_line(read_messages: Reader) -> None:
    """The end of the stream ends the last line, and adds none."""
    expect(read_messages, [b"[1]\n[2]"]).gives(["[1]", "[2]"])
    expect(read_messages, [b"[1]\n"]).gives(["[1]"])
    expect(read_messages, []).gives([])
