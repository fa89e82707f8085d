"""A server that answers each line in a thread of its own, and reports progress."""

import json
import os
import sys
import threading
import time

lock = threading.Lock()


def send(message):
    with lock:
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()


def error(code, message, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


def slow(seconds=0.3, steps=2, _meta=None):
    for done in range(1, steps + 1):
        time.sleep(seconds / steps)
        send({"jsonrpc": "2.0", "method": "progress", "params": {"done": done, "total": steps}})
    return {"steps": steps}


def reply_to(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or type(call.get("id")) in (bool, list, dict):
        return error(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, method, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(method) is not str or type(params) not in (list, dict):
        return error(-32600, "Invalid Request", id)
    if method == "slow":
        params = slow(**params) if isinstance(params, dict) else slow(*params)
    elif method != "echo":
        return error(-32601, "Method not found", id) if "id" in call else None
    return {"jsonrpc": "2.0", "result": params, "id": id} if "id" in call else None


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def respond(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    if isinstance(message, list) and message:
        return [reply for reply in map(reply_to, message) if reply]
    return reply_to(message)


def work(line):
    """Answer one line, in a thread of its own."""
    try:
        if reply := respond(line):
            send(reply)
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    mark = b"\xef\xbb\xbf"  # a byte order mark may come first
    try:
        for line in sys.stdin.buffer:
            line, mark = line.removeprefix(mark), b""
            if line.strip():
                threading.Thread(target=work, args=[line]).start()
    except KeyboardInterrupt:
        os._exit(0)
