"""Every sentence that a verdict or a report says, in one place to be translated."""

from typing import Final

SILENT: Final = "nothing came, where something is due"
NOT_SILENT: Final = "something came, where silence is due"
NOT_JSON: Final = "something came that is not JSON"
MISSING: Final = "something is missing in what came"
TOO_MUCH: Final = "more came than is due"
OTHER: Final = "something else came than is due"
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
