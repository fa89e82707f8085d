"""A client case in the words of its protocol: what is called, and what comes of it.

The rows of ``clients/*.toml`` call ``echo`` with ``["hi"]``, and get ``["hi"]``.
A client of MCP cannot be told so: it calls a tool, whose result is an object. So
before a case is run, its calls, the script of its server, and what is expected are
put into the words of the profile.

One rule: only methods, params and results change. The fault that a case is about
(its bytes, its ids, its spelling) stays as it is in the row.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from rpclab.conformance.cases.client import ClientCase
from rpclab.conformance.cases.server import DEMO_METHODS
from rpclab.conformance.cases.shared import Outcome

TOLD: Final = frozenset({*DEMO_METHODS, "nothing"})
"""The methods of the rows. Every other method is a protocol's own, or must stay as it is."""

_RENAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "mcp": {"get_data": "prompts/list", "update": "notifications/roots/list_changed"},
    "lsp": {"get_data": "shutdown", "update": "$/update"},
}
"""What a protocol has in place of our methods: a call without params, a notification."""

_CARRIERS: Final = {
    "mcp": ("tools/call", "name", "arguments"),
    "lsp": ("workspace/executeCommand", "command", "arguments"),
}
"""The request of a protocol that calls our methods: its name, and the names of two params."""

_OF_THE_SERVER: Final[Mapping[str, Mapping[str, tuple[str, Any]]]] = {
    "mcp": {"log": ("notifications/message", {"level": "info", "data": "working"})},
    "lsp": {
        "log": ("window/logMessage", {"type": 3, "message": "working"}),
        "ping": ("window/showMessageRequest", {"type": 3, "message": "Are you there?"}),
        "progress": ("$/progress", {"token": "rpclab", "value": {"kind": "report"}}),
    },
    "acp": {"log": ("_log", {"text": "working"}), "ping": ("_ping", {})},
}
"""What a server of a protocol sends in place of a call of the rows."""

_RESULT: Final = re.compile(r'"result"\s*:\s*')
_OPEN, _CLOSE = re.compile(r'(?<=ult":)\["'), re.compile(r'"\](?=,"(?:id|\\u0069d)")')
_WRITTEN: Final = ("write", "raw")


def _number(text: str) -> float:
    """Read a number so that 1E2 is written as 100 in a text, as in what is expected."""
    number = float(text)
    return int(number) if number.is_integer() else number


_decoder: Final = json.JSONDecoder(parse_float=_number)


def spoken(case: ClientCase, profile: str) -> ClientCase:
    """Return a client case in the words of a profile."""
    if profile not in ("mcp", "lsp", "acp"):
        return case
    return replace(
        case,
        profile=profile,
        calls=tuple(_order(json.loads(line), profile) for line in case.calls),
        script=tuple(_step(step, profile) for step in case.script),
        outcomes=tuple(_outcome(outcome, case, profile) for outcome in case.outcomes),
        wrote=tuple(_pattern(line, profile) for line in case.wrote),
        wrote_not=tuple(_pattern(line, profile) for line in case.wrote_not),
    )


def call_in(profile: str, method: str, params: Any = None, *, asks: bool = True) -> dict[str, Any]:
    """Return method and params of a call, as a profile has them.

    >>> call_in("mcp", "echo", ["hi"])
    {'method': 'tools/call', 'params': {'name': 'echo', 'arguments': {'text': 'hi'}}}
    >>> call_in("lsp", "echo", ["hi"])
    {'method': 'workspace/executeCommand', 'params': {'command': 'echo', 'arguments': ['hi']}}
    >>> call_in("acp", "echo", ["hi"])
    {'method': '_echo', 'params': {'text': 'hi'}}
    """
    if method not in TOLD:
        return _with_params(method, params if profile == "lsp" else _named(params))
    if method in _RENAMED.get(profile, {}) and not (asks and params):
        keeps_params = profile == "lsp" and params is not None
        return _with_params(_RENAMED[profile][method], params if keeps_params else None)
    if profile == "acp":
        return _with_params(f"_{method}", _named(params))
    carrier, name, arguments = _CARRIERS[profile]
    told: dict[str, Any] = {name: method}
    if params is not None:
        in_list = params if isinstance(params, list) else [params]
        told[arguments] = in_list if profile == "lsp" else _named(params)
    return _with_params(carrier, told)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _with_params(method: str, params: Any) -> dict[str, Any]:
    return {"method": method} if params is None else {"method": method, "params": params}


