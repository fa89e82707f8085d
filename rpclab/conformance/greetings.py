"""The handshake that each server process gets first, and what it agreed on.

A profile decides what is sent. MCP's handshake names a revision; the revisions from
2026-07-28 on have no handshake.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from rpclab.conformance.cases import Case
from rpclab.conformance.targets import Target
from rpclab.spec import Profile, clause, profile

_MCP: Final = "2025-11-25"

GREETINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "mcp": (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
        '"capabilities":{},"clientInfo":{"name":"rpclab","version":"1"}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ),
    "lsp": (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"rootUri":null,'
        '"capabilities":{}}}',
        '{"jsonrpc":"2.0","method":"initialized","params":{}}',
    ),
    "acp": (
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,'
        '"clientCapabilities":{}}}',
    ),
}
"""The handshake of each profile. The core has none."""


def greeting(name: str) -> tuple[str, ...]:
    """Return the handshake of a profile, which may name a revision.

    >>> greeting("mcp@2025-06-18")[0].count("2025-06-18"), greeting("mcp@2026-07-28")
    (1, ())
    """
    speaks = profile(name)
    lines = GREETINGS.get(speaks.id, ())
    if not speaks.revision:
        return lines
    has_handshake = clause("mcp.initialize-first").holds_in(speaks.revision)
    return tuple(line.replace(_MCP, speaks.revision) for line in lines if has_handshake)


def agreed_profile(target: Target, name: str) -> Profile:
    """Return the profile in the revision that was asked for, or that the handshake agreed on.

    The target must have been started. A revision that the profile does not know counts as none.
    """
    speaks = profile(name)
    if speaks.revision or not speaks.versions:
        return speaks
    return speaks.at(target.revision) if target.revision in speaks.versions else speaks


def open_cases(cases: Iterable[Case], speaks: Profile) -> list[Case]:
    """Return the cases; while no revision is known, those that hold in a few are free."""
    unsettled = bool(speaks.versions) and not speaks.revision
    return [
        replace(case, level="free") if unsettled and not _holds_in_all(case, speaks) else case
        for case in cases
    ]


def _holds_in_all(case: Case, speaks: Profile) -> bool:
    return all(clause(case.clause).holds_in(revision) for revision in speaks.versions)
