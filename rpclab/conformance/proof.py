"""The good request after each case: its reply proves life, and silence before it.

A target may have a defect in ids, so a reply is recognised by its id or by
what it gives back. What the first good request got is what the later ones must get.
"""

from dataclasses import dataclass, field
from typing import Final

from rpclab.codec import encode
from rpclab.conformance.matching import read_payload
from rpclab.conformance.targets import Came
from rpclab.messages import Json

UNKNOWN: Final = "rpclab.there-is-no-such-method"
_FIRST_ID: Final = 700_001  # far from the ids of cases, and within 32 bits


@dataclass(slots=True)
class Proof:
    """Good requests to one target, one after another."""

    method: str = "echo"
    id: int = _FIRST_ID
    usual: Json = None
    seen: Json = field(default=None, init=False)

    def request(self) -> bytes:
        """Give the next good request."""
        self.id += 1
        call = {"jsonrpc": "2.0", "method": self.method, "params": self._params, "id": self.id}
        return encode(call).encode()

    @property
    def _params(self) -> Json:
        return {"alive": self.id}

    def find(self, came: list[Came], start: int = 0) -> bool:
        """Look for the reply. If it is the usual one, it is taken out of what came."""
        for place in range(start, len(came)):
            value = read_payload(came[place])
            members = value if isinstance(value, list) else [value]
            if reply := next((member for member in members if self._is_mine(member)), None):
                self.seen = reply
                if self.usual is None or _gist(reply) == self.usual:
                    del came[place]
                return True
        return False

    def _is_mine(self, value: Json) -> bool:
        if not isinstance(value, dict) or "method" in value:
            return False
        return value.get("result") == self._params or str(value.get("id")) == str(self.id)

    def settle(self) -> bool:
        """Take the first reply as the usual one; tell whether another method must be tried."""
        if self.method != UNKNOWN and "result" not in self.seen:
            self.method = UNKNOWN
            return True
        self.usual = _gist(self.seen)
        return False


def _gist(reply: Json) -> Json:
    """Give what is the same in every reply to a good request."""
    error = reply.get("error")
    return ["error", error.get("code")] if isinstance(error, dict) else sorted(reply)
