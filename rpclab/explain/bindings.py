"""What the protocols above JSON-RPC ask of a message: MCP, LSP, ACP and A2A.

These rules are about members inside ``params`` and ``result``, so JSON-RPC
keeps what they break. A finding names the protocol's own clause.
"""

from collections.abc import Callable, Iterator
from typing import Final

from rpclab.errors import ABSENT
from rpclab.explain import strings
from rpclab.explain.judgement import Subject
from rpclab.explain.model import BROKEN, KEPT, Finding
from rpclab.messages import Json

Check = Callable[[Subject], bool | None]
"""Says whether a clause is kept, or None where it is not about this message."""


def judge_binding(subject: Subject) -> Iterator[Finding]:
    """Judge an object by the clauses of the profile's own protocol."""
    for clause, name, check in _CHECKS.get(subject.profile.id, ()):
        kept = check(subject)
        if kept is not None:
            says = strings.BINDINGS[clause][0 if kept else 1]
            yield Finding(clause, KEPT if kept else BROKEN, says, *subject.place(name))


def _inside(value: Json, *path: str) -> Json:
    """Give the value at a path of names, or ``ABSENT``."""
    for name in path:
        value = value.get(name, ABSENT) if type(value) is dict else ABSENT
    return value


def _is_token(value: Json) -> bool | None:
    """Tell whether a value is a string or an integer, or is not there."""
    return None if value is ABSENT else type(value) in {str, int}


def _is_request(subject: Subject) -> bool:
    return type(subject.get("method")) is str and "id" in subject.value


def _protocol_version(subject: Subject) -> bool | None:
    """MCP: a request says its version and the client's capabilities."""
    if not _is_request(subject):
        return None
    meta = _inside(subject.get("params"), "_meta")
    names = ("protocolVersion", "clientCapabilities")
    return type(meta) is dict and all(f"io.modelcontextprotocol/{n}" in meta for n in names)


def _result_type(subject: Subject) -> bool | None:
    """MCP: a result has a type."""
    result = subject.get("result")
    return (
        "resultType" in result if type(result) is dict and "method" not in subject.value else None
    )


def _progress_token(subject: Subject) -> bool | None:
    """MCP: a progress token is a string or an integer."""
    return _is_token(_inside(subject.get("params"), "_meta", "progressToken"))


def _mcp_cancel(subject: Subject) -> bool | None:
    """MCP: a cancel names its request."""
    if subject.get("method") != "notifications/cancelled":
        return None
    return _is_token(_inside(subject.get("params"), "requestId")) is True


def _lsp_cancel(subject: Subject) -> bool | None:
    """LSP: a cancel names its request."""
    if subject.get("method") != "$/cancelRequest":
        return None
    return _is_token(_inside(subject.get("params"), "id")) is True


def _lsp_token(subject: Subject) -> bool | None:
    """LSP: a progress token is a string or an integer."""
    if subject.get("method") != "$/progress":
        return None
    return _is_token(_inside(subject.get("params"), "token")) is True


def _acp_version(subject: Subject) -> bool | None:
    """ACP: a protocol version is one integer."""
    asked = _inside(subject.get("params"), "protocolVersion")
    version = asked if asked is not ABSENT else _inside(subject.get("result"), "protocolVersion")
    return None if version is ABSENT else type(version) is int


def _pascal_case(subject: Subject) -> bool | None:
    """A2A: a method's name is in PascalCase."""
    method = subject.get("method")
    return method[:1].isupper() and method.isalnum() if type(method) is str else None


_CHECKS: Final[dict[str, tuple[tuple[str, str, Check], ...]]] = {
    "mcp": (
        ("mcp.request-meta", "params", _protocol_version),
        ("mcp.result-type", "result", _result_type),
        ("progress.mcp-token-type", "params", _progress_token),
        ("cancel.mcp-notification", "params", _mcp_cancel),
    ),
    "lsp": (
        ("cancel.lsp-names-the-id", "params", _lsp_cancel),
        ("progress.lsp-token-type", "params", _lsp_token),
    ),
    "acp": (("acp.version-integer", "params", _acp_version),),
    "a2a": (("a2a.pascal-case", "method", _pascal_case),),
}
