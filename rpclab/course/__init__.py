"""What a notebook calls: exercises, checks, and listings of the real source."""

from typing import TYPE_CHECKING, Any

from rpclab.course.catalogue import numbers, sent_lines
from rpclab.course.exercises import CheckReport, check, hint, reset, skip, solution, task
from rpclab.course.expect import demand, expect, same
from rpclab.course.predictions import pick, predict, reply_to
from rpclab.course.source_listing import Listing, show_source
from rpclab.course.specimens import specimen, try_line

if TYPE_CHECKING:
    from rpclab.course.server_exercises import expect_conformance

__all__ = [
    "CheckReport",
    "Listing",
    "Report",
    "check",
    "demand",
    "expect",
    "expect_conformance",
    "hint",
    "numbers",
    "pick",
    "predict",
    "reply_to",
    "reset",
    "same",
    "sent_lines",
    "show_source",
    "skip",
    "solution",
    "specimen",
    "task",
    "try_line",
]

Report = CheckReport
"""The former name of ``CheckReport``, which programs may import."""


def __getattr__(name: str) -> Any:
    """Load the conformance lab for the exercises that it judges, and only for those."""
    if name != "expect_conformance":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rpclab.course.server_exercises import expect_conformance  # noqa: PLC0415  see above

    return expect_conformance


def __dir__() -> list[str]:
    """List the names that are loaded later too."""
    return sorted({*globals(), *__all__})
