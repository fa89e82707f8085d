"""Whose code is running, and which files it may touch, for the audit hook.

The functions made here hold all that they use, so that nothing which a
learner's code rebinds has an effect on them.
"""

import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OWN: Final = ("self", "thread-self")
_PLAIN: Final = (str, bytes, type(Path()))
_STANDARD: Final = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
_PEEPHOLES: Final = ("/inspect.py", "/traceback.py")
"""Files of the standard library that hand frames on to whoever calls them."""


TAMPERED: Final = "tampered"
REFUSED: Final = "refused"

Asks = Callable[[FrameType], bool]


def make_path_rule(scratch: Path, closed: list[Path]) -> Callable[[Any, int | None], str]:
    """Make what judges whether a path may be used so.

    The flags are those of ``open``, or None for what changes the folder it is in.
    """
    inside = os.path.realpath(scratch) + os.sep
    shut = tuple(os.path.realpath(one) + os.sep for one in closed)
    writes, harmless, separator = _WRITES, (os.path.realpath(os.devnull), os.devnull), os.sep
    real, decode, plain, kind, text = os.path.realpath, os.fsdecode, _PLAIN, type, str
    judge_reading, wrong = _make_reading_rule(), TAMPERED

    def judge(path: Any, flags: int | None) -> str:
        if kind(path) is int or path is None:
            return ""
        if kind(path) not in plain:
            return wrong
        at = real(decode(path) if kind(path) is bytes else text(path))
        if (at + separator).startswith(inside):
            return ""
        if (at + separator).startswith(shut):
            return wrong
        if flags is None or flags & writes:
            return "" if at in harmless else wrong
        return judge_reading(at)

    return judge


def _make_reading_rule() -> Callable[[str], str]:
    """Make what judges whether a file outside may be read."""
    separator, is_folder, own = os.sep, os.path.isdir, _OWN
    wrong, refused = TAMPERED, REFUSED

    def judge(at: str) -> str:
        parts = at.split(separator)
        if parts[1:2] == ["proc"] and parts[2:] and (parts[2] in own or parts[2].isdigit()):
            return wrong
        # What is opened as a folder could be used to reach what is in it.
        return refused if parts[-1] == "solution.py" or is_folder(at) else ""

    return judge


def find_library() -> tuple[str, ...]:
    """Give how the file names of all code begin that is not a learner's."""
    return ("<frozen", *_STANDARD, *(os.path.join(one, "") for one in sys.path if one))  # noqa: PTH118


def make_direct_rule(known: tuple[str, ...]) -> Asks:
    """Make what tells whether a learner's code does something itself."""
    peepholes = _PEEPHOLES

    def calls_directly(frame: FrameType) -> bool:
        name = frame.f_code.co_filename
        if name.endswith(peepholes) and frame.f_back is not None:
            name = frame.f_back.f_code.co_filename
        return not name.startswith(known)

    return calls_directly


def make_behind_rule(known: tuple[str, ...]) -> Asks:
    """Make what tells whether a learner's code has the standard library do something."""
    standard, (site, dist) = ("<frozen", *_STANDARD), ("site-packages", "dist-packages")

    def is_behind(frame: FrameType) -> bool:
        at: FrameType | None = frame
        while at is not None:
            name = at.f_code.co_filename
            if not name.startswith(standard) or site in name or dist in name:
                return not name.startswith(known)
            at = at.f_back
        return False

    return is_behind


def make_forging_rule(known: tuple[str, ...]) -> Callable[[Any, FrameType], bool]:
    """Make what tells whether a learner's code compiles in the name of somebody else."""
    is_behind, text = make_behind_rule(known), str

    def forges(name: Any, frame: FrameType) -> bool:
        if frame.f_code.co_filename.startswith("<frozen"):  # an import
            return False
        return text(name).startswith(known) and is_behind(frame)

    return forges
