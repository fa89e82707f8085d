"""Text for people on a stream of messages: log lines, banners, traces, shell errors.

A library that prints a tip, a shell that cannot find a program, a runtime that warns:
all of it reaches stdout, and none of it was ever meant to be JSON. Each kind is known
from how a line begins. A line of JSON that goes wrong begins in another way.
"""

import re
from typing import Final

_LEVEL: Final = rb"(?i:trace|debug|info|notice|warn(?:ing)?|error|critical|fatal)\b"

# A tag in brackets, and text after it. A list of literals or numbers is not a tag.
_TAG: Final = (
    rb"(?:\[(?!(?:True|False|None|NaN|nan|nil|undefined|Infinity|true|false|null)\b)"
    rb"(?=[^\]]*[A-Za-z+*!?=#>/@:.\x80-\xff]|[0-9]{1,4}\])[^][{}\"',\n]{1,80}\]:?[ \t]*)+"
    rb"(?:(?<=[ \t])[^]\s,}][^\n]{0,80})"
)

_LOG: Final = (
    rb"\[?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}|[0-9]{1,2}:[0-9]{2}:[0-9]{2}|" + _LEVEL + rb"[]:|! \t])"
    rb"|[IWEF][0-9]{4} [0-9]{2}:[0-9]{2}:|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} "
    rb"|(?:time|ts|level|lvl)=[^ &=]{1,60} |\[[A-Z] [0-9][^]\n]{5,60}\] |" + _TAG
)

_NOT_FOUND: Final = (
    rb"command not found|: not found\b|No such file or directory|Permission denied"
    rb"|is not recognized as|executable file not found|Unknown command|can't open file"
    rb"|cannot execute|ist entweder falsch geschrieben|n'est pas reconnu|no se reconoce"
    rb"|\xe4\xb8\x8d\xe6\x98\xaf\xe5\x86\x85\xe9\x83\xa8\xe6\x88\x96\xe5\xa4\x96\xe9\x83\xa8"
)

_TRACE: Final = (
    rb"Traceback \(most recent|at [^\s{}\"][^\n{}\"]{0,300}(?:\([^\n]{0,300}:[0-9]+\)|:[0-9]+|\))\s*\Z"
    rb"|File \"[^\"\n]{1,300}\", line [0-9]|Exception in thread|Caused by: |\.\.\. [0-9]+ more\b"
    rb"|(?:[a-z_]\w{0,60}\.){1,12}[A-Z]\w{0,80}(?:Exception|Error)\b"
    rb"|(?:Uncaught )?(?:[A-Z]\w{0,60})?(?:Error|Exception)(?: \[\w+\])?: "
    rb"|panic: |fatal error: |goroutine [0-9]+ \[|thread '[^'\n]{0,60}' (?:\([0-9]+\) )?panicked"
    rb"|Unhandled (?:exception|rejection)|node:internal/|Node\.js v[0-9]|[\^~ ]{1,200}\Z"
)

_WARNING: Final = (
    rb"\(node:[0-9]+\)|\(Use `?node |[^\s:{}\"]{1,200}:[0-9]+: \w*Warning: |\w*Warning: "
    rb"|OpenJDK [^\n]{0,60} warning:|Picked up [A-Z_]{1,40}:|SLF4J[:(]|Debugger (?:listening|attached)"
    rb"|Waiting for the debugger"
)

_BAR: Final = (
    rb"[^{}\[\"\n]{0,200}?(?:[0-9]{1,3}(?:\.[0-9]+)?%[|: \t\r]|\[[=#>.\-]{3,200}[ ]*\])"
    rb"|[^{}\[\"\n\r]{1,200}\r(?![ \t\r]*[\[{])[^{}\[\"\n]"
)

PATTERNS: Final[dict[str, re.Pattern[bytes]]] = {
    id: re.compile(pattern)
    for id, pattern in {
        "npm-banner": rb">[ ](?:@[\w.-]{1,100}/)?[\w.-]{1,100}@[0-9][\w.+-]{0,60}(?: [\w:.-]|\s*\Z)"
        rb"|(?:npm|pnpm|yarn) (?i:warn|err!|error|notice|info|run)\b|yarn run v[0-9]"
        rb"|Need to install the following packages",
        "shell-error": rb"[^][{}\"\n]{0,200}?(?:" + _NOT_FOUND + rb")|'[^'\n]{1,100}' [\x80-\xff]",
        "stack-trace": _TRACE,
        "runtime-warning": _WARNING,
        "log-line": _LOG,
        "compose-prefix": rb"[A-Za-z][\w.-]{0,80}[ ]{1,40}\|(?:[ ]|\Z)",
        "progress-bar": _BAR,
        "banner": rb"(?=[^{}\n]*\Z)(?=.{0,200}?[_|/\\=*~+<>()#.' `:-]{3})"
        rb"(?:[_|/\\()'`,.:;=<>~*#+ -]|[A-Za-z](?![a-z])|(?<=[_ ])[a-z]{1,2}(?=[_ ])){5,300}\Z"
        rb"|(?:[=*~]{1,80}|:{2,80}|-{2,80}>?|[-=]>)[ \t]+[A-Za-z\x80-\xff][^{}\n]{0,80}",
    }.items()
}
"""The beginning of each kind of noise. The first one that fits decides."""

SHORT: Final = re.compile(
    rb"(?!(?:True|False|None|NaN|nan|Infinity|undefined|nil|null|true|false)\b)"
    rb"[A-Za-z\x80-\xff][\w\x80-\xff'-]*[ ,.!:?]"
    rb"|[0-9]+[.)]?[ \t]+[A-Za-z][^{}\[\]\":,\n]{0,80}\Z"
    rb"|\([A-Za-z][\w:. -]{0,60}\)[ :]|(?:[A-Za-z]:\\|\.{0,2}/)(?![/*\"])[\w.-][^{}\[\]\"\n]{0,200}"
)
"""Plain text: a word and what follows a word. Everything else is asked first."""
