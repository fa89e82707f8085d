"""A server made of generators: lines, then values, then replies."""

import json
import os
import sys


def lines(stream):
    """Yield the lines that are not blank, without a byte order mark before the first."""
    mark = b"\xef\xbb\xbf"  # a byte order mark may come first
    for line in stream:
        if line.strip():
            yield line.removeprefix(mark)
        mark = b""


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def values(source):
    """Yield each value, or None and the code of a line that is not JSON."""
    for line in source:
        try:
            yield json.loads(line.decode(), parse_constant=refuse), None
        except (ValueError, RecursionError):
            yield None, -32700


def judge(call):
    """Return the code of what is wrong with a call, or None."""
    if not isinstance(call, dict) or isinstance(call.get("id"), (bool, list, dict)):
        return -32600
    if call.get("jsonrpc") != "2.0" or not isinstance(call.get("method"), str):
        return -32600
    if not isinstance(call.get("params", []), (list, dict)):
        return -32600
    return None if call["method"] in ("echo", "update") else -32601


def reply(call, code=None):
    """Return the response to one call, or None if there is none."""
    if isinstance(call, dict) and "method" not in call and call.keys() & {"result", "error"}:
        return None
    code = code or judge(call)
    id = call.get("id") if isinstance(call, dict) else None
    id = None if isinstance(id, (bool, list, dict)) else id
    if code in (-32600, -32700) or (code and "id" in call):
        words = {-32700: "Parse error", -32600: "Invalid Request", -32601: "Method not found"}
        return {"jsonrpc": "2.0", "error": {"code": code, "message": words[code]}, "id": id}
    if "id" not in call:
        return None  # a notification is not answered
    result = call.get("params", []) if call["method"] == "echo" else None
    return {"jsonrpc": "2.0", "result": result, "id": id}


def replies(source):
    """Yield what is due for each value: a response, a batch of them, or None."""
    for value, code in source:
        if isinstance(value, list) and value:
            yield [one for one in map(reply, value) if one is not None]
        else:
            yield reply(value, code)


def main():
    sink = sys.stdout.buffer
    for answer in filter(None, replies(values(lines(sys.stdin.buffer)))):
        sink.write(json.dumps(answer).encode() + b"\n")
        sink.flush()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
