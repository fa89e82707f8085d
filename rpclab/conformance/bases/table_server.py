"""A server with its methods in a table of functions, which reads line by line."""

import json
import os
import sys


def echo(params):
    return params


def update(params):
    return None


METHODS = {"echo": echo, "update": update, "notify_hello": update, "notify_sum": update}


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def error(id, code, message):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


def answer(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or type(call.get("id")) in (bool, list, dict):
        return error(None, -32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, method, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(method) is not str or type(params) not in (list, dict):
        return error(id, -32600, "Invalid Request")
    if "id" not in call:
        return None  # a notification is not answered
    if method not in METHODS:
        return error(id, -32601, "Method not found")
    return {"jsonrpc": "2.0", "result": METHODS[method](params), "id": id}


def handle(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(None, -32700, "Parse error")
    if isinstance(message, list) and message:
        return [reply for call in message if (reply := answer(call))]
    return answer(message)


def main():
    line = sys.stdin.buffer.readline().removeprefix(b"\xef\xbb\xbf")
    while line:
        reply = handle(line) if line.strip() else None
        if reply:
            sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
            sys.stdout.buffer.flush()
        line = sys.stdin.buffer.readline()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
