"""An audit hook: what a learner's code may not do while it is graded.

Python reports what it is about to do. Writing outside the scratch folder,
starting programs, sending signals, foreign functions, and looking into the
frames of the grader are stopped and reported here. A hook cannot be removed
again, not even by us, so only a worker installs one.

The hook and its rules look nothing up in this module or in the builtins,
because a learner's code could have replaced it there. They hold everything
they use in local variables.
"""

import os
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final

TAMPERED: Final = "tampered"
"""What honest code never does. The hand-in earns nothing."""

REFUSED: Final = "refused"
"""What some cells of the course do. It is stopped, and costs nothing."""

Rule = Callable[[tuple[Any, ...], FrameType], str]
"""Judges an event by its arguments and its frame; an empty string allows it."""

Accuse = Callable[[str, str], None]
"""Is called with what was stopped: ``tampered`` or ``refused``, and the event."""

FrameTest = Callable[[FrameType], bool]

_FORBIDDEN: Final = [
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.killpg",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.spawn",
    "resource.prlimit",
    "resource.setrlimit",
    "signal.pthread_kill",
    "sys.addaudithook",
]
_REFUSED: Final = [
    "_thread.start_new_thread",
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.sendto",
    "subprocess.Popen",
]
_FOREIGN: Final = [
    "ctypes.dlopen",
    "ctypes.dlsym",
    "ctypes.call_function",
    "ctypes.cdata",
    "ctypes.cdata/buffer",
    "ctypes.addressof",
    "ctypes.string_at",
    "ctypes.wstring_at",
    "ctypes.PyObj_FromPtr",
]
_INTERNALS: Final = [
    "code.__new__",
    "gc.get_objects",
    "gc.get_referents",
    "gc.get_referrers",
    "sys._current_exceptions",
    "sys._current_frames",
    "sys._getframe",
    "sys.monitoring.register_callback",
    "sys.setprofile",
    "sys.settrace",
]
_WRITING: Final = [
    "os.chmod",
    "os.chown",
    "os.mkdir",
    "os.remove",
    "os.removexattr",
    "os.rmdir",
    "os.setxattr",
    "os.truncate",
    "os.utime",
    "shutil.rmtree",
]
_MOVING: Final = ["os.link", "os.rename", "os.symlink", "shutil.move"]
_GETTING: Final = ["object.__getattr__"]
_SETTING: Final = ["object.__setattr__"]
_LISTING: Final = ("os.listdir", "os.scandir")
_FRAMES: Final = frozenset({"ag_frame", "cr_frame", "gi_frame", "tb_frame"})
# psutil is one of our own dependencies, and on Windows it ends processes without an event.
_MODULES: Final = frozenset({"_ctypes", "_posixsubprocess", "cffi", "ctypes", "psutil"})
_CODE: Final = frozenset({"__code__", "__defaults__", "__kwdefaults__"})

_WRITE_FLAGS: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OWN_PROCESS: Final = ("self", "thread-self")
_PATH_TYPES: Final = (str, bytes, type(Path()))
_STANDARD: Final = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
_FRAME_LENDERS: Final = ("/inspect.py", "/traceback.py")
"""Files of the standard library that pass frames on to whoever calls them."""


class Stopped(PermissionError):
    """The learner's code tried something that grading does not allow."""


def install(scratch: Path, closed: list[Path], accuse: Accuse) -> None:
    """Install the hook for the rest of this process.

    Only ``scratch`` may be written; in ``closed`` not even a name may be read.
    """
    rules = _make_rules(scratch, closed)
    getframe, stopped, kind, text = sys._getframe, Stopped, type, str
    says = "grading does not allow %s"
    busy = [False]  # what the rules do raises events, too

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event not in rules or busy[0]:
            return
        busy[0] = True
        try:
            found = rules[event](args, getframe(1))
        finally:
            busy[0] = False
        if found:
            what = " " + args[0][:200] if args and kind(args[0]) is text else ""
            accuse(found, event + what)
            raise stopped(says % event)

    sys.addaudithook(hook)


