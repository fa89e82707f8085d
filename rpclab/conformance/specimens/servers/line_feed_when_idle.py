"""Ends a line when no more came for a moment, and leaves the last one open at the end.

breaks: newline.terminated
caught by: newline.each-reply-ends
report: J026
"""

import json
import os
import queue
import sys
import threading


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


def read(lines):
    mark = b"\xef\xbb\xbf"
    for line in sys.stdin.buffer:
        lines.put(line.removeprefix(mark))
        mark = b""
    lines.put(None)


def main():
    lines, end, wait = queue.Queue(), b"", None
    threading.Thread(target=read, args=[lines], daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            os.write(1, end)
            end, wait = b"", None
            continue
        if line is None:
            return
        if line.strip() and (reply := handle(line)):
            os.write(1, end + json.dumps(reply).encode())
            end, wait = b"\n", 0.1


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
