"""Every sentence that a command says, in one place to be translated."""

from typing import Final

APP: Final = "JSON-RPC 2.0 over newline-delimited stdio: a course, and tools for your own server."
FRAMING: Final = "How messages are set apart: a newline, or a Content-Length header."

SERVE: Final = """Serve the demo methods on stdin and stdout, until stdin ends.

Try: printf '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}\\n' | rpclab serve
"""

DEMO: Final = "Play the lesson: every kind of message, and what the server says to it."

SEND: Final = """Send lines to a server and show what it says.

Type lines, or pipe them in. The server is the demo server, or any command
after two dashes: rpclab send -- ./my-server --its-option
"""
SEND_COMMAND: Final = "The server's command. The demo server if left out."
SEND_WAIT: Final = "How many seconds to wait for a reply that is due."
SEND_PROMPT: Final = "-> "
SEND_HELLO: Final = (
    "Type a line of JSON and press Enter. Ctrl-D (on Windows Ctrl-Z, Enter) ends it."
)
SEND_CANNOT_START: Final = (
    "Cannot start {command}: {reason}. Give a program that is on this machine."
)
SEND_SILENCE_DUE: Final = "no reply, and none is due: a {shape} is never answered"
SEND_SILENCE: Final = "no reply after {wait:g} s, though one is due"
SEND_ENDED_EARLY: Final = "The server ended (exit status {status}) before it answered."
SEND_STDERR: Final = "The end of its stderr:"

CONFORM: Final = """Judge a server: is every MUST of JSON-RPC 2.0 kept?

The server is any command after two dashes: rpclab conform -- ./my-server --its-option
"""
CONFORM_CLIENT: Final = """Judge a client against a server that misbehaves.

The client is any command after two dashes; the command of its server is put after it.
docs/conformance.md says what such a client is told and what it says.
"""
CONFORM_COMMAND: Final = "The command to judge."
CONFORM_PROFILE: Final = "The protocol above JSON-RPC: core, mcp, lsp, acp."
CONFORM_FRAMING: Final = "How messages are set apart; the profile's way if left out."
CONFORM_CASE: Final = "Run this case alone. May be given more than once."
CONFORM_JSON: Final = "Write a report in JSON to this file; - is stdout."
CONFORM_JUNIT: Final = "Write a report in JUnit's XML to this file."
CONFORM_HTML: Final = "Write a report as a page to this file."
CONFORM_BADGE: Final = "Write a badge, as SVG, to this file."
CONFORM_EXPECTED_FILE: Final = "Cases that are known to be broken, in TOML."
CONFORM_METHODS: Final = "The server's own name of a demo method: echo=its/echo."
CONFORM_DEADLINE: Final = "How many seconds one case may take."
CONFORM_SHRINK: Final = "Show the smallest lines that still break the server."

CONFORM_NO_COMMAND: Final = "Give a command after two dashes: rpclab conform -- ./my-server"
CONFORM_NO_PAIR: Final = "--methods takes a demo method and its other name: echo=its/echo"
CONFORM_NO_CASE: Final = "There is no case {case}."
CONFORM_NO_EXPECTED: Final = "Cannot use {file}: {why}"
CONFORM_CANNOT_WRITE: Final = "Cannot write {file}: {why}"
CONFORM_PROGRESS: Final = "judging"
CONFORM_TITLE: Final = "Conformance of {name}"
CONFORM_SOURCE: Final = "source"
CONFORM_ALL_BROKEN: Final = "and so is every other case"
CONFORM_VOTE: Final = "{point}: {vote} (ruling {ruling})"
CONFORM_MISSING: Final = (
    "It has no method {names}: the cases that need them were not judged. --methods maps names."
)
CONFORM_STALE: Final = "{case} was expected to be broken, and is not: take it out of the file."
CONFORM_STALE_UNKNOWN: Final = "{case} was expected to be broken, and there is no such case."
CONFORM_NOTHING: Final = "No case was judged."
CONFORM_END: Final = (
    "MUST: {kept_must} kept, {broken_must} broken. SHOULD: {kept_should} kept, {broken_should}"
    " broken. Free: {free}. Not judged: {rest}."
)
CONFORM_SHRUNK: Final = "\n{case} is broken in the same way by no more than:\n{lines}"

