"""What takes minutes to show: bounded memory, flat cost, and life after anything.

The figures are printed (``pytest -s``). Cost is the server's own CPU time, since
wall time belongs to the whole machine.
"""

import json
import random
import re
import statistics
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

DEMO = [sys.executable, "-m", "rpclab", "serve"]
GOOD = b'{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":"last"}\n'
STILL_HERE = {"jsonrpc": "2.0", "result": ["still here"], "id": "last"}
MIB = 2**20

pytestmark = pytest.mark.timeout(1200)
PROC = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="another system keeps these figures elsewhere"
)


def memory(pid, field):
    """Return a memory figure of a process, in bytes (Linux alone has /proc)."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", text)[1]) * 1024


def cpu_seconds(pid):
    """Return the CPU time that a process of one thread has used (Linux alone has /proc)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


@contextmanager
def demo_server():
    pipe = subprocess.PIPE
    with subprocess.Popen(DEMO, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as run:
        yield run


def exchange(run, pieces, count):
    """Write pieces from a thread of their own, and give the next ``count`` lines."""

    def write():
        for piece in pieces:
            run.stdin.write(piece)
        run.stdin.flush()

    writer = threading.Thread(target=write)
    writer.start()
    lines = [run.stdout.readline() for _ in range(count)]
    writer.join()
    return lines


# --- one long line ----------------------------------------------------------------


@PROC
@pytest.mark.parametrize("byte", [b"x", b"[", b" ", b"\xff", b'"'], ids=ascii)
def test_a_line_of_100_mb_is_answered_once_in_bounded_memory(byte, capsys):
    with demo_server() as run:
        pieces = [byte * MIB] * 100
        report, reply = exchange(run, [*pieces, b"\n", GOOD], 2)
        peak = memory(run.pid, "VmHWM")
        left, _ = run.communicate()
    with capsys.disabled():
        print(f"\n  100 MB of {byte!r}: peak {peak / MIB:.0f} MiB", end=" ")  # noqa: T201
    assert json.loads(report)["error"]["code"] == -32700
    assert (json.loads(reply), left, run.returncode) == (STILL_HERE, b"", 0)
    assert peak < 120 * MIB


@PROC
def test_a_line_at_the_limit_is_served_and_one_past_it_is_not(capsys):
    limit = 16 * MIB
    head, tail = b'{"jsonrpc":"2.0","method":"sum","params":[],"x":"', b'","id":1}'
    fits = head + b"x" * (limit - len(head) - len(tail)) + tail
    with demo_server() as run:
        served, refused, last = exchange(run, [fits, b"\n", fits, b" \n", GOOD], 3)
        peak = memory(run.pid, "VmHWM")
        run.communicate()
    with capsys.disabled():
        print(f"\n  a line of 16 MiB: peak {peak / MIB:.0f} MiB", end=" ")  # noqa: T201
    assert json.loads(served) == {"jsonrpc": "2.0", "result": 0, "id": 1}
    assert json.loads(refused)["error"]["code"] == -32700
    assert json.loads(last) == STILL_HERE


# --- 200,000 near-JSON lines ------------------------------------------------------


def value(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 7)
    match kind:
        case 0:
            return rng.choice([None, True, False])
        case 1:
            return rng.randint(-(10 ** rng.randint(1, 25)), 10 ** rng.randint(1, 25))
        case 2:
            return rng.uniform(-1e6, 1e6)
        case 3 | 4:
            return rng.choice(["2.0", "echo", "sum", "", "é\u2028", "\ud800", "a\nb", "rpc.x"])
        case 5 | 6:
            return rng.choice([0, 1, 2.0, "x", [], {}])
        case 7:
            return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    names = ["id", "method", "params", "_meta", "a", "é", "result", "error"]
    return {rng.choice(names): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def member(rng):
    """Make something that is a call, nearly one, or nothing like one."""
    if rng.random() < 0.1:
        return value(rng)
    call = {"jsonrpc": "2.0", "method": rng.choice(["echo", "sum", "add", "boom", "update", "no"])}
    if rng.random() < 0.6:
        call["params"] = value(rng) if rng.random() < 0.3 else [1, rng.randint(0, 9)]
    if rng.random() < 0.7:
        call["id"] = rng.choice([rng.randint(0, 99), "x", None, 1.5, value(rng)])
    if rng.random() < 0.2:
        call[rng.choice(["jsonrpc", "method", "params", "id", "result", "error"])] = value(rng)
    if rng.random() < 0.1:
        call.pop(rng.choice(list(call)))
    return call


def near_json(rng):
    """Make one line: a message, a batch, a damaged one, or noise."""
    if rng.random() < 0.05:
        line = rng.randbytes(rng.randrange(60))
    else:
        batch = [member(rng) for _ in range(rng.randrange(5))]
        ascii_only = rng.random() < 0.5
        text = json.dumps(batch if rng.random() < 0.15 else member(rng), ensure_ascii=ascii_only)
        line = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            place = rng.randint(0, len(line))
            line[place : place + rng.randrange(3)] = rng.choice(
                [b"", b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"NaN", b"\xff", b"1e999"]
            )
    return bytes(line).replace(b"\n", b"")


def no_constant(text):
    raise ValueError(text)


def due(line):
    """Tell by other means than rpclab's how many replies a line is due: 0, 1, or a batch of n."""
    if not line.strip(b" \t\r"):
        return 0
    try:
        text = line.decode("utf-8")
        read = json.loads(text, parse_constant=no_constant)
        if text.startswith("\ufeff") or "Infinity" in json.dumps(read):
            return 1
    except (ValueError, RecursionError):
        return 1
    if not isinstance(read, list) or not read:
        return int(wants_a_reply(read))
    replies = sum(map(wants_a_reply, read))
    return (replies,) if replies else 0


def wants_a_reply(read):
    if not isinstance(read, dict):
        return True
    if "method" not in read:
        return "result" not in read and "error" not in read
    is_call = (
        read.get("jsonrpc") == "2.0"
        and isinstance(read["method"], str)
        and isinstance(read.get("params", []), list | dict)
    )
    return "id" in read or not is_call


def check_response(reply):
    assert reply["jsonrpc"] == "2.0"
    assert type(reply["id"]) in (str, int, float, type(None))
    assert set(reply) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
    if "error" in reply:
        assert type(reply["error"]["code"]) is int
        assert type(reply["error"]["message"]) is str


def shape(line):
    """Check one line from the server, and say how many replies it holds, as ``due`` does."""
    assert line.isascii()
    read = json.loads(line, parse_constant=no_constant)
    for reply in read if isinstance(read, list) else [read]:
        check_response(reply)
    return (len(read),) if isinstance(read, list) else 1


def test_200_000_near_json_lines_are_each_met_with_what_is_due(capsys):
    rng = random.Random(20)
    lines = [near_json(rng) for _ in range(200_000)]
    expected = [count for line in lines if (count := due(line))]
    with demo_server() as run:
        pieces = [b"\n".join(lines[i : i + 1000]) + b"\n" for i in range(0, len(lines), 1000)]
        replies = exchange(run, [*pieces, GOOD], len(expected) + 1)
        left, _ = run.communicate()
    with capsys.disabled():
        print(f"\n  200,000 lines: {len(expected)} replies", end=" ")  # noqa: T201
    assert [shape(reply) for reply in replies[:-1]] == expected
    assert (json.loads(replies[-1]), left, run.returncode) == (STILL_HERE, b"", 0)


# --- a million messages -----------------------------------------------------------

THOUSAND = b"".join(
    b'{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":%d}\n' % n for n in range(1000)
)


def serve_thousands(run, thousands):
    """Let the server answer so many thousand requests, and give its CPU time for them."""
    before = cpu_seconds(run.pid)

    def write():
        for _ in range(thousands):
            run.stdin.write(THOUSAND)
        run.stdin.flush()

    writer = threading.Thread(target=write)
    writer.start()
    seen = 0
    while seen < thousands * 1000:
        seen += run.stdout.read1(MIB).count(b"\n")
    writer.join()
    return cpu_seconds(run.pid) - before


@PROC
def test_memory_is_flat_over_a_million_messages(capsys):
    sizes = []
    with demo_server() as run:
        for _ in range(11):  # a hundred thousand messages each
            serve_thousands(run, 100)
            sizes.append(memory(run.pid, "VmRSS"))
        run.communicate()
    with capsys.disabled():
        print(  # noqa: T201
            f"\n  resident after 100,000 and 1,100,000: {sizes[0] / MIB:.1f} and "
            f"{sizes[-1] / MIB:.1f} MiB",
            end=" ",
        )
    assert sizes[-1] - sizes[0] < MIB


@PROC
def test_a_message_costs_the_same_after_one_thousand_and_after_one_million(capsys):
    young, old, ratios = [], [], []
    with demo_server() as veteran:
        serve_thousands(veteran, 1000)
        for _ in range(11):  # in turns, since the machine's own speed comes and goes
            with demo_server() as novice:
                serve_thousands(novice, 1)
                young.append(serve_thousands(novice, 10))
                novice.communicate()
            old.append(serve_thousands(veteran, 10))
            ratios.append(old[-1] / young[-1])
        veteran.communicate()
    with capsys.disabled():
        print(  # noqa: T201
            f"\n  CPU per message after 1,000: {statistics.median(young) * 100:.2f}, after "
            f"1,000,000: {statistics.median(old) * 100:.2f} microseconds; "
            f"{statistics.median(ratios):.2f} times",
            end=" ",
        )
    assert statistics.median(ratios) < 1.2
