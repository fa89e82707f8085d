"""A server that we started: its replies, its faults, and its end."""

import asyncio
import gc
import json
import logging
import subprocess
import sys
import threading
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue

import psutil
import pytest

from rpclab.errors import InvalidResponse, MethodNotFound
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.peer.call_context import cancelled, progress
from rpclab.peer.child import Child
from rpclab.peer.client import Client, close_all
from rpclab.peer.failures import CallTimeout, ServerGone
from rpclab.peer.pending import LATE, Pending

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "client_reports.jsonl").read_text("ascii").splitlines()
]
REPLAYED = [row for row in ROWS if row.get("ends")]

# Reads as many lines as there are calls, then writes bytes as they are, and ends.
SCRIPTED = (
    "import sys\n"
    "for _ in range(int(sys.argv[1])): sys.stdin.readline()\n"
    "sys.stdout.buffer.write(bytes.fromhex(sys.argv[2]))\n"
)
SERVED = (
    "import asyncio, sys\n"
    "from rpclab import claim_stdio, StdioTransport\n"
    "from rpclab.peer import Peer, ThreadTransport, progress\n"
    "async def handler(method, params):\n"
    "    if method == 'echo': return params\n"
    "    if method == 'steps':\n"
    "        for done in (1, 2): progress(done)\n"
    "        return 'done'\n"
    "    if method == 'down':\n"
    "        return await peer.call('down', [params[0] - 1]) if params[0] else 'bottom'\n"
    "    if method == 'ask': return await peer.call(*params)\n"
    "    if method == 'notes':\n"
    "        for n in range(params[0]): await peer.notify('note', [n])\n"
    "    if method == 'never': await asyncio.Event().wait()\n"
    "    if method == 'die':\n"
    "        print('out of memory', file=sys.stderr)\n"
    "        import os; sys.stderr.flush(); os._exit(3)\n"
    "async def main():\n"
    "    global peer\n"
    "    peer = Peer(ThreadTransport(StdioTransport(*claim_stdio())), handler)\n"
    "    await peer.serve()\n"
    "asyncio.run(main())\n"
)


def scripted(calls, *lines):
    """Return the command of a server that reads some lines, writes these bytes, and ends."""
    stream = "".join(lines).encode("latin-1")
    return [sys.executable, "-c", SCRIPTED, str(calls), stream.hex()]


def served(handler=None, **options):
    return Client.start([sys.executable, "-c", SERVED], handler, **options)


@pytest.fixture(autouse=True)
def _nothing_is_left():
    threads = threading.active_count()
    yield
    assert threading.active_count() == threads


def test_a_call_gives_the_result_or_raises_the_error():
    with served() as client:
        assert client.call("echo", [1]) == [1]
        with pytest.raises(MethodNotFound, match=r"code -32601, data \{'method'"):
            client.call("ask", ["no.such"])
        client.notify("echo", [2])
        first, second = client.batch([("echo", [3]), ("echo", [4])])
        assert (first.result, second.result) == ([3], [4])


@pytest.mark.parametrize(
    "refusal",
    [
        '{"id":null,"result":null,"error":{"code":-32700,"message":"Parse error"}}\n',
        '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}\n',
    ],
    ids=["1.0", "no id"],
)
def test_a_batch_that_is_refused_as_a_whole_fails_with_the_refusal(refusal):
    with Client.start(scripted(1, refusal)) as client:
        replies = client.batch([("a", None), ("b", None)], timeout=60)
        assert [reply.error.code for reply in replies] == [-32700, -32700]


def test_progress_is_heard_in_the_thread_that_waits():
    heard = []

    def hear(value):
        heard.append((value, threading.current_thread()))

    with served() as client:
        assert client.call("steps", on_progress=hear) == "done"
    assert heard == [(1, threading.current_thread()), (2, threading.current_thread())]


def test_who_hears_progress_may_call_the_server():
    with served() as client:
        heard = []
        client.call("steps", on_progress=lambda value: heard.append(client.call("echo", [value])))
    assert heard == [[1], [2]]


def test_an_exception_while_it_waits_cancels_the_call():
    def hear(value):
        raise KeyboardInterrupt

    with served() as client:
        with pytest.raises(KeyboardInterrupt):
            client.call("steps", on_progress=hear)
        assert client.call("echo", [1]) == [1]


