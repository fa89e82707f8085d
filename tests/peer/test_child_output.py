"""The output of a child: all that it wrote, and an end, whoever holds the pipe."""

import io
import os
import select
import sys
import threading

import pytest

from rpclab.peer.child_output import PolledOutput, PumpedOutput, decode_output

KINDS = [
    pytest.param(
        PolledOutput, marks=pytest.mark.skipif(sys.platform == "win32", reason="it has no poll")
    ),
    PumpedOutput,
]


@pytest.fixture(params=KINDS, ids=["polled", "pumped"])
def child(request):
    """Return the output of a child, and the end of the pipe that the child would have."""
    ours, theirs = os.pipe()
    output = request.param(os.fdopen(ours, "rb"))
    writer = os.fdopen(theirs, "wb", 0)
    with io.BufferedReader(output) as reader:
        yield reader, writer
    writer.close()
    for thread in threading.enumerate():
        if thread.name == "rpclab pump":
            thread.join(60)
            assert not thread.is_alive()


def write_soon(writer, data):
    """Write more than a pipe holds, in a thread."""
    writing = threading.Thread(target=writer.write, args=[data])
    writing.start()
    return writing


def test_what_is_written_can_be_read(child):
    reader, writer = child
    writer.write(b"one\ntwo\n")
    assert (reader.readline(), reader.readline()) == (b"one\n", b"two\n")


@pytest.mark.parametrize("child", KINDS[:1], indirect=True)  # a thread would take the bytes
def test_an_event_loop_can_watch_it(child):
    reader, writer = child
    writer.write(b"[]\n")
    assert select.select([reader], [], [], 60)[0] == [reader]
    assert reader.readline() == b"[]\n"


def test_it_ends_when_the_pipe_ends(child):
    reader, writer = child
    writer.write(b"last words")
    writer.close()
    assert reader.read() == b"last words"
    assert reader.read() == b""


def test_it_ends_after_the_child_although_somebody_holds_the_pipe(child):
    reader, writer = child
    writer.write(b"last words")
    reader.raw.end_soon()
    assert reader.read() == b"last words"
    assert reader.read() == b""


def test_who_waits_for_bytes_hears_of_the_end_of_the_child(child):
    reader, _ = child
    got = []
    waiting = threading.Thread(target=lambda: got.append(reader.read()))
    waiting.start()
    reader.raw.end_soon()
    waiting.join(60)
    assert got == [b""]


def test_a_reader_that_is_slow_loses_nothing_after_the_end(child):
    reader, writer = child
    data = bytes(range(256)) * 5000
    writing = write_soon(writer, data)
    head = reader.read(len(data) - 40_000)
    writing.join()  # the rest is in the pipe now
    reader.raw.end_soon()
    assert head + reader.read() == data


def test_for_a_moment_after_the_child_others_may_write(child, monkeypatch):
    monkeypatch.setattr("rpclab.peer.child_output.MOMENT", 60)
    reader, writer = child
    reader.raw.end_soon()
    writing = write_soon(writer, b"from a program behind it\n")
    assert reader.readline() == b"from a program behind it\n"
    writing.join()


def test_somebody_who_writes_without_end_does_not_keep_it_open(child):
    def flood():
        try:
            while True:
                writer.write(b"x" * 65536)
        except OSError:
            pass  # nobody reads it any more

    reader, writer = child
    flooding = threading.Thread(target=flood)
    flooding.start()
    reader.raw.end_soon()
    assert reader.read().strip(b"x") == b""
    reader.close()
    flooding.join(60)
    assert not flooding.is_alive()


# Bytes as text


def test_text_in_utf_8_is_text():
    assert (
        decode_output("Speicher voll: \u5185\u5b58\n".encode()) == "Speicher voll: \u5185\u5b58\n"
    )


def test_text_in_the_code_page_of_this_machine_is_text(monkeypatch):
    monkeypatch.setattr("locale.getencoding", lambda: "cp936")
    assert (
        decode_output("\u5185\u5b58\u4e0d\u8db3\r\nok".encode("gbk"))
        == "\u5185\u5b58\u4e0d\u8db3\r\nok"
    )


@pytest.mark.parametrize("locale", ["utf-8", "no-such-encoding"])
def test_other_bytes_are_shown_as_escapes(monkeypatch, locale):
    monkeypatch.setattr("locale.getencoding", lambda: locale)
    assert decode_output(b"full: \xc4\xda\n") == "full: \\xc4\\xda\n"


def test_text_of_windows_itself_is_text():
    assert decode_output("\ufeffThere is no distribution.\r\n".encode("utf-16-le")) == (
        "There is no distribution.\r\n"
    )


def test_each_line_has_its_own_encoding(monkeypatch):
    monkeypatch.setattr("locale.getencoding", lambda: "latin-1")
    assert decode_output("\u00e9\n".encode() + b"\xe9\n") == "\u00e9\n\u00e9\n"


def test_a_character_that_the_program_lost_is_shown_as_an_escape():
    assert decode_output("what\ufffd".encode()) == "what\\ufffd"