def _make_rules(scratch: Path, closed: list[Path]) -> Mapping[str, Rule]:
    """Return the rule of each event that has one."""
    judge, known = make_path_rule(scratch, closed), find_library()
    directly, behind = make_direct_test(known), make_behind_test(known)
    forges, wrong, refused = make_forging_test(known), TAMPERED, REFUSED
    frames, code, modules = _FRAMES, _CODE, _MODULES
    table: tuple[tuple[Sequence[str], Rule], ...] = (
        (["open"], lambda args, _: judge(args[0], args[2])),
        (_WRITING, lambda args, _: judge(args[0], None)),
        (_MOVING, lambda args, _: judge(args[0], None) or judge(args[1], None)),
        (_LISTING, lambda args, _: wrong if judge(args[0], 0) == wrong else ""),
        (_FORBIDDEN, lambda *_: wrong),
        (_REFUSED, lambda *_: refused),
        (_FOREIGN, lambda _, at: wrong if behind(at) else ""),
        (_INTERNALS, lambda _, at: wrong if directly(at) else ""),
        (["import"], lambda args, at: wrong if args[0] in modules and directly(at) else ""),
        (["compile"], lambda args, at: wrong if forges(args[1], at) else ""),
        (_GETTING, lambda args, at: wrong if args[1] in frames and directly(at) else ""),
        (_SETTING, lambda args, at: wrong if args[1] in code and directly(at) else ""),
    )
    return {event: rule for events, rule in table for event in events}


# --- which files may be used ------------------------------------------------------


def make_path_rule(scratch: Path, closed: list[Path]) -> Callable[[Any, int | None], str]:
    """Make the function that judges whether a path may be used.

    It takes the flags of ``open``, or None for an event that changes the
    folder which the path is in.
    """
    inside = os.path.realpath(scratch) + os.sep
    shut = tuple(os.path.realpath(one) + os.sep for one in closed)
    writes, harmless, separator = _WRITE_FLAGS, (os.path.realpath(os.devnull), os.devnull), os.sep
    real, decode, plain, kind, text = os.path.realpath, os.fsdecode, _PATH_TYPES, type, str
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
    """Make the function that judges whether a file elsewhere may be read."""
    separator, is_folder, own = os.sep, os.path.isdir, _OWN_PROCESS
    wrong, refused = TAMPERED, REFUSED

    def judge(at: str) -> str:
        parts = at.split(separator)
        if parts[1:2] == ["proc"] and parts[2:] and (parts[2] in own or parts[2].isdigit()):
            return wrong
        # A folder that is opened could be used to reach the files in it.
        return refused if parts[-1] == "solution.py" or is_folder(at) else ""

    return judge


# --- whose code is running --------------------------------------------------------


def find_library() -> tuple[str, ...]:
    """Return how the file names of all code begin that is not a learner's."""
    return ("<frozen", *_STANDARD, *(os.path.join(one, "") for one in sys.path if one))  # noqa: PTH118


def make_direct_test(known: tuple[str, ...]) -> FrameTest:
    """Make the function that tells whether a learner's code does something itself."""
    lenders = _FRAME_LENDERS

    def calls_directly(frame: FrameType) -> bool:
        name = frame.f_code.co_filename
        if name.endswith(lenders) and frame.f_back is not None:
            name = frame.f_back.f_code.co_filename
        return not name.startswith(known)

    return calls_directly


def make_behind_test(known: tuple[str, ...]) -> FrameTest:
    """Make the function that tells whether a learner's code is behind a library call."""
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


def make_forging_test(known: tuple[str, ...]) -> Callable[[Any, FrameType], bool]:
    """Make the function that tells whether a learner's code compiles as a library's."""
    is_behind, text = make_behind_test(known), str

    def forges(name: Any, frame: FrameType) -> bool:
        if frame.f_code.co_filename.startswith("<frozen"):  # an import
            return False
        return text(name).startswith(known) and is_behind(frame)

    return forges
