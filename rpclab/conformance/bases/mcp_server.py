"""An MCP server with a handshake, an empty list of tools, and ping."""

import json
import os
import sys

VERSIONS = ("2025-06-18", "2025-11-25")


def send(message):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def initialize(params):
    asked = params.get("protocolVersion")
    version = asked if asked in VERSIONS else VERSIONS[-1]
    server = {"name": "notes", "version": "1"}
    return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}


def list_tools(params):
    return {"tools": []}


def ping(params):
    return {}


METHODS = {"initialize": initialize, "tools/list": list_tools, "ping": ping}


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
                send(reply)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
