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

NO_FILE: Final = "it is no file, but a link or something else, and was not read"
TOO_LARGE: Final = "it is larger than {most} MiB, and was not read"
UNREADABLE: Final = "it cannot be read ({why})"
NO_NOTEBOOK: Final = "it is no notebook"
STOPPED: Final = "grading does not allow %s"
NOT_GIVEN_UP: Final = "the rights of root were not given up"
UNABLE: Final = (
    "A hand-in is not run with the rights of root, and they cannot be given up here: {why}. "
    "Grade as another user."
)
LIMITS: Final = (
    "Each hand-in ran in a process of its own: {seconds:g} seconds, {memory} MiB of memory, "
    "files of {file} MiB, {files} open files, no other processes, {whose}."
)
LIMITS_OWN_USER: Final = "as a user of its own without rights"
LIMITS_SAME_USER: Final = "as the user who graded"
LIMITS_WINDOWS: Final = (
    "Each hand-in ran in a process of its own for {seconds:g} seconds at most. "
    "Windows has no limits for memory, files and processes, and it ran as the user who graded."
)

GRADED: Final = "graded"
HANGING: Final = "hanging"
CRASHED: Final = "crashed"
TAMPERED: Final = "tampered"
TOLD: Final = "told by the learner"
UNREAD: Final = "unreadable"
MISSED: Final = "missed"
NOT_JUDGED: Final = "not judged"

FORGED: Final = "it wrote into the report of the grader"
CHANGED: Final = "it changed {names}"
UNSOUND: Final = "after it the checks no longer told right from wrong"
DID: Final = "it tried what grading forbids: {event}"
REFUSED: Final = "not allowed, and not done: {event}"
EARNS_NOTHING: Final = "so it earns nothing"
ENDED: Final = "it ended the process that graded it (exit status {status})"
KILLED: Final = "it was ended by {signal}"
STUCK: Final = "it did not end in {seconds:g} seconds, and was ended"
STUCK_IN: Final = "{exercise}: the answer does not end"
STUCK_CELL: Final = "cell {number} did not end in {seconds:g} seconds"
CELL_RAISED: Final = "cell {number} raised {kind}"
FIRST_MISSED: Final = "{exercise}: {kept} of {total}; the first that is missed: {says}"
AS_STUB: Final = (
    "{exercise}: {kept} of {total}, as many as before anything is written; "
    "the first that is missed: {says}"
)
A_SERVER: Final = "{exercise} starts a program, so it is not judged here: rpclab conform judges it"
NOTHING_IN_IT: Final = "there is no exercise in it"
ONLY_TOLD: Final = "the marks are what the file of progress says"
MORE: Final = "and {count} more"

HEATMAP_TITLE: Final = "What the class kept and missed"
HEATMAP_CLAUSE: Final = "Clause"
HEATMAP_LEARNER: Final = "Learner"
HEATMAP_MARKS: Final = "Marks"
HEATMAP_VERDICT: Final = "Verdict"
HEATMAP_REMARKS: Final = "Remarks"
HEATMAP_ALL: Final = "All"
HEATMAP_TOTAL: Final = "All, of {total}"
HEATMAP_CAPTION: Final = (
    "Clauses by learner. A clause is kept if every exercise on it that was judged is kept."
)
HEATMAP_MARKS_CAPTION: Final = "Marks by learner, and what there is to say of each hand-in."
HEATMAP_MOST: Final = "Most missed:"
HEATMAP_NONE: Final = "No clause was missed."
HEATMAP_MISSED: Final = (
    "{clause}: {says} Missed by {missed} of {judged}. Return to {exercise}, in {notebook}."
)
HEATMAP_OF: Final = "{missed} of {judged} missed"
ASSIGNMENT_TITLE: Final = "# {name}\n\nRun each cell, and write your answer where it says TODO."
ASSIGNMENT_NO_NAME: Final = "an assignment is named with letters, digits, _ and -"
ASSIGNMENT_EXISTS: Final = "it is there already, and is kept: --force replaces it"
