"""Every sentence that an explanation says, in one place to be translated.

A finding's row has the clause, the verdict, the ruling it was read by ("" for
none) and the sentence. The mistakes are in ``advice``.
"""

from typing import Final, NamedTuple

# Shapes. The four are those of ``rpclab.demos.console``.
REQUEST: Final = "request"
NOTIFICATION: Final = "notification"
SUCCESS: Final = "success response"
ERROR: Final = "error response"
BATCH: Final = "batch"
NOTHING: Final = "no message"
SEVERAL: Final = "several messages"

KINDS: Final = {
    "{": "opening brace",
    "}": "closing brace",
    "[": "opening bracket",
    "]": "closing bracket",
    ":": "colon",
    ",": "comma",
    "space": "white space",
    "colon": "in place of a colon",
    "comma": "in place of a comma",
    "torn_string": "string",
    "other": "stray bytes",
    "fault": "fault",
    "more": "more of the same",
}
IN_MEMBER: Final = "{kind}, in the member {name}"
FAULT: Final = "Here the JSON grammar is left: it expects {expected}."
IN_TOKEN: Final = {
    "string": "the rest of a string",
    "number": "a digit",
    "literal": "the rest of true, false or null",
    "encoding": "UTF-8",
    "depth limit": "no deeper nesting, a limit of this reader",
    "number limit": "a number that this reader can hold",
}

FRAMES: Final = {
    "byte order mark": ("json.no-bom", "Three bytes that mark UTF-8. Nobody may send them here."),
    "blank line": ("newline.blank-skipped", "White space alone: skipped, and not answered."),
    "line end": ("newline.lf-only", "The byte 0A ends the message."),
    "line end with a carriage return": (
        "newline.crlf-read",
        "0D 0A: the line feed ends the message, the carriage return is white space.",
    ),
    "header field": ("lsp.length-required", "A field of a header block."),
    "end of the header": ("lsp.header-then-content", "The empty line that ends a header block."),
    "start line": ("", "The first line of an HTTP message."),
    "event field": ("sse.data-joined", "A field of a server-sent event."),
    "event comment": ("sse.comments", "A comment in an event stream."),
    "stray bytes": ("lsp.length-exact", "Bytes that belong to no frame."),
    "more lines": ("", "Lines that are judged, and not explained one by one."),
}


class Row(NamedTuple):
    """A finding before it has a place."""

    clause: str
    verdict: str
    ruling: str
    says: str