INTERRUPTED: Final = "Stopped."

LESSON_INTRO: Final = (
    "A server is a loop over two byte streams. Here both are in memory (io.BytesIO), and what\n"
    "you see is what a pipe would carry. -> goes to the server, <- comes from it."
)
LESSON_END: Final = "That was all of it. Next: rpclab send, and type a line of your own."
LESSON: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    (
        "A request, and its response",
        "The id is the caller's. The response carries the same id, so the caller knows which call"
        " it answers.",
        ('{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}',),
    ),
    (
        "-32700, parse error: the line is not JSON",
        "Nobody can read an id in it, so the error's id is null.",
        ('{"jsonrpc":"2.0","method":"subtract","params":[42,23]',),
    ),
    (
        "-32600, invalid request: JSON, but no call",
        "A method is a string. The id can be read, so it is echoed.",
        ('{"jsonrpc":"2.0","method":1,"id":2}',),
    ),
    (
        "-32601, method not found",
        "The call is fine. This server has no such method.",
        ('{"jsonrpc":"2.0","method":"subtrakt","params":[42,23],"id":3}',),
    ),
    (
        "-32602, invalid params",
        "The method is there, but it takes two numbers.",
        ('{"jsonrpc":"2.0","method":"add","params":["one",2],"id":4}',),
    ),
    (
        "-32603, internal error",
        "The method failed. The caller learns the exception's class. The rest stays in the log.",
        ('{"jsonrpc":"2.0","method":"boom","id":5}',),
    ),
    (
        "A notification",
        "It has no id, so it is never answered, not even when it fails.",
        ('{"jsonrpc":"2.0","method":"update","params":[1,2,3]}',),
    ),
    (
        "A batch",
        "One line, three messages. The two requests are answered in one array; the notification"
        " is not.",
        (
            '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":6},'
            '{"jsonrpc":"2.0","method":"update"},'
            '{"jsonrpc":"2.0","method":"get_data","id":7}]',
        ),
    ),
    (
        "A broken line, and a good one after it",
        "The newline ends the damage. The next line is read as if nothing had happened.",
        (
            '{"jsonrpc":"2.0","method":',
            '{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":8}',
        ),
    ),
    (
        "The asymmetric flow",
        "While the request is in flight, its handler sends two notifications. The response comes"
        " last.",
        ('{"jsonrpc":"2.0","method":"slow","params":{"seconds":0.3,"steps":2},"id":9}',),
    ),
)

EXPLAIN: Final = """Explain any line, good or broken: its bytes, its rules, its answer.

Give the line as one argument, or pipe bytes in. The exit status is 0 if no rule is broken,
1 if one is.

Try: rpclab explain '{"jsonrpc":"2.0","method":"sum","params":[1,2],}'
"""
EXPLAIN_LINE: Final = "The line. The bytes of stdin if left out."
EXPLAIN_PROFILE: Final = "Whose readings to take: core, mcp, lsp, acp or a2a."
EXPLAIN_JSON: Final = "Print the explanation as JSON, for programs."
EXPLAIN_HELLO: Final = "Type what is to be explained. Ctrl-D (on Windows Ctrl-Z, Enter) ends it."
EXPLAIN_HEAD: Final = "{shape}: {verdict}, {count} bytes, by the profile {profile}"
EXPLAIN_NEAREST: Final = "nearest to: {shape}"
EXPLAIN_BEFORE: Final = "… {count} bytes before"
EXPLAIN_AFTER: Final = "… {count} bytes after"
EXPLAIN_BYTES: Final = "bytes {start} to {end}"
EXPLAIN_AT: Final = "at byte {start}"
EXPLAIN_RULING: Final = "ruling {ruling}"
EXPLAIN_ANSWER: Final = "What a server must answer"
EXPLAIN_MISTAKE: Final = "The likely mistake, at byte {offset}: {says}."
EXPLAIN_NOTE: Final = "To note, at byte {offset}: {says}."
EXPLAIN_FIX: Final = "What to do: {fix}"
EXPLAIN_MEMBERS: Final = "Message by message"
EXPLAIN_MEMBER: Final = "{number}. at byte {at}: {shape}, {verdict}"
EXPLAIN_MORE: Final = "… and {count} more"
EXPLAIN_KEPT: Final = "kept, all of them"

