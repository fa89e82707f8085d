"""Which shape a value has, or is nearest to.

The decision tree is that of ``rpclab.parsing``; here it also takes names from
JSON that is broken, and names that are nearly right.
"""

from typing import Final

from rpclab.errors import InvalidRequest, InvalidResponse
from rpclab.explain import strings
from rpclab.messages import Json
from rpclab.parsing import read_message

KNOWN: Final = ("jsonrpc", "method", "params", "id", "result", "error")

_WRONG_WORDS: Final = {
    "param": "params",
    "parameters": "params",
    "args": "params",
    "arguments": "params",
    "function": "method",
    "func": "method",
    "action": "method",
    "command": "method",
    "name": "method",
    "version": "jsonrpc",
    "rpc": "jsonrpc",
    "results": "result",
    "response": "result",
    "err": "error",
    "errors": "error",
    "request_id": "id",
    "requestid": "id",
    "uuid": "id",
}


def nearest_shape(first: bytes, names: set[str]) -> str:
    """Say what an object with these names is, or an array, by its first byte.

    >>> nearest_shape(b"{", {"jsonrpc", "method", "id"}), nearest_shape(b"[", set())
    ('request', 'batch')
    >>> nearest_shape(b"{", {"Method"})
    'notification'
    """
    if first == b"[":
        return strings.BATCH
    meant = {meant_name(name) or name for name in names}
    if "method" in meant:
        return strings.REQUEST if "id" in meant else strings.NOTIFICATION
    if "result" in meant or "error" in meant:
        return strings.SUCCESS if "result" in meant else strings.ERROR
    return strings.REQUEST if meant & {"jsonrpc", "params"} else strings.NOTHING


def meant_name(name: str) -> str:
    """Give the known name that another is near to, or "" if it is near none.

    >>> meant_name("Method"), meant_name("methd"), meant_name("args"), meant_name("trace")
    ('method', 'method', 'params', '')
    """
    lower = name[:20].lower().strip(" _-")
    if lower in KNOWN:
        return lower
    close = [known for known in KNOWN if len(known) > 3 and _is_one_slip(lower, known)]
    return _WRONG_WORDS.get(lower) or (close[0] if close else "")


def _is_one_slip(word: str, known: str) -> bool:
    """Tell whether one letter is missing, added or other, or two are swapped."""
    if abs(len(word) - len(known)) > 1:
        return False
    pairs = zip(word, known, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(word), len(known)))
    rest, wanted = word[at:], known[at:]
    swapped = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]


def is_message(value: Json) -> bool:
    """Ask the transport whether a value is one of the four shapes.

    >>> is_message({"jsonrpc": "2.0", "method": "update"})
    True
    """
    try:
        read_message(value)
    except (InvalidRequest, InvalidResponse):
        return False
    return True
