"""Every sentence that exercises say, in one place to be translated."""

from typing import Final

KEPT: Final = "kept"
BROKEN: Final = "broken"
NOT_RUN: Final = "not run yet"
SUMMARY: Final = "{exercise}: {kept} of {total} kept"
ALL_KEPT: Final = "Well done: every check is kept."
NOT_WRITTEN: Final = "Nothing is written yet: fill in the TODO, run the cell, and check again."
NO_EXERCISE: Final = "There is no exercise {exercise}. There are: {known}."
NO_ANSWER: Final = "check needs your function: check({exercise!r}, {name})"
NO_HINT: Final = "There are {count} hints: give a number from 1 to {count}."
CALLED: Final = "called"
GOT: Final = "got"
WANTED: Final = "wanted"
RAISED: Final = "{kind}: {text}"
