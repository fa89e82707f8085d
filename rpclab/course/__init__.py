"""What a notebook calls: exercises, checks, and listings of the real source."""

from rpclab.course.catalogue import numbers, sent_lines
from rpclab.course.exercises import hint, reset, skip, solution, task
from rpclab.course.expect import demand, expect, same
from rpclab.course.grading import check
from rpclab.course.judged import expect_conformance
from rpclab.course.lines import specimen, try_line
from rpclab.course.listings import Listing, show_source
from rpclab.course.predictions import pick, predict, reply_to
from rpclab.course.report import Report

__all__ = [
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
