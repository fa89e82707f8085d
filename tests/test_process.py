"""A server as a real process: its pipes, its end, and clients of other people."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

HERE = Path(__file__).parent
DEMO = [sys.executable, "-m", "rpclab", "serve"]
RUDE = [sys.executable, str(HERE / "rude_server.py")]
GOOD = b'{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}\n'
NINETEEN = b'{"jsonrpc":"2.0","result":19,"id":1}\n'
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell or signal")

pytestmark = pytest.mark.timeout(60)


# --- replies ----------------------------------------------------------------------


@POSIX
def test_a_line_from_printf_is_answered_before_the_server_ends():
    command = Path(sys.executable).with_name("rpclab")
    shell = f"""printf '%s\\n' '{GOOD.decode().strip()}' | {command} serve"""
    assert subprocess.run(shell, shell=True, capture_output=True, check=True).stdout == NINETEEN


def test_a_reply_comes_while_stdin_is_still_open():
    pipe = subprocess.PIPE
    with subprocess.Popen(DEMO, stdin=pipe, stdout=pipe, bufsize=0) as run:
        run.stdin.write(GOOD)
        assert run.stdout.readline() == NINETEEN
        run.stdin.close()


def test_progress_comes_before_the_response_and_not_with_it():
    pipe = subprocess.PIPE
    line = b'{"jsonrpc":"2.0","method":"slow","params":{"seconds":60,"steps":1000},"id":1}\n'
    with subprocess.Popen(DEMO, stdin=pipe, stdout=pipe, bufsize=0) as run:
        run.stdin.write(line)
        first = json.loads(run.stdout.readline())
        run.kill()
    assert (first["method"], first["params"]) == ("progress", {"done": 1, "total": 1000})


def test_a_reply_ends_in_a_newline_alone():
    done = subprocess.run(DEMO, input=GOOD.replace(b"\n", b"\r\n"), capture_output=True, check=True)
    assert done.stdout == NINETEEN


def test_a_server_that_is_done_has_said_nothing_on_stderr():
    done = subprocess.run(DEMO, input=GOOD, capture_output=True, check=True)
    assert done.stderr == b""


# --- the end ----------------------------------------------------------------------


def test_the_end_of_stdin_ends_the_server_with_status_0():
    assert subprocess.run(DEMO, input=b"", check=True).returncode == 0


@pytest.mark.parametrize("mode", [[], ["-X", "dev"]], ids=["plain", "dev mode"])
@pytest.mark.parametrize("framing", ["newline", "content-length"])
def test_a_closed_stdout_ends_the_server_quietly(framing, mode):
    lines = {
        "newline": GOOD,
        "content-length": b"Content-Length: 62\r\n\r\n" + GOOD,
    }[framing]
    pipe = subprocess.PIPE
    command = [sys.executable, *mode, "-m", "rpclab", "serve", "--framing", framing]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as run:
        run.stdin.write(lines)
        run.stdout.read(1)
        run.stdout.close()
        run.stdin.write(lines)
        status, said = run.wait(), run.stderr.read()
    assert (status, said) == (0, b"")


@POSIX
def test_a_server_whose_reader_took_one_line_ends_quietly():
    command = f"yes '{GOOD.decode().strip()}' | {sys.executable} -m rpclab serve | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (NINETEEN, b"")


@POSIX
@pytest.mark.parametrize("streams", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_server_started_without_a_stream_ends_without_a_traceback(streams):
    command = f"{sys.executable} -m rpclab serve {streams}"
    done = subprocess.run(command, shell=True, input=GOOD, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr


@POSIX
def test_without_a_stderr_the_protocol_still_works():
    command = f"{sys.executable} -m rpclab serve 2>&-"
    lines = b'{"jsonrpc":"2.0","method":"boom"}\n' + GOOD
    done = subprocess.run(command, shell=True, input=lines, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == (NINETEEN, 0)


@POSIX
def test_without_a_stderr_a_child_gets_no_protocol_stream():
    lines = b'{"jsonrpc":"2.0","method":"child_with_every_stream","id":1}\n'
    command = f"{sys.executable} {HERE / 'rude_server.py'} 2>&-"
    with subprocess.Popen(
        command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as run:
        ours = {os.fstat(pipe.fileno()).st_ino for pipe in (run.stdin, run.stdout)}
        out, _ = run.communicate(lines)
    rows = [line.split() for line in json.loads(out)["result"].splitlines()]
    assert [fd for fd, _, inode in rows if int(inode) in ours] == []


@POSIX
def test_a_server_with_an_async_method_says_at_the_first_call_what_to_use():
    program = """if True:
        from rpclab import Methods, StdioTransport, claim_stdio, serve
        methods = Methods()
        @methods.add
        async def slow(): return 1
        @methods.add
        def quick(): return 2
        serve(methods, StdioTransport(*claim_stdio()))
    """
    calls = b"".join(
        b'{"jsonrpc":"2.0","method":"%s","id":"%s"}\n' % (name, name)
        for name in (b"slow", b"quick")
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=calls, capture_output=True, check=True
    )
    slow, quick = map(json.loads, done.stdout.splitlines())
    assert (slow["error"]["code"], quick["result"]) == (-32603, 2)
    (said,) = done.stderr.decode().splitlines()
    assert said == "the handler of 'slow' is async, and serve cannot wait: use Peer"


def test_an_interrupt_ends_a_waiting_server_quietly():
    pipe = subprocess.PIPE
    with subprocess.Popen(DEMO, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as run:
        run.stdin.write(GOOD)
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        status, said = run.wait(), run.stderr.read()
    assert (status, said) == (0, b"")


@POSIX
def test_an_interrupt_ends_a_busy_server_quietly_and_keeps_what_was_finished():
    pipe = subprocess.PIPE
    lines = GOOD + b'{"jsonrpc":"2.0","method":"sleep","params":[600],"id":2}\n'
    lines = lines.replace(b'"subtract","params":[42,23]', b'"echo","params":[42]')
    with subprocess.Popen(RUDE, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as run:
        run.stdin.write(lines)
        finished, asleep = run.stdout.readline(), run.stdout.readline()
        run.send_signal(signal.SIGINT)
        left, said = run.stdout.read(), run.stderr.read()
    assert (finished, json.loads(asleep)["method"], left, said) == (
        b'{"jsonrpc":"2.0","result":[42],"id":1}\n',
        "asleep",
        b"",
        b"",
    )


# --- what a handler does to the streams -------------------------------------------


def test_nothing_that_a_handler_prints_reaches_stdout():
    line = b'{"jsonrpc":"2.0","method":"chatter","id":1}\n'
    done = subprocess.run(RUDE, input=line, capture_output=True, check=True)
    assert done.stdout == b'{"jsonrpc":"2.0","result":null,"id":1}\n'


def test_what_a_handler_prints_is_found_on_stderr():
    line = b'{"jsonrpc":"2.0","method":"chatter","id":1}\n'
    done = subprocess.run(RUDE, input=line, capture_output=True, check=True)
    for said in (b"a print", b"a write", b"bytes for stdout", b"to stderr"):
        assert said in done.stderr


def test_a_child_of_a_handler_gets_no_stream_of_the_protocol():
    pipe = subprocess.PIPE
    with subprocess.Popen(RUDE, stdin=pipe, stdout=pipe, stderr=pipe) as run:
        ours = {os.fstat(stream.fileno()).st_ino for stream in (run.stdin, run.stdout)}
        line = b'{"jsonrpc":"2.0","method":"child_with_every_stream","id":1}\n'
        out, _ = run.communicate(line)
    rows = [row.split() for row in json.loads(out)["result"].splitlines()]
    assert [fd for fd, _, inode in rows if int(inode) in ours] == []


# --- other people's client --------------------------------------------------------


def test_the_client_of_the_mcp_package_talks_to_a_handler_of_ours():
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def talk():
        server = StdioServerParameters(
            command=sys.executable, args=[str(HERE / "mcp_server.py")], cwd=HERE.parent
        )
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            greeting = await session.initialize()
            await session.send_ping()
            tools = await session.list_tools()
            arguments = {"minuend": 42, "subtrahend": 23}
            result = await session.call_tool("subtract", arguments)
        return greeting.server_info.name, tools.tools[0].name, result.content[0].text

    assert anyio.run(talk) == ("thirty lines", "subtract", "19")