def test_a_call_can_be_submitted_and_waited_for_later():
    heard = []
    with served() as client:
        futures = [client.submit("echo", [n]) for n in range(5)]
        assert [future.result(60) for future in futures] == [[n] for n in range(5)]
        assert client.submit("steps", on_progress=heard.append).result(60) == "done"
        assert isinstance(client.submit("ask", ["no.such"]).exception(60), MethodNotFound)
    assert heard == [1, 2]


def test_a_submitted_call_can_be_awaited_in_another_event_loop():
    async def cell(client):
        assert await asyncio.wrap_future(client.submit("echo", [1])) == [1]
        with pytest.raises(CallTimeout):
            await asyncio.wrap_future(client.submit("never", timeout=0.01))
        with pytest.raises(ServerGone, match="out of memory"):
            await asyncio.wrap_future(client.submit("die"))

    with served() as client:
        asyncio.run(cell(client))


def test_a_submitted_call_can_be_cancelled_and_is_cancelled_at_the_server_too(monkeypatch):
    opened = count_calls(monkeypatch)
    code = (
        "import json, sys\n"
        "call, note = (json.loads(sys.stdin.readline()) for _ in range(2))\n"
        "asked = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'jsonrpc': '2.0', 'result': note, 'id': asked['id']}))\n"
    )
    with Client.start([sys.executable, "-c", code]) as client:
        future = client.submit("never")
        assert opened.acquire(timeout=60)
        assert future.cancel()
        assert future.cancelled()
        note = client.call("what came", timeout=60)
        assert (note["method"], note["params"]) == ("$/cancelRequest", {"id": 1})


def test_a_submitted_call_says_why_there_is_no_reply():
    with served() as client:
        timed_out = client.submit("never", timeout=0.01).exception(60)
        assert isinstance(timed_out, CallTimeout)
        with pytest.raises(
            ServerGone, match="exit status 3; the end of its stderr:\nout of memory"
        ):
            client.submit("die").result(60)
    with pytest.raises(ServerGone):
        client.submit("echo").result(60)


def test_leaving_ends_a_submitted_call():
    with served(grace=0.1) as client:
        future = client.submit("never")
    with pytest.raises(ServerGone):
        future.result(60)


def test_the_clients_own_thread_does_not_wait_for_itself():
    faults = []

    def hear(value):
        try:
            client.call("echo", [value])
        except RuntimeError as error:
            faults.append(str(error))

    with served() as client:
        assert client.submit("steps", on_progress=hear).result(60) == "done"
    assert faults == ["the client's own thread must not wait: use submit"] * 2


def test_a_notification_that_the_server_does_not_read_has_a_time_limit():
    with Client.start([sys.executable, "-c", "import time; time.sleep(600)"], grace=0.1) as client:
        client.notify("n", ["x" * 5_000_000], timeout=60)
        with pytest.raises(CallTimeout, match="'n' could not be sent in time"):
            client.notify("n", timeout=0.01)
        with pytest.raises(CallTimeout, match="'m' could not be sent in time"):
            client.call("m", timeout=0.01)
        with pytest.raises(CallTimeout, match="the batch could not be sent in time"):
            client.batch([("m", None)], timeout=0.01)


def test_a_maximum_holds_whatever_progress_comes():
    note = '{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":"on"}}'
    code = (
        "import sys, time\n"
        "sys.stdin.readline()\n"
        "while True:\n"
        f"    print({note!r}, flush=True)\n"
        "    time.sleep(0.01)\n"
    )
    client = Client.start([sys.executable, "-c", code], grace=0.1)
    with client, pytest.raises(CallTimeout, match=r"\(0.2 s at most\)"):
        client.call("m", timeout=60, extend=True, max_timeout=0.2)


