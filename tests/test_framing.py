"""Where one message ends: every reader is fed whole, byte by byte, and with a tail."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rpclab.errors import FramingError
from rpclab.framing import LIMIT, ContentLengthFraming, NewlineFraming

BOM = b"\xef\xbb\xbf"
LF, CRLF = b"\n", b"\r\n"


def payloads(framing, chunks):
    """Feed chunks and the end; a report of dropped bytes reads as its text."""
    given = [payload for chunk in [*chunks, b""] for payload in framing.feed(chunk)]
    return [f"{p}" if isinstance(p, FramingError) else p for p in given]


def deliveries(stream):
    """Cut a stream in the ways that catch most readers."""
    return {
        "whole": [stream],
        "byte by byte": [stream[i : i + 1] for i in range(len(stream))],
        "by threes": [stream[i : i + 3] for i in range(0, len(stream), 3)],
    }


DELIVERIES = list(deliveries(b""))
TOO_LONG = "a line of more than 8 bytes was dropped"


# --- newline ----------------------------------------------------------------------

LINES = {
    "nothing": (b"", []),
    "one line": (b'{"id":1}\n', [b'{"id":1}']),
    "two lines": (b"[1]\n[2]\n", [b"[1]", b"[2]"]),
    "the last line has no newline": (b"[1]\n[2]", [b"[1]", b"[2]"]),
    "carriage returns": (b"[1]\r\n[2]\r\n", [b"[1]", b"[2]"]),
    "a bare carriage return ends nothing": (b"[1,\r2]\n", [b"[1,\r2]"]),
    "blank lines": (b"\n \t\r\n\n[1]\n\n", [b"[1]"]),
    "white space around": (b"  [1]\t \n", [b"[1]"]),
    "a mark at the start": (BOM + b"[1]\n", [b"[1]"]),
    "a mark alone": (BOM, []),
    "a mark on a blank line": (BOM + b"\n[1]\n", [b"[1]"]),
    "a mark later": (b"[1]\n" + BOM + b"[2]\n", [b"[1]", BOM + b"[2]"]),
    "two marks": (BOM + BOM + b"[1]\n", [BOM + b"[1]"]),
    "half a mark": (BOM[:2] + b"[1]\n", [BOM[:2] + b"[1]"]),
    "other separators": ("\u2028[1]\x85\x0b\n".encode(), ["\u2028[1]\x85\x0b".encode()]),
    "bytes that are no text": (b"\xff\xfe\n\x00\n", [b"\xff\xfe", b"\x00"]),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "lines"), LINES.values(), ids=LINES)
def test_a_newline_stream_gives_its_lines(stream, lines, delivery):
    assert payloads(NewlineFraming(), deliveries(stream)[delivery]) == lines


LIMITED = {
    "at the limit": (b"12345678\n[1]\n", [b"12345678", b"[1]"]),
    "one past it": (b"123456789\n[1]\n", [TOO_LONG, b"[1]"]),
    "far past it": (b"x" * 100 + b"\n[1]\n", [TOO_LONG, b"[1]"]),
    "two in a row": (b"x" * 9 + b"\n" + b"y" * 20 + b"\n[1]\n", [TOO_LONG, TOO_LONG, b"[1]"]),
    "one between good ones": (b"[1]\n" + b"x" * 30 + b"\n[2]\n", [b"[1]", TOO_LONG, b"[2]"]),
    "without an end": (b"[1]\n" + b"x" * 30, [b"[1]", TOO_LONG]),
    "of white space": (b" " * 30 + b"\n[1]\n", [TOO_LONG, b"[1]"]),
    "with its carriage return": (b"12345678\r\n", [TOO_LONG]),
    "a mark is not counted": (BOM + b"12345678\n[1]\n", [b"12345678", b"[1]"]),
    "a mark without an end": (BOM + b"12345678", [b"12345678"]),
    "a mark before one past it": (BOM + b"123456789\n[1]\n", [TOO_LONG, b"[1]"]),
    "one past it at the end": (b"123456789", [TOO_LONG]),
    "a mark after a long line": (b"x" * 30 + b"\n" + BOM + b"[1]\n", [TOO_LONG, BOM + b"[1]"]),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "lines"), LIMITED.values(), ids=LIMITED)
def test_a_line_past_the_limit_is_reported_once_and_dropped(stream, lines, delivery):
    assert payloads(NewlineFraming(limit=8), deliveries(stream)[delivery]) == lines


def test_half_a_line_waits():
    assert NewlineFraming().feed(b'{"id"') == []


def test_a_line_past_the_limit_is_reported_before_it_ends():
    (report,) = NewlineFraming(limit=8).feed(b"x" * 30)
    assert isinstance(report, FramingError)


def test_a_line_of_64_kib_is_nothing_special():
    line = b"x" * 65_536
    assert payloads(NewlineFraming(), [line, b"\n"]) == [line]


def test_the_limit_is_16_mib_unless_told_otherwise():
    assert LIMIT == 16 * 1024 * 1024


def test_a_newline_follows_each_payload():
    assert NewlineFraming().wrap(b"[1]") == b"[1]\n"


# --- Content-Length ---------------------------------------------------------------

FRAME = b"Content-Length: 2\r\n\r\n{}"
NO_LENGTH = "a header block without a usable length: "
NO_HEADER = "not a header: "
CUT = "the stream ended inside a frame"
TOO_BIG = "a payload of more than 8 bytes was skipped"

FRAMES = {
    "nothing": (b"", []),
    "one frame": (FRAME, [b"{}"]),
    "two frames": (FRAME + FRAME, [b"{}", b"{}"]),
    "an empty payload": (b"Content-Length: 0\r\n\r\n" + FRAME, [b"", b"{}"]),
    "another case": (b"content-LENGTH: 2\r\n\r\n{}", [b"{}"]),
    "no space": (b"Content-Length:2\r\n\r\n{}", [b"{}"]),
    "spaces": (b"Content-Length \t: \t2 \r\n\r\n{}", [b"{}"]),
    "leading zeros": (b"Content-Length: 0002\r\n\r\n{}", [b"{}"]),
    "bare newlines": (b"Content-Length: 2\n\n{}", [b"{}"]),
    "a type after": (b"Content-Length: 2\r\nContent-Type: a/b; charset=utf8\r\n\r\n{}", [b"{}"]),
    "a type before": (b"Content-Type: a/b\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
    "another charset": (
        b'Content-Length: 2\r\nContent-Type: a/b; charset="UTF-16"\r\n\r\n{}' + FRAME,
        ["a payload in another charset than UTF-8 was skipped: b'UTF-16'", b"{}"],
    ),
    "the charset first": (
        b"content-type: a/b;q=1; CHARSET=latin1;x\r\nContent-Length: 2\r\n\r\n{}" + FRAME,
        ["a payload in another charset than UTF-8 was skipped: b'latin1'", b"{}"],
    ),
    "UTF-8 by name": (
        b"Content-Length: 2\r\nContent-Type: a/b; charset=Utf-8\r\n\r\n{}",
        [b"{}"],
    ),
    "a field of one's own": (b"X-Mine: 1\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
    "the same length twice": (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
    "line ends between frames": (FRAME + b"\r\n\n" + FRAME + b"\n", [b"{}", b"{}"]),
    "bytes, not characters": (b"Content-Length: 4\r\n\r\n\xc3\xa9\xc3\xa9", ["éé".encode()]),
    "newlines in a payload": (b"Content-Length: 3\r\n\r\n[\n]", [b"[\n]"]),
    "a mark at the start": (BOM + FRAME, [b"{}"]),
    "a mark alone": (BOM, []),
    "half a mark": (BOM[:2], [f"{CUT}: {BOM[:2]!r}"]),
    "a mark later": (FRAME + BOM + FRAME, [b"{}", f"{NO_HEADER}{BOM + FRAME[:19]!r}", b"{}"]),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "frames"), FRAMES.values(), ids=FRAMES)
def test_a_content_length_stream_gives_its_payloads(stream, frames, delivery):
    assert payloads(ContentLengthFraming(), deliveries(stream)[delivery]) == frames


BAD_BLOCKS = {
    "a negative length": (
        b"Content-Length: -1\r\n\r\n" + FRAME,
        [f"{NO_LENGTH}{b'Content-Length: -1' + CRLF!r}", b"{}"],
    ),
    "a word for a length": (
        b"Content-Length: ten\r\n\r\n" + FRAME,
        [f"{NO_LENGTH}{b'Content-Length: ten' + CRLF!r}", b"{}"],
    ),
    "no length": (
        b"X-Other: 1\r\n\r\n" + FRAME,
        [f"{NO_LENGTH}{b'X-Other: 1' + CRLF!r}", b"{}"],
    ),
    "two lengths": (
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n" + FRAME,
        [f"{NO_LENGTH}{b'Content-Length: 2' + CRLF!r}", b"{}"],
    ),
    "a length of 16 digits": (
        b"Content-Length: 1000000000000000\r\n\r\n" + FRAME,
        [f"{NO_LENGTH}{b'Content-Length: 1000000000000000' + CRLF!r}", b"{}"],
    ),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "frames"), BAD_BLOCKS.values(), ids=BAD_BLOCKS)
def test_a_block_without_a_usable_length_is_reported_once_and_dropped(stream, frames, delivery):
    assert payloads(ContentLengthFraming(), deliveries(stream)[delivery]) == frames


LONG = b"y" * 9000
STRAY = {
    "a line of text": (b"debug: warm\n" + FRAME, [f"{NO_HEADER}{b'debug: warm' + LF!r}", b"{}"]),
    "lines of text are reported once": (
        b"one\ntwo\nthree\n" + FRAME,
        [f"{NO_HEADER}{b'one' + LF!r}", b"{}"],
    ),
    "text again after a good frame": (
        b"one\n" + FRAME + b"two\n" + FRAME,
        [f"{NO_HEADER}{b'one' + LF!r}", b"{}", f"{NO_HEADER}{b'two' + LF!r}", b"{}"],
    ),
    "a header at the end of text": (
        b"no line end" + FRAME,
        [f"{NO_HEADER}{b'no line endContent-Length: 2' + CRLF!r}", b"{}"],
    ),
    "a payload longer than its length": (
        b"Content-Length: 2\r\n\r\n[]}" + FRAME,
        [b"[]", f"{NO_HEADER}{b'}Content-Length: 2' + CRLF!r}", b"{}"],
    ),
    "a bare message": (b"[1,2]\n" + FRAME, [f"{NO_HEADER}{b'[1,2]' + LF!r}", b"{}"]),
    "a line past every header": (LONG + b"\n" + FRAME, [f"{NO_HEADER}{LONG[:40]!r}", b"{}"]),
    "a header at the end of such a line": (LONG + FRAME, [f"{NO_HEADER}{LONG[:40]!r}", b"{}"]),
    "such a line of three chunks": (LONG * 3 + b"\n" + FRAME, [f"{NO_HEADER}{LONG[:40]!r}", b"{}"]),
    "such a line without an end": (LONG, [f"{NO_HEADER}{LONG[:40]!r}"]),
    "such a line that began as a header": (
        b"X: " + LONG + b"\r\n\r\n" + FRAME,
        [f"{NO_HEADER}{(b'X: ' + LONG)[:40]!r}", b"{}"],
    ),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "frames"), STRAY.values(), ids=STRAY)
def test_what_is_no_header_is_reported_once_and_the_next_frame_read(stream, frames, delivery):
    assert payloads(ContentLengthFraming(), deliveries(stream)[delivery]) == frames


ENDS = {
    "inside a payload": (b"Content-Length: 9\r\n\r\n[1", [f"{CUT}: {b'[1'!r}"]),
    "before a payload": (b"Content-Length: 9\r\n\r\n", [CUT]),
    "between two fields": (b"Content-Length: 9\r\n", [CUT]),
    "inside a header": (b"Content-Le", [f"{CUT}: {b'Content-Le'!r}"]),
    "inside stray text": (b"one\ntwo", [f"{NO_HEADER}{b'one' + LF!r}"]),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "frames"), ENDS.values(), ids=ENDS)
def test_a_stream_that_ends_too_early_is_reported_once(stream, frames, delivery):
    assert payloads(ContentLengthFraming(), deliveries(stream)[delivery]) == frames


BIG = {
    "at the limit": (b"Content-Length: 8\r\n\r\n12345678" + FRAME, [b"12345678", b"{}"]),
    "one past it": (b"Content-Length: 9\r\n\r\n123456789" + FRAME, [TOO_BIG, b"{}"]),
    "far past it": (b"Content-Length: 500\r\n\r\n" + b"x" * 500 + FRAME, [TOO_BIG, b"{}"]),
    "that ends too early": (b"Content-Length: 500\r\n\r\n" + b"x" * 20, [TOO_BIG]),
}


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize(("stream", "frames"), BIG.values(), ids=BIG)
def test_a_payload_past_the_limit_is_reported_once_and_skipped(stream, frames, delivery):
    got = payloads(ContentLengthFraming(limit=8), deliveries(stream)[delivery])
    assert [p.split(":")[0] if isinstance(p, str) else p for p in got] == frames


def test_half_a_frame_waits():
    assert ContentLengthFraming().feed(b"Content-Length: 2\r\n\r\n{") == []


def test_a_header_counts_the_bytes_of_its_payload():
    assert ContentLengthFraming().wrap("é".encode()) == b"Content-Length: 2\r\n\r\n\xc3\xa9"


# --- both -------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        BOM,
        BOM[:1],
        BOM[1:],
        b"[1]",
        b'{"id":1}',
        b"debug: cache warm\n",
        b"Content-Length: 3\r\n\r\n[1]",
        b"Content-Length: 2\r\n",
        b"content-length:9\n",
        b"Content-Length: 30\r\n\r\n",
        b"Content-Length: 12345\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Type: text\r\n",
        b"X-Stray: 1\r\n",
        b"Content-",
        b"Length: 3",
        b"x" * 40,
        b"y" * 8190,
        b"y" * 9000,
        b"\xff\xfe",
        b"\xc3",
    ]
)
STREAMS = st.lists(PIECES | st.binary(max_size=20), max_size=14).map(b"".join)
CUTS = st.lists(st.integers(0, 2**20), max_size=12)


def cut(stream, places):
    edges = sorted({0, len(stream), *(place % (len(stream) + 1) for place in places)})
    return [stream[a:b] for a, b in pairwise(edges)]


@pytest.mark.parametrize("limit", [1, 3, 8, 64, LIMIT])
@pytest.mark.parametrize("framing", [NewlineFraming, ContentLengthFraming])
@given(stream=STREAMS, places=CUTS)
@example(stream=BOM + b"x" * 8 + b"\n", places=[11])
@example(stream=BOM + b"x" * 8, places=[11])
def test_any_cutting_of_a_stream_gives_the_same_payloads(framing, limit, stream, places):
    whole = payloads(framing(limit), [stream])
    assert payloads(framing(limit), cut(stream, places)) == whole


@pytest.mark.parametrize("limit", [3, 8, LIMIT])
@pytest.mark.parametrize("framing", [NewlineFraming, ContentLengthFraming])
@given(stream=STREAMS.filter(lambda stream: len(stream) < 2000))
@example(stream=BOM + b"x" * 8 + b"\n")
def test_a_stream_gives_the_same_payloads_byte_by_byte(framing, limit, stream):
    whole = payloads(framing(limit), [stream])
    assert payloads(framing(limit), [bytes([byte]) for byte in stream]) == whole


@pytest.mark.parametrize("framing", [NewlineFraming, ContentLengthFraming])
@given(sent=st.lists(st.text("ab{}[]:,1é\u2028", min_size=1).map(str.encode)), places=CUTS)
def test_what_is_wrapped_is_found_again(framing, sent, places):
    stream = b"".join(framing().wrap(payload) for payload in sent)
    assert payloads(framing(), cut(stream, places)) == sent


@given(stream=STREAMS, places=CUTS)
def test_no_line_that_is_given_is_past_the_limit(stream, places):
    given = payloads(NewlineFraming(limit=8), cut(stream, places))
    assert all(len(line) <= 8 for line in given if isinstance(line, bytes))
