"""A client that keeps the contract of `rpclab conform-client`, on the standard library alone.

A reader thread settles calls by id; the main thread does what its stdin says. It is
the reference that no client case may call broken.
"""

import json
import os
import subprocess
import sys
import threading

FRAMED = os.environ.get("RPCLAB_FRAMING") == "content-length"
server = subprocess.Popen(
    sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
)
lock = threading.RLock()
pending = {}  # id -> name
settled = {}  # name -> Event
batches = []  # the names of each batch that is in flight
over = threading.Event()
tail = []
sent = []  # the last messages that were written


def say(**outcome):
    with lock:
        sys.stdout.write(json.dumps(outcome) + "\n")
        sys.stdout.flush()


def drain():
    while chunk := server.stderr.read1(4096):
        tail[:] = [(b"".join(tail) + chunk)[-4096:]]


def read():
    if not FRAMED:
        return server.stdout.readline()
    length = 0
    while header := server.stdout.readline().strip():
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return server.stdout.read(length) if length else b""


def write(message):
    data = json.dumps(message).encode()
    sent[:] = [*sent[-9:], data]
    frame = b"Content-Length: %d\r\n\r\n%b" % (len(data), data) if FRAMED else data + b"\n"
    try:
        server.stdin.write(frame)
        server.stdin.flush()
    except OSError:
        pass


def refuse(value):
    raise ValueError(value)


def take(message):
    with lock:
        if isinstance(message, list):
            for member in message:
                take(member)
        elif not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            say(reported=str(message))
        elif "method" in message:
            if "id" in message:
                known = message["method"] == "ping"
                error = {"code": -32601, "message": "Method not found"}
                outcome = {"result": {}} if known else {"error": error}
                write({"jsonrpc": "2.0", "id": message["id"]} | outcome)
            else:
                say(notification={k: message[k] for k in ("method", "params") if k in message})
        else:
            settle(message)


def take_line(message):
    with lock:
        refusal = isinstance(message, dict) and isinstance(message.get("error"), dict)
        if refusal and message.get("id") is None and batches:
            for name in batches.pop():  # one error for a whole batch
                settle({"jsonrpc": "2.0", "error": message.get("error"), "id": find(name)})
        else:
            take(message)


def find(name):
    return next((id for id, other in pending.items() if other == name), None)


def settle(message):
    id = message.get("id")
    if type(id) not in (int, float) or id not in pending:
        say(reported=json.dumps(message))
        return
    name = pending.pop(id)
    error = message.get("error")
    good = isinstance(error, dict) and type(error.get("code")) is int
    if ("result" in message) == ("error" in message):
        say(**{"as": name, "failed": "not a response"})
    elif "result" in message:
        say(**{"as": name, "result": message["result"]})
    elif good and isinstance(error.get("message"), str):
        say(**{"as": name, "error": error})
    else:
        say(**{"as": name, "failed": "not an error object"})
    settled[name].set()


def fail(name, why):
    with lock:
        for id in [id for id, other in pending.items() if other == name]:
            del pending[id]
            say(**{"as": name, "failed": why})
            settled[name].set()


def listen():
    while line := read():
        if not line.strip():
            continue
        if line.strip() in sent:  # a terminal sent it back
            say(reported=ascii(line[:200]))
            continue
        try:
            take_line(json.loads(line, parse_constant=refuse))
        except (ValueError, RecursionError):
            say(reported=ascii(line[:200]))
    status = server.wait()
    over.set()
    for name in list(pending.values()):
        fail(
            name,
            f"the server ended (exit status {status}): {b''.join(tail).decode(errors='replace')}",
        )


def begin(order):
    """Make the message of a call or a notification."""
    params = {"params": order["params"]} if "params" in order else {}
    if "notify" in order:
        return {"jsonrpc": "2.0", "method": order["notify"]} | params
    begin.last += 1
    pending[begin.last] = order["as"]
    settled[order["as"]] = threading.Event()
    if "timeout" in order:
        timer = threading.Timer(order["timeout"], fail, [order["as"], "timed out"])
        timer.daemon = True
        timer.start()
    return {"jsonrpc": "2.0", "method": order["call"], "id": begin.last} | params


begin.last = 0


def do(order):
    if "wait" in order:
        settled[order["wait"]].wait()
    elif "cancel" in order:
        params = {"id": find(order["cancel"])}
        write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": params})
    else:
        with lock:
            message = list(map(begin, order["batch"])) if "batch" in order else begin(order)
            if "batch" in order:
                batches.append([call["as"] for call in order["batch"] if "as" in call])
        write(message)
        if over.is_set() and "as" in order:
            fail(order["as"], "the server has ended")


def main():
    threading.Thread(target=drain, daemon=True).start()
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    for line in sys.stdin:
        do(json.loads(line))
    for event in settled.values():
        event.wait()
    server.stdin.close()
    listener.join(5)
    server.wait()


if __name__ == "__main__":
    main()
