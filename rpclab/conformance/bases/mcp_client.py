"""An MCP client with a thread that reads: a handshake, calls settled by id, and ping.

Each line of stdin is an order: a call, a notification, or a wait. What came of each
call goes to stdout, one JSON object a line.
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress

pending = {}  # the name of each call that waits, by its id
settled = {}  # an event for each call, by its name
sent = []  # the lines that were written
gone = threading.Event()
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}}
NAME = {"clientInfo": {"name": "base", "version": "1"}}


def say(**outcome):
    """Report what came of a call to the program that gave the orders."""
    print(json.dumps(outcome), flush=True)


def finish(id, **outcome):
    """Report what came of a call that still waits."""
    if name := pending.pop(id, None):
        if id != 0:  # the handshake is nobody's call
            say(**{"as": name}, **outcome)
        settled[name].set()


def answer(request):
    """Make the reply to a request of the server."""
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "ping":
        return reply | {"result": {}}
    return reply | {"error": {"code": -32601, "message": "Method not found"}}


def take(message, server):
    """Settle the call that a message replies to, or answer a request."""
    if isinstance(message, dict) and {"method", "id"} <= message.keys():
        write(server, answer(message))
        return
    if not isinstance(message, dict) or type(message.get("id")) is not int or "method" in message:
        say(reported=str(message))
        return
    match message.get("result"), message.get("error"):
        case result, None if "result" in message and "error" not in message:
            finish(message["id"], result=result)
        case None, {"code": int(), "message": str()} if "result" not in message:
            finish(message["id"], error=message["error"])
        case _:
            finish(message["id"], failed="not a response")


def listen(server):
    """Read the server's messages until there are no more."""
    for line in server.stdout:
        try:
            if line.strip() in sent:  # a terminal sent it back
                raise ValueError(line)
            take(json.loads(line), server)
        except (ValueError, RecursionError):
            say(reported=repr(line))
    gone.set()
    fail_all()


def fail_all():
    """Report every call that still waits as failed."""
    for id in list(pending):
        finish(id, failed="the server ended")


def write(server, message):
    """Write a message, unless the server has ended."""
    line = json.dumps(message).encode()
    sent.append(line)
    with suppress(BrokenPipeError):
        server.stdin.write(line + b"\n")
        server.stdin.flush()


def begin(order, number):
    """Make the message for an order."""
    message = {"jsonrpc": "2.0", "method": order.get("call") or order["notify"]}
    message |= {"params": order["params"]} if "params" in order else {}
    if "call" in order:
        message["id"] = number
        pending[number], settled[order["as"]] = order["as"], threading.Event()
    return message


def greet(server):
    """Do the handshake, which comes before all calls."""
    pending[0], settled["handshake"] = "handshake", threading.Event()
    write(server, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO | NAME})
    settled["handshake"].wait()
    write(server, {"jsonrpc": "2.0", "method": "notifications/initialized"})


def main():
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    server = subprocess.Popen(sys.argv[1:], stdin=pipe, stdout=pipe, stderr=null)
    threading.Thread(target=listen, args=[server], daemon=True).start()
    greet(server)
    for number, order in enumerate(map(json.loads, sys.stdin), 1):
        if "wait" in order:
            settled[order["wait"]].wait()
        elif "timeout" in order or not order.keys() & {"call", "notify"}:
            say(cannot="batches, timeouts and cancels")
            return
        else:
            write(server, begin(order, number))
            if gone.is_set():
                fail_all()
    for event in settled.values():
        event.wait()
    server.stdin.close()
    server.wait()


if __name__ == "__main__":
    main()
