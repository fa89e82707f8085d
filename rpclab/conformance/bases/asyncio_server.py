"""A server on asyncio that reads lines from a stream reader."""

import asyncio
import json
import os
import sys

LIMIT = 1 << 26


def reject(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


def failed(code, message, id=None):
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": id}


async def run(call):
    """Return the response to one call, or None if there is none."""
    if not isinstance(call, dict):
        return failed(-32600, "Invalid Request")
    if "method" not in call and ("result" in call or "error" in call):
        return None  # a response is not answered
    id, params = call.get("id"), call.get("params", [])
    if type(id) in (bool, list, dict):
        return failed(-32600, "Invalid Request")
    if call.get("jsonrpc") != "2.0" or not isinstance(call.get("method"), str):
        return failed(-32600, "Invalid Request", id)
    if not isinstance(params, (list, dict)):
        return failed(-32600, "Invalid Request", id)
    if "id" not in call:
        return None  # a notification is not answered
    if call["method"] != "echo":
        return failed(-32601, "Method not found", id)
    return {"jsonrpc": "2.0", "result": params, "id": id}


async def respond(line):
    """Return what is due for one line: a response, a batch of them, or None."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=reject)
    except (ValueError, RecursionError):
        return failed(-32700, "Parse error")
    if isinstance(message, list) and message:
        return [one for one in [await run(call) for call in message] if one]
    return await run(message)


async def main():
    reader = asyncio.StreamReader(limit=LIMIT)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    line = (await reader.readline()).removeprefix(b"\xef\xbb\xbf")
    while line:
        reply = await respond(line) if line.strip() else None
        if reply:
            os.write(1, json.dumps(reply).encode() + b"\n")
        line = await reader.readline()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
