"""rpclab's own client under the contract of `rpclab conform-client`.

usage: python rpclab_client.py DIALECT SERVER...    (DIALECT is lsp or mcp)

Each call is submitted, and a thread of its own waits for the outcome, since the
contract begins calls in order and does not wait for the ones before.
"""

import json
import os
import sys
import threading
from contextlib import suppress

from rpclab.errors import JsonRpcError, MethodNotFound
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.messages import ErrorResponse, Notification, SuccessResponse
from rpclab.peer.client import Client

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "rpclab", "version": "1"},
}
lock = threading.Lock()
waiting = {}
futures = {}


def say(**outcome):
    with lock:
        sys.stdout.write(json.dumps(outcome) + "\n")
        sys.stdout.flush()


def hear(method, params):
    """Tell of a notification; there is no method that the server may call."""
    if method != "textDocument/publishDiagnostics":
        raise MethodNotFound
    say(notification={"method": method, "params": params})


def say_response(name, response):
    match response:
        case SuccessResponse(result=result):
            say(**{"as": name, "result": result})
        case ErrorResponse(error=error):
            say(**{"as": name, "error": {"code": error.code, "message": error.message}})
        case _:
            say(**{"as": name, "failed": str(response)})


def tell(name, future):
    """Wait for the outcome of a call, and write it."""
    try:
        say(**{"as": name, "result": future.result()})
    except JsonRpcError as error:
        say(**{"as": name, "error": {"code": error.code, "message": error.message}})
    except Exception as error:  # noqa: BLE001  any of them means that the call failed
        say(**{"as": name, "failed": f"{type(error).__name__}: {error}"})


def call(client, order):
    name, params, timeout = order["as"], order.get("params"), order.get("timeout")
    futures[name] = client.submit(order["call"], params, timeout=timeout)
    waiting[name] = threading.Thread(target=tell, args=[name, futures[name]])
    waiting[name].start()


def batch(client, orders):
    names = [order["as"] for order in orders if "call" in order]
    calls = [
        (order["call"], order.get("params"))
        if "call" in order
        else Notification(order["notify"], order.get("params"))
        for order in orders
    ]
    try:
        timeout = max((order.get("timeout", 0) for order in orders), default=0) or None
        for name, response in zip(names, client.batch(calls, timeout=timeout), strict=True):
            say_response(name, response)
    except Exception as error:  # noqa: BLE001  any of them means that the calls failed
        for name in names:
            say(**{"as": name, "failed": f"{type(error).__name__}: {error}"})


def begin_batch(client, orders):
    thread = threading.Thread(target=batch, args=[client, orders])
    thread.start()
    waiting.update(dict.fromkeys([order["as"] for order in orders if "as" in order], thread))
    thread.join(0.05)  # the calls are begun in order: this one has written by now


def do(client, order):
    if "wait" in order:
        waiting[order["wait"]].join()
    elif "call" in order:
        call(client, order)
    elif "batch" in order:
        begin_batch(client, order["batch"])
    elif "notify" in order:
        client.notify(order["notify"], order.get("params"))
    else:
        futures[order["cancel"]].cancel()


def greet(client):
    """Do the handshake of MCP. If it fails, the calls after it fail as well."""
    with suppress(Exception):
        client.submit("initialize", HELLO).result()
        client.notify("notifications/initialized")


def main():
    framed = os.environ.get("RPCLAB_FRAMING") == "content-length"
    framing = ContentLengthFraming() if framed else NewlineFraming()
    dialect, *command = sys.argv[1:]
    with Client.start(command, hear, framing=framing, dialect=dialect) as client:
        if os.environ.get("RPCLAB_PROFILE") == "mcp":
            greet(client)
        for line in sys.stdin:
            do(client, json.loads(line))
        for thread in waiting.values():
            thread.join()
        for stray in client.strays:
            say(reported=str(stray))


if __name__ == "__main__":
    main()
