"""What a notebook calls: exercises, checks, and listings of the real source."""

from rpclab.course.exercises import Report, check, hint
from rpclab.course.expect import expect
from rpclab.course.listings import Listing, show_source

__all__ = ["Listing", "Report", "check", "expect", "hint", "show_source"]
