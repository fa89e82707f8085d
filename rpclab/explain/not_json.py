"""Text that never was JSON: noise, prompts, markup, values of other languages.

Such a text is known from how it begins, and only if the first fault is within
that beginning: a good message that goes wrong later is not a log line.
"""

import re
from typing import Final

from rpclab.explain import noise

_FRAMES: Final = {
    "content-length-header": rb"(?i:content-(?:length|type))[ \t]*:",
    "http-request": rb"[A-Z]{3,10} [^ ]{1,2000} HTTP/[0-9.]+",
    "http-response": rb"HTTP/[0-9.]+ [0-9]{3}\b",
    "sse-event": rb"(?:data|event|retry):",
}

_OTHERS: Final = {
    "html": rb"<(?i:!doctype html|html|head|body)\b",
    "xml": rb"<[?!A-Za-z/]",
    "shell-prompt": rb"(?:\$|>{1,3}|%|PS [^>]{0,200}>|[\w.@~/:-]{1,200}[$#%])[ ]+[\[{\w]"
    rb"|#[ ]+[\[{]",
    "shell-command": rb"(?:echo|printf|curl|cat|rpclab)[ ]+[-\"'{|<\w]",
    "java-map": rb"\{[A-Za-z_]\w{0,60}=(?![=>])",
    "quotes-eaten": rb"\{jsonrpc: 2\.0\b(?![^\n]{0,2000}['\"])"
    rb"|'?\{?jsonrpc:['\\]?2\.0\b(?![^\n]{0,2000}\")|'\{[A-Za-z_]\w{0,40}:",
    "wrapped-in-quotes": rb"['`][ ]*[{\[]",
    "form-encoded": rb"[A-Za-z_][\w.%+-]{0,200}=[^&={}\[\]\s]{0,2000}(?:&|\Z)",
    "python-bytes": rb"(?:b|rb|B)['\"]",
    "python-dict": rb"dict\(",
    "python-object": rb"(?:root=)?[A-Z]\w{0,80}\((?:root=[A-Z]\w{0,80}\()?[a-z]\w{0,40}=",
    "go-map": rb"&?map\[[\w\"]",
    "rust-debug": rb"(?:Some\(|Ok\()?Object[ ]?(?:\{|\()",
    "emacs-plist": rb"\(:[a-z]",
    "no-braces": rb"(?:jsonrpc|method|params|id|result|error)[ ]*[:=]",
    "header-line": rb"[A-Za-z][A-Za-z0-9-]{1,60}:[ ]",
}

_BEGINNINGS: Final[dict[str, re.Pattern[bytes]]] = {
    **{id: re.compile(pattern) for id, pattern in _FRAMES.items()},
    **noise.PATTERNS,
    **{id: re.compile(pattern) for id, pattern in _OTHERS.items()},
    "plain-text": noise.PLAIN,
}
"""The beginning of each text, in the order in which they are asked."""

NOT_JSON: Final = frozenset(_BEGINNINGS)
"""The mistakes of text that never was JSON."""

NOISE: Final = frozenset({*noise.PATTERNS, "plain-text"})
"""Those of text for people: on stdout it is noise."""


def name_text(data: bytes, start: int, end: int, at: int) -> str:
    """Return the mistake of a text that is not JSON from its start on, or "".

    >>> name_text(b"INFO ready", 0, 10, 0), name_text(b"[vite] ready", 0, 12, 1)
    ('log-line', 'log-line')
    >>> name_text(b"[1, 2", 0, 5, 5)
    ''
    """
    for id, beginning in _BEGINNINGS.items():
        found = beginning.match(data, start, end)
        if found and at < found.end():
            return id
    return ""
