"""Every finding that can be made: its clause, its verdict and its sentence.

A rule decides which finding it makes, and where; the rest of it is here, so that
the sentences can be read and translated in one place. The mistakes have a
table like this in ``mistakes``.
"""

from typing import Final, NamedTuple

from rpclab.explain.model import Finding


class FindingTemplate(NamedTuple):
    """A finding before it has a place. ``ruling`` is "" if the clause is not open."""

    clause: str
    verdict: str
    ruling: str
    says: str


def found(key: str, start: int, end: int, **words: object) -> Finding:
    """Make the finding of that key about the bytes from ``start`` to ``end``.

    >>> found("no method", 0, 17).says
    'The member method is missing.'
    """
    template = FINDINGS[key]
    says = template.says.format(**words)
    return Finding(template.clause, template.verdict, says, start, end, template.ruling)


FINDINGS: Final[dict[str, FindingTemplate]] = {
    "json": FindingTemplate("2.json", "kept", "", "It is JSON text."),
    "not json": FindingTemplate("2.json", "broken", "", "It is not JSON text."),
    "not message": FindingTemplate("newline.one-message", "broken", "", "This is not a message."),
    "no text": FindingTemplate(
        "newline.one-message", "broken", "blank-line", "There is no message in it."
    ),
    "no object": FindingTemplate("4.object", "broken", "", "A call is an object, and this is not."),
    "4 version": FindingTemplate("4.jsonrpc-exact", "kept", "", 'jsonrpc is the string "2.0".'),
    "5 version": FindingTemplate("5.jsonrpc-exact", "kept", "", 'jsonrpc is the string "2.0".'),
    "4 no version": FindingTemplate(
        "4.jsonrpc-present", "broken", "version-spelling", "The member jsonrpc is missing."
    ),
    "5 no version": FindingTemplate(
        "5.jsonrpc-exact", "broken", "version-spelling", "The member jsonrpc is missing."
    ),
    "4 other version": FindingTemplate(
        "4.jsonrpc-exact", "broken", "version-spelling", 'jsonrpc is not the string "2.0".'
    ),
    "5 other version": FindingTemplate(
        "5.jsonrpc-exact", "broken", "version-spelling", 'jsonrpc is not the string "2.0".'
    ),
    "method": FindingTemplate("4.method-string", "kept", "", "method is a string."),
    "no method": FindingTemplate("4.method-present", "broken", "", "The member method is missing."),
    "method type": FindingTemplate("4.method-string", "broken", "", "method is not a string."),
    "empty method": FindingTemplate(
        "4.method-string", "free", "empty-method", "method is an empty string: it names nothing."
    ),
    "rpc method": FindingTemplate(
        "4.rpc-reserved",
        "free",
        "rpc-methods",
        "Names that begin with rpc. are the protocol's own. A server without that extension"
        " answers -32601.",
    ),
    "method decides": FindingTemplate(
        "4.method-present",
        "free",
        "method-and-result",
        "method decides: it is a call, and this member is ignored.",
    ),
    "no params": FindingTemplate("4.params-omitted", "kept", "", "params may be left out."),
    "params by position": FindingTemplate(
        "4.2.by-position", "kept", "params-by-position", "params are by position: an array."
    ),
    "params by name": FindingTemplate("4.2.by-name", "kept", "", "params are by name: an object."),
    "params type": FindingTemplate(
        "4.2.structured",
        "broken",
        "params-unstructured",
        "params is neither an array nor an object.",
    ),
    "no id": FindingTemplate("4.id-absent", "kept", "", "It has no id, so it is a notification."),
    "id": FindingTemplate("4.id-type", "kept", "", "id is a string or a whole number."),
    "id type": FindingTemplate(
        "4.id-type", "broken", "id-wrong-type", "id is neither a string, a number nor null."
    ),
    "id null": FindingTemplate(
        "4.id-null-bent", "bent", "id-null", "id is null. It is still a request."
    ),
    "id fraction": FindingTemplate(
        "4.id-fraction-bent", "bent", "id-fraction", "id has a fraction. It is echoed by its value."
    ),
    "id whole": FindingTemplate(
        "4.id-type", "free", "id-fraction", "id is a whole number in a spelling of its own."
    ),
    "id large": FindingTemplate(
        "json.number-limits",
        "free",
        "id-large",
        "id is past 2^53 - 1: a peer that holds numbers as doubles changes it.",
    ),
    "unknown member": FindingTemplate(
        "4.object", "free", "unknown-members", "{member} is ignored."
    ),
    "duplicate": FindingTemplate(
        "json.unique-names",
        "bent",
        "duplicate-members",
        "This name is in the object already. Here the last one wins; another reader takes"
        " the first.",
    ),
    "response id": FindingTemplate("5.id-present", "kept", "", "It has an id."),
    "id missing": FindingTemplate(
        "5.id-present",
        "broken",
        "error-without-id",
        "The member id is missing: it answers no call.",
    ),
    "id missing allowed": FindingTemplate(
        "mcp.error-id", "free", "error-without-id", "An error may lack its id in MCP."
    ),
    "response id type": FindingTemplate(
        "5.id-same", "broken", "", "No request can have had this id."
    ),
    "result": FindingTemplate("5.result-on-success", "kept", "", "It has a result."),
    "result form": FindingTemplate(
        "5.result-any", "kept", "result-form", "result may be any JSON value."
    ),
    "both": FindingTemplate(
        "5.not-both", "broken", "both-members", "result and error are both there."
    ),
    "error null": FindingTemplate(
        "5.no-error-on-success", "broken", "error-null", "error is there beside result, as null."
    ),
    "neither": FindingTemplate(
        "5.one-of", "broken", "neither-member", "There is no method, no result and no error."
    ),
    "error type": FindingTemplate(
        "5.error-object", "broken", "malformed-error", "error is not an object."
    ),
    "no code": FindingTemplate(
        "5.1.code-present", "broken", "malformed-error", "error has no code."
    ),
    "code type": FindingTemplate(
        "5.1.code-integer", "broken", "malformed-error", "code is not a whole number."
    ),
    "code predefined": FindingTemplate(
        "5.1.code-integer", "kept", "", "code is one that the text defines."
    ),
    "code server": FindingTemplate(
        "5.1.server-range", "kept", "", "code is in the range for servers."
    ),
    "code application": FindingTemplate(
        "5.1.application-space", "kept", "", "code is the application's."
    ),
    "code reserved": FindingTemplate(
        "5.1.future", "broken", "", "code is in the reserved range, and has no meaning yet."
    ),
    "no message": FindingTemplate(
        "5.1.message-present", "broken", "malformed-error", "error has no message."
    ),
    "message type": FindingTemplate(
        "5.1.message-string", "broken", "malformed-error", "message is not a string."
    ),
    "message": FindingTemplate("5.1.message-string", "kept", "", "message is a string."),
    "message long": FindingTemplate(
        "5.1.message-short", "bent", "", "message has several lines. One sentence is enough."
    ),
    "batch": FindingTemplate(
        "6.array", "kept", "batches", "An array: several messages, sent as one."
    ),
    "empty batch": FindingTemplate("6.empty-array", "broken", "", "An empty array is not a batch."),
    "nested batch": FindingTemplate(
        "7.each-bad-member", "broken", "nested-batch", "An array inside a batch is not a call."
    ),
    "response in batch": FindingTemplate(
        "6.one-each", "free", "response-in-batch", "A response among calls gets no answer."
    ),
    "rest of members": FindingTemplate(
        "7.each-bad-member",
        "broken",
        "",
        "A member after the first {shown} is not a message.",
    ),
    "surrogate": FindingTemplate(
        "json.lone-surrogate",
        "free",
        "lone-surrogate",
        "A string has half a surrogate pair. It is accepted, and is written back escaped.",
    ),
    "line separator": FindingTemplate(
        "newline.other-separators", "kept", "", "U+2028 or U+2029 in a string ends no line."
    ),
    "bom": FindingTemplate(
        "json.no-bom", "broken", "byte-order-mark", "The text begins with a byte order mark."
    ),
    "crlf": FindingTemplate(
        "newline.lf-written",
        "free",
        "crlf",
        "The line ends with a carriage return and a line feed. A reader accepts both, a"
        " writer sends the line feed alone.",
    ),
    "blank": FindingTemplate(
        "newline.blank-skipped", "free", "blank-line", "A blank line: it is skipped."
    ),
    "several lines": FindingTemplate(
        "newline.one-message",
        "kept",
        "",
        "Each line is judged alone; {count} of them are explained.",
    ),
    "pretty": FindingTemplate(
        "newline.no-raw-newline",
        "broken",
        "pretty-printed",
        "One message is spread over several lines.",
    ),
    "header on lines": FindingTemplate(
        "newline.one-message",
        "broken",
        "header-on-newline",
        "On a newline stream a header is a line of its own, and not a message.",
    ),
    "frame": FindingTemplate(
        "lsp.length-exact", "kept", "", "The header counts the bytes that follow."
    ),
    "no length": FindingTemplate(
        "lsp.length-required",
        "broken",
        "content-length-unusable",
        "The header block has no length that can be used.",
    ),
    "no body": FindingTemplate(
        "lsp.header-then-content",
        "broken",
        "",
        "The header block has no length that can be used.",
    ),
    "length": FindingTemplate(
        "lsp.length-exact",
        "broken",
        "stray-bytes",
        "Content-Length says {declared}, and the payload has {actual} bytes.",
    ),
    "no header": FindingTemplate(
        "lsp.header-then-content",
        "free",
        "line-on-content-length",
        "On the wire a Content-Length header comes before this.",
    ),
    "http": FindingTemplate("1.any-transport", "kept", "", "HTTP carries the message in its body."),
    "sse": FindingTemplate(
        "sse.data-joined", "kept", "", "The event carries the message in its data."
    ),
    "stray": FindingTemplate(
        "lsp.length-exact", "broken", "stray-bytes", "Bytes between two frames."
    ),
}
