"""A program that we started, looked after until its end."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue

import psutil
import pytest

from rpclab.peer.child import Child, stop_all

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
DEAF = "import signal, sys, time\nsys.stdout.write('up\\n')\nsys.stdout.flush()\ntime.sleep(600)"
STUBBORN = "import sys, time\nprint('up', flush=True)\nsys.stdin.read()\ntime.sleep(600)"
GRANDCHILD = (
    "import subprocess, sys, time\n"
    "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print(inner.pid, flush=True)\n"
)


def test_a_child_reads_its_stdin_and_writes_its_stdout():
    with Child([sys.executable, "-c", ECHO]) as child:
        child.stdin.write(b"hello\n")
        child.stdin.flush()
        assert child.stdout.readline().strip() == b"hello"


def test_a_child_that_ends_with_its_stdin_has_its_own_exit_status():
    child = Child([sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(3)"])
    assert child.stop() == 3


def test_waiting_gives_the_exit_status_of_a_child_that_ends_in_time():
    with Child([sys.executable, "-c", "import sys; sys.exit('last words')"]) as child:
        assert (child.wait(30), child.stderr_tail.strip()) == (1, "last words")


def test_waiting_gives_no_exit_status_while_the_child_still_runs():
    with Child([sys.executable, "-c", ECHO]) as child:
        assert child.wait(0.01) is None


def test_a_child_that_does_not_read_is_ended_though_somebody_still_writes_to_it():
    child = Child([sys.executable, "-c", DEAF], grace=0.2)
    child.stdout.readline()

    def write():
        with suppress(OSError, ValueError):
            child.stdin.write(b"x" * 1_000_000)

    writing = threading.Thread(target=write)
    writing.start()
    child.stop()
    writing.join(10)
    assert not writing.is_alive()


def test_leaving_the_block_ends_the_child():
    with Child([sys.executable, "-c", ECHO]) as child:
        pass
    assert child.process.returncode == 0


def test_leaving_the_block_by_an_error_ends_the_child_too():
    with pytest.raises(ZeroDivisionError), Child([sys.executable, "-c", ECHO]) as child:
        raise ZeroDivisionError
    assert child.process.returncode == 0


def test_a_child_that_does_not_end_by_itself_is_ended():
    child = Child([sys.executable, "-c", DEAF], grace=0.1)
    child.stdout.readline()
    assert child.stop() != 0


def test_what_a_child_started_ends_with_it():
    with Child([sys.executable, "-c", GRANDCHILD]) as child:
        child.stdout.readline()
        watcher = threading.Thread(target=child.stdout.read)  # ends when nobody can write
        watcher.start()
    watcher.join(10)
    assert not watcher.is_alive()


def test_the_output_of_a_child_ends_with_it_although_a_program_that_it_started_holds_it():
    code = GRANDCHILD + "sys.stderr.write('last words')\nsys.exit(3)"
    with Child([sys.executable, "-c", code]) as child:
        pid = int(child.stdout.readline())
        assert child.stdout.read() == b""
        assert (child.wait(60), child.stderr_tail) == (3, "last words")
        assert psutil.pid_exists(pid)


def test_a_big_last_reply_is_whole_although_the_child_has_ended():
    code = GRANDCHILD + "sys.stdout.write('x' * 300_000)\nsys.stdout.flush()\nsys.exit()"
    with Child([sys.executable, "-c", code]) as child:
        child.stdout.readline()
        assert len(child.stdout.read()) == 300_000


def test_a_child_may_be_stopped_twice():
    child = Child([sys.executable, "-c", ECHO])
    child.stop()
    assert child.stop() == 0


def test_the_time_to_end_by_itself_begins_when_stdin_is_closed():
    child = Child([sys.executable, "-c", STUBBORN], grace=600)
    child.stdout.readline()
    child.hang_up(0)
    assert child.stop() != 0


def test_children_that_still_run_when_python_ends_are_stopped(monkeypatch):
    monkeypatch.setattr("rpclab.peer.child.EXIT_GRACE", 0.1)
    stubborn = [Child([sys.executable, "-c", STUBBORN], grace=600) for _ in range(2)]
    polite = Child([sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(5)"], grace=600)
    for child in stubborn:
        child.stdout.readline()
    polite.hang_up()
    polite.process.wait()
    stop_all()
    assert polite.process.returncode == 5
    assert all(child.process.returncode not in (None, 0) for child in stubborn)


@pytest.mark.parametrize("end", ["", "sys.exit(1)", "1 / 0"], ids=["end", "exit", "error"])
def test_a_child_ends_with_the_python_that_started_it(end):
    code = (
        "import sys\n"
        "from rpclab.peer.child import Child\n"
        f"child = Child([sys.executable, '-c', {STUBBORN!r}], grace=0.1)\n"
        "child.stdout.readline()\n"
        "print(child.process.pid, flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + end], capture_output=True, timeout=60, check=False
    )
    assert not psutil.pid_exists(int(done.stdout))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_copy_of_python_ends_no_child_of_the_original():
    code = (
        "import os, sys\n"
        "from rpclab.peer.child import Child\n"
        f"with Child([sys.executable, '-c', {ECHO!r}], grace=60) as child:\n"
        "    if os.fork() == 0: sys.exit()\n"
        "    os.wait()\n"
        "    child.stdin.write(b'still here\\n')\n"
        "    child.stdin.flush()\n"
        "    print(child.stdout.readline())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert b"still here" in done.stdout


def test_a_child_has_variables_and_a_folder_of_its_own(tmp_path):
    code = "import os; print(os.environ['RPCLAB_X'], os.getcwd())"
    with Child([sys.executable, "-c", code], env={"RPCLAB_X": "1"}, cwd=tmp_path) as child:
        value, folder = child.stdout.readline().decode().split()
    assert value == "1"
    assert tmp_path.samefile(folder)


def test_the_end_of_stderr_is_kept():
    code = "import sys\nfor n in range(100): print('line', n, file=sys.stderr)"
    with Child([sys.executable, "-c", code]) as child:
        pass
    assert child.stderr_tail.split("\n") == [*(f"line {n}" for n in range(50, 100)), ""]


def test_stderr_can_be_heard_line_by_line_as_it_comes():
    heard = SimpleQueue()
    code = "import sys\nprint('one', file=sys.stderr, flush=True)\nsys.stdin.read()"
    with Child([sys.executable, "-c", code], on_stderr=heard.put):
        assert heard.get(timeout=60).strip() == b"one"


def test_a_child_that_writes_much_to_stderr_is_not_held_up():
    code = "import sys\nsys.stderr.write('x' * 1_000_000)\nprint('done')"
    with Child([sys.executable, "-c", code]) as child:
        assert child.stdout.readline().strip() == b"done"


def test_a_line_without_end_on_stderr_is_kept_in_part():
    code = "import sys\nsys.stderr.write('x' * 1_000_000)"
    with Child([sys.executable, "-c", code]) as child:
        pass
    assert 0 < len(child.stderr_tail) <= 50 * 4096


def test_bytes_on_stderr_that_are_no_text_are_shown_all_the_same():
    code = "import sys\nsys.stderr.buffer.write(bytes([255, 10]))"
    with Child([sys.executable, "-c", code]) as child:
        pass
    assert child.stderr_tail == "\\xff\n"


def test_a_child_that_left_bytes_unread_is_stopped_without_an_error():
    child = Child([sys.executable, "-c", "print('up', flush=True)"])
    child.process.wait()
    child.stdin.write(b"nobody reads this\n")
    assert child.stop() == 0


def test_a_program_that_is_not_there_cannot_be_started():
    with pytest.raises(FileNotFoundError, match=r"There is no program .* on the PATH\.$"):
        Child(["no-such-program-anywhere"])


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a POSIX idea")
def test_a_key_press_in_the_terminal_does_not_reach_a_child():
    with Child([sys.executable, "-c", ECHO]) as child:
        assert os.getpgid(child.process.pid) != os.getpgid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a POSIX idea")
def test_a_child_is_ended_even_if_it_is_stopped():
    child = Child([sys.executable, "-c", DEAF], grace=0.1)
    child.stdout.readline()
    os.kill(child.process.pid, signal.SIGSTOP)
    assert child.stop() == -signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a POSIX idea")
def test_a_program_that_left_the_group_does_not_hold_us_up():
    code = (
        "import subprocess, sys\n"
        "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
        " start_new_session=True)\n"
        "print(inner.pid, flush=True)\n"
    )
    child = Child([sys.executable, "-c", code], grace=0.5)
    runaway = int(child.stdout.readline())
    reading = threading.Thread(target=child.stdout.read, daemon=True)
    stopping = threading.Thread(target=child.stop, daemon=True)
    reading.start()
    stopping.start()
    stopping.join(10)
    held_up = stopping.is_alive()
    os.kill(runaway, signal.SIGKILL)
    reading.join()
    stopping.join()
    assert not held_up


def test_a_child_inherits_no_stream_of_ours():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys\n"
            "from rpclab.peer.child import Child\n"
            "with Child([sys.executable, '-c', 'print(1); import os; os.write(2, b\"2\")']): pass",
        ],
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
