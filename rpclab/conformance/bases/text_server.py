"""A server that reads and writes text, through a TextIOWrapper on stdin."""

import io
import json
import os
import sys


def bad_number(name):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(name)


def respond(call):
    """Return the response to one call, or None if there is none."""
    reply = {"jsonrpc": "2.0", "id": None}
    invalid = reply | {"error": {"code": -32600, "message": "Invalid Request"}}
    if type(call) is not dict:
        return invalid
    if "method" not in call and ("result" in call or "error" in call):
        return None
    if type(call.get("id")) in (bool, list, dict):
        return invalid
    invalid["id"] = reply["id"] = call.get("id")
    if call.get("jsonrpc") != "2.0" or type(call.get("method")) is not str:
        return invalid
    if type(call.get("params", [])) not in (list, dict):
        return invalid
    if call["method"] == "echo":
        reply["result"] = call.get("params", [])
    elif call["method"] == "update":
        reply["result"] = None
    else:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    return reply if "id" in call else None


def read(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        line.encode()
        message = json.loads(line, parse_constant=bad_number)
    except (ValueError, RecursionError):
        error = {"code": -32700, "message": "Parse error"}
        return {"jsonrpc": "2.0", "id": None, "error": error}
    if type(message) is list and message:
        return list(filter(None, map(respond, message)))
    return respond(message)


def main():
    stdin = io.TextIOWrapper(
        sys.stdin.buffer, encoding="utf-8", errors="surrogateescape", newline="\n"
    )
    line = stdin.readline().removeprefix("\ufeff")
    while line:
        if line.strip(" \t\r\n"):
            reply = read(line)
            if reply:
                sys.stdout.write(json.dumps(reply) + "\n")
                sys.stdout.flush()
        line = stdin.readline()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