FINDINGS: Final[dict[str, Row]] = {
    "json": Row("2.json", "kept", "", "It is JSON text."),
    "not json": Row("2.json", "broken", "", "It is not JSON text."),
    "not message": Row("newline.one-message", "broken", "", "This is no message."),
    "no text": Row("newline.one-message", "broken", "blank-line", "There is no message in it."),
    "no object": Row("4.object", "broken", "", "A call is an object, and this is none."),
    "4 version": Row("4.jsonrpc-exact", "kept", "", 'jsonrpc is the string "2.0".'),
    "5 version": Row("5.jsonrpc-exact", "kept", "", 'jsonrpc is the string "2.0".'),
    "4 no version": Row(
        "4.jsonrpc-present", "broken", "version-spelling", "The member jsonrpc is missing."
    ),
    "5 no version": Row(
        "5.jsonrpc-exact", "broken", "version-spelling", "The member jsonrpc is missing."
    ),
    "4 other version": Row(
        "4.jsonrpc-exact", "broken", "version-spelling", 'jsonrpc is not the string "2.0".'
    ),
    "5 other version": Row(
        "5.jsonrpc-exact", "broken", "version-spelling", 'jsonrpc is not the string "2.0".'
    ),
    "method": Row("4.method-string", "kept", "", "method is a string."),
    "no method": Row("4.method-present", "broken", "", "The member method is missing."),
    "method type": Row("4.method-string", "broken", "", "method is not a string."),
    "empty method": Row(
        "4.method-string", "free", "empty-method", "method is an empty string: it names nothing."
    ),
    "rpc method": Row(
        "4.rpc-reserved",
        "free",
        "rpc-methods",
        "Names that begin with rpc. are the protocol's own. A server without that extension"
        " answers -32601.",
    ),
    "method decides": Row(
        "4.method-present",
        "free",
        "method-and-result",
        "method decides: it is a call, and this member is ignored.",
    ),
    "no params": Row("4.params-omitted", "kept", "", "params may be left out."),
    "params by position": Row(
        "4.2.by-position", "kept", "params-by-position", "params are by position: an array."
    ),
    "params by name": Row("4.2.by-name", "kept", "", "params are by name: an object."),
    "params type": Row(
        "4.2.structured",
        "broken",
        "params-unstructured",
        "params is neither an array nor an object.",
    ),
    "no id": Row("4.id-absent", "kept", "", "It has no id, so it is a notification."),
    "id": Row("4.id-type", "kept", "", "id is a string or a whole number."),
    "id type": Row(
        "4.id-type", "broken", "id-wrong-type", "id is neither a string, a number nor null."
    ),
    "id null": Row(
        "4.id-null-bent", "bent", "id-null", "id is null. It is a request all the same."
    ),
    "id fraction": Row(
        "4.id-fraction-bent", "bent", "id-fraction", "id has a fraction. It is echoed by its value."
    ),
    "id whole": Row(
        "4.id-type", "free", "id-fraction", "id is a whole number in a spelling of its own."
    ),
    "id large": Row(
        "json.number-limits",
        "free",
        "id-large",
        "id is past 2^53 - 1: a peer that holds numbers as doubles changes it.",
    ),
    "unknown member": Row("4.object", "free", "unknown-members", "{member} is ignored."),
    "duplicate": Row(
        "json.unique-names",
        "bent",
        "duplicate-members",
        "This name is in the object already. Here the last one wins; another reader takes"
        " the first.",
    ),
    "response id": Row("5.id-present", "kept", "", "It has an id."),
    "id missing": Row(
        "5.id-present",
        "broken",
        "error-without-id",
        "The member id is missing: it answers no call.",
    ),
    "id missing allowed": Row(
        "mcp.error-id", "free", "error-without-id", "An error may lack its id in MCP."
    ),
    "response id type": Row("5.id-same", "broken", "", "No request can have had this id."),
    "result": Row("5.result-on-success", "kept", "", "It has a result."),
    "result form": Row("5.result-any", "kept", "result-form", "result may be any JSON value."),
    "both": Row("5.not-both", "broken", "both-members", "result and error are both there."),
    "error null": Row(
        "5.no-error-on-success", "broken", "error-null", "error is there beside result, as null."
    ),
    "neither": Row(
        "5.one-of", "broken", "neither-member", "There is no method, no result and no error."
    ),
    "error type": Row("5.error-object", "broken", "malformed-error", "error is not an object."),
    "no code": Row("5.1.code-present", "broken", "malformed-error", "error has no code."),
    "code type": Row(
        "5.1.code-integer", "broken", "malformed-error", "code is not a whole number."
    ),
    "code predefined": Row("5.1.code-integer", "kept", "", "code is one that the text defines."),
    "code server": Row("5.1.server-range", "kept", "", "code is in the range for servers."),
    "code application": Row("5.1.application-space", "kept", "", "code is the application's."),
    "code reserved": Row(
        "5.1.future", "broken", "", "code is in the reserved range, and has no meaning yet."
    ),
    "no message": Row("5.1.message-present", "broken", "malformed-error", "error has no message."),
    "message type": Row(
        "5.1.message-string", "broken", "malformed-error", "message is not a string."
    ),
    "message": Row("5.1.message-string", "kept", "", "message is a string."),
    "message long": Row(
        "5.1.message-short", "bent", "", "message has several lines. One sentence is enough."
    ),
    "batch": Row("6.array", "kept", "batches", "An array: several messages, sent as one."),
    "empty batch": Row("6.empty-array", "broken", "", "An empty array is not a batch."),
    "nested batch": Row(
        "7.each-bad-member", "broken", "nested-batch", "An array inside a batch is no call."
    ),
    "response in batch": Row(
        "6.one-each", "free", "response-in-batch", "A response among calls gets no answer."
    ),
    "rest of members": Row(
        "7.each-bad-member",
        "broken",
        "",
        "A member after the first {shown} is no message.",
    ),
    "surrogate": Row(
        "json.lone-surrogate",
        "free",
        "lone-surrogate",
        "Half a character stands alone in a string. It is accepted, and goes back escaped.",
    ),
    "line separator": Row(
        "newline.other-separators", "kept", "", "U+2028 or U+2029 in a string ends no line."
    ),
    "bom": Row("json.no-bom", "broken", "byte-order-mark", "A byte order mark stands first."),
    "crlf": Row(
        "newline.lf-written",
        "free",
        "crlf",
        "The line ends with a carriage return and a line feed. A reader takes it, a writer"
        " leaves the first away.",
    ),
    "blank": Row("newline.blank-skipped", "free", "blank-line", "A blank line: it is skipped."),
    "several lines": Row(
        "newline.one-message",
        "kept",
        "",
        "Each line is judged alone; {count} of them are explained.",
    ),
    "pretty": Row(
        "newline.no-raw-newline",
        "broken",
        "pretty-printed",
        "One message is spread over several lines.",
    ),
    "header on lines": Row(
        "newline.one-message",
        "broken",
        "header-on-newline",
        "On a newline stream a header is a line, and no message.",
    ),
    "frame": Row("lsp.length-exact", "kept", "", "The header counts the bytes that follow."),
    "no length": Row(
        "lsp.length-required",
        "broken",
        "content-length-unusable",
        "The header block has no length that can be used.",
    ),
    "length": Row(
        "lsp.length-exact",
        "broken",
        "stray-bytes",
        "Content-Length says {declared}, and the payload has {actual} bytes.",
    ),
    "no header": Row(
        "lsp.header-then-content",
        "free",
        "line-on-content-length",
        "On the wire a Content-Length header stands before this.",
    ),
    "http": Row("1.any-transport", "kept", "", "HTTP carries the message in its body."),
    "sse": Row("sse.data-joined", "kept", "", "The event carries the message in its data."),
    "stray": Row("lsp.length-exact", "broken", "stray-bytes", "Bytes between two frames."),
}

