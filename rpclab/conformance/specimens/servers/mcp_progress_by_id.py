"""Takes the id of a call for its progress token where the caller gave none.

breaks: progress.mcp-token-given
caught by: mcp.progress-without-a-token
report: J128
profile: mcp
"""

import json
import os
import sys
import time


def refuse(token):
    raise ValueError(token)


def send(message):
    os.write(1, json.dumps(message).encode() + b"\n")


def initialize(params, id):
    asked = params.get("protocolVersion")
    version = asked if asked in ("2025-06-18", "2025-11-25") else "2025-11-25"
    return {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "notes"}}


def slow(params, id):
    token = params.get("_meta", {}).get("progressToken", id)
    steps = params.get("steps", 2)
    for done in range(1, steps + 1):
        time.sleep(params.get("seconds", 0.3) / steps)
        note = {"progressToken": token, "progress": done}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": note})
    return {"steps": steps}


METHODS = {"initialize": initialize, "slow": slow}


def error(code, message, id=None):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def answer(call):
    if not isinstance(call, dict) or type(call.get("id", "")) not in (str, int, float):
        return error(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None
    id, method, params = call.get("id"), call.get("method"), call.get("params", {})
    if call.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return error(-32600, "Invalid Request", id)
    if "id" not in call:
        return None
    if method not in METHODS:
        return error(-32601, "Method not found", id)
    if not isinstance(params, dict):
        return error(-32600, "params is an object", id)
    return {"jsonrpc": "2.0", "id": id, "result": METHODS[method](params, id)}


def respond(line):
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    return answer(message)


if __name__ == "__main__":
    mark = b"\xef\xbb\xbf"
    try:
        for line in sys.stdin.buffer:
            line, mark = line.removeprefix(mark), b""
            if line.strip() and (reply := respond(line)):
                send(reply)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