@pytest.mark.parametrize("dialect", ["lsp", "mcp"])
def test_noise_is_not_answered_though_the_client_has_a_handler(dialect):
    code = (
        "import sys\n"
        "for line in ['welcome', '{\"event\":\"tick\"}', '[1]', '{\"method\":5}']:\n"
        "    print(line)\n"
        'print(\'{"jsonrpc":"2.0","method":"m","params":1,"id":"s"}\', flush=True)\n'
        "read = [sys.stdin.readline() for _ in range(2)]\n"
        'print(\'{"jsonrpc":"2.0","result":%d,"id":1}\' % sum("-32600" in r for r in read))\n'
    )
    with Client.start([sys.executable, "-c", code], lambda *_: 1, dialect=dialect) as client:
        assert client.call("m", timeout=60) == 1  # the refusal of the request with an id
        assert len(client.strays) == 5


@pytest.mark.parametrize("handler", [None, MethodNotFound])
def test_a_client_answers_a_ping_of_mcp(handler):
    code = (
        "import json, sys\n"
        'print(\'{"jsonrpc":"2.0","id":"srv-1","method":"ping"}\', flush=True)\n'
        "read = [json.loads(sys.stdin.readline()) for _ in range(2)]\n"
        "pong = next(line for line in read if line['id'] == 'srv-1')\n"
        "print(json.dumps({'jsonrpc': '2.0', 'result': pong, 'id': 1}))\n"
    )

    def refuse(method, params):
        raise handler

    command = [sys.executable, "-c", code]
    with Client.start(command, handler and refuse, dialect="mcp") as client:
        pong = client.call("m", timeout=60)
    assert pong == {"jsonrpc": "2.0", "result": {}, "id": "srv-1"}


def test_the_call_after_one_that_timed_out_settles():
    with served() as client:
        with pytest.raises(TimeoutError):
            client.call("never", timeout=0.01)
        assert client.call("steps", timeout=60, extend=True) == "done"


def test_requests_from_the_server_are_answered_by_the_handler():
    def handler(method, params):
        progress(1)
        return [method, params, cancelled()]

    with served(handler) as client:
        assert client.call("ask", ["roots", {"n": 1}]) == ["roots", {"n": 1}, False]


def test_an_async_handler_is_run_to_its_end():
    async def handler(_, params):
        await asyncio.sleep(0)
        return params

    with served(handler) as client:
        assert client.call("ask", ["late", [1]]) == [1]


def test_the_handler_may_call_the_server_and_calls_may_nest():
    def handler(method, params):
        return client.call("down", [params[0] - 1]) if params[0] else "bottom"

    with served(handler) as client:
        assert client.call("down", [30]) == "bottom"


