"""Text for people on a stream of messages: log lines, banners, traces, shell errors.

A library that prints a tip, a shell that cannot find a program, a runtime that warns:
all of it reaches stdout, and none of it was ever meant to be JSON. Each kind is known
from how a line begins. A line of JSON that goes wrong begins in another way.
"""

import re
from typing import Final

_LITERAL: Final = rb"(?:True|False|None|NaN|nan|nil|undefined|Infinity|true|false|null)\b"
_LEVEL: Final = rb"(?i:trace|debug|info|notice|warn(?:ing)?|error|critical|fatal)\b"
_TAG: Final = (  # it is not a list of literals or numbers
    rb"\[(?!" + _LITERAL + rb")(?=[^\]]*[^\]0-9., \t+eE-]|\+\])[^][{}\"',\n]{1,80}\]:?[ \t]*"
)
_NO_JSON: Final = rb"[^][{}\"\n]{0,200}?"  # what may come before the words that tell the kind

_KINDS: Final[dict[str, tuple[bytes, ...]]] = {
    "npm-banner": (
        rb">[ ](?:@[\w.-]{1,100}/)?[\w.-]{1,100}@[0-9][\w.+-]{0,60}(?: [\w:.-]|\s*\Z)",
        rb"(?:npm|pnpm|yarn) (?i:warn|err!|error|notice|info|run)\b",
        rb"Need to install the following packages",
    ),
    "shell-error": (
        _NO_JSON + rb"(?:command not found|: not found\b|No such file or directory)",
        _NO_JSON + rb"(?:Permission denied|is not recognized as|executable file not found)",
        _NO_JSON + rb"(?:Unknown command|can't open file|cannot execute)",
        _NO_JSON + rb"(?:ist entweder falsch geschrieben|n'est pas reconnu|no se reconoce)",
        rb"'[^'\n]{1,100}'[ ]?[\x80-\xff]",  # cmd.exe in a language without these letters
    ),
    "stack-trace": (
        rb"Traceback \(most recent",
        rb"File \"[^\"\n]{1,300}\", line [0-9]",
        rb"[\^~ ]{1,200}\Z",  # the marks under a line of Python
        rb"at [^\s{}\"][^\n{}\"]{0,300}(?::[0-9]+\)?|\))\s*\Z",  # Java, JavaScript, C#
        rb"Exception in thread|Caused by: |\.\.\. [0-9]+ more\b",
        rb"(?:[a-z_]\w{0,60}\.){1,12}[A-Z]\w{0,80}(?:Exception|Error)\b",
        rb"(?:Uncaught )?(?:[A-Z]\w{0,60})?(?:Error|Exception)(?: \[\w+\])?: ",
        rb"Unhandled (?:exception|rejection)|node:internal/|Node\.js v[0-9]",
        rb"panic: |fatal error: |goroutine [0-9]+ \[",  # Go
        rb"thread '[^'\n]{0,60}' (?:\([0-9]+\) )?panicked",  # Rust
    ),
    "runtime-warning": (
        rb"\(node:[0-9]+\)|\(Use `?node ",
        rb"[^\s:{}\"]{1,200}:[0-9]+: \w{0,60}Warning: |\w{0,60}Warning: ",  # Python
        rb"OpenJDK [^\n]{0,60} warning:|Picked up [A-Z_]{1,40}:|SLF4J[:(]",
        rb"Debugger (?:listening|attached)|Waiting for the debugger",
    ),
    "log-line": (
        rb"\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}",
        rb"\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}",
        rb"\[?" + _LEVEL + rb"[]:|! \t]",
        rb"[IWEF][0-9]{4} [0-9]{2}:[0-9]{2}:",  # Kubernetes
        rb"[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} ",  # syslog
        rb"(?:time|ts|level|lvl)=[^ &=]{1,60} ",
        rb"\[[A-Z] [0-9][^]\n]{5,60}\] ",  # Jupyter
        rb"\[[0-9]{1,4}\][ \t]+[A-Za-z\x80-\xff(]",  # a number of a process
        rb"\[[0-9.]{1,20}\][ \t]+(?:\[[ ]*)?\{[ ]*\"(?:jsonrpc|method|id|result|error|params)\"",
        rb"(?:<-{1,3}|-{1,3}>|<<|=>|\xe2\x86[\x90\x92])[ \t]*[{\[]",  # arrows: sent, received
        rb"(?:" + _TAG + rb")+(?<=[ \t])[^]\s,}][^\n]{0,80}",
    ),
    "compose-prefix": (rb"[A-Za-z][\w.-]{0,80}[ ]{1,40}\|(?:[ ]|\Z)",),
    "progress-bar": (
        rb"[^{}\[\"\n]{0,200}?[0-9]{1,3}(?:\.[0-9]{1,3})?%[|: \t\r]",
        rb"[^{}\[\"\n]{0,200}?\[[=#>.-]{3,200}[ ]*\]",
        rb"[^{}\[\"\n\r]{1,200}\r(?![ \t\r]*[\[{])[^{}\[\"\n]",  # written over itself
    ),
    "banner": (
        rb"(?=[^{}\n]*\Z)(?=.{0,200}?[_|/\\=*~+<>()#.' `:-]{3})"  # drawn with characters
        rb"(?:[_|/\\()'`,.:;=<>~*#+ -]|[A-Za-z](?![a-z])|(?<=[_ ])[a-z]{1,2}(?=[_ ])){5,300}\Z",
        rb"(?:[*=~]{1,80}|:{2,80}|-{2,80}>?|[-=]>)[ \t]+[A-Za-z\x80-\xff][^{}\n]{0,80}",
    ),
}

PATTERNS: Final[dict[str, re.Pattern[bytes]]] = {
    id: re.compile(b"|".join(patterns)) for id, patterns in _KINDS.items()
}
"""The beginning of each kind of noise. The first one that fits decides."""

PLAIN: Final = re.compile(
    rb"(?!" + _LITERAL + rb")[A-Za-z\x80-\xff][\w\x80-\xff'-]*[ ,.!:?]"
    rb"|[0-9]+[.)]?[ \t]+[A-Za-z][^{}\[\]\":,\n]{0,80}\Z"
    rb"|\([A-Za-z][\w:. -]{0,60}\)[ :]"
    rb"|(?:[A-Za-z]:\\|\.{0,2}/)(?![/*\"])[\w.-][^{}\[\]\"\n]{0,200}"
)
"""Plain text: a word and what follows it, a number and a word, a path. It is asked last."""
