"""The rights and limits of a process that runs a learner's code.

If root starts it, it becomes a user of its own that owns nothing. In any case
it cannot start processes or threads, and its time, its memory and the size of
its files are limited. Windows has none of this, and ``describe_limits`` says so.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

if sys.platform != "win32":  # loaded while root's files can still be read
    import pwd
    import resource

_FIRST: Final = 61184
_LAST: Final = 65519
"""The user ids that systemd reserves for this: they have no name and no files."""


class Limits(NamedTuple):
    """What one hand-in may use. ``cell`` is the time limit for one cell."""

    seconds: float = 60.0
    cell: float = 10.0
    memory: int = 1 << 30
    file: int = 16 << 20
    files: int = 64


def is_root() -> bool:
    """Tell whether this process may become another user."""
    return sys.platform != "win32" and os.geteuid() == 0


def choose_user() -> int | None:
    """Return an unused user id for one hand-in, or None if we are not root."""
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
    """Become this user, for the rest of the process.

    Raises:
        OSError: it is not allowed here.
    """
    if sys.platform == "win32" or uid is None:
        return
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    if not uid or (os.getuid(), os.geteuid(), os.getgid(), os.getgroups()) != (uid, uid, uid, []):
        raise PermissionError("the rights of root were not given up")


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
    """End every process of a user that ``choose_user`` returned.

    The kernel ends them all in one step, so that none can start another meanwhile.
    """
    if sys.platform == "win32" or not uid:
        return
    subprocess.run(  # a shell, because that user may not be able to run our Python
        ["/bin/sh", "-c", "kill -9 -1"],
        user=uid,
        group=uid,
        extra_groups=[],
        check=False,
        stderr=subprocess.DEVNULL,
        timeout=10,
    )


def find_processes(uid: int) -> list[int]:
    """Return the processes of a user, as far as the system tells."""
    import psutil  # noqa: PLC0415  the worker, which imports this module, must not load it

    running = psutil.process_iter(["uids"])
    return [one.pid for one in running if one.info["uids"] and uid in one.info["uids"]]


def describe_limits(limits: Limits) -> str:
    """Say which limits hold on this system.

    >>> "seconds" in describe_limits(Limits())
    True
    """
    if sys.platform == "win32":
        return (
            f"Each hand-in ran in a process of its own for {limits.seconds:g} seconds at most. "
            "Windows has no limits for memory, files and processes, and it ran as the user who "
            "graded."
        )
    whose = "as a user of its own without rights" if is_root() else "as the user who graded"
    return (
        f"Each hand-in ran in a process of its own: {limits.seconds:g} seconds, "
        f"{limits.memory >> 20} MiB of memory, files of {limits.file >> 20} MiB, "
        f"{limits.files} open files, no other processes, {whose}."
    )
