"""A server that tells messages apart with match statements."""

import json
import os
import sys

ERRORS = {-32700: "Parse error", -32600: "Invalid Request", -32601: "Method not found"}


def fail(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def error(code, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": ERRORS[code]}, "id": id}


def answer(message):
    """Return the response to one call, or None if there is none."""
    match message:
        case {"method": str(method), "jsonrpc": "2.0"}:
            return answer_call(message, method, message.get("params", []))
        case {"result": _} | {"error": _} if "method" not in message:
            return None
        case {"id": str() | int() | float() as id} if not isinstance(id, bool):
            return error(-32600, id)
        case _:
            return error(-32600)


def answer_call(call, method, params):
    """Return the response to a call whose method and version are right, or None."""
    match call:
        case {"id": bool() | list() | dict()}:
            return error(-32600)
        case {"params": str() | int() | float() | None}:
            return error(-32600, call.get("id"))
        case {"id": id}:
            if method == "echo":
                return {"jsonrpc": "2.0", "result": params, "id": id}
            if method == "get_data":
                return {"jsonrpc": "2.0", "result": ["hello", 5], "id": id}
            return error(-32601, id)
    return None


def read(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        message = json.loads(line.decode(), parse_constant=fail)
    except (ValueError, RecursionError):
        return error(-32700)
    match message:
        case [_, *_]:
            return [reply for reply in map(answer, message) if reply]
    return answer(message)


def main():
    mark = b"\xef\xbb\xbf"  # a byte order mark may come first
    while line := sys.stdin.buffer.readline():
        line, mark = line.removeprefix(mark), b""
        if line.strip() and (reply := read(line)):
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
