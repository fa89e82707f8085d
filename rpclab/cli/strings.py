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
