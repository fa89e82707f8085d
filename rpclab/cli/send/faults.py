"""What is wrong with a payload of the server, in one sentence.

The rules are those of ``rpclab.explain``, without what is asked of clients alone.
"""

from typing import Final

from rpclab.errors import FramingError
from rpclab.explain import Finding, explain
from rpclab.explain.model import BENT, BROKEN
from rpclab.framing import Payload
from rpclab.spec import clause
from rpclab.spec import profile as find_profile

_LONGEST: Final = 64 * 1024  # of what is explained: a millisecond for each kilobyte
_MEANT_FOR_SERVERS: Final = "response-to-server"  # a mistake; here it goes to a client


def describe_fault(payload: Payload, profile: str) -> str:
    """Return the worst fault by the rules of a profile, or "" if there is none.

    >>> describe_fault(b'{"result":19,"id":1}', "core")
    'broken 5.jsonrpc-exact: The member jsonrpc is missing. Add "jsonrpc":"2.0".'
    >>> describe_fault(b'{"jsonrpc":"2.0","result":19,"id":1}', "core")
    ''
    """
    if isinstance(payload, FramingError) or len(payload) > _LONGEST:
        return ""
    explanation = explain(payload, profile)
    fixes = [one.fix for one in explanation.mistakes[:1] if one.id != _MEANT_FOR_SERVERS]
    for verdict in (BROKEN, BENT):
        for finding in explanation.findings:
            if finding.verdict == verdict and _binds_servers(finding):
                return " ".join([f"{verdict} {finding.clause}: {finding.says}", *fixes])
    return ""


def _binds_servers(finding: Finding) -> bool:
    """Tell whether a server must keep a clause. By JSON-RPC a server that asks is a client."""
    rule = clause(finding.clause)
    return rule.actor != "client" or rule.source in find_profile("core").sources
