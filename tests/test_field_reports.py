"""Faults that people met in real servers, sent to ours.

``field_reports.jsonl`` holds the rows that concern a server on pipes, as they were
collected. In ``wire_in`` each character stands for one byte. In ``expect_out`` an
``error`` is a code.
"""

import io
import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.server import serve
from rpclab.transport import StdioTransport

HERE = Path(__file__).parent
ROWS = {
    row["id"]: row
    for row in map(json.loads, (HERE / "field_reports.jsonl").read_text("utf-8").splitlines())
}
JUDGED = [id for id, row in ROWS.items() if "expect_out" in row]

# The ruling: a header block without a usable length is reported, each once. The row
# knows the last reply alone.
RULED_OTHERWISE = {"J138": [{"error": -32700, "id": None}] * 3 + ROWS["J138"]["expect_out"]}

# A mark is skipped before the first message alone, so this row needs a server of its own.
NEEDS_ITS_OWN_SERVER = {"J018"}

MARKS = {"ndjson": NewlineFraming, "content-length": ContentLengthFraming}
OPTION = {"ndjson": "newline", "content-length": "content-length"}
GOOD = b'{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":"last"}'
STILL_HERE = {"result": ["still here"], "id": "last"}

pytestmark = pytest.mark.timeout(60)


def bytes_in(row):
    return [piece.encode("latin-1") for piece in row["wire_in"]]


def seen(reply):
    """Return a reply as the rows do: an error is its code."""
    if isinstance(reply, list):
        return sorted(map(seen, reply), key=str)
    assert reply["jsonrpc"] == "2.0"
    if "error" in reply:
        assert isinstance(reply["error"]["message"], str)
        return {"error": reply["error"]["code"], "id": reply["id"]}
    return {"result": reply["result"], "id": reply["id"]}


def wanted(expected):
    return [sorted(e, key=str) if isinstance(e, list) else e for e in expected]


@contextmanager
def demo_server(framing="ndjson"):
    command = [sys.executable, "-m", "rpclab", "serve", "--framing", OPTION[framing]]
    pipe = subprocess.PIPE
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, bufsize=0) as run:
        yield run


@pytest.fixture(scope="module")
def servers():
    with demo_server("ndjson") as lines, demo_server("content-length") as frames:
        yield {"ndjson": lines, "content-length": frames}


def replies_until_the_last(run, marks):
    """Read replies up to the one with the id "last"."""
    replies = []
    while not replies or replies[-1] != STILL_HERE:
        chunk = os.read(run.stdout.fileno(), 65536)
        assert chunk, "the server ended"
        replies += [seen(json.loads(payload)) for payload in marks.feed(chunk)]
    return replies[:-1]


@pytest.mark.parametrize("delivery", ["whole", "byte by byte"])
@pytest.mark.parametrize("id", JUDGED)
def test_what_broke_another_server_does_not_break_ours(id, delivery, servers):
    row = ROWS[id]
    marks = MARKS[row["framing"]]()
    stream = b"".join(bytes_in(row)) + marks.wrap(GOOD)
    chunks = [stream] if delivery == "whole" else [bytes([byte]) for byte in stream]
    expected = wanted(RULED_OTHERWISE.get(id, row["expect_out"]))
    if id in NEEDS_ITS_OWN_SERVER:
        with demo_server(row["framing"]) as run:
            for chunk in chunks:
                run.stdin.write(chunk)
            assert replies_until_the_last(run, marks) == expected
    else:
        for chunk in chunks:
            servers[row["framing"]].stdin.write(chunk)
        assert replies_until_the_last(servers[row["framing"]], marks) == expected


def test_the_servers_that_met_every_report_end_with_status_0(servers):
    statuses = []
    for run in servers.values():
        run.stdin.close()
        statuses.append(run.wait())
    assert statuses == [0, 0]


# --- rows that say in words what must happen --------------------------------------


