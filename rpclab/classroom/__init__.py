"""A class: make assignments, grade hand-ins, and show what the class missed."""

from typing import TYPE_CHECKING, Any, Final

__all__ = [
    "Class",
    "Handin",
    "Learner",
    "Limits",
    "Mark",
    "Unable",
    "describe_limits",
    "find_handins",
    "grade",
    "make_assignment",
    "make_notebook",
    "render_csv",
    "render_page",
]

if TYPE_CHECKING:
    from rpclab.classroom.assignment import make_assignment, make_notebook
    from rpclab.classroom.grading import Class, Learner, Mark, grade
    from rpclab.classroom.handins import Handin, find_handins
    from rpclab.classroom.page import render_csv, render_page
    from rpclab.classroom.privileges import Limits, describe_limits
    from rpclab.classroom.runner import Unable

# Loaded on first use: the process that runs a hand-in must not load the grader's side.
_LATER: Final = {
    "Class": "grading",
    "Handin": "handins",
    "Learner": "grading",
    "Limits": "privileges",
    "Mark": "grading",
    "Unable": "runner",
    "describe_limits": "privileges",
    "find_handins": "handins",
    "grade": "grading",
    "make_assignment": "assignment",
    "make_notebook": "assignment",
    "render_csv": "page",
    "render_page": "page",
}


def __getattr__(name: str) -> Any:
    """Load the module of a public name."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  only here

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    """List the names that are loaded later too."""
    return sorted({*globals(), *__all__})
