"""Every sentence that exercises say, in one place to be translated."""

from typing import Final

KEPT: Final = "kept"
BROKEN: Final = "broken"
NOT_RUN: Final = "not run yet"
SUMMARY: Final = "{exercise}: {kept} of {total} kept"
ALL_KEPT: Final = "Well done: every check is kept."
NOT_WRITTEN: Final = "Nothing is written yet: fill in the TODO, run the cell, and check again."
NO_EXERCISE: Final = "There is no exercise {exercise}. There are: {known}."
NO_ANSWER: Final = "check needs your answer: check({exercise!r}, {name})"
CALLED: Final = "called"
GOT: Final = "got"
WANTED: Final = "wanted"
RAISED: Final = "{kind}: {text}"
TOO_SLOW: Final = "nothing, in all the time that it had: does it end?"
CUT: Final = "{text} … {count} more"
UNJUDGED: Final = "an answer that can be judged; see the task for its form"

NO_HINT: Final = "There are {count} hints: give a number from 1 to {count}."
HINT_FIRST: Final = "One at a time: hint {number} comes next. hint({exercise!r}) gives it."
ALL_HINTS: Final = "You have had all {count} hints; hint({exercise!r}, 1) gives the first again."

SOLUTION_LATER: Final = (
    "The solution is shown once your answer is right. "
    "To see it all the same: solution({exercise!r}, anyway=True)"
)
RESET: Final = "{exercise} is as if you had never tried it."
SKIPPED: Final = "{exercise} is skipped. A check takes it up again."
NEXT: Final = "Next: {exercise}, in {notebook}, about {minutes} minutes."
NO_NEXT: Final = "There is nothing left to do."

NO_PROGRESS: Final = "it is no progress file"
SET_ASIDE: Final = (
    "Your progress in {file} could not be read ({why}). "
    "It was set aside as {aside}, and a new file was begun."
)
UNWRITABLE: Final = "Progress is not saved, because {file} is out of reach: {why}."

DONE: Final = "Done: {done} of {total} exercises."
TIME: Final = "Time: about {minutes} minutes done, about {left} to go."
MASTERED: Final = "Clauses mastered: {count} of {total}."
ROW: Final = "{state:<8}  {name:<20}  {kind:<10}  {minutes:>3} min  {notebook}"
STATES: Final = {
    "done": "done",
    "skipped": "skipped",
    "next": "next",
    "tried": "tried",
    "": "to do",
}

ONE_EACH: Final = "a list with one entry for each of the {count} lines"
A_LINE: Final = "a line of JSON as a string, or None"
SILENCE: Final = "silence"
A_REPLY: Final = "a reply"
AN_ARRAY: Final = "an array"
NO_ARRAY: Final = "one object, and no array"
A_RESPONSE: Final = "a response: an object"
OTHER_COUNT: Final = "another number of responses in the array"
OTHER_ID: Final = "another id"
NO_SUCH_ID: Final = "a response with another id in the array"
A_VERSION: Final = 'jsonrpc, with exactly "2.0"'
A_RESULT: Final = "a result, and no error"
AN_ERROR: Final = "an error, and no result"
OTHER_RESULT: Final = "another result"
OTHER_CODE: Final = "another code"
OTHER_MEMBERS: Final = "no members besides"

ONE_LINE: Final = "one line: text or bytes, without a newline in it"
SHORT_LINE: Final = "a line of at most {most} bytes"
ERROR: Final = "error {code}"
RESULT: Final = "a result"
BATCH: Final = "an array of responses"
NO_RESPONSE: Final = "no response"
REFERENCE_SAYS: Final = "the reference: {reply}"
SPECIMEN_SAYS: Final = "the specimen: {reply}"
THE_SAME: Final = "both alike: {reply}"
DIFFERENT: Final = "two different replies"

A_COMMAND: Final = "a command: a list of words, or one string"
CONFORMS: Final = "every case kept"
FIRST_BROKEN: Final = "{case} broken: {why} (sent {sent}, got {got})"
NOTHING_JUDGED: Final = "nothing could be judged: {why}"
OR: Final = ", or "
THEN: Final = ", then "
