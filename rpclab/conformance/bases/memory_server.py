"""A server whose notifications change what it remembers, one after another."""

import json
import os
import sys
import time

kept = []  # what remember was told


def echo(params):
    return params


def remember(params):
    time.sleep(params.get("seconds", 0))
    if "value" in params:
        kept.append(params["value"])


def recall(params):
    values = kept[:]
    kept.clear()
    return values


METHODS = {"echo": echo, "remember": remember, "recall": recall}


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def error(code, message, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


def handle(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or type(call.get("id", "")) not in (str, int):
        return error(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, method, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(method) is not str or type(params) not in (list, dict):
        return error(-32600, "Invalid Request", id)
    if "id" not in call:
        if method in METHODS:
            METHODS[method](params)
        return None  # a notification is not answered
    if method not in METHODS:
        return error(-32601, "Method not found", id)
    return {"jsonrpc": "2.0", "result": METHODS[method](params), "id": id}


def respond(line):
    """Return what is due for one line: a response, or None."""
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    return handle(message)


if __name__ == "__main__":
    mark = b"\xef\xbb\xbf"  # a byte order mark may come first
    try:
        for line in sys.stdin.buffer:
            line, mark = line.removeprefix(mark), b""
            if line.strip() and (reply := respond(line)):
                sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
                sys.stdout.buffer.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
