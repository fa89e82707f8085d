"""What exercise 5 must do."""

from collections.abc import Callable

from rpclab.course import expect

Clean = Callable[[list[bytes]], list[bytes]]


def check_good_lines_stay(clean_lines: Clean) -> None:
    """Lines with nothing to take away stay as they are."""
    expect(clean_lines, [b'{"id":1}', b'{"id":2}']).gives([b'{"id":1}', b'{"id":2}'])


def check_a_carriage_return_goes(clean_lines: Clean) -> None:
    """A carriage return before the newline goes, and spaces and tabs go with it."""
    expect(clean_lines, [b"[1]\r", b" \t[2] \r"]).gives([b"[1]", b"[2]"])


def check_blank_lines_are_skipped(clean_lines: Clean) -> None:
    """A line with nothing left is not a payload."""
    expect(clean_lines, [b"", b"[1]", b" \t\r"]).gives([b"[1]"])


def check_the_mark_at_the_start_goes(clean_lines: Clean) -> None:
    """A byte order mark before the first line is skipped."""
    expect(clean_lines, [b"\xef\xbb\xbf[1]", b"[2]"]).gives([b"[1]", b"[2]"])
    expect(clean_lines, [b"\xef\xbb\xbf", b"[2]"]).gives([b"[2]"])
    expect(clean_lines, []).gives([])


def check_a_later_mark_stays(clean_lines: Clean) -> None:
    """A later mark is part of its line, which is broken by it."""
    expect(clean_lines, [b"[1]", b"\xef\xbb\xbf[2]"]).gives([b"[1]", b"\xef\xbb\xbf[2]"])


def check_what_json_does_not_skip_stays(clean_lines: Clean) -> None:
    """A form feed and a vertical tab are not white space in JSON."""
    expect(clean_lines, [b"[1]\x0c", b"\x0b"]).gives([b"[1]\x0c", b"\x0b"])