def test_calls_of_many_threads_get_each_its_own_reply():
    results = {}

    def caller(place):
        results[place] = [client.call("echo", [place, n]) for n in range(20)]

    with served() as client:
        threads = [threading.Thread(target=caller, args=[place]) for place in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {place: [[place, n] for n in range(20)] for place in range(10)}


def test_a_server_in_another_framing():
    command = [
        sys.executable, "-c",
        "import sys, rpclab\n"
        "from rpclab import *\n"
        "wire = FramedTransport(*claim_stdio(), ContentLengthFraming())\n"
        "serve(lambda method, params: params, wire)",
    ]  # fmt: skip
    with Client.start(command, framing=ContentLengthFraming()) as client:
        assert client.call("m", ["é"]) == ["é"]


def test_it_works_while_a_loop_runs_in_this_thread():
    async def cell():
        with served() as client:
            return client.call("echo", [1])

    assert asyncio.run(cell()) == [1]


# The end


def test_a_dead_server_fails_every_pending_call_with_its_status_and_its_last_words():
    ends = []

    def caller():
        try:
            client.call("never")
        except ServerGone as error:
            ends.append((error.status, error.stderr_tail.splitlines()))

    with served() as client:
        threads = [threading.Thread(target=caller) for _ in range(5)]
        for thread in threads:
            thread.start()
        with pytest.raises(ServerGone, match="ended with exit status 3; the end of its stderr:\n"):
            client.call("die")
        for thread in threads:
            thread.join()
    assert ends == [(3, ["out of memory"])] * 5
    with pytest.raises(ServerGone, match="exit status 3"):
        client.call("echo", [1])


@pytest.mark.parametrize("id", ["null", '"1"', '""'])
def test_the_servers_own_words_are_in_what_the_caller_gets(id):
    error = '"error":{"code":-32700,"message":"line too long"}'
    line = f'{{"jsonrpc":"2.0","id":{id},{error}}}\n'
    with Client.start(scripted(1, line)) as client:
        with pytest.raises(ServerGone, match="ended with exit status 0; what came") as gone:
            client.call("m")
        assert "line too long" in str(gone.value)
        assert gone.value.strays == tuple(client.strays)


def test_a_timeout_has_the_servers_words_and_the_end_of_its_stderr():
    code = (
        "import sys\n"
        "print('listening on port 80', file=sys.stderr, flush=True)\n"
        "sys.stdin.readline()\n"
        'print(\'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"busy"}}\', flush=True)\n'
        "sys.stdin.read()\n"
    )
    lines, records = SimpleQueue(), SimpleQueue()
    log, hear = logging.getLogger("rpclab.peer.strays"), QueueHandler(records)
    child = Child([sys.executable, "-c", code], on_stderr=lines.put)
    with Client(child, NewlineFraming(), None, "lsp") as client:
        log.addHandler(hear)
        client.notify("hello")
        lines.get(timeout=60)
        records.get(timeout=60)  # both have come
        log.removeHandler(hear)
        with pytest.raises(CallTimeout, match="listening on port 80") as timeout:
            client.call("m", timeout=0.01)
        assert "busy" in str(timeout.value)
        assert timeout.value.status is None


def test_a_server_that_cannot_start_is_reported_with_its_own_words():
    with Client.start([sys.executable, "no-such-file.py"]) as client:
        with pytest.raises(ServerGone, match="No such file"):
            client.call("m")
        assert "No such file" in client.stderr_tail


def test_a_program_that_is_not_there_cannot_be_started():
    with pytest.raises(FileNotFoundError):
        Client.start(["no-such-program-anywhere"])


def test_a_manner_that_does_not_exist_is_a_bug_of_the_caller():
    with pytest.raises(ValueError, match="one of lsp, mcp"):
        served(dialect="grpc")


def test_a_server_that_closes_its_stdout_and_lives_is_gone_too(monkeypatch):
    monkeypatch.setattr("rpclab.peer.client.MOMENT", 0.01)
    code = "import os, sys; os.close(1); sys.stdin.read()"
    with Client.start([sys.executable, "-c", code]) as client:
        with pytest.raises(ServerGone, match="closed its stdout") as error:
            client.call("m")
        assert error.value.status is None


def test_a_server_that_has_ended_is_gone_although_a_program_that_it_started_holds_its_pipes():
    code = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "sys.stdin.readline()\n"
        "sys.stderr.buffer.write(b'reason: \\xc4\\xda\\n')\n"
        "sys.exit(3)\n"
    )
    with Client.start([sys.executable, "-c", code]) as client:
        with pytest.raises(ServerGone) as caught:
            client.call("m")
        assert caught.value.status == 3
        assert caught.value.stderr_tail.startswith("reason: ")
        assert "\ufffd" not in str(caught.value)
    assert client.close() == 3


def test_a_server_has_variables_and_a_folder_of_its_own(tmp_path):
    code = (
        "import json, os\n"
        "input()\n"
        "result = [os.environ['RPCLAB_X'], os.getcwd()]\n"
        "print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': result}))\n"
    )
    with Client.start([sys.executable, "-c", code], env={"RPCLAB_X": "1"}, cwd=tmp_path) as client:
        value, folder = client.call("where")
    assert value == "1"
    assert tmp_path.samefile(folder)


def test_leaving_ends_the_server_and_tells_its_status():
    client = served()
    assert client.call("echo", [1]) == [1]
    assert (client.close(), client.close()) == (0, 0)


def test_leaving_fails_the_calls_that_other_threads_wait_for(monkeypatch):
    ends, opened = [], count_calls(monkeypatch)

    def caller():
        try:
            client.call("never")
        except ServerGone as error:
            ends.append(error)

    with served(grace=0.1) as client:
        thread = threading.Thread(target=caller)
        thread.start()
        assert opened.acquire(timeout=60)
    thread.join()
    assert len(ends) == 1


def test_leaving_stops_a_handler_that_looks_whether_it_is_cancelled():
    begun, stopped = threading.Event(), threading.Event()

    def handler(method, params):
        begun.set()
        while not cancelled():
            begun.wait(0.001)
        progress(1)
        stopped.set()

    with served(handler) as client:
        client.notify("ask", ["wait"])
        assert begun.wait(60)
    assert stopped.wait(60)


