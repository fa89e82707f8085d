"""What the requests of a server are answered with while it is judged.

A server may ask its client something, and wait for the answer before it goes on.
A judge that stays silent would take such a server for a dead one.

One rule: every request is answered. A client that offers nothing has an empty list
of roots, null for each setting, and -32601 for a method that it does not know.
"""

from collections.abc import Mapping
from typing import Final

from rpclab.conformance.comparison import is_call, read_payload
from rpclab.errors import MethodNotFound
from rpclab.messages import Json
from rpclab.rendering import render_error, render_result

USUAL: Final[Mapping[str, Mapping[str, Json]]] = {
    "mcp": {"ping": {}, "roots/list": {"roots": []}},
    "lsp": {
        "client/registerCapability": None,
        "client/unregisterCapability": None,
        "window/showMessageRequest": None,
        "window/workDoneProgress/create": None,
        "workspace/workspaceFolders": None,
    },
}
"""What a client without roots, folders or settings of its own answers, by profile."""

_ANY: Final = {method: result for usual in USUAL.values() for method, result in usual.items()}


def answer(payload: bytes) -> str | None:
    """Return the answer to a payload, or None if it is not a request.

    >>> answer(b'{"jsonrpc":"2.0","id":"r1","method":"roots/list"}')
    '{"jsonrpc":"2.0","result":{"roots":[]},"id":"r1"}'
    """
    value = read_payload(payload) if b"method" in payload else None
    if not (isinstance(value, dict) and is_call(value)):
        return None
    id, method = value.get("id"), value["method"]
    if not isinstance(id, str | int | float) or isinstance(id, bool):
        return None
    if method == "workspace/configuration":
        return render_result([None] * count_items(value.get("params")), id)
    return render_result(_ANY[method], id) if method in _ANY else render_error(MethodNotFound(), id)


def count_items(params: Json) -> int:
    """Return how many settings are asked for: the answer has one value for each.

    >>> count_items({"items": [{"section": "a"}, {"section": "b"}]})
    2
    """
    items = params.get("items") if isinstance(params, dict) else None
    return len(items) if isinstance(items, list) else 0
