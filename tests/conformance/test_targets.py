"""Targets: good ones, and rogues. Whatever a target does, it ends in a verdict."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from rpclab.conformance.cases import Message, Pause, Raw
from rpclab.conformance.command import PATIENCE, CommandTarget
from rpclab.conformance.inprocess import CallableTarget, judge_handler, judge_respond
from rpclab.conformance.process import TAIL, Process
from rpclab.conformance.targets import Script
from rpclab.demos.demo_server import demo_handler
from rpclab.dispatch import respond

# A server in a few lines: what follows `if` is what a test makes it do.
SERVER = """
import json, os, signal, sys, time
for line in sys.stdin:
    call = json.loads(line)
    if call["method"] == "odd":
        {odd}
        continue
    print(json.dumps({{"jsonrpc": "2.0", "result": call["params"], "id": call["id"]}}), flush=True)
"""
ODD = (Message(b'{"jsonrpc":"2.0","method":"odd","params":[],"id":1}'),)
GOOD = (Message(b'{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":1}'),)
REPLY = b'{"jsonrpc": "2.0", "result": ["hi"], "id": 1}'


def python(text):
    return [sys.executable, "-I", "-S", "-c", text]


def server(odd="pass"):
    return python(SERVER.format(odd=odd))


@pytest.fixture
def command():
    targets = []

    def make(command, **options):
        targets.append(CommandTarget(command, **({"deadline": 1.0} | options)))
        return targets[-1]

    yield make
    for target in targets:
        target.close()


def left_over(mark):
    """Give the processes that have the mark, once those that were killed had time to go."""
    until = time.monotonic() + 2
    while found := [
        p.pid for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or [])
    ]:
        if time.monotonic() > until:
            break
        time.sleep(0.02)
    return found


# --- a good target ----------------------------------------------------------------


def test_what_came_before_the_good_request_belongs_to_the_case(command):
    target = command(server())
    seen = target.exchange(Script(pieces=GOOD))
    assert (seen.state, seen.came) == ("alive", (REPLY,))
    assert seen.sent == GOOD[0].payload + b"\n"
    assert target.exchange(Script(pieces=ODD)).came == ()


def test_one_process_serves_many_cases(command, tmp_path):
    started = tmp_path / "started"
    target = command(
        python(f"open({str(started)!r}, 'a').write('x')\n" + SERVER.format(odd="pass"))
    )
    for _ in range(5):
        assert target.exchange(Script(pieces=GOOD)).state == "alive"
    assert started.read_text() == "x"
    target.exchange(Script(pieces=GOOD, isolated=True))
    target.exchange(Script(pieces=GOOD))
    assert started.read_text() == "xx"


def test_a_greeting_comes_first_and_is_not_judged(command):
    hello = '{"jsonrpc":"2.0","method":"initialize","params":{},"id":0}'
    target = command(server(), greeting=[hello, '{"method":"odd"}'])
    assert target.exchange(Script(pieces=GOOD)).came == (REPLY,)


def test_a_server_without_echo_is_asked_for_what_no_server_has(command):
    refuses = "import json, sys\nfor line in sys.stdin:\n print(json.dumps({'jsonrpc': '2.0',"
    refuses += "'error': {'code': -32601}, 'id': json.loads(line)['id']}), flush=True)"
    seen = command(python(refuses)).exchange(Script(pieces=GOOD))
    assert seen.state == "alive"
    assert len(seen.came) == 1


def test_a_pause_is_marked_in_what_came(command):
    pieces = (Raw(GOOD[0].payload), Pause(0.05), Raw(b"\n"))
    assert command(server()).exchange(Script(pieces=pieces)).came == ("<pause>", REPLY)


def test_what_comes_late_is_waited_for_a_little(command):
    late = (
        "import threading\n"
        "        threading.Timer(0.1, lambda: print('{\"late\":1}', flush=True)).start()"
    )
    target = command(server(late))
    assert target.exchange(Script(pieces=ODD, enough=bool)).came == (b'{"late":1}',)


def test_a_case_may_end_the_input(command):
    seen = command(server()).exchange(Script(pieces=(Raw(GOOD[0].payload),), end="eof"))
    assert (seen.state, seen.came, seen.status) == ("alive", (REPLY,), 0)


def test_a_case_may_interrupt(command):
    seen = command(server()).exchange(Script(pieces=GOOD, end="interrupt"))
    assert (seen.state, seen.came) == ("alive", (REPLY,))
    assert "KeyboardInterrupt" in seen.stderr


def test_a_case_may_stop_reading(command):
    seen = command(server()).exchange(Script(pieces=GOOD, end="gone"))
    assert (seen.state, seen.came) == ("alive", ())
    assert "BrokenPipeError" in seen.stderr


def test_a_server_that_lives_on_after_its_input_hangs(command):
    target = command([*server()[:-1], SERVER.format(odd="pass") + "\ntime.sleep(60)"])
    assert target.exchange(Script(pieces=GOOD, end="eof", deadline=0.5)).state == "hangs"


# --- rogues -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odd", "state"),
    [
        ("sys.exit(3)", "ends"),
        ("os.close(1)", "ends"),
        ("time.sleep(60)", "hangs"),
        ("while True: sys.stdout.write('x' * 1000000)", "floods"),
        ("while True: print('{}')", "floods"),
        ("while True: sys.stderr.write('x' * 1000000)", "hangs"),
    ],
)
def test_a_target_that_goes_astray_is_replaced(command, odd, state):
    deadline = 10.0 if state == "floods" else 1.0  # a flood is told by what came
    target = command(server(odd), deadline=deadline)
    began = time.monotonic()
    assert target.exchange(Script(pieces=ODD)).state == state
    assert time.monotonic() - began < deadline + 2
    assert target.exchange(Script(pieces=GOOD)).came == (REPLY,)


def test_the_exit_status_and_the_end_of_stderr_are_told(command):
    seen = command(server("sys.exit('no such index')")).exchange(Script(pieces=ODD))
    assert seen.status == 1
    assert seen.stderr == "no such index\n"


ROGUES = {
    "sleeps for ever": ("import time\ntime.sleep(600)", "no reply came to"),
    "writes without end": (
        "import sys\nwhile True: sys.stdout.write('x' * 1000000)",
        "it flooded its stdout",
    ),
    "forks and exits": (
        "import os, time\nif os.fork(): os._exit(4)\ntime.sleep(600)",
        "it ended (exit status 4)",
    ),
    "forks a daemon and exits": (
        "import os, time\nif os.fork(): os._exit(4)\nos.setsid()\ntime.sleep(600)",
        "it ended (exit status 4)",
    ),
    "leaves a daemon that holds no pipe": (
        "import os, time\nif os.fork() == 0:\n os.setsid()\n"
        " for n in (0, 1, 2): os.close(n)\n time.sleep(600)\ntime.sleep(600)",
        "no reply came to",
    ),
    "ignores every signal": (
        "import signal, time\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\n"
        "time.sleep(600)",
        "no reply came to",
    ),
    "reads nothing": ("import os, time\nos.close(0)\ntime.sleep(600)", "no reply came to"),
    "exits at once": ("raise SystemExit(5)", "it ended (exit status 5)"),
}


@pytest.mark.parametrize("name", ROGUES)
def test_a_rogue_ends_in_a_clear_verdict_and_leaves_nothing_running(command, name):
    text, note = ROGUES[name]
    mark = f"{text}\n# {os.getpid()} {time.monotonic()}"
    target = command(python(mark))
    began = time.monotonic()
    seen = target.exchange(Script(pieces=GOOD))
    assert seen.state == "mute"
    assert seen.note.startswith(note)
    assert target.exchange(Script(pieces=GOOD)) is seen
    assert time.monotonic() - began < 3
    target.close()
    assert left_over(mark) == []


def test_a_target_that_is_not_there_is_told_so(command):
    seen = command(["./there-is-no-such-program"]).exchange(Script(pieces=GOOD))
    assert (seen.state, seen.note) == ("absent", "it cannot be started: No such file or directory")


def test_a_target_that_hangs_again_and_again_is_not_waited_for(command):
    target = command(server("time.sleep(60)"), deadline=0.1)
    assert target.exchange(Script(pieces=GOOD, deadline=2.0)).state in ("alive", "mute")
    states = [target.exchange(Script(pieces=ODD)).state for _ in range(PATIENCE + 20)]
    assert states[-1] in ("spent", "mute")


def test_memory_is_bounded_whatever_comes(command):
    before = psutil.Process().memory_info().rss
    target = command(server("while True: sys.stdout.write('x' * 1000000)"))
    seen = target.exchange(Script(pieces=ODD))
    assert seen.state == "floods"
    assert psutil.Process().memory_info().rss - before < 200 << 20


def test_only_the_end_of_stderr_is_kept():
    process = Process(python("import sys\nsys.stderr.write('x' * 1000000 + 'end')"))
    try:
        process.wait(5)
        for _ in range(100):
            process.step(wait=0.01)
        assert len(process.stderr_tail) == TAIL
        assert process.stderr_tail.endswith("end")
    finally:
        process.close()


def test_a_process_that_does_not_read_does_not_stop_us():
    process = Process(python("import time\ntime.sleep(60)"))
    try:
        written = sum(process.step(b"x" * (1 << 16), 0.01) for _ in range(50))
        assert 0 < written < 50 << 16
    finally:
        process.close()


# --- in this process --------------------------------------------------------------


def test_a_handler_is_a_target():
    seen = judge_handler(demo_handler).exchange(Script(pieces=GOOD))
    assert seen.came == (b'{"jsonrpc":"2.0","result":["hi"],"id":1}',)


def test_a_handler_that_fails_on_purpose_writes_no_log(capfd):
    judge_handler(demo_handler).exchange(
        Script(pieces=(Message(b'{"jsonrpc":"2.0","method":"boom"}'),))
    )
    assert capfd.readouterr().err == ""


def test_a_function_from_line_to_reply_is_a_target():
    def answer(line):
        return respond(line, lambda method, params: params)

    assert len(judge_respond(answer).exchange(Script(pieces=GOOD)).came) == 1


def test_a_function_that_raises_has_ended():
    def session(reader, writer):
        for line in iter(lambda: reader.read1(999), b""):
            if b"odd" in line:
                raise ZeroDivisionError
            writer.write(line.replace(b'"method":"echo","params"', b'"result"'))

    target = CallableTarget(session)
    assert target.exchange(Script(pieces=GOOD)).state == "alive"
    seen = target.exchange(Script(pieces=ODD))
    assert (seen.state, seen.note) == ("ends", "it raised ZeroDivisionError()")


def test_a_function_that_says_nothing_never_worked():
    seen = CallableTarget(lambda _reader, _writer: None).exchange(Script(pieces=GOOD))
    assert seen.state == "mute"


@pytest.mark.parametrize("end", ["eof", "gone", "interrupt"])
def test_a_session_in_this_process_ends_in_every_way(end):
    seen = judge_handler(demo_handler).exchange(Script(pieces=GOOD, end=end))
    assert seen.state == "alive"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="only Linux has /proc")
def test_a_run_that_was_ended_leaves_no_target(tmp_path):
    mark = f"import time\ntime.sleep(600)  # {tmp_path}"
    code = (
        "import sys\nfrom rpclab.conformance.command import CommandTarget\n"
        "from rpclab.conformance.running import judge_server\n"
        f"judge_server(CommandTarget([sys.executable, '-c', {mark!r}], deadline=0.3))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert left_over(mark) == []
