"""Strips the zeros of a difference on both sides, so that a half is .5.

breaks: json.no-leading-zero
caught by: json.writes-numbers
report: none: strip where rstrip was meant
"""

import json
import os
import sys
from copy import copy


def subtract(params):
    first, second = map(params.get, NAMES) if isinstance(params, dict) else params
    return first - second


METHODS = {"echo": copy, "subtract": subtract}
NAMES = ("minuend", "subtrahend")


def refuse(token):
    raise ValueError(token)


def error(id, code, message):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


def answer(call):
    if not isinstance(call, dict) or type(call.get("id")) in (bool, list, dict):
        return error(None, -32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None
    id, method, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(method) is not str or type(params) not in (list, dict):
        return error(id, -32600, "Invalid Request")
    if "id" not in call:
        return None
    if method not in METHODS:
        return error(id, -32601, "Method not found")
    try:
        return {"jsonrpc": "2.0", "result": METHODS[method](params), "id": id}
    except (TypeError, ValueError):
        return error(id, -32602, "Invalid params")


def handle(line):
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(None, -32700, "Parse error")
    if isinstance(message, list) and message:
        return [reply for call in message if (reply := answer(call))]
    return answer(message)


def write(reply):
    result = reply.get("result") if isinstance(reply, dict) else None
    if isinstance(result, float):
        digits = f"{result:.9f}".strip("0").rstrip(".")
        return f'{{"jsonrpc":"2.0","result":{digits or 0},"id":{json.dumps(reply["id"])}}}'
    return json.dumps(reply)


def main():
    line = sys.stdin.buffer.readline().removeprefix(b"\xef\xbb\xbf")
    while line:
        reply = handle(line) if line.strip() else None
        if reply:
            os.write(1, write(reply).encode() + b"\n")
        line = sys.stdin.buffer.readline()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
