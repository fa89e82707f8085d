"""A server whose handlers do what handlers should not. Tests run it as a program.

usage: python rude_server.py [LIMIT]
"""

import math
import os
import socket
import subprocess
import sys
import threading
import time

from rpclab import JsonRpcError, Methods, StdioTransport, claim_stdio, serve, write_notification

methods = Methods()
kept = []


class Unprintable(Exception):
    """Cannot be printed."""

    def __str__(self):
        """Fail."""
        raise RuntimeError("no text")

    __repr__ = __str__


class Forgetful(JsonRpcError):
    """Forgets to call what makes an error."""

    def __init__(self):
        pass


def cycle():
    loop = []
    loop.append(loop)
    return loop


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


def deeper():
    return deeper()


def throw(error):
    raise error


methods.add(lambda *params: list(params), "echo")
methods.add(lambda: {1, 2}, "set")
methods.add(object, "object")
methods.add(lambda: math.nan, "nan")
methods.add(lambda: "\ud800", "surrogate")
methods.add(cycle)
methods.add(deep)
methods.add(deeper)
methods.add(lambda: sys.exit(3), "exit")
methods.add(lambda: throw(GeneratorExit()), "generator_exit")
methods.add(lambda: throw(MemoryError()), "memory")
methods.add(lambda: throw(Unprintable()), "unprintable")
methods.add(lambda: throw(Forgetful()), "forgetful")
methods.add(lambda: throw(JsonRpcError("no", code="busy")), "word_for_a_code")
methods.add(lambda: throw(JsonRpcError("no", code=object())), "object_for_a_code")
methods.add(lambda: throw(JsonRpcError("no", code=7, data={1})), "set_for_data")


@methods.add
def chatter():
    """Write to stdout in all the ways that a handler may."""
    print("a print")  # noqa: T201  it is the point
    sys.stdout.write("a write")
    sys.stdout.flush()
    os.write(1, b"bytes for stdout\n")
    print("to stderr", file=sys.stderr)  # noqa: T201  it is the point


@methods.add
def child_that_prints():
    """Start a program that inherits our stdout and writes to it."""
    subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)


@methods.add
def child_that_reads():
    """Start a program that inherits our stdin, and give what it found there."""
    code = "import sys; sys.stdout.write(sys.stdin.read())"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


@methods.add
def child_with_every_stream():
    """Start a program that tries to read the protocol from each of its first three streams."""
    code = (
        "import os, stat\n"
        "for fd in 0, 1, 2:\n"
        "    try: print(fd, stat.S_ISFIFO(os.fstat(fd).st_mode), os.fstat(fd).st_ino)\n"
        "    except OSError: print(fd, 'closed', 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False)
    return done.stdout.decode()


@methods.add
def flood(threads, notes):
    """Send notifications of 8 KiB from many threads at once."""

    def send(first):
        for n in range(first, first + notes):
            write_notification(wire, "note", [n, "x" * 8192])

    senders = [threading.Thread(target=send, args=[n * notes]) for n in range(threads)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    return threads * notes


@methods.add
def linger():
    """Leave a timer and a listening socket behind."""
    timer = threading.Timer(600, print)
    timer.daemon = True
    timer.start()
    kept.extend([timer, socket.create_server(("127.0.0.1", 0))])


@methods.add
def sleep(seconds):
    """Take a while, and say so first."""
    write_notification(wire, "asleep")
    time.sleep(seconds)


if __name__ == "__main__":
    wire = StdioTransport(*claim_stdio(), int(sys.argv[1]) if sys.argv[1:] else 2**20)
    serve(methods, wire)
