"""A server with Content-Length headers in place of newlines."""

import json
import os
import sys


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def read_header(stream):
    """Return the fields of a header, or None at the end of the input."""
    fields = {}
    for line in iter(stream.readline, b""):
        if line == b"\r\n":
            return fields
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip()
    return None


def charset(fields):
    """Return the charset that a header names."""
    return fields.get(b"content-type", b"").lower().partition(b"charset=")[2] or b"utf-8"


def error(code, message, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


def answer(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or type(call.get("id")) in (bool, list, dict):
        return error(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, method, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(method) is not str or type(params) not in (list, dict):
        return error(-32600, "Invalid Request", id)
    if "id" not in call:
        return None  # a notification is not answered
    if method != "echo":
        return error(-32601, "Method not found", id)
    return {"jsonrpc": "2.0", "result": params, "id": id}


def respond(body):
    """Return what is due for one content: a response, a batch of them, or None."""
    try:
        message = json.loads(body.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return error(-32700, "Parse error")
    if isinstance(message, list) and message:
        return [reply for reply in map(answer, message) if reply]
    return answer(message)


def send(reply):
    body = json.dumps(reply).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        while (fields := read_header(sys.stdin.buffer)) is not None:
            length = fields.get(b"content-length", b"")
            if not length.isdigit():
                send(error(-32700, "Parse error"))
            elif charset(fields) not in (b"utf-8", b"utf8"):
                sys.stdin.buffer.read(int(length))
                send(error(-32700, "The content must be UTF-8"))
            elif reply := respond(sys.stdin.buffer.read(int(length))):
                send(reply)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
