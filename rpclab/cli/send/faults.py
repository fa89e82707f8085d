"""What is wrong with a payload of the server, in one sentence.

The rules are those of ``rpclab.explain``. MCP has several revisions, and a server says
in its reply to ``initialize`` which one it speaks: from then on it is judged by that.
"""

import re
from functools import cache
from typing import Final

from rpclab.errors import FramingError
from rpclab.explain import Explanation, Finding, explain
from rpclab.explain.model import BENT, BROKEN
from rpclab.framing import Payload
from rpclab.spec import clause, clauses

_LONGEST: Final = 64 * 1024  # of what is explained: a millisecond for each kilobyte
_REVISION: Final = re.compile(rb'"protocolVersion"\s*:\s*"(\d{4}-\d\d-\d\d)"')
_MEANT_FOR_SERVERS: Final = "response-to-server"  # a mistake; here it goes to a client


class Faults:
    """Finds the worst fault of each payload.

    >>> Faults("core").describe(b'{"result":19,"id":1}')
    'broken 5.jsonrpc-exact: The member jsonrpc is missing. Add "jsonrpc":"2.0".'
    >>> Faults("core").describe(b'{"jsonrpc":"2.0","result":19,"id":1}')
    ''

    Args:
        profile: whose rules hold.
    """

    def __init__(self, profile: str) -> None:
        self._profile = profile
        self._revision = ""

    def describe(self, payload: Payload) -> str:
        """Return the worst fault, or "" if there is none."""
        if isinstance(payload, FramingError) or len(payload) > _LONGEST:
            return ""
        if found := _REVISION.search(payload):
            self._revision = found[1].decode()
        explanation = explain(payload, self._profile)
        for verdict in (BROKEN, BENT):
            for finding in explanation.findings:
                if finding.verdict == verdict and binds(finding.clause, self._revision):
                    return f"{verdict} {_say(finding, explanation)}"
        return ""


def _say(finding: Finding, explanation: Explanation) -> str:
    fixes = [one.fix for one in explanation.mistakes[:1] if one.id != _MEANT_FOR_SERVERS]
    return " ".join([f"{finding.clause}: {finding.says}", *fixes])


def binds(id: str, revision: str) -> bool:
    """Tell whether a clause holds in a revision; "" is any.

    A revision that is not known is taken for the last one before it.

    >>> binds("mcp.result-type", "2026-07-28"), binds("mcp.result-type", "2025-06-18")
    (True, False)
    """
    named = clause(id).revisions
    if not (named and revision):
        return True
    known = known_revisions()
    return max([known[0], *(one for one in known if one <= revision)]) in named


@cache
def known_revisions() -> list[str]:
    """Return the revisions that clauses name, in order."""
    return sorted({revision for one in clauses() for revision in one.revisions})
