"""Clients under test: the contract, the scripted server, and what is made of both."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rpclab.conformance.cases import Choice, load_client_cases, read_client_case
from rpclab.conformance.cases.client_dialects import result_in
from rpclab.conformance.judging import (
    NOT_WRITTEN,
    NOTHING_CAME,
    OTHER,
    SILENT,
    STATES,
    judge_client_case,
)
from rpclab.conformance.run import judge_client
from rpclab.conformance.targets import (
    PATIENCE,
    ClientObservation,
    Observation,
    scripted_server,
)
from rpclab.conformance.targets.command import ClientCommand

HERE = Path(__file__).parent
PLAIN = [sys.executable, "-I", "-S", str(HERE / "plain_client.py")]
OURS = [sys.executable, str(HERE / "rpclab_client.py")]  # a dialect follows
CALL = '{"call":"echo","params":["hi"],"as":"a"}'
DONE = '{"as":"a","result":["hi"]}'
ROW = {
    "id": "a",
    "clause": "4.id-correlates",
    "level": "should",
    "about": "Section 4.",
    "calls": [CALL],
    "script": [],
    "expect": [DONE],
}
REQUEST = '{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":7}'
KINDS = {
    "client.reply.out-of-order",
    "client.call.members",
    "client.read.foreign-line",
    "client.reply.id-as-text",
    "client.reply.late",
    "client.read.stderr-flood",
    "client.end.in-mid-call",
    "client.batch.by-id",
}


# --- good clients -----------------------------------------------------------------


# Each client under the other framing, and with every case, is in tests/long.
@pytest.mark.parametrize(
    ("command", "framing"),
    [(PLAIN, "newline"), ([*OURS, "lsp"], "content-length")],
    ids=["plain-newline", "rpclab-content-length"],
)
def test_a_good_client_keeps_a_case_of_each_kind(command, framing):
    kinds = [case for case in load_client_cases() if case.id in KINDS]
    report = judge_client(ClientCommand(command, framing, 20), kinds)
    assert [(v.case, v.why, v.came) for v in report.verdicts if v.found == "broken"] == []
    assert report.count("kept", "must") + report.count("kept", "should") > 0


@pytest.mark.parametrize(
    ("profile", "framing", "cases"),
    [
        ("mcp", "newline", "mcp.ping mcp.ping-in-the-handshake mcp.noise-unanswered read.echo"),
        ("lsp", "content-length", "notify.in-order"),
    ],
)
def test_our_own_client_keeps_what_its_protocol_asks(profile, framing, cases):
    choice = Choice(profile, tuple(f"client.{case}" for case in cases.split()))
    report = judge_client(ClientCommand([*OURS, profile], framing, 20), choice=choice)
    assert [(v.case, v.found, v.why) for v in report.verdicts if v.found != "kept"] == []
    assert {v.case for v in report.verdicts} == set(choice.only)


def test_our_own_client_tells_of_every_notification_in_its_order():
    [case] = [case for case in load_client_cases() if case.id == "client.notify.in-order"]
    seen = ClientCommand([*OURS, "lsp"], "content-length", 20).run(case)
    told = [json.loads(line)["notification"] for line in seen.said.came if b"method" in line]
    assert [note["params"]["version"] for note in told] == [*range(1, 13)]


def test_our_own_client_fails_a_batch_that_is_refused_in_whatever_form():
    forms = ("error-object", "error-without-id", "error-of-1.0")
    choice = Choice(only=tuple(f"client.batch.{form}" for form in forms))
    report = judge_client(ClientCommand([*OURS, "lsp"], deadline=20), choice=choice)
    assert [v.reading for v in report.verdicts] == ["all-fail"] * 3


def test_a_client_that_is_not_there_is_told_so():
    report = judge_client(
        ClientCommand(["./nobody"]), choice=Choice(only=("client.read.foreign-line",))
    )
    [found] = report.verdicts
    assert (found.found, found.state) == ("not judged", "absent")
    assert found.why.startswith("it cannot be started: ")
    assert report.never_worked


@pytest.mark.parametrize(
    ("text", "why", "deadline"),
    [
        ("pass", SILENT, 20),
        ("print('ready')", "is not a list of outcomes: b'ready'", 20),
        ('print(\'{"as":"a","result":7}\')', OTHER, 20),
        ("import time; time.sleep(60)", STATES["lives-on"], 0.3),
        ("import sys\nwhile True: sys.stdout.write('x' * 1000000)", STATES["floods"], 20),
    ],
)
def test_a_client_that_goes_astray_is_broken(text, why, deadline):
    client = ClientCommand([sys.executable, "-I", "-S", "-c", text], deadline=deadline)
    found = judge_client_case(read_client_case(ROW), client.run(read_client_case(ROW)))
    assert found.found == "broken"
    assert why in found.why


def test_a_client_that_hangs_again_and_again_is_not_waited_for():
    client = ClientCommand(
        [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"], deadline=0.05
    )
    case = read_client_case(ROW)
    found = [judge_client_case(case, client.run(case)) for _ in range(PATIENCE + 2)]
    assert [v.found for v in found] == ["broken"] * PATIENCE + ["not judged"] * 2


def test_a_client_that_cannot_is_not_judged():
    client = ClientCommand([sys.executable, "-I", "-S", "-c", 'print(\'{"cannot":"batch"}\')'])
    case = read_client_case(ROW)
    found = judge_client_case(case, client.run(case))
    assert (found.found, found.why) == ("not judged", "it cannot do this: batch")


def test_the_client_is_told_its_framing():
    text = "import os, json; print(json.dumps({'as': os.environ['RPCLAB_FRAMING']}))"
    client = ClientCommand([sys.executable, "-I", "-S", "-c", text], "content-length")
    assert client.run(read_client_case(ROW)).said.came == (b'{"as": "content-length"}',)


# --- what counts ------------------------------------------------------------------


def judged(row, said=(DONE,), wrote=(REQUEST,)):
    seen = Observation(state="alive", came=tuple(line.encode() for line in said))
    written = tuple(line.encode() for line in wrote)
    return judge_client_case(read_client_case(row), ClientObservation(seen, written))


def test_a_report_is_left_aside_unless_the_case_is_about_one():
    report = '{"reported":"a foreign line"}'
    assert judged(ROW, [report, DONE]).found == "kept"
    row = ROW | {"expect": ['{"reported":"<any>"}', DONE]}
    assert judged(row, [report, DONE]).found == "kept"
    assert judged(row, [DONE]).found == "broken"


@pytest.mark.parametrize(
    ("wrote", "found"),
    [
        ([REQUEST], "kept"),
        ([REQUEST, '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}'], "kept"),
        ([], "broken"),
        ([REQUEST.replace("2.0", "1.0")], "broken"),
        ([REQUEST, REQUEST], "broken"),
        (["not JSON"], "broken"),
    ],
)
def test_what_the_client_wrote_is_judged(wrote, found):
    row = ROW | {"wrote": [REQUEST.replace("7", '"<id 1>"')]}
    assert judged(row, wrote=wrote).found == found


def test_a_notification_with_an_id_is_not_the_one_that_is_due():
    note = '{"jsonrpc":"2.0","method":"update"}'
    assert judged(ROW | {"wrote": [note]}, wrote=[note]).found == "kept"
    assert judged(ROW | {"wrote": [note]}, wrote=[note[:-1] + ',"id":1}']).why == NOT_WRITTEN


def test_what_must_not_be_written_is_judged():
    row = ROW | {"wrote_not": ['{"jsonrpc":"2.0","error":{"code":"<any>"},"id":null}']}
    assert judged(row).found == "kept"
    bad = '{"jsonrpc":"2.0","error":{"code":-32600,"message":"?"},"id":null}'
    assert judged(row, wrote=[REQUEST, bad]).why == NOT_WRITTEN


def test_the_ids_of_the_handshake_are_none_of_the_case():
    row = ROW | {"wrote": [REQUEST.replace("7", '"<id 1>"')]}
    case = replace(read_client_case(row), profile="mcp")
    first = '{"jsonrpc":"2.0","method":"initialize","id":0}'
    seen = Observation(state="alive", came=(DONE.encode(),))
    for extra in ("", ',"_meta":{"progressToken":1}'):
        call = REQUEST.replace('["hi"]', '{"n":1' + extra + "}")
        due = replace(case, wrote=(case.wrote[0].replace('["hi"]', '{"n":1}'),))
        found = judge_client_case(due, ClientObservation(seen, (first.encode(), call.encode())))
        assert found.found == "kept"
    twice = ClientObservation(seen, (first.replace("0}", "7}").encode(), REQUEST.encode()))
    assert judge_client_case(case, twice).found == "broken"


FORM = ROW | {
    "form": True,
    "expect": [],
    "wrote_matches": "^{",
    "clause": "4.1.no-id",
    "level": "must",
    "wrote_not": ['{"jsonrpc":"2.0","method":"update","id":"<any>"}'],
}


@pytest.mark.parametrize("said", [(), (DONE,), ("not an outcome",)])
@pytest.mark.parametrize(
    ("wrote", "found", "why"),
    [
        ((), "not judged", NOTHING_CAME),
        ((REQUEST,), "kept", ""),
        ((REQUEST, ""), "broken", NOT_WRITTEN),
        ((REQUEST, "{broken"), "kept", ""),
        (('{"jsonrpc":"2.0","method":"update","id":1}',), "broken", NOT_WRITTEN),
    ],
)
def test_the_form_of_what_is_written_is_judged_whatever_is_said(said, wrote, found, why):
    verdict = judged(FORM, said, wrote)
    assert (verdict.found, verdict.why) == (found, why)


def test_what_is_due_may_have_an_id_that_never_came():
    row = ROW | {"wrote": [REQUEST.replace("7", '"<id 2>"')]}
    assert judged(row).found == "broken"


def test_notifications_are_told_in_order_beside_a_call_that_is_settled_at_any_time():
    one, two = (f'{{"notification":{{"method":"update","params":[{n}]}}}}' for n in (1, 2))
    row = ROW | {"ordered": True, "expect": [one, DONE, two]}
    for said in ([DONE, one, two], [one, DONE, two], [one, two, DONE]):
        assert judged(row, said).found == "kept"
    assert judged(row, [two, one, DONE]).found == "broken"
    assert judged(row | {"ordered": False}, [two, one, DONE]).found == "kept"


# --- the scripted server ----------------------------------------------------------


def play(tmp_path, steps, data, framing="newline", profile="core"):
    (tmp_path / "script").write_text(json.dumps(steps))
    command = [sys.executable, "-I", "-S", scripted_server.__file__]
    done = subprocess.run(
        [*command, str(tmp_path / "script"), str(tmp_path / "log"), framing, profile],
        input=data,
        capture_output=True,
        timeout=20,
        check=False,
    )
    *log, end = (tmp_path / "log").read_text().splitlines()
    assert end == scripted_server.END
    return done, [bytes.fromhex(line).decode() for line in log]


def request(id):
    return REQUEST.replace("7", json.dumps(id)).encode() + b"\n"


@pytest.mark.parametrize(
    ("id", "same", "other"), [(7, "7", '"7"'), ("7", '"7"', "7"), ("a", '"a"', '["a"]')]
)
def test_an_id_is_given_back_or_in_another_type(tmp_path, id, same, other):
    steps = [{"read": 1}, {"write": '{"id":"<id 1>"}'}, {"write": '["<id 1 retyped>"]'}]
    done, log = play(tmp_path, steps, request(id))
    assert done.stdout.decode() == f'{{"id":{same}}}\n[{other}]\n'
    assert log == [request(id).decode().strip()]


def test_every_step(tmp_path):
    steps = [
        {"hear": 1},
        {"raw": "x", "times": 3},
        {"raw_hex": "ff0a"},
        {"stderr": "e", "times": 2},
        {"pause": 0.01},
        {"write": '"<id 9>"'},
        {"exit": 3},
    ]
    done, _ = play(tmp_path, steps, b'{"jsonrpc":"2.0","method":"update"}\n')
    assert (done.stdout, done.stderr, done.returncode) == (b"xxx\xff\nnull\n", b"ee", 3)


def test_each_line_is_sent_back_as_a_terminal_does(tmp_path):
    steps = [{"read": 1}, {"echo": True}, {"read": 1}, {"write": "1"}]
    done, _ = play(tmp_path, steps, request(7) + request(8))
    assert done.stdout == request(8).strip() + b"\r\n1\r\n"


def test_the_script_waits_for_a_reply_and_no_longer(tmp_path):
    steps = [{"replies": 1}, {"write": '"<id 1>"'}]
    reply = b'{"jsonrpc":"2.0","result":{},"id":"srv-1"}\n'
    done, log = play(tmp_path, steps, request(7) + reply)
    assert done.stdout.splitlines()[0] == b"7"
    assert log[1] == reply.decode().strip()


def test_the_script_goes_on_without_a_reply_that_never_comes(tmp_path):
    (tmp_path / "script").write_text(json.dumps([{"replies": 1}, {"exit": 3}]))
    command = [sys.executable, "-I", "-S", scripted_server.__file__]
    files = [str(tmp_path / "script"), str(tmp_path / "log"), "newline"]
    with subprocess.Popen([*command, *files], stdin=subprocess.PIPE) as server:
        assert server.wait(20) == 3


def test_after_the_script_every_request_is_answered(tmp_path):
    batch = b"[" + request(3).strip() + b',{"jsonrpc":"2.0","method":"update"}]\n'
    done, log = play(tmp_path, [{"read": 1}], request(1) + request(2) + batch + b"?\n")
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert replies[0] == {"jsonrpc": "2.0", "result": ["hi"], "id": 2}
    assert [reply["id"] for reply in replies[1]] == [3]
    assert log[-1] == "?"


def test_the_scripted_server_knows_content_length(tmp_path):
    body = request(1).strip()
    frame = b"Content-Type: x\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    done, log = play(tmp_path, [], frame, "content-length")
    assert done.stdout.startswith(b"Content-Length: ")
    assert json.loads(done.stdout.partition(b"\r\n\r\n")[2])["result"] == ["hi"]
    assert log == [body.decode()]


def line_of(method, id=None, **params):
    call = {"jsonrpc": "2.0", "method": method} | ({} if id is None else {"id": id})
    return json.dumps(call | ({"params": params} if params else {})).encode() + b"\n"


def results(done):
    return [json.loads(line).get("result") for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")],
)
def test_the_handshake_agrees_on_the_revision_that_the_client_asks_for(tmp_path, asked, agreed):
    data = line_of("initialize", 0, protocolVersion=asked) + line_of("notifications/initialized")
    done, log = play(tmp_path, [], data, profile="mcp")
    assert [result["protocolVersion"] for result in results(done)] == [agreed]
    assert len(log) == 2


def test_a_script_counts_nothing_of_the_handshake(tmp_path):
    data = line_of("initialize", 0, protocolVersion="2025-11-25")
    data += line_of("notifications/initialized") + line_of("tools/list", 1)
    data += line_of("notifications/roots/list_changed") + line_of("tools/call", 2, name="echo")
    steps = [{"read": 1}, {"hear": 1}, {"write": '{"result":"<id 1>"}'}]
    done, _ = play(tmp_path, steps, data, profile="mcp")
    first, tools, *rest = results(done)
    assert first["serverInfo"]["name"] == "rpclab"
    assert {tool["name"] for tool in tools["tools"]} >= {"echo", "slow"}
    assert rest[0] == 2


def test_the_reply_to_initialize_waits_for_a_ping(tmp_path):
    data = line_of("initialize", 0, protocolVersion="2025-11-25")
    data += b'{"jsonrpc":"2.0","id":"p","result":{}}\n' + line_of("tools/call", 1, name="echo")
    steps = [{"hold": "initialize"}, {"write": '{"method":"ping"}'}, {"replies": 1}]
    done, _ = play(tmp_path, steps, data, profile="mcp")
    ping, first, call = map(json.loads, done.stdout.splitlines())
    assert ping == {"method": "ping"}
    assert (first["id"], call["id"]) == (0, 1)


def test_a_client_without_a_handshake_is_not_waited_for(tmp_path):
    steps = [{"hold": "initialize"}, {"read": 1}, {"write": '{"result":"<id 1>"}'}]
    done, _ = play(tmp_path, steps, line_of("tools/call", 7, name="echo"), profile="mcp")
    assert results(done)[0] == 7


@pytest.mark.parametrize(
    ("profile", "method", "params", "result"),
    [
        ("mcp", "tools/call", {"name": "echo", "arguments": {"text": "hi"}}, ["hi"]),
        ("mcp", "tools/call", {"name": "echo", "arguments": {"items": [1]}}, [1]),
        ("mcp", "tools/call", {"name": "echo", "arguments": {"n": 1}}, {"n": 1}),
        ("mcp", "tools/list ü", {"text": "hi"}, ["hi"]),
        ("lsp", "workspace/executeCommand", {"command": "echo", "arguments": ["hi"]}, ["hi"]),
        ("lsp", "workspace/executeCommand", {"command": "e", "arguments": [{"n": 1}]}, {"n": 1}),
        ("acp", "_echo", {"text": "hi"}, ["hi"]),
    ],
)
def test_a_call_is_answered_with_what_it_carries(tmp_path, profile, method, params, result):
    done, _ = play(tmp_path, [], line_of(method, 1, **params), profile=profile)
    assert results(done) == [result_in(profile, result)]


@pytest.mark.parametrize(
    ("profile", "method", "member"),
    [
        ("mcp", "ping", "result"),
        ("mcp", "server/discover", "error"),
        ("lsp", "initialize", "result"),
        ("lsp", "shutdown", "result"),
        ("acp", "initialize", "result"),
        ("acp", "session/new", "result"),
    ],
)
def test_what_a_protocol_asks_of_its_own_accord_is_answered(tmp_path, profile, method, member):
    done, _ = play(tmp_path, [{"read": 1}], line_of(method, 1), profile=profile)
    assert member in json.loads(done.stdout)


@pytest.mark.parametrize(
    ("framing", "written"),
    [
        ("newline", b"1\n[]\n"),
        ("content-length", b"Content-Length: 1\r\n\r\n1Content-Length: 2\r\n\r\n[]"),
    ],
)
def test_several_payloads_are_written_at_once(tmp_path, framing, written):
    done, _ = play(tmp_path, [{"write": ["1", "[]"]}], b"", framing)
    assert done.stdout == written


def test_an_id_is_given_back_with_a_fraction(tmp_path):
    steps = [{"read": 2}, {"write": '["<id 1 decimal>","<id 2 decimal>"]'}]
    done, _ = play(tmp_path, steps, request(7) + request("a"))
    assert done.stdout == b'[7.0,"a"]\n'


def test_the_scripted_server_ends_quietly_with_its_input(tmp_path):
    done, _ = play(tmp_path, [{"read": 1}, {"hear": 1}], b"")
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
