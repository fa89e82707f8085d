"""An ACP agent with no more than the handshake: one message a line, no batches."""

import json
import os
import sys


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def initialize(params):
    return {"protocolVersion": 1, "agentCapabilities": {}}


METHODS = {"initialize": initialize}


def error(code, message, id=None):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def answer(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or type(call.get("id", "")) not in (str, int, float):
        return error(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, method, params = call.get("id"), call.get("method"), call.get("params", {})
    if call.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return error(-32600, "Invalid Request", id)
    if "id" not in call:
        return None  # a notification is not answered
    if method not in METHODS:
        return error(-32601, "Method not found", id)
    if not isinstance(params, dict):
        return error(-32600, "params is an object", id)
    return {"jsonrpc": "2.0", "id": id, "result": METHODS[method](params)}


def respond(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    return answer(message)


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
