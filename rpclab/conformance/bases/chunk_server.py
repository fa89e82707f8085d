"""A server that reads chunks of bytes with os.read and cuts the lines itself."""

import json
import os

WORDS = {-32700: "Parse error", -32600: "Invalid Request", -32601: "Method not found"}


def strict(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def refusal(code, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": WORDS[code]}, "id": id}


def dispatch(value):
    """Return the response to a call, or those to a batch."""
    if isinstance(value, list) and value:
        return [reply for member in value if (reply := dispatch_one(member))]
    return dispatch_one(value)


def dispatch_one(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict) or isinstance(call.get("id"), (bool, list, dict)):
        return refusal(-32600)
    if "method" not in call and call.keys() & {"result", "error"}:
        return None  # a response is not answered
    id, method, params = call.get("id"), call.get("method"), call.get("params", [])
    if call.get("jsonrpc") != "2.0" or type(method) is not str or type(params) not in (dict, list):
        return refusal(-32600, id)
    if "id" not in call:
        return None  # a notification is not answered
    if method == "echo":
        return {"jsonrpc": "2.0", "result": params, "id": id}
    return refusal(-32601, id)


def reply_to(line):
    """Write what is due for one line, if anything is."""
    if not line.strip(b" \t\r"):
        return
    try:
        reply = dispatch(json.loads(line.decode(), parse_constant=strict))
    except (ValueError, RecursionError):
        reply = refusal(-32700)
    if reply:
        os.write(1, json.dumps(reply).encode() + b"\n")


def main():
    parts, mark = [], b"\xef\xbb\xbf"  # a byte order mark may come first
    while chunk := os.read(0, 65536):
        parts.append(chunk)
        if b"\n" in chunk:
            *lines, rest = b"".join(parts).split(b"\n")
            parts = [rest]
            for line in lines:
                reply_to(line.removeprefix(mark))
                mark = b""
    reply_to(b"".join(parts))


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
