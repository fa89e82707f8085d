"""What exercise 4 must do."""

from collections.abc import Callable

from rpclab.course import demand, expect

Split = Callable[[bytes, bytes], tuple[list[bytes], bytes]]


def check_a_whole_line_is_given(split_lines: Split) -> None:
    """A line with its newline is complete."""
    expect(split_lines, b"", b'{"id":1}\n').gives([b'{"id":1}'], b"")


def check_half_a_line_waits(split_lines: Split) -> None:
    """A line without its newline is not a line yet."""
    expect(split_lines, b"", b'{"id"').gives([], b'{"id"')


def check_the_rest_is_joined_to_the_next_chunk(split_lines: Split) -> None:
    """The half line from last time is completed by this chunk."""
    expect(split_lines, b'{"id"', b":7}\n[").gives([b'{"id":7}'], b"[")


def check_one_chunk_can_hold_many_lines(split_lines: Split) -> None:
    """A chunk may complete several lines, in order."""
    expect(split_lines, b"1", b"2\n3\n4\n5").gives([b"12", b"3", b"4"], b"5")


def check_only_the_newline_ends_a_line(split_lines: Split) -> None:
    """A carriage return and a form feed end nothing."""
    expect(split_lines, b"", b"a\rb\x0cc\n").gives([b"a\rb\x0cc"], b"")


def check_any_cutting_gives_the_same(split_lines: Split) -> None:
    """The same stream gives the same lines, even one byte at a time."""
    stream, lines, rest = '{"name":"Zoë"}\n[1]\n'.encode(), [], b""
    for place in range(len(stream)):
        expectation = expect(split_lines, rest, stream[place : place + 1])
        more, rest = expectation.result("a list of lines, and the rest")
        lines += more
    demand(lines == stream.split(b"\n")[:-1], "one byte at a time", lines, "the two lines")