MATRIX: Final = """Run the suite over other people's implementations, and print a dated table.

Each is installed on demand into an environment of its own, in a cache folder.
Name some, or leave all out for every one. --case shows a case in full.

Try: rpclab matrix jayson --case examples.empty-batch
"""
MATRIX_NAMES: Final = "Whom to judge: names that --list shows. Everyone if left out."
MATRIX_CASE: Final = "Only this case, and all of it: sent, came, wanted. May be repeated."
MATRIX_JSON: Final = "Write the matrix to this file as JSON. - is stdout."
MATRIX_MARKDOWN: Final = "Write the matrix to this file as Markdown. - is stdout."
MATRIX_HTML: Final = "Write the matrix to this file as one page of HTML."
MATRIX_CACHE: Final = "Where the environments are kept. This user's cache folder if left out."
MATRIX_LIST: Final = "List the implementations and judge none."
MATRIX_NO_NAME: Final = "There is no implementation {name}. rpclab matrix --list shows all."
MATRIX_BEGINS: Final = "The matrix"
MATRIX_TITLE: Final = "The matrix, measured on {made}: clauses that say MUST"
MATRIX_COLUMNS: Final = ("", "kind", "profile", "kept", "broken", "not judged", "broken, of all")
MATRIX_ROW: Final = "{name}: {kept} MUST cases kept, {broken} broken. {why}"
MATRIX_ALONE: Final = "Alone: {name}, on {point}: {reading}"
MATRIX_END: Final = (
    "rpclab matrix NAME --case ID shows the bytes of a case; --html FILE writes a page."
)

EXERCISES: Final = """Work on the exercises in an editor of your own.

run writes NAME.py to begin with, and then judges what is in it; watch judges it again
whenever it is saved. The beginning of a name will do: ex04.

Try: rpclab exercises watch ex04
"""
EXERCISES_ACTION: Final = "What to do."
EXERCISES_NAME: Final = "The exercise."
EXERCISES_FILE: Final = "Where the answer is. NAME.py if left out."
EXERCISES_ANYWAY: Final = "Show the solution, though the answer is not right yet."
EXERCISES_BEGUN: Final = "{file} was written. Fill in its TODO, then: rpclab exercises run {name}"
EXERCISES_WATCHING: Final = "Waiting until {file} is saved. Ctrl-C ends it."
EXERCISES_SYNTAX: Final = "{file}, line {line}: {why}"
EXERCISES_RAISED: Final = "{file}, line {line}: {kind}: {why}"
EXERCISES_NO_NAME: Final = "There is no {name} in {file}."
EXERCISES_NO_FILE: Final = "Cannot use {file}: {why}"

CLASSROOM: Final = "Make an assignment for a class, and grade what is handed in."
CLASSROOM_MAKE: Final = "Make an nbgrader course folder from some exercises."
CLASSROOM_NAME: Final = "The name of the assignment."
CLASSROOM_EXERCISES: Final = "The exercises; the beginning of a name will do: ex04."
CLASSROOM_TO: Final = "The course folder. It is made if it is not there."
CLASSROOM_FORCE: Final = "Replace files that are there already."
CLASSROOM_WROTE: Final = "{file} was written."
CLASSROOM_NEXT: Final = "In {folder}: nbgrader generate_assignment {name}"
CLASSROOM_CANNOT: Final = "Cannot use {file}: {why}"
CLASSROOM_GRADE: Final = """Grade a folder of hand-ins, and show what the class missed.

A hand-in is a notebook, a Python file, a progress file, or a folder of those; it is named
after its learner. Each one runs in a process of its own, with limits.

Try: rpclab classroom grade handins --html class.html --csv class.csv
"""
CLASSROOM_HANDINS: Final = "The folder with a file or a folder for each learner."
CLASSROOM_HTML: Final = "Write a heat map of the clauses as a page to this file."
CLASSROOM_CSV: Final = "Write the marks and the clauses as a table to this file."
CLASSROOM_ONLY: Final = "Judge this exercise alone. May be given more than once."
CLASSROOM_DEADLINE: Final = "How many seconds one hand-in may take."
CLASSROOM_EMPTY: Final = "There is no hand-in in {folder}."