PROFILE_REFUSES: Final = "{profile} does not take this ({point}): {does}."

ANSWER_NOT_JSON: Final = "It is not JSON, so nobody can read whose call it is."
ANSWER_INVALID: Final = "It is JSON, but not a call."
ANSWER_RESPONSE: Final = "A response with the id {id}. The method decides what is in it."
ANSWER_NOTIFICATION: Final = "A notification is never answered, not even with an error."
ANSWER_RECEIVED: Final = "A response is never answered: two servers would answer for ever."
ANSWER_BLANK: Final = "There is nothing to answer."
ANSWER_BATCH_SILENT: Final = "Nothing in the batch may be answered, so nothing is sent at all."
ANSWER_BATCH_ERRORS: Final = "One array of {count}: every member that is no call gets an error."
ANSWER_BATCH: Final = "One array of {count}, in any order: {parts}."
ANSWER_LINES: Final = "{count} answers to {lines} messages: {parts}."
ANSWER_LINES_SILENT: Final = "None of the {lines} messages may be answered."
ANSWER_PROFILE: Final = "{profile} refuses it: {does}."
PART_RESPONSE: Final = "a response with the id {id}"
PART_ERROR: Final = "the error {code} with the id {id}"
PART_MORE: Final = "and {count} more"

# What a protocol's own clause says where it is kept, and where it is broken.
BINDINGS: Final[dict[str, tuple[str, str]]] = {
    "mcp.request-meta": (
        "params._meta has the protocol version and the client's capabilities.",
        "From revision 2026-07-28 on, params._meta has the protocol version and the client's"
        " capabilities. They are not there.",
    ),
    "mcp.result-type": (
        "result has a resultType.",
        "From revision 2026-07-28 on, a result has a resultType. It is not there.",
    ),
    "progress.mcp-token-type": (
        "The progressToken is a string or an integer.",
        "The progressToken is neither a string nor an integer.",
    ),
    "cancel.mcp-notification": (
        "The cancel names its request in requestId.",
        "A cancel names its request in params.requestId. It is not there.",
    ),
    "cancel.lsp-names-the-id": (
        "The cancel names its request in params.id.",
        "A cancel names its request in params.id. It is not there.",
    ),
    "progress.lsp-token-type": (
        "The token is a string or an integer.",
        "The token is neither a string nor an integer.",
    ),
    "acp.version-integer": (
        "protocolVersion is an integer.",
        "protocolVersion is one integer in ACP, and this is none.",
    ),
    "a2a.pascal-case": (
        "The method's name is in PascalCase.",
        "A2A 1.0 writes method names in PascalCase, such as SendMessage.",
    ),
}