def _named(params: Any) -> Any:
    """Return params by name: a text, items, or what has names already."""
    match params:
        case [str(text)]:
            return {"text": text}
        case list():
            return {"items": params}
    return params


def result_in(profile: str, value: Any) -> Any:
    """Return what comes back for a result of the rows, as a profile has it.

    >>> result_in("mcp", ["hi"])
    {'content': [{'type': 'text', 'text': 'hi'}]}
    >>> result_in("mcp", {"n": 1})
    {'content': [{'type': 'text', 'text': '{"n":1}'}]}
    """
    match profile, value:
        case "mcp", [str(text)]:
            return {"content": [{"type": "text", "text": text}]}
        case "mcp", _:
            return {"content": [{"type": "text", "text": _dump(value)}]}
        case "acp", dict() | list():
            return _named(value)
        case "acp", _:
            return {"value": value}
    return value


def _order(order: dict[str, Any], profile: str) -> str:
    """Put one line of the client's stdin into the words of a profile."""
    for kind in ("call", "notify"):
        if kind in order:
            called = call_in(profile, order[kind], order.get("params"), asks=kind == "call")
            rest = {k: v for k, v in order.items() if k not in (kind, "params")}
            params = {"params": called["params"]} if "params" in called else {}
            order = {kind: called["method"], **params, **rest}
    return _dump(order)


def _pattern(line: str, profile: str) -> str:
    """Put a message that the client writes into the words of a profile."""
    message = json.loads(line)
    if "method" in message:
        params = message.pop("params", None)
        is_null = params is None and '"params":null' in line
        called = call_in(profile, message["method"], params, asks="id" in message)
        message |= {**called, **({"params": None} if is_null else {})}
    return _dump(message)


def _step(step: Mapping[str, Any], profile: str) -> dict[str, Any]:
    """Put a step of the server into the words of a profile."""
    done = dict(step)
    for kind in _WRITTEN:
        if isinstance(done.get(kind), list):
            done[kind] = [_written(text, profile) for text in done[kind]]
        elif kind in done:
            done[kind] = _written(done[kind], profile)
    if "raw_hex" in done:
        text = bytes.fromhex(done["raw_hex"]).decode("latin-1")
        done["raw_hex"] = _written(text, profile).encode("latin-1").hex()
    return done


def _written(text: str, profile: str) -> str:
    """Change the calls and the results in a text that need not be a whole message."""
    for method, (other, params) in _OF_THE_SERVER.get(profile, {}).items():
        if f'"method":"{method}"' in text:
            message = json.loads(text)
            return _dump(message | _with_params(other, params))
    if profile == "lsp":
        return text
    parts, at = [], 0
    for found in _RESULT.finditer(text):
        try:
            value, end = _decoder.raw_decode(text, found.end())
        except ValueError:  # it goes on in the next step
            continue
        parts += [text[at : found.end()], _dump(result_in(profile, value))]
        at = end
    rest = text[at:]
    opening, closing = _dump(result_in(profile, ["?"])).split("?")
    return "".join(parts) + _CLOSE.sub(closing, _OPEN.sub(opening, rest))


def _outcome(outcome: Outcome, case: ClientCase, profile: str) -> Outcome:
    lines = [_said(line, case, profile) for line in outcome.lines]
    return replace(outcome, lines=tuple(lines))


def _said(line: str, case: ClientCase, profile: str) -> str:
    """Put a line that the client says into the words of a profile."""
    match json.loads(line):
        case {"result": result} as said if not isinstance(result, str):
            is_own = '"call":"get_data"' in case.calls[0]
            own: Any = {"mcp": {"prompts": []}, "lsp": None}.get(profile, {})
            said["result"] = own if is_own else result_in(profile, result)
        case {"notification": {"method": str(method)} as note} as said:
            if known := _OF_THE_SERVER.get(profile, {}).get(method):
                note |= _with_params(*known)
        case said:
            pass
    return _dump(said)
