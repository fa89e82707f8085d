"""A server that asks its client, writes to stderr, and ends as LSP says. Tests run it.

Methods: ``ask`` sends the requests in its params, and its result is the list of the
answers; ``say`` writes its params to stderr. Other methods are echoed.

usage: python asking_server.py [FRAMING]
"""

import json
import os
import sys

from rpclab.framing import FRAMINGS
from rpclab.transport import FramedTransport, claim_stdio

shut_down = False
waiting = {}  # the id of an ``ask``, and the answers that it waits for


def send(message):
    wire.write(json.dumps({"jsonrpc": "2.0", **message}).encode())


def ask(id, requests):
    waiting[id] = dict.fromkeys(f"{id}.{n}" for n in range(len(requests)))
    for own, (method, params) in zip(waiting[id], requests, strict=True):
        send({"id": own, "method": method, "params": params})


def take(answer):
    for id, answers in waiting.items():
        if answer["id"] in answers:
            answers[answer["id"]] = answer.get("result", answer.get("error"))
            if None not in answers.values():
                send({"id": id, "result": list(answers.values())})


if __name__ == "__main__":
    wire = FramedTransport(*claim_stdio(), FRAMINGS[sys.argv[1] if sys.argv[1:] else "newline"]())
    print("ready", file=sys.stderr, flush=True)  # noqa: T201  it is the point
    for payload in wire:
        match json.loads(payload):
            case {"method": "exit"}:
                os._exit(0 if shut_down else 1)
            case {"method": "ask", "params": requests, "id": id}:
                ask(id, requests)
            case {"method": "say", "params": words, "id": id}:
                print(*words, file=sys.stderr, flush=True)  # noqa: T201  it is the point
                send({"id": id, "result": None})
            case {"method": method, "id": id} as call:
                shut_down = shut_down or method == "shutdown"
                send({"id": id, "result": call.get("params")})
            case {"id": _} as answer:
                take(answer)
