"""A server whose methods are the methods of a class, found by their name."""

import json
import os
import sys


def no_such_number(token):
    """Refuse NaN and the infinities: json.loads takes them for numbers."""
    raise ValueError(token)


class Server:
    def do_boom(self):
        raise ValueError("boom")

    def error(self, code, message, id=None):
        return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}

    def call(self, request):
        """Return the response to one call, or None if there is none."""
        if not isinstance(request, dict) or isinstance(request.get("id"), (bool, list, dict)):
            return self.error(-32600, "not a request")
        if "method" not in request and {"result", "error"} & set(request):
            return None  # a response is not answered
        id, name, params = request.get("id"), request.get("method"), request.get("params", [])
        good = request.get("jsonrpc") == "2.0" and isinstance(name, str)
        if not good or not isinstance(params, (list, dict)):
            return self.error(-32600, "not a request", id)
        reply = {"jsonrpc": "2.0", "id": id} | self.outcome(name, params)
        return reply if "id" in request else None

    def outcome(self, name, params):
        """Run a method, and return the result or the error that goes into its response."""
        if name == "echo":
            return {"result": params}
        method = getattr(self, "do_" + name, None)
        if method is None:
            return {"error": {"code": -32601, "message": "there is no such method"}}
        try:
            return {"result": method(**params) if isinstance(params, dict) else method(*params)}
        except Exception as problem:
            print(repr(problem), file=sys.stderr)
            return {"error": {"code": -32603, "message": "Internal error"}}

    def message(self, line):
        """Return what is due for one line: a response, a batch of them, or None."""
        try:
            value = json.loads(line.decode(), parse_constant=no_such_number)
        except (ValueError, RecursionError):
            return self.error(-32700, "not JSON")
        if not isinstance(value, list) or not value:
            return self.call(value)
        return [reply for reply in map(self.call, value) if reply is not None] or None

    def run(self):
        mark = b"\xef\xbb\xbf"  # a byte order mark may come first
        for line in sys.stdin.buffer:
            text, mark = line.strip(b" \t\r\n").removeprefix(mark), b""
            if text:
                self.send(self.message(text))

    def send(self, reply):
        if reply is not None:
            sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        Server().run()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
