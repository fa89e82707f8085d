"""Two ways to hang on a pipe, shown safely.

A pipe holds about 64 kB. A program that writes to a full pipe waits until the
other side reads. If the other side is waiting too, neither ever continues.
Both demonstrations run for one second and are then ended. They start
processes, so they do not run in Pyodide.
"""

import subprocess
import sys
import threading
from contextlib import suppress
from typing import Final

from rpclab.peer.child import Child
from rpclab.peer.client import Client
from rpclab.transport import StdioTransport

DEMO: Final = [sys.executable, "-m", "rpclab", "serve"]
NOISY: Final = [
    sys.executable,
    "-c",
    "import sys; from rpclab.cli import main;"
    "sys.stderr.write('log line\\n' * 100_000); sys.argv = ['rpclab', 'serve']; main()",
]
"""The command of a server that logs 900 kB to stderr before it reads a line."""

REQUEST: Final = b'{"jsonrpc":"2.0","method":"echo","params":["%b"],"id":1}'


def leave_stdout_unread(requests: int = 200, seconds: float = 1.0) -> str:
    """Send requests without reading a reply, and return what happened.

    The server fills its stdout and waits for us to read. So it stops reading,
    our own pipe to it fills, and we wait for it.
    """
    line = REQUEST % (b"x" * 4096)
    sent = 0

    def send() -> None:
        nonlocal sent
        with suppress(OSError):  # the server is killed below, while this may still write
            for _ in range(requests):
                wire.write(line)
                sent += 1

    with Child(DEMO, grace=0.1) as child:
        wire = StdioTransport(child.stdout, child.stdin)
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        sender.join(seconds)
        stuck = sender.is_alive()
    return f"stuck before request {requests}" if stuck else f"sent all {sent}"


def read_as_they_come(requests: int = 200) -> str:
    """Send the same requests with a client, which reads all the time."""
    with Client.start(DEMO) as client:
        results = [client.call("echo", ["x" * 4096]) for _ in range(requests)]
    return f"{len(results)} replies"


def leave_stderr_unread(seconds: float = 1.0) -> str:
    """Start a server that logs a lot, and do not read its stderr."""
    pipe = subprocess.PIPE
    with subprocess.Popen(NOISY, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        try:
            child.wait(seconds)  # its stderr is not read, so it never reads its stdin
            return "ended"
        except subprocess.TimeoutExpired:
            child.kill()
            return "stuck: the server waits for somebody to read its stderr"


def drain_stderr() -> str:
    """Start the same server with a client, which keeps reading its stderr."""
    with Client.start(NOISY) as client:
        result = client.call("echo", ["hi"])
    return f"a reply: {result}"