# Does not read the replies to its requests, and does not end with its stdin.
STUBBORN = (
    "import sys, time\n"
    'print(\'{"jsonrpc":"2.0","method":"ask","id":1}\', flush=True)\n'
    "time.sleep(600)\n"
)


def test_leaving_waits_no_longer_than_its_grace_whatever_a_handler_does():
    begun, never = threading.Event(), threading.Event()

    def handler(method, params):
        begun.set()
        never.wait()

    for command in (SERVED, STUBBORN):
        begun.clear()
        client = Client.start([sys.executable, "-c", command], handler, grace=0.1)
        client.notify("ask", ["wait"])
        assert begun.wait(60)
        closing = threading.Thread(target=client.close)
        closing.start()
        closing.join(60)
        assert not closing.is_alive()
    left = [thread for thread in threading.enumerate() if thread.name == "rpclab handler"]
    assert len(left) == 2
    never.set()
    for thread in left:
        thread.join(60)


LEFT_OPEN = (
    "import sys, threading\n"
    "from rpclab import Client\n"
    "begun = threading.Event()\n"
    "def handler(method, params):\n"
    "    begun.set()\n"
    "    threading.Event().wait()\n"
    f"client = Client.start([sys.executable, '-c', {STUBBORN!r}], handler, grace=0.1)\n"
    "assert begun.wait(60)\n"
    "print(client._child.process.pid, flush=True)\n"
)


@pytest.mark.parametrize(
    "ending",
    [
        "",
        "import _thread; threading.Timer(0, _thread.interrupt_main).start(); client.close()",
    ],
    ids=["left open", "interrupted while it closes"],
)
def test_python_can_end_and_leaves_no_server_behind(ending):
    done = subprocess.run(
        [sys.executable, "-c", LEFT_OPEN + ending], capture_output=True, timeout=60, check=False
    )
    assert not psutil.pid_exists(int(done.stdout))


def test_clients_that_are_open_when_python_ends_are_closed(monkeypatch):
    monkeypatch.setattr("rpclab.peer.client.EXIT_GRACE", 0.1)
    begun = threading.Semaphore(0)
    clients = [
        Client.start([sys.executable, "-c", STUBBORN], lambda *_: begun.release(), grace=600)
        for _ in range(2)
    ]
    assert all(begun.acquire(timeout=60) for _ in clients)
    close_all()
    with pytest.raises(ServerGone):
        clients[0].call("m")
    assert all(client.close() for client in clients)


def test_a_kernel_that_is_restarted_leaves_no_server_behind():
    managers = pytest.importorskip("tests.kernel_sockets")
    said = []
    kernel = managers.SocketKernelManager(kernel_name="python3", shutdown_wait_time=60)
    kernel.start_kernel()
    try:
        notebook = kernel.client()
        notebook.start_channels()
        notebook.wait_for_ready(timeout=60)
        notebook.execute_interactive(
            LEFT_OPEN, timeout=60, output_hook=lambda heard: said.append(heard["content"])
        )
        notebook.stop_channels()
        kernel.restart_kernel()
    finally:
        kernel.shutdown_kernel(now=True)
    (pid,) = [int(content["text"]) for content in said if "text" in content]
    assert not psutil.pid_exists(pid)


def test_what_came_before_leaving_is_handled(caplog):
    heard = []

    def handler(method, params):
        heard.append(params)
        client.call("never")  # so that more wait than there are threads, until the end

    with served(handler) as client:
        client.call("notes", [200])
    assert heard == [[n] for n in range(200)]
    gc.collect()  # asyncio logs an exception that nobody asked for when it is dropped
    logged = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert ServerGone not in logged


@pytest.mark.skipif(sys.platform == "win32", reason="signals are a POSIX idea")
def test_leaving_ends_a_server_that_reads_nothing(monkeypatch):
    monkeypatch.setattr("rpclab.peer.flow.GRACE", 0.1)
    code = "import time; time.sleep(600)"
    client = Client.start([sys.executable, "-c", code], grace=0.1)
    client.notify("n", ["x" * 1_000_000])
    closing = threading.Thread(target=client.close)
    closing.start()
    closing.join(30)
    assert not closing.is_alive()


