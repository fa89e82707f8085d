"""Targets: good ones, and rogues. Whatever a target does, it ends in a verdict."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from rpclab.conformance.cases import Pause, Payload, Raw
from rpclab.conformance.targets import PATIENCE, Script, preflight
from rpclab.conformance.targets import command as command_module
from rpclab.conformance.targets import pipes as pipes_module
from rpclab.conformance.targets.command import CommandTarget
from rpclab.conformance.targets.in_process import CallableTarget, judge_handler, judge_respond
from rpclab.conformance.targets.pipes import TAIL, SelectorPipes, ThreadPipes
from rpclab.conformance.targets.process import Process
from rpclab.conformance.targets.server_calls import answer
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
ODD = (Payload(b'{"jsonrpc":"2.0","method":"odd","params":[],"id":1}'),)
GOOD = (Payload(b'{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":1}'),)
REPLY = b'{"jsonrpc": "2.0", "result": ["hi"], "id": 1}'
PLENTY = 20.0
"""Seconds that no test waits for: a busy machine is not a fault of the target."""


def python(text):
    return [sys.executable, "-I", "-S", "-c", text]


def server(odd="pass"):
    return python(SERVER.format(odd=odd))


@pytest.fixture(params=[SelectorPipes, ThreadPipes], ids=["loop", "threads"], scope="module")
def pipes(request):
    """Both kinds of pipes, as the platforms choose them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipes_module, "PIPES", request.param)
        yield request.param


@pytest.fixture
def command(pipes):
    targets = []

    def make(command, **options):
        plenty = {"deadline": PLENTY, "startup": PLENTY}
        targets.append(CommandTarget(command, **(plenty | options)))
        return targets[-1]

    yield make
    for target in targets:
        target.close()


