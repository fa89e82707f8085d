"""Start a worker for one hand-in, hear what it says, and end all of it.

Nothing that a worker does reaches further: it has a scratch folder, which is
taken away at the end, and one pipe, of which so much is kept. It ends at its
deadline, and with it whatever has its group or its user.
"""

import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from rpclab.classroom.handins import Cell
from rpclab.classroom.privileges import Limits, choose_user, end_user
from rpclab.course import strings
from rpclab.course.catalogue import SEED
from rpclab.course.progress import OFF, PROGRESS
from rpclab.peer.child import OWN_GROUP, end_group

MOST: Final = 1 << 20
"""How many bytes of a worker's report are kept. A whole course has a tenth of that."""


class Unable(Exception):
    """The rights of root could not be given up, so nothing was run."""


@dataclass(slots=True)
class Heard:
    """What a worker said, and how it ended."""

    said: list[dict[str, Any]] = field(default_factory=list)
    accused: list[tuple[str, str]] = field(default_factory=list)
    forged: bool = False
    hung: bool = False
    status: int = 0

    @property
    def ended(self) -> bool:
        """Whether it came to its own end."""
        return bool(self.said) and "end" in self.said[-1]


def run_cells(cells: Sequence[Cell], closed: Sequence[Path], limits: Limits) -> Heard:
    """Run the cells of one hand-in in a process of its own.

    Raises:
        Unable: it would have run as root.
    """
    uid, key = choose_user(), secrets.token_bytes(32)
    scratch = Path(tempfile.mkdtemp(prefix="rpclab-"))
    job = {
        "key": key.hex(),
        "uid": uid,
        "scratch": str(scratch),
        "closed": [str(folder.resolve()) for folder in closed],
        "limits": limits._asdict(),
        "cells": [cell._asdict() for cell in cells],
    }
    try:
        if sys.platform != "win32" and uid is not None:
            os.chown(scratch, uid, uid)
        text, heard = _hear(job, scratch, limits.seconds)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    read_report(text, key, heard)
    if why := heard.said and heard.said[0].get("unable"):
        raise Unable(strings.UNABLE.format(why=why))
    return heard


def _hear(job: dict[str, Any], scratch: Path, seconds: float) -> tuple[bytes, Heard]:
    """Start the worker and take what it says, until its end or its deadline."""
    heard, text, child = Heard(), bytearray(), _start(job, scratch)
    assert child.stdout is not None
    reader = threading.Thread(target=_gather, args=(child.stdout, text), daemon=True)
    reader.start()
    try:
        heard.status = child.wait(seconds)
    except subprocess.TimeoutExpired:
        heard.hung = True
    finally:
        _end(child, job["uid"])
        reader.join(10)
        child.stdout.close()
    return bytes(text), heard


def _start(job: dict[str, Any], scratch: Path) -> subprocess.Popen[bytes]:
    """Start a worker. Its job is a file without a name, which it reads and closes."""
    with tempfile.TemporaryFile() as stdin:
        stdin.write(json.dumps(job).encode())
        stdin.seek(0)
        return subprocess.Popen(
            [sys.executable, "-s", "-P", "-m", "rpclab.classroom.worker"],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(scratch),
            **OWN_GROUP,
        )


def _environment(scratch: Path) -> dict[str, str]:
    """Give a worker what it needs, and nothing of what the teacher has there."""
    kept = {name: os.environ[name] for name in (SEED, "SYSTEMROOT", "PATH") if name in os.environ}
    home = str(scratch)
    return kept | {
        "HOME": home,
        "USERPROFILE": home,
        "TMPDIR": home,
        "TEMP": home,
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "PYTHONUTF8": "1",
        PROGRESS: OFF,
    }


def _gather(stream: IO[bytes], text: bytearray) -> None:
    """Read to the end, and keep the beginning."""
    while chunk := os.read(stream.fileno(), 1 << 16):
        text += chunk[: max(0, MOST - len(text))]


def _end(child: subprocess.Popen[bytes], uid: int | None) -> None:
    """End the worker, its group, and all that its user runs."""
    with suppress(PermissionError):
        end_group(child)
    end_user(uid)
    child.wait()


def read_report(text: bytes, key: bytes, heard: Heard) -> None:
    """Read a report line by line. What bears no seal, or a wrong one, is forged."""
    for line in text.splitlines():
        if line.startswith(b"!"):
            with suppress(ValueError, TypeError):
                kind, event = json.loads(line[1:])
                heard.accused.append((str(kind), str(event)))
            continue
        seal, _, body = line.partition(b" ")
        right = hashlib.blake2b(body, key=key).hexdigest().encode()
        if not secrets.compare_digest(seal, right):
            heard.forged = True
            continue
        number, said = json.loads(body)
        heard.forged |= number != len(heard.said)
        heard.said.append(said)
