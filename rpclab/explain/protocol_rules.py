"""What the protocols above JSON-RPC ask of a message: MCP, LSP, ACP and A2A.

These rules are about members inside ``params`` and ``result``, so a message that
breaks one is still valid JSON-RPC. A finding names the protocol's own clause.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from rpclab.errors import ABSENT
from rpclab.explain.model import BROKEN, FREE, KEPT, Finding
from rpclab.explain.rules import Subject
from rpclab.messages import Json
from rpclab.spec import clause

_META: Final = (
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
)


class ProtocolRule(NamedTuple):
    """One clause of a protocol, the member that it is about, and what is said about it.

    ``check`` tells whether the clause is kept, and returns None if it is not about
    this message. ``otherwise`` is the verdict if it is not kept. ``in_force`` is said if
    the revision is known and has the rule: then it is broken.
    """

    clause: str
    member: str
    check: Callable[[Subject], bool | None]
    kept: str
    broken: str
    otherwise: str = BROKEN
    in_force: str = ""


def judge_by_protocol(subject: Subject) -> Iterator[Finding]:
    """Judge an object by the clauses of the profile's own protocol."""
    if type(subject.value) is not dict:
        return
    revision = subject.profile.revision or _named_revision(subject)
    for rule in RULES.get(subject.profile.id, ()):
        holds = not revision or clause(rule.clause).holds_in(revision)
        kept = rule.check(subject) if holds else None
        if kept is not None:
            otherwise = BROKEN if revision and rule.in_force else rule.otherwise
            says = rule.in_force if revision and rule.in_force else rule.broken
            verdict, says = (KEPT, rule.kept) if kept else (otherwise, says)
            yield Finding(rule.clause, verdict, says, *subject.place(rule.member))


def _named_revision(subject: Subject) -> str:
    """Return the revision that a message names: a handshake does, and a ``_meta``.

    One that the profile does not know tells nothing.
    """
    params = subject.get("params")
    named = (
        _inside(params, "protocolVersion"),
        _inside(subject.get("result"), "protocolVersion"),
        _inside(params, "_meta", _META[0]),
    )
    return next((str(one) for one in named if one in subject.profile.versions), "")


def _inside(value: Json, *path: str) -> Json:
    """Return the value at a path of names, or ``ABSENT``."""
    for name in path:
        value = value.get(name, ABSENT) if type(value) is dict else ABSENT
    return value


def _is_token(value: Json) -> bool | None:
    """Tell whether a value is a string or an integer; return None if it is absent."""
    return None if value is ABSENT else type(value) in {str, int}


def _is_request(subject: Subject) -> bool:
    return type(subject.get("method")) is str and "id" in subject.value


def _request_meta(subject: Subject) -> bool | None:
    """MCP: a request has the protocol version and the client's capabilities, or neither."""
    there = _meta_members(subject)
    return None if there in {None, 1} else there == len(_META)


def _half_of_meta(subject: Subject) -> bool | None:
    """MCP: a request that has one of the two speaks a revision that asks for both."""
    return False if _meta_members(subject) == 1 else None


def _meta_members(subject: Subject) -> int | None:
    """Count the two members of a request's ``_meta``; return None if it is not a request."""
    if not _is_request(subject):
        return None
    meta = _inside(subject.get("params"), "_meta")
    return sum(name in meta for name in _META) if type(meta) is dict else 0


def _result_type(subject: Subject) -> bool | None:
    """MCP: a result has a type."""
    result = subject.get("result")
    if type(result) is not dict or "method" in subject.value:
        return None
    return "resultType" in result


def _is_error(subject: Subject) -> bool | None:
    """MCP: isError tells whether a tool has failed."""
    failed = _inside(subject.get("result"), "isError")
    return None if type(failed) is not bool or "method" in subject.value else not failed


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


RULES: Final[dict[str, tuple[ProtocolRule, ...]]] = {
    "mcp": (
        ProtocolRule(
            "mcp.request-meta",
            "params",
            _request_meta,
            "params._meta has the protocol version and the client's capabilities.",
            "From revision 2026-07-28 on, params._meta has the protocol version and the"
            " client's capabilities. They are not there, which an older revision allows.",
            FREE,
            "params._meta must have the protocol version and the client's capabilities, and"
            " they are not there.",
        ),
        ProtocolRule(
            "mcp.request-meta",
            "params",
            _half_of_meta,
            "",
            "params._meta has only one of the protocol version and the client's capabilities."
            " The revision that has one of them asks for both.",
        ),
        ProtocolRule(
            "mcp.result-type",
            "result",
            _result_type,
            "result has a resultType.",
            "A result has a resultType from revision 2026-07-28 on. It is not there, which an"
            " older revision allows.",
            FREE,
            "A result has a resultType, and it is not there.",
        ),
        ProtocolRule(
            "mcp.result-object",
            "result",
            _is_error,
            "isError is false: the tool did its work.",
            "isError marks a tool that failed. JSON-RPC sees a success, so a client has to look"
            " here too: content says what went wrong, for the model to read.",
            FREE,
        ),
        ProtocolRule(
            "progress.mcp-token-type",
            "params",
            _progress_token,
            "The progressToken is a string or an integer.",
            "The progressToken is neither a string nor an integer.",
        ),
        ProtocolRule(
            "cancel.mcp-notification",
            "params",
            _mcp_cancel,
            "The cancel names its request in requestId.",
            "A cancel names its request in params.requestId. It is not there.",
        ),
    ),
    "lsp": (
        ProtocolRule(
            "cancel.lsp-names-the-id",
            "params",
            _lsp_cancel,
            "The cancel names its request in params.id.",
            "A cancel names its request in params.id. It is not there.",
        ),
        ProtocolRule(
            "progress.lsp-token-type",
            "params",
            _lsp_token,
            "The token is a string or an integer.",
            "The token is neither a string nor an integer.",
        ),
    ),
    "acp": (
        ProtocolRule(
            "acp.version-integer",
            "params",
            _acp_version,
            "protocolVersion is an integer.",
            "protocolVersion is one integer in ACP, and this is not.",
        ),
    ),
    "a2a": (
        ProtocolRule(
            "a2a.pascal-case",
            "method",
            _pascal_case,
            "The method's name is in PascalCase.",
            "A2A 1.0 writes method names in PascalCase, such as SendMessage.",
        ),
    ),
}