def have_ended(pids):
    """Wait until the processes have ended that were killed, and tell whether all have."""
    until = time.monotonic() + 10
    while any(map(is_running, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(map(is_running, pids))


def is_running(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


# --- a good target ----------------------------------------------------------------


def test_what_came_before_the_good_request_belongs_to_the_case(command):
    target = command(server())
    seen = target.exchange(Script(pieces=GOOD))
    assert (seen.state, seen.came) == ("alive", (REPLY,))
    assert seen.sent == GOOD[0].data + b"\n"
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
    pieces = (Raw(GOOD[0].data), Pause(0.05), Raw(b"\n"))
    assert command(server()).exchange(Script(pieces=pieces)).came == ("<pause>", REPLY)


CHUNKS = """
import json, os
while chunk := os.read(0, 9999):
    calls = [json.loads(line) for line in chunk.splitlines()]
    for call in calls:
        reply = {"jsonrpc": "2.0", "result": call["params"], "id": call["id"]}
        os.write(1, json.dumps(reply | {"beside": len(calls) - 1}).encode() + b"\\n")
"""


def test_what_is_sent_apart_waits_for_the_reply_to_the_message_before(command):
    target = command(python(CHUNKS))
    for delivery, is_alone in (("apart", True), ("joined", False)):
        seen = target.exchange(Script(pieces=(*GOOD, *GOOD), delivery=delivery))
        assert (json.loads(seen.came[0])["beside"] == 0) == is_alone


def test_what_comes_late_is_waited_for_a_little(command, monkeypatch):
    monkeypatch.setattr(command_module, "GRACE", PLENTY)  # it ends when the line is there
    late = (
        "import threading\n"
        "        threading.Timer(0.1, lambda: print('{\"late\":1}', flush=True)).start()"
    )
    target = command(server(late))
    assert target.exchange(Script(pieces=ODD, enough=bool)).came == (b'{"late":1}',)


def test_a_case_may_end_the_input(command):
    seen = command(server()).exchange(Script(pieces=(Raw(GOOD[0].data),), end="eof"))
    assert (seen.state, seen.came, seen.status) == ("alive", (REPLY,), 0)


@pytest.mark.parametrize(("wait", "size"), [("rest.join()", 300_000), ("os._exit(0)", 65_536)])
def test_what_is_read_late_shows_whether_a_server_waits_for_its_writer(command, wait, size):
    writes = (
        "import threading\n"
        "        os.write(1, b'x' * 65536)\n"
        "        rest = threading.Thread(target=os.write, args=[1, b'x' * 234464])\n"
        "        rest.start()\n"
        f"        sys.stdin.read(); {wait}"
    )
    seen = command(server(writes)).exchange(Script(pieces=ODD, end="eof", reads_late=True))
    assert (seen.state, len(seen.raw)) == ("alive", size)


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


# --- starting, and asking ---------------------------------------------------------

AFTER_A_SECOND = "import time\ntime.sleep(1)\n"
ONCE = SERVER.replace("for line in sys.stdin:", "for line in [sys.stdin.readline()]:")
ASKS = """
import json, sys
asked = []
for line in sys.stdin:
    call = json.loads(line)
    if "method" not in call:
        print(json.dumps({"jsonrpc": "2.0", "result": call, "id": asked.pop(0)}), flush=True)
    elif "id" in call:
        asked.append(call["id"])
        own = {"jsonrpc": "2.0", "method": call["method"], "id": "own", "params": call["params"]}
        print(json.dumps(own), flush=True)
"""
HELLO = '{"jsonrpc":"2.0","method":"initialize","params":{},"id":0}'


def test_the_time_to_start_does_not_count_in_a_case(command):
    target = command(python(AFTER_A_SECOND + SERVER.format(odd="pass")), deadline=0.9)
    assert preflight(target).state == "alive"
    seen = target.exchange(Script(pieces=GOOD, end="eof"))
    assert (seen.state, seen.came) == ("alive", (REPLY,))


def test_a_server_that_is_slower_than_its_start_limit_never_worked(command):
    target = command(python("import time; time.sleep(60)"), startup=0.3)
    seen = preflight(target)
    note = "no reply came to a first good request within 0.3 s of its start"
    assert (seen.state, seen.note) == ("mute", note)


def test_a_server_that_ends_after_its_first_reply_never_worked(command):
    seen = preflight(command(python(ONCE.format(odd="pass"))))
    note = "it ended (exit status 0) before it answered a second good request"
    assert (seen.state, seen.note) == ("mute", note)


def test_a_server_that_asks_before_it_answers_is_answered(command):
    target = command(python(ASKS), greeting=[HELLO])
    asks = b'{"jsonrpc":"2.0","method":"roots/list","params":{},"id":7}'
    came = [
        json.loads(payload) for payload in target.exchange(Script(pieces=(Payload(asks),))).came
    ]
    assert (came[0]["method"], came[0]["id"]) == ("roots/list", "own")
    [reply] = [value for value in came if value["id"] == 7]
    assert reply["result"] == {"jsonrpc": "2.0", "id": "own", "result": {"roots": []}}


def test_an_answer_is_not_written_into_the_middle_of_a_payload(command):
    pieces = (
        Payload(b'{"jsonrpc":"2.0","method":"ping","params":{},"id":1}'),
        Raw(b'{"jsonrpc":"2.0","method":"ping",'),
        Pause(0.1),
        Raw(b'"params":{},"id":2}\n'),
    )
    came = command(python(ASKS)).exchange(Script(pieces=pieces)).came
    values = [json.loads(payload) for payload in came if isinstance(payload, bytes)]
    assert sorted(value["id"] for value in values if "result" in value) == [1, 2]


@pytest.mark.parametrize(
    ("call", "member", "value"),
    [
        ('"method":"workspace/configuration","params":{"items":[{},{}]}', "result", [None, None]),
        ('"method":"client/registerCapability","params":{}', "result", None),
        ('"method":"sampling/createMessage"', "error", "Method not found"),
    ],
)
def test_each_request_of_a_server_has_its_answer(call, member, value):
    got = json.loads(answer(f'{{"jsonrpc":"2.0","id":1.5,{call}}}'.encode()))
    found = got[member]["message"] if member == "error" else got[member]
    assert (got["id"], found) == (1.5, value)


@pytest.mark.parametrize("id", ["", '"id":null,', '"id":true,', '"id":[],'])
def test_what_is_not_a_request_has_no_answer(id):
    assert answer(f'{{"jsonrpc":"2.0",{id}"method":"ping"}}'.encode()) is None
    assert answer(b"method") is None


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
    deadline = 0.3 if state == "hangs" else PLENTY  # the others are told by what came
    target = command(server(odd))
    began = time.monotonic()
    assert target.exchange(Script(pieces=ODD, deadline=deadline)).state == state
    assert time.monotonic() - began < PLENTY
    assert target.exchange(Script(pieces=GOOD)).came == (REPLY,)


def test_the_exit_status_and_the_end_of_stderr_are_told(command):
    seen = command(server("sys.exit('no such index')")).exchange(Script(pieces=ODD))
    assert seen.status == 1
    assert seen.stderr == "no such index\n"


# Each writes the ids of its processes into a file; `note` is given to it.
ROGUES = {
    "sleeps for ever": ("time.sleep(600)", "no reply came to"),
    "writes without end": ("while True: sys.stdout.write('x' * 1000000)", "it flooded its stdout"),
    "forks and exits": (
        "child = os.fork()\nif child: note(child); os._exit(4)\ntime.sleep(600)",
        "it ended (exit status 4)",
    ),
    "forks a daemon and exits": (
        "child = os.fork()\nif child: note(child); os._exit(4)\nos.setsid()\ntime.sleep(600)",
        "it ended (exit status 4)",
    ),
    "leaves a daemon that holds no pipe": (
        "child = os.fork()\nif child == 0:\n os.setsid()\n"
        " for n in (0, 1, 2): os.close(n)\n time.sleep(600)\nnote(child)\ntime.sleep(600)",
        "no reply came to",
    ),
    "ignores every signal": (
        "for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(600)",
        "no reply came to",
    ),
    "reads nothing": ("os.close(0)\ntime.sleep(600)", "no reply came to"),
    "exits at once": ("raise SystemExit(5)", "it ended (exit status 5)"),
}
NOTE = """
import os, signal, sys, time
def note(pid):
    with open({file!r}, "a") as file:
        print(pid, file=file)
note(os.getpid())
"""


def end_of_a_rogue(name, folder):
    """Play two scripts to a rogue; return both observations, and the processes it started."""
    text, note = ROGUES[name]
    file = folder / name
    startup = 2.0 if note.startswith("no reply") else PLENTY
    target = CommandTarget(python(NOTE.format(file=str(file)) + text), startup=startup)
    seen = [target.exchange(Script(pieces=GOOD)) for _ in range(2)]
    target.close()
    return seen, [int(line) for line in file.read_text().split()] if file.exists() else []


@pytest.fixture(scope="module")
def ends_of_rogues(pipes, tmp_path_factory):
    """All at once, since most of them only let their deadline pass."""
    folder = tmp_path_factory.mktemp("rogues")
    with ThreadPoolExecutor(len(ROGUES)) as pool:
        ends = pool.map(lambda name: end_of_a_rogue(name, folder), ROGUES)
        return dict(zip(ROGUES, ends, strict=True))


@pytest.mark.parametrize("name", ROGUES)
def test_a_rogue_ends_in_a_clear_verdict_and_leaves_nothing_running(ends_of_rogues, name):
    (seen, again), pids = ends_of_rogues[name]
    assert seen.state == "mute"
    assert seen.note.startswith(ROGUES[name][1])
    assert again is seen
    assert have_ended(pids)


def test_a_terminal_in_between_is_named_instead_of_each_fault(command):
    behind_a_terminal = f"import pty; pty.spawn({server()!r})"
    target = command(python(behind_a_terminal))
    seen = target.exchange(Script(pieces=GOOD))
    assert seen.state == "mute"
    assert "behind a terminal, which echoes" in seen.note
    assert target.exchange(Script(pieces=GOOD)) is seen


def test_a_target_that_is_not_there_is_told_so(command):
    seen = command(["./there-is-no-such-program"]).exchange(Script(pieces=GOOD))
    why = f"There is no file {str(Path.cwd() / 'there-is-no-such-program')!r}."
    assert (seen.state, seen.note) == ("absent", f"it cannot be started: {why}")


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


def test_only_the_end_of_stderr_is_kept(pipes):
    process = Process(python("import sys\nsys.stderr.write('x' * 1000000 + 'end')"))
    try:
        until = time.monotonic() + PLENTY
        while not process.stderr_tail.endswith("end") and time.monotonic() < until:
            process.pipes.step(wait=0.01)
        assert len(process.stderr_tail) == TAIL
        assert process.stderr_tail.endswith("end")
    finally:
        process.close()


def test_a_process_that_does_not_read_does_not_stop_us(pipes):
    process = Process(python("import time\ntime.sleep(60)"))
    try:
        written = sum(process.pipes.step(b"x" * (1 << 16), 0.01) for _ in range(50))
        assert 0 < written < 50 << 16
    finally:
        process.close()


# --- in this process --------------------------------------------------------------


def test_a_handler_is_a_target():
    seen = judge_handler(demo_handler).exchange(Script(pieces=GOOD))
    assert seen.came == (b'{"jsonrpc":"2.0","result":["hi"],"id":1}',)


def test_a_handler_that_fails_on_purpose_writes_no_log(capfd):
    judge_handler(demo_handler).exchange(
        Script(pieces=(Payload(b'{"jsonrpc":"2.0","method":"boom"}'),))
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


def test_a_run_that_was_ended_leaves_no_target(tmp_path):
    target = NOTE.format(file=str(tmp_path / "pids")) + "time.sleep(600)"
    code = (
        "import sys\nfrom rpclab.conformance import CommandTarget, judge_server\n"
        f"judge_server(CommandTarget([sys.executable, '-c', {target!r}], startup=1.0))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    file = tmp_path / "pids"
    assert have_ended([int(line) for line in file.read_text().split()] if file.exists() else [])
