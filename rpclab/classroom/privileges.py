"""The rights of a process that runs a learner's code: as few as can be had.

Started by root, it becomes a user of its own that owns nothing. In any case it
may start no process and no thread, and has so much time, memory and so large
files. On Windows there is none of this, and ``describe_limits`` says so.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from rpclab.course import strings

if sys.platform != "win32":  # before the rights are gone: root's files may be out of reach then
    import pwd
    import resource

_FIRST: Final = 61184
_LAST: Final = 65519
"""The users that systemd keeps for such a purpose: they have no name and no files."""


class Limits(NamedTuple):
    """What one hand-in may use. ``cell`` is the time of one cell."""

    seconds: float = 60.0
    cell: float = 10.0
    memory: int = 1 << 30
    file: int = 16 << 20
    files: int = 64


def is_root() -> bool:
    """Tell whether this process may become another user."""
    return sys.platform != "win32" and os.geteuid() == 0


def choose_user() -> int | None:
    """Give a user that nobody is, for one hand-in, or None if we are not root."""
    if sys.platform == "win32" or not is_root():
        return None
    while True:
        uid = _FIRST + secrets.randbelow(_LAST - _FIRST + 1)
        try:
            pwd.getpwuid(uid)
        except KeyError:
            if not find_processes(uid):
                return uid


def give_up(uid: int | None) -> None:
    """Become this user, for good.

    Raises:
        OSError: it is not allowed here.
    """
    if sys.platform == "win32" or uid is None:
        return
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    if not uid or (os.getuid(), os.geteuid(), os.getgid(), os.getgroups()) != (uid, uid, uid, []):
        raise PermissionError(strings.NOT_GIVEN_UP)


def set_limits(limits: Mapping[str, float]) -> None:
    """Set the limits of this process. They cannot be raised again."""
    if sys.platform == "win32":
        return
    cpu = int(limits["seconds"]) + 1
    for name, most in (
        ("RLIMIT_CPU", cpu),
        ("RLIMIT_AS", int(limits["memory"])),
        ("RLIMIT_FSIZE", int(limits["file"])),
        ("RLIMIT_NOFILE", int(limits["files"])),
        ("RLIMIT_NPROC", 0),
        ("RLIMIT_CORE", 0),
    ):
        with suppress(AttributeError, ValueError):  # not every system has each
            resource.setrlimit(getattr(resource, name), (most, most))


def end_user(uid: int | None) -> None:
    """End every process of a user that ``choose_user`` gave.

    The kernel ends them all in one step, so none can start another meanwhile.
    """
    if sys.platform == "win32" or not uid:
        return
    subprocess.run(  # the shell: Python may lie where that user cannot reach it
        ["/bin/sh", "-c", "kill -9 -1"],
        user=uid,
        group=uid,
        extra_groups=[],
        check=False,
        stderr=subprocess.DEVNULL,
        timeout=10,
    )


def find_processes(uid: int) -> list[int]:
    """Give the processes of a user, as far as the system tells."""
    wanted, found = f"\nUid:\t{uid}\t", []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            if wanted in status.read_text():
                found.append(int(status.parent.name))
    return found


def describe_limits(limits: Limits) -> str:
    """Say which limits hold on this system.

    >>> "seconds" in describe_limits(Limits())
    True
    """
    if sys.platform == "win32":
        return strings.LIMITS_WINDOWS.format(seconds=limits.seconds)
    whose = strings.LIMITS_OWN_USER if is_root() else strings.LIMITS_SAME_USER
    return strings.LIMITS.format(
        seconds=limits.seconds,
        memory=limits.memory >> 20,
        file=limits.file >> 20,
        files=limits.files,
        whose=whose,
    )
