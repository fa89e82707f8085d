"""A server that compares params with the signature of its function before the call."""

import inspect
import json
import os
import sys


class RpcError(Exception):
    """Its arguments are a code and a message."""


def subtract(minuend, subtrahend):
    if not {type(minuend), type(subtrahend)} <= {int, float}:
        raise RpcError(-32602, "subtract takes two numbers")
    return minuend - subtrahend


METHODS = {"subtract": subtract}


def invoke(name, params):
    """Run a method on params that fit its signature."""
    if name == "echo":
        return params
    if name not in METHODS:
        raise RpcError(-32601, "Method not found")
    args, named = (params, {}) if isinstance(params, list) else ([], params)
    try:
        inspect.signature(METHODS[name]).bind(*args, **named)
    except TypeError:
        raise RpcError(-32602, "Invalid params") from None
    return METHODS[name](*args, **named)


def fault(code, message, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


def answer(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or isinstance(call.get("id"), (bool, list, dict)):
        return fault(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, name, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(name) is not str or type(params) not in (list, dict):
        return fault(-32600, "Invalid Request", id)
    try:
        reply = {"jsonrpc": "2.0", "result": invoke(name, params), "id": id}
    except RpcError as error:
        reply = fault(*error.args, id)
    except Exception:
        reply = fault(-32603, "Internal error", id)
    return reply if "id" in call else None


def refuse(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def serve(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return fault(-32700, "Parse error")
    if isinstance(message, list) and message:
        return [reply for reply in map(answer, message) if reply]
    return answer(message)


if __name__ == "__main__":
    mark = b"\xef\xbb\xbf"  # a byte order mark may come first
    try:
        for line in sys.stdin.buffer:
            line, mark = line.strip(b" \t\r\n").removeprefix(mark), b""
            if line and (reply := serve(line)):
                sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
                sys.stdout.buffer.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
