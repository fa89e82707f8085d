"""Start a worker for one hand-in, take its report, and end everything it started.

A worker has a scratch folder, which is deleted at the end, and one pipe, of
which a limited amount is kept. It ends at its deadline, together with every
process of its group or its user.
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
from rpclab.course.catalogue import SEED
from rpclab.course.progress import OFF, PROGRESS
from rpclab.peer.child import OWN_GROUP, end_group

MOST: Final = 1 << 20
"""How many bytes of a worker's report are kept. A whole course needs a tenth of that."""


class Unable(Exception):
    """The rights of root could not be given up, so nothing was run."""


_START: Final = "from rpclab.classroom.worker import main; main()"
"""Imported, so that the worker is a module that its own snapshot covers."""


@dataclass(slots=True)
class WorkerReport:
    """What a worker said, and how it ended."""

    said: list[dict[str, Any]] = field(default_factory=list)
    accused: list[tuple[str, str]] = field(default_factory=list)
    forged: bool = False
    hung: bool = False
    status: int = 0

    @property
    def ended(self) -> bool:
        """Whether it finished its job."""
        return bool(self.said) and "end" in self.said[-1]


def run_cells(cells: Sequence[Cell], closed: Sequence[Path], limits: Limits) -> WorkerReport:
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
        text, report = _run_worker(job, scratch, limits.seconds)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    read_report(text, key, report)
    if why := report.said and report.said[0].get("unable"):
        raise Unable(
            "A hand-in is not run with the rights of root, and they cannot be given up here: "
            f"{why}. Grade as another user."
        )
    return report


def _run_worker(job: dict[str, Any], scratch: Path, seconds: float) -> tuple[bytes, WorkerReport]:
    """Start the worker and read its output, until its end or its deadline."""
    report, text, child = WorkerReport(), bytearray(), _start(job, scratch)
    assert child.stdout is not None
    reader = threading.Thread(target=_read_all, args=(child.stdout, text), daemon=True)
    reader.start()
    try:
        report.status = child.wait(seconds)
    except subprocess.TimeoutExpired:
        report.hung = True
    finally:
        _end(child, job["uid"])
        reader.join(10)
        child.stdout.close()
    return bytes(text), report


def _start(job: dict[str, Any], scratch: Path) -> subprocess.Popen[bytes]:
    """Start a worker. Its stdin is an unnamed file with the job."""
    with tempfile.TemporaryFile() as stdin:
        stdin.write(json.dumps(job).encode())
        stdin.seek(0)
        return subprocess.Popen(
            [sys.executable, "-s", "-P", "-c", _START],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(scratch),
            **OWN_GROUP,
        )


def _environment(scratch: Path) -> dict[str, str]:
    """Return the variables a worker needs, and no others of the teacher's."""
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


def _read_all(stream: IO[bytes], text: bytearray) -> None:
    """Read to the end, and keep only the beginning."""
    while chunk := os.read(stream.fileno(), 1 << 16):
        text += chunk[: max(0, MOST - len(text))]


def _end(child: subprocess.Popen[bytes], uid: int | None) -> None:
    """End the worker, its group, and all processes of its user."""
    with suppress(PermissionError):
        end_group(child)
    end_user(uid)
    child.wait()


def read_report(text: bytes, key: bytes, report: WorkerReport) -> None:
    """Read a report line by line. A line without the right seal is forged."""
    for line in text.splitlines():
        if line.startswith(b"!"):
            with suppress(ValueError, TypeError):
                kind, event = json.loads(line[1:])
                report.accused.append((str(kind), str(event)))
            continue
        seal, _, body = line.partition(b" ")
        right = hashlib.blake2b(body, key=key).hexdigest().encode()
        if not secrets.compare_digest(seal, right):
            report.forged = True
            continue
        number, said = json.loads(body)
        report.forged |= number != len(report.said)
        report.said.append(said)
