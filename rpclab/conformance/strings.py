"""Every sentence that a verdict or a report says, in one place to be translated."""

from typing import Final

SILENT: Final = "nothing came, where something is due"
NOT_SILENT: Final = "something came, where silence is due"
NOT_JSON: Final = "something came that is not JSON"
MISSING: Final = "something is missing in what came"
TOO_MUCH: Final = "more came than is due"
OTHER: Final = "something else came than is due"
DIFFERS: Final = "something else came than is due: look at {names}"
READING: Final = "it takes the reading {reading}, which breaks the clause"
FOUND: Final = "the bytes that came have what they must not have: {pattern}"
NOT_FOUND: Final = "the bytes that came lack what they must have: {pattern}"
STDERR_FOUND: Final = "its stderr has what it must not have: {pattern}"
STATUS: Final = "its exit status is {status}, where {wanted} is due"
STATES: Final = {
    "ends": "it ended (exit status {status}) instead of going on",
    "hangs": "no reply came to the good request after it, within the deadline",
    "floods": "it wrote without end",
    "absent": "it never worked",
    "spent": "it hung so often that it was not asked",
    "lives-on": "it did not end by itself, within the deadline",
}
NOT_ON_WINDOWS: Final = (
    "a command cannot be judged on Windows, where a pipe cannot be waited for;"
    " use Linux, macOS or WSL"
)
NO_METHOD: Final = "it has no method {names}"
CANNOT: Final = "it cannot do this: {order}"
NO_DELIVERY: Final = "no delivery of the case is possible"
NO_OUTCOMES: Final = "what it wrote to stdout is not a list of outcomes: {line}"
WROTE: Final = "the messages that it wrote are not those that are due"
STALE: Final = "expected to be broken, and it is not: {case}"
UNKNOWN_EXPECTED: Final = "expected to be broken, and there is no such case: {case}"

REPORT_TITLE: Final = "Conformance of {name}"
REPORT_ABOUT: Final = (
    "{cases} cases of JSON-RPC 2.0, profile {profile}, framing {framing}. A verdict is kept, broken"
    " or free: the text leaves it open, and what was done is recorded."
)
REPORT_CLAUSES: Final = "Clauses"
REPORT_CASES: Final = "Cases"
REPORT_VOTES: Final = "How it reads what the text leaves open"
REPORT_SENT: Final = "sent"
REPORT_CAME: Final = "came"
REPORT_WANTED: Final = "wanted"
REPORT_WROTE: Final = "wrote"
REPORT_STDERR: Final = "stderr"
REPORT_NOTHING: Final = "(nothing)"
REPORT_AGAIN: Final = "To see it again"
REPORT_LEFT_OUT: Final = "… {count} bytes left out …"
OR: Final = "or"
SHRUNK: Final = "The smallest line that still breaks it"

MATRIX_TITLE: Final = "The matrix: other implementations under the suite"
MATRIX_ABOUT: Final = (
    "Measured on {made}. A cell counts clauses: kept, broken, free (the text leaves it open) or"
    " not judged (the adapter answers for it, or the method is not there). Each implementation"
    " is reached through a small adapter of ours. A server is judged on JSON-RPC 2.0, a layer"
    " by the profile of the protocol that it is made for: the two do not compare. A broken clause"
    " is a difference from the text as this suite reads it, and may be on purpose."
)
MATRIX_MADE_BY: Final = "To make it again:"
MATRIX_OVERALL: Final = "The clauses that say MUST"
MATRIX_SECTIONS: Final = "Clauses by section"
MATRIX_VOTES: Final = "How each reads what the text leaves open"
MATRIX_ALONE: Final = "alone"
MATRIX_BROKEN: Final = "What is broken, and the command that shows it"
MATRIX_NONE: Final = "Nothing is broken."
MATRIX_NOTES: Final = "What is theirs, and what is ours"
MATRIX_NOT_JUDGED: Final = "not judged"
