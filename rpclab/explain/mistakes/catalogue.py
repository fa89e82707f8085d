"""Every likely mistake: its clause, what it looks like, and what to do.

A rule names a mistake by its id; the rest of it is here, so that the sentences can
be read and translated in one place.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from rpclab.explain.model import Mistake


class Advice(NamedTuple):
    """The text of one mistake. ``clause`` is the rule that it breaks or is about."""

    clause: str
    says: str
    fix: str


def mistake(id: str, offset: int, **words: object) -> Mistake:
    """Make the mistake of that id, with the words for its sentences.

    ``lost`` is what cannot be restored of a printed value.

    >>> mistake("no-id", 0).says
    'no id, so no reply will come'
    """
    advice = MISTAKES[id]
    fix = advice.fix.format(**words)
    lost = f" {words['lost']} is lost: it cannot be read back." if words.get("lost") else ""
    return Mistake(id, advice.says.format(**words), offset, fix + lost)


def likeliest_first(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    """Return the mistakes of one message with the likeliest first.

    A name that is nearly right explains what else is missing, so it comes first.
    """
    return tuple(sorted(mistakes, key=lambda one: _PLACES.get(one.id, 1)))


_PLACES: Final = {"wrong-case": 0, "misspelt-name": 0, "json-log": -1} | dict.fromkeys(
    (
        "response-without-id",
        "response-to-server",
        "duplicate-name",
        "lone-surrogate",
        "line-separator",
    ),
    2,
)
"""Whether a mistake comes before or after the others, in the order they are found in."""

MISTAKES: Final[dict[str, Advice]] = {
    # No text.
    "empty": Advice("newline.one-message", "there is nothing in it", "Send one message a line."),
    "blank": Advice(
        "newline.one-message", "there is only white space in it", "Send one message a line."
    ),
    # Text that never was JSON.
    "content-length-header": Advice(
        "newline.one-message",
        "it looks like a Content-Length header, as LSP uses them",
        "Speak one framing on both ends: here a message is a line, and has no header.",
    ),
    "header-without-body": Advice(
        "lsp.header-then-content",
        "a header block, and no body after it",
        "Send the payload right after the empty line that ends the header.",
    ),
    "header-without-length": Advice(
        "lsp.length-required",
        "a header block without a length that can be used",
        "Send Content-Length with the number of bytes of the payload.",
    ),
    "wrong-length": Advice(
        "lsp.length-bytes",
        "Content-Length does not fit the payload",
        "Count the bytes of the encoded payload, not its characters, and no line end after it.",
    ),
    "stray-bytes": Advice(
        "lsp.length-exact",
        "bytes between two frames",
        "Send nothing but frames: logs go to stderr.",
    ),
    "http-request": Advice(
        "newline.one-message",
        "it looks like an HTTP request",
        "Send its body alone, or use an HTTP server.",
    ),
    "http-response": Advice(
        "newline.one-message",
        "it looks like an HTTP response",
        "Read its body alone: the head is HTTP's.",
    ),
    "header-line": Advice(
        "newline.one-message",
        "it looks like a header field",
        "Send the payload alone: a line holds one message.",
    ),
    "sse-event": Advice(
        "newline.one-message",
        "it looks like a server-sent event",
        "Take what follows data: as the message.",
    ),
    "log-line": Advice(
        "newline.stdout-clean", "it looks like a log line", "Write logs to stderr, not to stdout."
    ),
    "stack-trace": Advice(
        "newline.stdout-clean",
        "it looks like a stack trace: a program failed, and says where",
        "Read its last line for the reason. Write traces to stderr, not to stdout.",
    ),
    "shell-error": Advice(
        "newline.stdout-clean",
        "it looks like a shell that could not start a program",
        "Check the name of the command, its path and PATH. Such text belongs on stderr.",
    ),
    "npm-banner": Advice(
        "newline.stdout-clean",
        "it looks like the banner of a package manager",
        "Start the program itself, such as node server.js, or use npm run --silent."
        " Everything else goes to stderr.",
    ),
    "runtime-warning": Advice(
        "newline.stdout-clean",
        "it looks like a warning or a notice of the language's runtime",
        "Send it to stderr, not to stdout, or turn it off.",
    ),
    "compose-prefix": Advice(
        "newline.stdout-clean",
        "it looks like a line of Docker Compose, with the service's name in front",
        "Start the server with docker run -i, or docker compose run -T, and write logs to stderr.",
    ),
    "progress-bar": Advice(
        "newline.stdout-clean",
        "it looks like a progress bar",
        "Write it to stderr, or turn it off if no person looks at it.",
    ),
    "banner": Advice(
        "newline.stdout-clean",
        "it looks like a banner",
        "Write it to stderr, or turn it off, such as with spring.main.banner-mode=off.",
    ),
    "json-log": Advice(
        "newline.stdout-clean",
        "it looks like a log line written as JSON",
        "Write logs to stderr, not to stdout: being JSON does not make it a message.",
    ),
    "plain-text": Advice(
        "newline.stdout-clean",
        "it looks like text for people, such as a banner or a print",
        "Write it to stderr: the stream holds messages alone.",
    ),
    "ansi-colours": Advice(
        "newline.stdout-clean",
        "it has a terminal's control codes in it, such as colours or a window title",
        "Turn colours off, start no interactive shell, and write such text to stderr.",
    ),
    "shell-prompt": Advice(
        "newline.one-message",
        "it begins with a shell's prompt",
        "Copy the line without the prompt.",
    ),
    "shell-command": Advice(
        "newline.one-message",
        "it looks like a shell command",
        "Run it in a shell, or send only the JSON in it.",
    ),
    "html": Advice(
        "newline.one-message",
        "it looks like an HTML page, perhaps an error page",
        "Look at the address and the status: a web server answered, not a JSON-RPC server.",
    ),
    "xml": Advice(
        "2.json", "it looks like XML", "JSON-RPC speaks JSON. XML-RPC is another protocol."
    ),
    "form-encoded": Advice(
        "2.json", "it looks like a web form", "Send a JSON object, as application/json."
    ),
    "python-bytes": Advice(
        "2.json",
        "it looks like Python's way to show bytes",
        "Write the bytes themselves, not their repr.",
    ),
    "python-dict": Advice(
        "json.names",
        "it looks like a Python dict",
        "Write json.dumps(value), not str(value).",
    ),
    "python-object": Advice(
        "json.names",
        "it looks like the repr of a Python object",
        "Log the JSON instead: value.model_dump_json(by_alias=True, exclude_none=True) in pydantic,"
        " json.dumps(dataclasses.asdict(value)) for a dataclass.",
    ),
    "javascript-object": Advice(
        "json.names",
        "it looks like an object as JavaScript prints it",
        "Log JSON.stringify(value) instead.",
    ),
    "lua-table": Advice(
        "json.names",
        "it looks like a Lua table, as Neovim prints it",
        "Log vim.json.encode(value) instead. An empty table may be an array or an object.",
    ),
    "emacs-plist": Advice(
        "json.names",
        "it looks like a property list of Emacs Lisp",
        "Log (json-serialize value) instead.",
    ),
    "go-map": Advice(
        "json.names",
        "it looks like a map as Go prints it",
        "Log what json.Marshal(value) returns. This form has no quotes, so it cannot be read back.",
    ),
    "java-map": Advice(
        "json.names",
        "it looks like a map as Java prints it",
        "Log new Gson().toJson(value) instead. This form has no quotes, so it cannot be read back.",
    ),
    "rust-debug": Advice(
        "json.names",
        "it looks like a value as Rust's Debug prints it",
        "Log serde_json::to_string(&value) instead.",
    ),
    "lsp-trace": Advice(
        "2.json",
        "it looks like a language client's trace, which shows params and results alone",
        "The messages behind it are explained below. On the wire they have a header each.",
    ),
    "message-inside": Advice(
        "newline.one-message",
        "a message is inside this text",
        "It is explained below. On the wire a message has no other text in its line.",
    ),
    "quotes-eaten": Advice(
        "json.names",
        "a shell, or a printer, has taken the quotes away",
        "Put the line into a file, which no shell changes: rpclab explain --file line.json.",
    ),
    "python-tuple": Advice(
        "2.types", "it looks like a Python tuple", "Write an array in square brackets."
    ),
    "no-braces": Advice(
        "4.object", "it has members without braces around them", "Put {{ before it and }} after it."
    ),
    "wrapped-in-quotes": Advice(
        "2.json",
        "the whole message is in quotes, as in a shell or a source file",
        "Take the outer quotes off.",
    ),
    "escaped-quotes": Advice(
        "json.names",
        "quotes are escaped that should not be",
        "Encode the message once. Here it was encoded, and its outer quotes were cut off.",
    ),
    "double-encoded": Advice(
        "4.object",
        "a JSON string with JSON inside: encoded twice",
        "Encode the message once.",
    ),
    # Other encodings.
    "utf-16": Advice("json.utf8", "it looks like UTF-16", "Write the stream as UTF-8."),
    "code-page": Advice(
        "json.utf8",
        "it is not UTF-8: it can be read as {encoding}",
        "Write UTF-8. In Python set PYTHONUTF8=1, in a Windows console run chcp 65001.",
    ),
    "latin-1": Advice(
        "json.utf8",
        "not UTF-8: a letter of a Western code page, such as Latin-1",
        "Encode the text as UTF-8, or escape what is not ASCII.",
    ),
    "not-utf-8": Advice(
        "json.utf8",
        "not UTF-8, perhaps cut in the middle of a character, or binary data",
        "Encode the text as UTF-8. Cut streams at line feeds, not at a number of bytes.",
    ),
    "nul-byte": Advice(
        "json.control-characters",
        "it has a zero byte in it",
        "Send text without padding, in UTF-8.",
    ),
    "bom-first": Advice(
        "json.no-bom",
        "it begins with a byte order mark",
        "Save and write as UTF-8 without a mark.",
    ),
    "bom-elsewhere": Advice(
        "newline.bom-later",
        "it has a byte order mark inside the stream",
        "Write as UTF-8 without a mark, for each file and each write.",
    ),
    # Quotes and names.
    "single-quotes": Advice("json.names", "single quotes", "Use double quotes."),
    "smart-quotes": Advice(
        "json.names",
        "curly quotes, as a word processor or a chat makes them",
        'Use straight double quotes: ".',
    ),
    "backticks": Advice("json.names", "backticks in place of quotes", "Use double quotes."),
    "unquoted-name": Advice("json.names", "a name without quotes", "Put it in double quotes."),
    "name-not-string": Advice("json.names", "a name that is not a string", "A name is a string."),
    "unescaped-quote": Advice(
        "json.control-characters",
        "a quote inside a string, or one that is missing before",
        'Write \\" for a quote inside a string.',
    ),
    "unterminated-string": Advice(
        "2.json", "a string that does not end", "Close it with a double quote."
    ),
    "raw-control": Advice(
        "json.control-characters",
        "a control character inside a string, such as a tab",
        "Write it as an escape: \\t, or \\u00 and two digits.",
    ),
    "raw-newline": Advice(
        "newline.no-raw-newline",
        "a line break inside a string",
        "Write it as \\n.",
    ),
    "bad-escape": Advice(
        "2.json",
        "an escape that JSON does not have",
        'The escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits.',
    ),
    "lone-surrogate": Advice(
        "json.lone-surrogate",
        "half a character: a surrogate escape without its other half",
        "Cut text between characters. It is accepted, but not every reader can.",
    ),
    "line-separator": Advice(
        "newline.other-separators",
        "it has U+2028 or U+2029 in it, which is harmless here",
        "Nothing: only the byte 0A ends a line. Some readers cut here, and should not.",
    ),
    # Commas, colons, brackets.
    "trailing-comma-object": Advice(
        "json.no-trailing-comma", "a comma after the last member", "Leave it out."
    ),
    "trailing-comma-array": Advice(
        "json.no-trailing-comma", "a comma after the last element", "Leave it out."
    ),
    "extra-comma": Advice(
        "json.no-trailing-comma", "a comma with nothing before it", "Leave it out."
    ),
    "missing-comma": Advice("2.json", "a comma is missing", "Put a comma before it."),
    "missing-colon": Advice("2.json", "a colon is missing", "Put a colon after the name."),
    "missing-value": Advice("2.json", "a value is missing", "Give the member a value, or drop it."),
    "equals-for-colon": Advice("2.json", "= in place of a colon", "Write a colon."),
    "arrow-for-colon": Advice("2.json", "=> in place of a colon", "Write a colon."),
    "semicolon-for-comma": Advice("2.json", "a semicolon in place of a comma", "Write a comma."),
    "not-closed": Advice(
        "2.json",
        "it ends too early, with {open} open",
        "Close them, or look for what cut the line off.",
    ),
    "extra-closing": Advice("json.one-value", "a closing bracket too many", "Leave it out."),
    "wrong-closing": Advice("2.json", "a closing bracket of the other kind", "Close what is open."),
    "two-messages": Advice(
        "newline.one-message",
        "two messages in one line",
        "End each message with a line feed, or send them as a batch.",
    ),
    "text-after": Advice(
        "json.one-value", "text after the message", "Send the message alone, and end the line."
    ),
    "pretty-printed": Advice(
        "newline.no-raw-newline",
        "one message, pretty-printed over several lines",
        "Write it on one line: json.dumps without indent.",
    ),
    # Values.
    "comment-slashes": Advice("json.no-comments", "a comment", "Take it out: JSON has none."),
    "comment-star": Advice("json.no-comments", "a comment", "Take it out: JSON has none."),
    "comment-hash": Advice("json.no-comments", "a comment", "Take it out: JSON has none."),
    "python-literal": Advice(
        "json.literals", "a Python literal", "Write true, false or null: json.dumps does."
    ),
    "undefined": Advice("json.literals", "undefined", "Write null, or leave the member out."),
    "not-finite": Advice(
        "json.finite",
        "not a finite number",
        "JSON has no NaN and no Infinity: send null or a string.",
    ),
    "bare-word": Advice(
        "json.literals",
        "a bare word",
        "Put a string in double quotes. The only words are true, false and null.",
    ),
    "leading-zero": Advice("json.no-leading-zero", "a leading zero", "Leave it out."),
    "plus-sign": Advice("json.no-leading-zero", "a plus sign", "Leave it out."),
    "hexadecimal": Advice(
        "2.json", "a number that is not decimal", "Write it in decimal, or as a string."
    ),
    "no-digit-before-point": Advice(
        "json.no-leading-zero", "no digit before the decimal point", "Write 0 before the point."
    ),
    "no-digit-after-point": Advice(
        "json.no-leading-zero", "no digit after the decimal point", "Write 0 after it, or drop it."
    ),
    "number-cut-off": Advice("2.json", "a number that breaks off", "Write its digits."),
    "number-spelling": Advice(
        "2.json", "a number in another language's spelling", "Write digits alone."
    ),
    "number-too-large": Advice(
        "json.number-limits", "a number past what this reader holds", "Send it as a string."
    ),
    "too-deep": Advice(
        "json.limits", "nested past what this reader holds", "Flatten it, or look for a loop."
    ),
    # Valid JSON: calls.
    "no-jsonrpc": Advice("4.jsonrpc-present", "no jsonrpc", 'Add "jsonrpc":"2.0".'),
    "jsonrpc-old": Advice(
        "4.jsonrpc-exact", "an old version of JSON-RPC", 'Speak 2.0: "jsonrpc":"2.0".'
    ),
    "jsonrpc-number": Advice(
        "4.jsonrpc-exact", "jsonrpc is a number", 'It is a string: "jsonrpc":"2.0".'
    ),
    "jsonrpc-other": Advice("4.jsonrpc-exact", "jsonrpc is not 2.0", 'Write "jsonrpc":"2.0".'),
    "no-method": Advice("4.method-present", "no method", "Name the method to be called."),
    "method-type": Advice(
        "4.method-string", "method is not a string", "Write the method's name in double quotes."
    ),
    "misspelt-name": Advice(
        "4.object", "{name} is not a member of a message: {meant} is meant", "Write {meant}."
    ),
    "wrong-case": Advice("2.case", "{name} in another case", "Write {meant}: case counts."),
    "params-null": Advice("4.2.structured", "params is null", "Leave params out."),
    "params-scalar": Advice(
        "4.2.structured", "params is a single value", "Put it into an array or an object."
    ),
    "id-type": Advice(
        "4.id-type", "id is neither a string nor a number", "Use a whole number or a string."
    ),
    "id-null": Advice(
        "4.id-null-bent",
        "id is null, so the reply can be matched to no call",
        "Use a whole number or a string, or leave id out for a notification.",
    ),
    "id-fraction": Advice(
        "4.id-fraction-bent", "id has a fraction", "Use a whole number or a string."
    ),
    "id-numeric-string": Advice(
        "4.id-echoed",
        "id is a number in quotes",
        'Expect it back in quotes: "1" and 1 are two ids.',
    ),
    "no-id": Advice(
        "4.1.no-id",
        "no id, so no reply will come",
        "Add an id if you want an answer. Without one it is a notification.",
    ),
    "rpc-prefix": Advice(
        "4.rpc-reserved",
        "the method begins with the reserved prefix rpc",
        "Choose another name for your own method.",
    ),
    "scalar": Advice("4.object", "it is JSON, but not an object", "A message is an object."),
    "empty-batch": Advice("6.empty-array", "an empty batch", "Send at least one call, or nothing."),
    "nested-batch": Advice("7.each-bad-member", "a batch inside a batch", "Send one array."),
    "scalar-in-batch": Advice(
        "7.each-bad-member", "a member of the batch that is not an object", "Send calls alone."
    ),
    "batch-refused": Advice(
        "6.array", "a batch, and this protocol takes none", "Send each message by itself."
    ),
    "duplicate-name": Advice(
        "json.unique-names", "{name} is there twice: the last one counts", "Keep one."
    ),
    # Valid JSON: responses.
    "result-and-error": Advice(
        "5.not-both", "result and error are both there", "Keep one of them."
    ),
    "error-null": Advice(
        "5.no-error-on-success",
        "error is null beside a result, as in JSON-RPC 1.0",
        "Leave error out.",
    ),
    "error-not-object": Advice(
        "5.error-object", "error is not an object", "Give it a code and a message."
    ),
    "no-code": Advice("5.1.code-present", "the error has no code", "Add a whole number."),
    "code-type": Advice(
        "5.1.code-integer", "code is not a whole number", "Write it without quotes."
    ),
    "no-message": Advice("5.1.message-present", "the error has no message", "Add one sentence."),
    "message-type": Advice("5.1.message-string", "message is not a string", "Write one sentence."),
    "response-without-id": Advice(
        "5.id-present",
        "a response without an id",
        "Carry the request's id, or null if it could not be read.",
    ),
    "response-to-server": Advice(
        "5.reply",
        "a response: if this goes to a server, nothing comes back",
        "Send calls to a server, and responses to a client.",
    ),
}
