"""The names that are known in a session, for completion: methods, and MCP's tools.

They come from what was sent and received, from replies that list names (those to
``tools/list`` and ``rpc.discover``), and from the examples of the profile's clauses.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from rpclab.codec import decode
from rpclab.errors import FramingError, ParseError
from rpclab.framing import Payload
from rpclab.messages import Json
from rpclab.spec import clauses
from rpclab.spec import profile as find_profile

DEMO: Final = (
    "subtract", "sum", "add", "echo", "get_data", "slow", "boom", "typeerr", "keyerr", "badresult",
    "update", "notify_hello", "notify_sum",
)  # fmt: skip
"""The methods of the demo server."""

_NAME: Final = re.compile(r'"method"\s*:\s*"([^"\\]{1,100})"')
_ID: Final = re.compile(r'"id"\s*:\s*(\d{1,9})\b(?!\.)')
_INVENTED: Final = {"no/such", "$/unknown"}  # in examples of errors
_MOST: Final = 1000
_LONGEST: Final = 1024 * 1024  # a payload that names are looked for in


class KnownNames:
    """The methods, those of this session first, and the tools.

    >>> names = KnownNames("mcp")
    >>> names.learn(b'{"jsonrpc":"2.0","method":"tools/call","id":1}')
    >>> names.methods[0]
    'tools/call'
    >>> names.learn(b'{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add"}]}}')
    >>> names.tools
    ['add']
    """

    def __init__(self, profile: str) -> None:
        self._profile = profile
        self._methods: dict[str, None] = {}
        self._tools: dict[str, None] = {}
        self.next_id = 1
        """An id that nothing typed has had."""

    @property
    def methods(self) -> list[str]:
        """The names of methods, each once."""
        return list(self._methods | dict.fromkeys(names_of_profile(self._profile)))

    @property
    def tools(self) -> list[str]:
        """The names of tools, which ``tools/call`` takes."""
        return list(self._tools)

    def learn(self, payload: Payload) -> None:
        """Take the names out of a payload of either side."""
        if isinstance(payload, FramingError) or len(payload) > _LONGEST:
            return
        text = payload.decode(errors="replace")
        self.add(_NAME.findall(text))
        self.next_id = max([self.next_id, *(int(id) + 1 for id in _ID.findall(text))])
        if b'"tools"' in payload or b'"methods"' in payload:
            match _decode(payload):
                case {"result": {"tools": list(rows)}}:
                    self._tools |= dict.fromkeys(list(_names_in(rows))[:_MOST])
                case {"result": {"methods": list(rows)}}:
                    self.add(list(_names_in(rows)))

    def add(self, methods: list[str] | tuple[str, ...]) -> None:
        """Add names of methods, until there are too many."""
        self._methods |= dict.fromkeys(methods[: _MOST - len(self._methods)])


def _decode(payload: bytes) -> Json:
    try:
        return decode(payload)
    except ParseError:
        return None


def _names_in(rows: list[Json]) -> Iterator[str]:
    for row in rows:
        match row:
            case {"name": str(name)}:
                yield name


@cache
def names_of_profile(profile: str) -> tuple[str, ...]:
    """Return the names in the examples of the clauses that only this profile has.

    >>> "tools/list" in names_of_profile("mcp"), names_of_profile("core")
    (True, ())
    """
    own = set(find_profile(profile).sources) - set(find_profile("core").sources)
    rows = [one for one in clauses() if one.source in own]
    texts = [text for one in rows for text in (one.given, one.keeps, one.breaks)]
    return tuple(sorted({name for text in texts for name in _NAME.findall(text)} - _INVENTED))
