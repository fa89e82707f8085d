"""An audit hook: what a learner's code may not do while it is graded.

Python reports what it is about to do. Writing outside the scratch folder,
starting programs, sending signals, foreign functions, and looking into the
frames of the grader are stopped here, and told. A hook cannot be taken out
again, not by us either, so only a worker puts one in.

The hook looks nothing up in this module or in the builtins: a learner's code
could have put something else there. What it needs it holds.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final

from rpclab.classroom.path_rules import (
    REFUSED,
    TAMPERED,
    find_library,
    make_behind_rule,
    make_direct_rule,
    make_forging_rule,
    make_path_rule,
)
from rpclab.course import strings

Rule = Callable[[tuple[Any, ...], FrameType], str]
"""Judges an event by its arguments, and by where it came from; nothing is all right."""

Tell = Callable[[str, str], None]
"""Is told of what was stopped: ``tampered`` or ``refused``, and the event."""

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
_INSIDES: Final = [
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
_MODULES: Final = frozenset({"_ctypes", "_posixsubprocess", "cffi", "ctypes"})
_CODE: Final = frozenset({"__code__", "__defaults__", "__kwdefaults__"})


class Stopped(PermissionError):
    """What a learner's code wanted to do is not allowed while it is graded."""


def put_in(scratch: Path, closed: list[Path], tell: Tell) -> None:
    """Put the hook in, for the rest of this process.

    Only ``scratch`` may be written; of ``closed`` not even a name may be read.
    """
    rules = _make_rules(scratch, closed)
    getframe, stopped, says, kind, text = sys._getframe, Stopped, strings.STOPPED, type, str
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
            tell(found, event + what)
            raise stopped(says % event)

    sys.addaudithook(hook)


def _make_rules(scratch: Path, closed: list[Path]) -> Mapping[str, Rule]:
    """Give the rule of each event that has one."""
    judge, known = make_path_rule(scratch, closed), find_library()
    directly, behind = make_direct_rule(known), make_behind_rule(known)
    forges, wrong, refused = make_forging_rule(known), TAMPERED, REFUSED
    frames, code, modules = _FRAMES, _CODE, _MODULES
    table: tuple[tuple[Sequence[str], Rule], ...] = (
        (["open"], lambda args, _: judge(args[0], args[2])),
        (_WRITING, lambda args, _: judge(args[0], None)),
        (_MOVING, lambda args, _: judge(args[0], None) or judge(args[1], None)),
        (_LISTING, lambda args, _: wrong if judge(args[0], 0) == wrong else ""),
        (_FORBIDDEN, lambda *_: wrong),
        (_REFUSED, lambda *_: refused),
        (_FOREIGN, lambda _, at: wrong if behind(at) else ""),
        (_INSIDES, lambda _, at: wrong if directly(at) else ""),
        (["import"], lambda args, at: wrong if args[0] in modules and directly(at) else ""),
        (["compile"], lambda args, at: wrong if forges(args[1], at) else ""),
        (_GETTING, lambda args, at: wrong if args[1] in frames and directly(at) else ""),
        (_SETTING, lambda args, at: wrong if args[1] in code and directly(at) else ""),
    )
    return {event: rule for events, rule in table for event in events}
