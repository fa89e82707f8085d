"""Writes strings by a table of escapes that has no other control characters.

breaks: json.control-characters
caught by: client.line.control-characters
report: J024
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress

ESCAPES = {34: r"\"", 92: r"\\", 8: r"\b", 9: r"\t", 10: r"\n", 12: r"\f", 13: r"\r"}
pending, settled, gone = {}, {}, threading.Event()


def say(**outcome):
    print(json.dumps(outcome), flush=True)


def finish(id, **outcome):
    if name := pending.pop(id, None):
        say(**{"as": name}, **outcome)
        settled[name].set()


def take(message):
    if not isinstance(message, dict) or type(message.get("id")) is not int or "method" in message:
        return say(reported=str(message))
    match message.get("result"), message.get("error"):
        case result, None if "result" in message and "error" not in message:
            finish(message["id"], result=result)
        case None, {"code": int(), "message": str()} if "result" not in message:
            finish(message["id"], error=message["error"])
        case _:
            finish(message["id"], failed="not a response")


def listen(server):
    for line in server.stdout:
        try:
            take(json.loads(line))
        except (ValueError, RecursionError):
            say(reported=repr(line))
    gone.set()
    fail_all()


def fail_all():
    for id in list(pending):
        finish(id, failed="the server ended")


def write(value):
    if isinstance(value, dict):
        return "{" + ",".join(f"{write(name)}:{write(value[name])}" for name in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    return '"' + value.translate(ESCAPES) + '"' if isinstance(value, str) else json.dumps(value)


def begin(order, number):
    message = {"jsonrpc": "2.0", "method": order.get("call") or order["notify"]}
    message |= {"params": order["params"]} if "params" in order else {}
    if "call" in order:
        message["id"] = number
        pending[number], settled[order["as"]] = order["as"], threading.Event()
    return message


def main():
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    server = subprocess.Popen(sys.argv[1:], stdin=pipe, stdout=pipe, stderr=null)
    threading.Thread(target=listen, args=[server], daemon=True).start()
    for number, order in enumerate(map(json.loads, sys.stdin), 1):
        if "wait" in order:
            settled[order["wait"]].wait()
        elif "timeout" in order or not order.keys() & {"call", "notify"}:
            return say(cannot="batches, timeouts and cancels")
        else:
            with suppress(BrokenPipeError):
                server.stdin.write(write(begin(order, number)).encode() + b"\n")
                server.stdin.flush()
            if gone.is_set():
                fail_all()
    for event in settled.values():
        event.wait()
    server.stdin.close()
    return server.wait()


if __name__ == "__main__":
    main()
