"""rpclab's own client under the contract of `rpclab conform-client`.

Each call waits in a thread of its own, since the contract begins calls in order
and does not wait for the ones before.
"""

import json
import os
import sys
import threading

from rpclab.errors import JsonRpcError, MethodNotFound
from rpclab.framing import ContentLengthFraming, NewlineFraming
from rpclab.messages import ErrorResponse, Notification, SuccessResponse
from rpclab.peer.client import Client

lock = threading.Lock()
waiting = {}


def say(**outcome):
    with lock:
        sys.stdout.write(json.dumps(outcome) + "\n")
        sys.stdout.flush()


def refuse(method, params):
    raise MethodNotFound


def say_response(name, response):
    match response:
        case SuccessResponse(result=result):
            say(**{"as": name, "result": result})
        case ErrorResponse(error=error):
            say(**{"as": name, "error": {"code": error.code, "message": error.message}})
        case _:
            say(**{"as": name, "failed": str(response)})


def call(client, order):
    name = order["as"]
    try:
        result = client.call(order["call"], order.get("params"), timeout=order.get("timeout"))
        say(**{"as": name, "result": result})
    except JsonRpcError as error:
        say(**{"as": name, "error": {"code": error.code, "message": error.message}})
    except Exception as error:  # noqa: BLE001  any of them means that the call failed
        say(**{"as": name, "failed": f"{type(error).__name__}: {error}"})


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


def begin(names, run, *arguments):
    thread = threading.Thread(target=run, args=arguments)
    thread.start()
    waiting.update(dict.fromkeys(names, thread))
    thread.join(0.05)  # the calls are begun in order: this one has written by now


def do(client, order):
    if "wait" in order:
        waiting[order["wait"]].join()
    elif "call" in order:
        begin([order["as"]], call, client, order)
    elif "batch" in order:
        begin([o["as"] for o in order["batch"] if "as" in o], batch, client, order["batch"])
    elif "notify" in order:
        client.notify(order["notify"], order.get("params"))
    else:
        say(cannot=next(iter(order)))


def main():
    framed = os.environ.get("RPCLAB_FRAMING") == "content-length"
    framing = ContentLengthFraming() if framed else NewlineFraming()
    with Client.start(sys.argv[1:], refuse, framing=framing) as client:
        for line in sys.stdin:
            do(client, json.loads(line))
        for thread in waiting.values():
            thread.join()
        for stray in client.strays:
            say(reported=str(stray))


if __name__ == "__main__":
    main()
