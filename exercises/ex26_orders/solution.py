"""Exercise 26: predict what comes of a cancel."""

# Two clocks are enough: what had the caller heard when it cancelled, and what had the
# server heard when its handler returned? A cancel that comes in time stops the handler:
# LSP still answers, MCP does not. One that comes too late changes nothing for
# the server, and the result meets it on the way; the caller has given up by then.
outcomes: list = [
    ("cancelled", "error -32800"),
    ("cancelled", None),
    ("result", "result"),
    ("cancelled", "result"),
    ("timed out", None),
]