def test_a_server_that_writes_much_to_stderr_is_not_held_up():
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    sys.stderr.write('x' * 1_000_000 + '\\n')\n"
        '    print(\'{"jsonrpc":"2.0","result":"ok","id":1}\', flush=True)\n'
    )
    with Client.start([sys.executable, "-c", code]) as client:
        assert client.call("m") == "ok"


# Field reports


@pytest.mark.parametrize("row", REPLAYED, ids=[row["id"] for row in REPLAYED])
def test_what_the_field_reported_of_clients_does_not_happen_here(row, monkeypatch):
    ends = row["ends"]
    opened = count_calls(monkeypatch, row.get("first", 1))
    with Client.start(
        scripted(len(ends), *row["wire_in"]), lambda method, params: params
    ) as client:
        assert results(client, len(ends), opened) == ends
        assert len(client.strays) == row["strays"]


def test_the_late_reply_to_a_call_that_timed_out_is_not_the_next_calls():
    (row,) = (row for row in ROWS if row["id"] == "J130")
    with Client.start(scripted(3, *row["wire_in"])) as client:  # two calls and a cancel
        with pytest.raises(TimeoutError):
            client.call("m", timeout=0.001)
        assert client.call("m") == "second"
        assert [stray.reason for stray in client.strays] == [LATE]


LONG = "x" * 5 * 2**20


@pytest.mark.parametrize("size", [65535, 65536, 65537, 2**20, 5 * 2**20])
def test_a_long_reply_is_a_reply(size):
    with served() as client:
        assert client.call("echo", [LONG[:size]]) == [LONG[:size]]


def test_a_line_past_the_limit_is_reported_once_and_the_next_is_read(monkeypatch):
    opened = count_calls(monkeypatch)
    lines = '{"jsonrpc":"2.0","id":1,"result":"%s"}\n' % ("x" * 500), SECOND
    with Client.start(scripted(1, *lines), framing=NewlineFraming(limit=100)) as client:
        assert results(client, 1, opened) == [{"result": "ok"}]
        assert [stray.reason for stray in client.strays] == [
            "Parse error: a line of more than 100 bytes was dropped"
        ]


SECOND = '{"jsonrpc":"2.0","id":1,"result":"ok"}\n'


def test_every_report_is_replayed_or_has_a_test_of_its_own():
    by_hand = {
        "J031": test_a_long_reply_is_a_reply,
        "J034": test_a_line_past_the_limit_is_reported_once_and_the_next_is_read,
        "J045": test_a_server_that_cannot_start_is_reported_with_its_own_words,
        "J129": test_a_timer_that_depends_on_progress_sends_a_token,
        "J130": test_the_late_reply_to_a_call_that_timed_out_is_not_the_next_calls,
    }
    assert {row["id"] for row in ROWS} == {row["id"] for row in REPLAYED} | set(by_hand)


def test_a_timer_that_depends_on_progress_sends_a_token():
    note = '{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":"heard"}}\n'
    heard = []
    with Client.start(scripted(1, note, SECOND)) as client:
        assert client.call("m", timeout=60, extend=True, on_progress=heard.append) == "ok"
    assert heard == ["heard"]


def count_calls(monkeypatch, first=1):
    """Return a semaphore that each call releases once its reply is waited for."""
    opened = threading.Semaphore(0)

    class Counted(Pending):
        def __init__(self):
            super().__init__(first)

        def open(self, entries, as_batch=False):
            super().open(entries, as_batch)
            opened.release()

    monkeypatch.setattr("rpclab.peer.outgoing.Pending", Counted)
    return opened


def results(client, calls, opened):
    """Return how each call ended. The server ends after its lines, so none is pending then."""
    ended = [None] * calls

    def caller(place):
        try:
            ended[place] = {"result": client.call("m")}
        except InvalidResponse:
            ended[place] = "invalid"
        except ServerGone:
            ended[place] = "unsettled"

    threads = []
    for place in range(calls):
        threads.append(threading.Thread(target=caller, args=[place]))
        threads[-1].start()
        assert opened.acquire(timeout=60)  # so that the calls are in order
    for thread in threads:
        thread.join()
    return ended
