"""Text that never was JSON: log lines, prompts, markup, other encodings.

Such a text is known from how it begins, and only if the first fault is within
that beginning: a good message that goes wrong later is not a log line.
"""

import re
from typing import Final

_LOG: Final = (
    rb"\[?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}|[0-9]{1,2}:[0-9]{2}:[0-9]{2}|"
    rb"(?i:trace|debug|info|notice|warn(?:ing)?|error|critical|fatal)\b[]:|! \t])"
    rb"|Traceback \(most recent"
)

_BEGINNINGS: Final[dict[str, re.Pattern[bytes]]] = {
    id: re.compile(pattern)
    for id, pattern in {
        "content-length-header": rb"(?i:content-(?:length|type))[ \t]*:",
        "http-request": rb"[A-Z]{3,10} [^ ]{1,2000} HTTP/[0-9.]+",
        "http-response": rb"HTTP/[0-9.]+ [0-9]{3}\b",
        "sse-event": rb"(?:data|event|retry):",
        "log-line": _LOG,
        "html": rb"<(?i:!doctype html|html|head|body)\b",
        "xml": rb"<[?!A-Za-z/]",
        "shell-prompt": rb"(?:\$|>{1,3}|%|PS [^>]{0,200}>|[\w.@~/:-]{1,200}[$#%])[ ]+[\[{\w]"
        rb"|#[ ]+[\[{]",
        "shell-command": rb"(?:echo|printf|curl|cat|rpclab)[ ]+[-\"'{|<\w]",
        "wrapped-in-quotes": rb"['`][ ]*[{\[]",
        "form-encoded": rb"[A-Za-z_][\w.%+-]{0,200}=[^&={}\[\]\s]{0,2000}(?:&|\Z)",
        "python-bytes": rb"(?:b|rb|B)['\"]",
        "python-dict": rb"dict\(",
        "no-braces": rb"(?:jsonrpc|method|params|id|result|error)[ ]*[:=]",
        "header-line": rb"[A-Za-z][A-Za-z0-9-]{1,60}:[ ]",
        "plain-text": rb"(?!(?:True|False|None|NaN|nan|Infinity|undefined|nil|null|true|false)\b)"
        rb"[A-Za-z\x80-\xff][\w\x80-\xff'-]*[ ,.!:?]",
    }.items()
}


def name_text(data: bytes, start: int, end: int, at: int) -> str:
    """Return the mistake of a text that is not JSON from its start on, or "".

    >>> name_text(b"INFO ready", 0, 10, 0), name_text(b"[INFO] ready", 0, 12, 1)
    ('log-line', 'log-line')
    """
    for id, beginning in _BEGINNINGS.items():
        found = beginning.match(data, start, end)
        if found and at < found.end():
            return id
    return ""


def is_utf_16(data: bytes) -> bool:
    """Tell whether every other byte is zero at the start, like ASCII text in UTF-16."""
    head = data[:8]
    return len(head) > 3 and (
        (not any(head[::2]) and all(head[1::2])) or (not any(head[1::2]) and all(head[::2]))
    )


def is_latin_1(data: bytes, at: int) -> bool:
    """Tell whether a byte may be a letter of a Western code page."""
    following = data[at + 1 : at + 2]
    return data[at] >= 0xA0 and (not following or following < b"\x80")
