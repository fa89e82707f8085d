"""Every sentence that a widget says, in one place to be translated."""

from typing import Final

LINE: Final = "Line"
LINE_HINT: Final = "type a line of JSON and press Enter"
SEND: Final = "Send"
CLEAR: Final = "Clear"
GALLERY: Final = "Gallery"
GALLERY_HINT: Final = "pick a line, good or broken"
TO_SERVER: Final = "to the server"
FROM_SERVER: Final = "from the server"
SERVER_LOG: Final = "server's log"
TRANSCRIPT: Final = "Transcript, newest last"
NOTHING_YET: Final = "Nothing was sent yet. Type a line, or pick one from the gallery."
CUT: Final = "… and {more} characters more"
EARLIER: Final = "{count} earlier lines are not shown"
WIDGET_TWIN: Final = "{name}: run this cell in JupyterLab to use it"
WENT_WRONG: Final = "The widget failed ({error}). Run the cell again."

GUESS: Final = "Your prediction"
RIGHT: Final = "Right."
NOT_QUITE: Final = "Not quite."
NOT_CHOSEN: Final = "Choose an answer, then run the next cell."

TREE_TITLE: Final = "Decision tree of the four shapes"
TREE_PATH: Final = "Path: {path}"
TREE_YES: Final = "yes"
TREE_NO: Final = "no"
TREE_NOT_OBJECT: Final = "This is no JSON object, so there is no tree to walk."
TREE_BATCH: Final = "This is a batch: walk the tree once for each of its members."

GALLERY_LINES: Final = (
    ("a request", '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'),
    (
        "a request, params by name",
        '{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":2}',
    ),
    ("a notification", '{"jsonrpc":"2.0","method":"update","params":[1,2,3]}'),
    ("a request with progress", '{"jsonrpc":"2.0","method":"slow","id":3}'),
    (
        "a batch",
        '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"a"},'
        '{"jsonrpc":"2.0","method":"update"}]',
    ),
    ("broken: not JSON", '{"jsonrpc":"2.0","method":"subtract","params":[42,23'),
    ("broken: single quotes", "{'jsonrpc':'2.0','method':'get_data','id':4}"),
    ("broken: no version", '{"method":"get_data","id":5}'),
    ("broken: method is a number", '{"jsonrpc":"2.0","method":1,"id":6}'),
    ("broken: params is a string", '{"jsonrpc":"2.0","method":"echo","params":"hi","id":7}'),
    ("broken: id is an array", '{"jsonrpc":"2.0","method":"get_data","id":[8]}'),
    ("broken: empty batch", "[]"),
    ("unknown method", '{"jsonrpc":"2.0","method":"foobar","id":9}'),
    ("wrong params", '{"jsonrpc":"2.0","method":"add","params":["one",2],"id":10}'),
    ("a method that fails", '{"jsonrpc":"2.0","method":"boom","id":11}'),
    ("a failing notification", '{"jsonrpc":"2.0","method":"boom"}'),
    ("a response", '{"jsonrpc":"2.0","result":19,"id":1}'),
)

RULER: Final = {
    "ruler": "The bytes of the line. Move with the arrow keys.",
    "hint": "Point at a byte, or press Tab and the arrow keys.",
    "empty": "There are no bytes.",
    "byte": "byte {offset}: {hex}",
    "fault": "here the grammar is left",
    "back": "Earlier bytes",
    "next": "Later bytes",
    "part": "bytes {first} to {last} of {total}",
    "to_fault": "To the fault",
}
EXPLAIN: Final = "Explain"
EXPLAIN_HINT: Final = "any line, valid or broken"
EXPLAIN_AS_TYPED: Final = 2000  # characters; a longer line waits for the button
EXPLAINED: Final = "{shape}: {verdict} ({count} bytes)"
LIKELY: Final = "The likely mistake:"
MISTAKE: Final = "{says} (byte {offset}). {fix}"
MUST_ANSWER: Final = "What a server must answer:"
FINDING_COLUMNS: Final = ("verdict", "clause", "what was found", "bytes")
MORE_FINDINGS: Final = "{count} more are not shown."
MEMBERS: Final = "Its messages:"
MEMBER: Final = "{shape}: {verdict}, from byte {at}"

EXPLORER: Final = "A line, byte by byte"
CLAUSES: Final = "The clauses"
PROFILE: Final = "Profile"
SOURCE: Final = "Source"
LEVEL: Final = "Level"
ACTOR: Final = "Actor"
TEXT: Final = "Text"
TEXT_HINT: Final = "words of the rule"
ANY: Final = "any"
FOUND: Final = "Clauses"
NOTHING_FOUND: Final = "No clause fits. Take a filter away."
LOAD_KEEPS: Final = "Load what keeps it"
LOAD_BREAKS: Final = "Load what breaks it"
GIVEN: Final = "after"
KEEPS: Final = "keeps it"
BREAKS: Final = "breaks it"
LEARNED_IN: Final = "notebook"
EXERCISE: Final = "exercise"
CASES: Final = "cases"

STREAM: Final = "Stream"
CUT_AT: Final = "cut before byte"
FIRST_CUT: Final = 20
STREAMS: Final = (
    ("two messages", '{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}\n'),
    ("a price in euro", '{"jsonrpc":"2.0","method":"pay","params":["5 €"]}\n'),
    ("a face of four bytes", '{"jsonrpc":"2.0","method":"smile","params":["😀"]}\n'),
    ("Windows line ends", '{"jsonrpc":"2.0","method":"a"}\r\n{"jsonrpc":"2.0","method":"b"}\r\n'),
    ("blank lines", '\n \t\n{"jsonrpc":"2.0","method":"a"}\n\n'),
    ("a byte order mark", '\ufeff{"jsonrpc":"2.0","method":"a"}\n'),
    ("no newline at the end", '{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}'),
)
CHUNK: Final = "chunk {number}: {chunk!r}"
END: Final = "end of the stream"
NO_PAYLOAD: Final = "nothing"
COMPLETES: Final = "completes {lines}"
WAITING: Final = "{count} bytes wait"
CUT_INSIDE: Final = "The cut is inside a character: neither half of it is UTF-8."
CUT_BETWEEN: Final = "The cut is between two characters."
CUT_COLUMNS: Final = ("chunk", "completes", "bytes that wait")

