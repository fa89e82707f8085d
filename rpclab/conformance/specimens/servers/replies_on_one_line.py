"""Refuses calls of one missing method on one line, where one read gave several.

breaks: newline.one-message
caught by: newline.one-reply-a-line
report: none: a relative of J026
"""

import json
import os
from itertools import groupby


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
    if method != "echo":
        return error(id, -32601, "Method not found")
    return {"jsonrpc": "2.0", "result": params, "id": id}


def handle(line):
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(None, -32700, "Parse error")
    if isinstance(message, list) and message:
        return [reply for call in message if (reply := answer(call))]
    return answer(message)


def groups():
    rest, mark = b"", b"\xef\xbb\xbf"
    while chunk := os.read(0, 65536):
        *whole, rest = (rest + chunk).split(b"\n")
        if whole:
            whole[0], mark = whole[0].removeprefix(mark), b""
        for _, group in groupby(whole, missing_method):
            yield group
    yield [rest]


def missing_method(line):
    try:
        method = json.loads(line)["method"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return object()
    return object() if method == "echo" else method


def main():
    for group in groups():
        replies = [reply for line in group if line.strip() and (reply := handle(line))]
        if replies:
            print(*map(json.dumps, replies), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