def ask_rude(*lines, limit=2**20):
    """Return what the rude server writes to stdout, line by line."""
    command = [sys.executable, str(HERE / "rude_server.py"), str(limit)]
    done = subprocess.run(command, input=b"".join(lines), capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask_demo(stream, framing="ndjson"):
    """Return the replies of the demo server to a stream that ends."""
    with demo_server(framing) as run:
        out, _ = run.communicate(stream)
        assert run.returncode == 0
    marks = MARKS[framing]()
    return [json.loads(payload) for payload in marks.feed(out) + marks.feed(b"")]


def test_j004_what_a_child_of_a_handler_prints_does_not_reach_the_protocol():
    replies = ask_rude(
        b'{"jsonrpc":"2.0","method":"child_that_prints","id":1}\n',
        b'{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":2}\n',
    )
    assert [seen(reply) for reply in replies] == [
        {"result": None, "id": 1},
        {"result": ["hi"], "id": 2},
    ]


def test_j026_the_tail_without_a_newline_is_handled_as_a_last_line():
    (reply,) = ask_demo(b"".join(bytes_in(ROWS["J026"])))
    assert seen(reply) == {"result": ["hi"], "id": 1}


def test_j026_the_tail_is_not_a_message_while_the_stream_stays_open():
    with demo_server() as run:
        run.stdin.write(GOOD + b"\n" + b"".join(bytes_in(ROWS["J026"])))
        assert seen(json.loads(run.stdout.readline())) == STILL_HERE
        run.stdin.write(b" garbage\n")
        assert seen(json.loads(run.stdout.readline())) == {"error": -32700, "id": None}
        run.stdin.close()


def test_j028_bare_json_to_a_content_length_reader_is_reported():
    stream = b"".join(bytes_in(ROWS["J028"])) + ContentLengthFraming().wrap(GOOD)
    report, reply = map(seen, ask_demo(stream, "content-length"))
    assert (report, reply) == ({"error": -32700, "id": None}, STILL_HERE)


def test_j028_the_report_shows_the_bytes():
    (report,) = ask_demo(b"".join(bytes_in(ROWS["J028"])), "content-length")
    assert '{"jsonrpc":"2.0","id":1' in report["error"]["data"]


@pytest.mark.parametrize("length", [65_535, 65_536, 65_537, 2**20, 5 * 2**20])
def test_j031_a_long_line_passes_and_so_does_the_next(length):
    text = b"x" * length
    line = b'{"jsonrpc":"2.0","method":"echo","params":["' + text + b'"],"id":1}\n'
    long, small = map(seen, ask_demo(line + GOOD))
    assert (len(long["result"][0]), small) == (length, STILL_HERE)


def test_j034_a_line_past_the_limit_is_one_error_and_the_next_is_read():
    out = io.BytesIO()
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as reader, os.fdopen(write_end, "wb", 0) as writer:
        wire = StdioTransport(reader, out, limit=1024)
        server = threading.Thread(target=serve, args=[lambda method, params: params, wire])
        server.start()
        for _ in range(5):
            writer.write(b"x" * 1024)
        writer.write(b"\n" + GOOD + b"\n")
        writer.close()
        server.join()
    report, reply = map(json.loads, out.getvalue().splitlines())
    assert (seen(report), seen(reply)) == ({"error": -32700, "id": None}, STILL_HERE)


def test_j034_a_real_process_does_the_same():
    report, reply = map(seen, ask_rude(b"x" * 5 * 1024, b"\n", GOOD, limit=1024))
    assert (report, reply) == ({"error": -32700, "id": None}, STILL_HERE)


def test_j036_the_reply_arrives_while_stdin_is_still_open():
    with demo_server() as run:
        run.stdin.write(GOOD + b"\n")
        assert seen(json.loads(run.stdout.readline())) == STILL_HERE
        run.stdin.close()


def test_j037_messages_of_many_threads_do_not_mix():
    line = b'{"jsonrpc":"2.0","method":"flood","params":[10,100],"id":1}\n'
    *notes, reply = ask_rude(line)
    assert {note["params"][0] for note in notes} == set(range(reply["result"]))


def test_j039_a_child_of_a_handler_cannot_eat_the_next_request():
    replies = ask_rude(b'{"jsonrpc":"2.0","method":"child_that_reads","id":1}\n', GOOD)
    assert [seen(reply) for reply in replies] == [{"result": "", "id": 1}, STILL_HERE]


def test_j040_the_server_ends_with_its_stdin_though_a_timer_and_a_socket_are_open():
    command = [sys.executable, str(HERE / "rude_server.py")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0) as run:
        run.stdin.write(b'{"jsonrpc":"2.0","method":"linger","id":1}\n')
        run.stdout.readline()
        run.stdin.close()
        assert run.wait(2) == 0


def test_j041_a_stdin_that_is_empty_from_the_start_ends_the_server_at_once():
    assert ask_demo(b"") == []


@pytest.mark.skipif(sys.platform == "win32", reason="a socket is no stdio there")
def test_j043_a_peer_that_is_gone_when_the_reply_is_written_is_one_quiet_end():
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "rpclab", "serve", "--framing", "content-length"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as run:
        theirs.close()
        ours.sendall(ContentLengthFraming().wrap(GOOD) * 20)
        ours.recv(1)
        ours.close()
        assert (run.stderr.read(), run.wait()) == (b"", 0)


def test_j052_a_result_that_is_not_a_number_is_an_internal_error():
    reply, last = map(seen, ask_rude(b'{"jsonrpc":"2.0","method":"nan","id":1}\n', GOOD))
    assert (reply, last) == ({"error": -32603, "id": 1}, STILL_HERE)


def test_j053_deep_nesting_is_never_met_with_silence():
    first, second = map(seen, ask_demo(b"".join(bytes_in(ROWS["J053"]))))
    assert "result" in first or first == {"error": -32700, "id": None}
    assert second == {"result": ["still here"], "id": 2}


def test_j056_of_two_members_with_one_name_the_last_wins():
    (reply,) = ask_demo(b"".join(bytes_in(ROWS["J056"])))
    assert seen(reply) == {"error": -32603, "id": 1}


def test_j091_a_request_without_an_id_is_a_notification():
    assert ask_demo(b"".join(bytes_in(ROWS["J091"]))) == []


def test_j112_params_null_is_refused_where_the_caller_sees_it():
    (reply,) = ask_demo(b"".join(bytes_in(ROWS["J112"])), "content-length")
    assert seen(reply) == {"error": -32600, "id": 9}


def test_j128_every_progress_note_carries_the_token_of_its_caller():
    *notes, _ = ask_demo(b"".join(bytes_in(ROWS["J128"])))
    assert [note["params"]["progressToken"] for note in notes] == ["abc", "abc"]


def test_j128_a_caller_without_a_token_gets_none():
    line = b'{"jsonrpc":"2.0","method":"slow","params":{"seconds":0},"id":1}\n'
    *notes, _ = ask_demo(line)
    assert ["progressToken" in note["params"] for note in notes] == [False, False]


# --- the file ---------------------------------------------------------------------


def test_every_row_is_tried():
    source = Path(__file__).read_text("utf-8")
    named = [id for id in ROWS if f"def test_{id.lower()}_" in source]
    assert sorted([*JUDGED, *named]) == sorted(ROWS)