LEFT_OUT: Final = "left out"
ENVELOPE_VALUES: Final = {
    "jsonrpc": ('"2.0"', "2.0", '"1.0"', '"2.00"', "null"),
    "method": ('"sum"', '""', "1", "null", '["sum"]', '"rpc.sum"'),
    "params": ("[1,2]", '{"a":1}', "[]", "null", '"hi"', "5", "true"),
    "id": ("7", "0", '""', '"7"', "null", "1.5", "9007199254740993", "true", "[]", "{}"),
}
ENVELOPE_COLUMNS: Final = ("", "what it is")
ENVELOPE_LINE: Final = "the line"
ENVELOPE_VERDICT: Final = "parse_request"
ENVELOPE_ID: Final = "an error carries"
ENVELOPE_TAKEN: Final = "taken"
ENVELOPE_REFUSED: Final = "refused"
REFUSED: Final = "{name} {code}: {why}"
CARRIES: Final = "id {id}"
SILENT: Final = "nothing: a notification is never answered"
SILENT_RESPONSE: Final = "nothing: a response is never answered"

IDEA: Final = "Start from"
ERROR_IDEAS: Final = (
    ("an error of the application", "1001", "Out of stock", '{"left":0}'),
    ("a code of the specification", "-32602", "Invalid params", '{"missing":["amount"]}'),
    ("a code for servers", "-32000", "Server busy", '{"retry_after":2}'),
    ("a code that is kept for later", "-32500", "Out of stock", ""),
    ("a code that is a word", '"E_STOCK"', "Out of stock", ""),
    ("a message that says too much", "1001", 'File "shop.py", line 7, in buy', ""),
)
DATA_HINT: Final = "any JSON value, or nothing"
NOT_JSON_YET: Final = "code and data are JSON values; this is not JSON yet:"
REMARK_WORDS: Final = {"kept": "fine", "bent": "warning", "broken": "not allowed", "free": "open"}
REMARK_COLUMNS: Final = ("verdict", "why", "clause")
MESSAGE_EMPTY: Final = "message is empty. People read it, so say what went wrong."
MESSAGE_LONG: Final = "message has {count} characters. One short sentence is enough."
MESSAGE_INSIDE: Final = "message shows the inside of the server. That belongs in its log."

BOUND: Final = "bound"
NONE: Final = "no arguments"
NO_FIT: Final = "does not fit: {why}"
NOT_STRUCTURED: Final = "not asked: params must be an array or an object"
NOT_IN_TABLE: Final = "not asked: the table has no such name"
NO_SUCH_METHOD: Final = "no_such_method"
PARAMS_HINT: Final = "an array, an object, or nothing"
CALL_METHOD: Final = "Call"
NOT_CALLED: Final = "Nothing was called yet. Choose a method, type params, and press Call."
METHOD_COLUMNS: Final = ("method", "its function takes")

ADD: Final = "Add"
ADD_HINT: Final = "a member, good or broken"
MEMBERS_FIELD: Final = "Members"
MEMBERS_HINT: Final = "one member a line"
BATCH_MEMBERS: Final = (
    ("a request", '{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"a"}'),
    ("a notification", '{"jsonrpc":"2.0","method":"update","params":[1]}'),
    ("a method that fails", '{"jsonrpc":"2.0","method":"boom","id":"b"}'),
    ("an unknown method", '{"jsonrpc":"2.0","method":"foobar","id":"c"}'),
    ("a notification that fails", '{"jsonrpc":"2.0","method":"boom"}'),
    ("an object that is no call", '{"foo":"bar"}'),
    ("a number", "1"),
    ("a batch inside the batch", '[{"jsonrpc":"2.0","method":"get_data","id":"d"}]'),
    ("a response", '{"jsonrpc":"2.0","result":19,"id":1}'),
    ("not JSON", '{"jsonrpc":"2.0","method"'),
)
NO_BATCH_YET: Final = "Nothing was sent yet. Add members, or type them, and press Send."
BATCH_COLUMNS: Final = ("place", "member", "reply")
WHOLE_LINE: Final = "line"
WHOLE_REPLY: Final = "the whole reply"

MANNER: Final = "Manner"
CALL: Final = "Call"
CANCEL: Final = "Cancel"
TIME: Final = "time"
CALLER_LANE: Final = "the caller"
SERVER_LANE: Final = "the server"
NO_CALL_YET: Final = "Nothing was called yet. Press Call, and Cancel while it runs."

REPORT_HEAD: Final = "{count} clauses: {counts}"
REPORT_HINT: Final = "Choose a clause to see its bytes."
REPORT_NONE: Final = "The report has no case of this clause."
WHY: Final = "why"

DASHBOARD: Final = "Your progress"
DASHBOARD_HEAD: Final = ("", "exercise", "kind", "minutes", "notebook")
MASTERED: Final = "Clauses mastered"
NONE_MASTERED: Final = "None yet."
REFRESH: Final = "Look again"
SKIP: Final = "Skip"
RESET: Final = "Reset"
ONE_EXERCISE: Final = "Exercise"
