"""Lay the course out in a folder, as a checkout has it: notebooks and exercises.

A file that a learner has changed is never overwritten. A note in the folder
says which files were laid out, by their digests. A file that still has its
digest is replaced when the course has a newer one; any other file is kept, and
the newer one is put into the folder ``new`` beside it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from rpclab.course.catalogue import exercises_folder

FIRST: Final = "notebooks/00_start_here.ipynb"
NOTE: Final = ".rpclab-course.json"
_PARTS: Final = ("notebooks", "exercises")
_NOT_COURSE: Final = {"__pycache__", ".ipynb_checkpoints"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What was laid out: the files written, and for each file kept, its newer version."""

    written: tuple[str, ...] = ()
    kept: Mapping[str, str]


def source_folder() -> Path:
    """Return the folder that has the course: the checkout, or a folder of the package."""
    return exercises_folder().parent


def holds_course(folder: Path) -> bool:
    """Return whether the course has been laid out in a folder, or comes from there."""
    return (folder / NOTE).is_file() or _is_source(folder)


def course_files() -> Iterator[str]:
    """Yield the files of the course, by their paths inside its folder."""
    source = source_folder()
    for part in _PARTS:
        for path in sorted((source / part).rglob("*")):
            if path.is_file() and not _NOT_COURSE & set(path.parts):
                yield path.relative_to(source).as_posix()


def lay_out(folder: Path) -> Layout:
    """Lay the course out in a folder, and keep each file that its learner changed.

    Raises:
        OSError: a file cannot be read or written.
    """
    if _is_source(folder):
        return Layout(kept={})
    noted = _read_note(folder)
    written, kept = [], {}
    for name in course_files():
        data, place = (source_folder() / name).read_bytes(), folder / name
        there = place.read_bytes() if place.exists() else None
        if there is None or (there != data and _digest(there) == noted.get(name)):
            _write(place, data)
            written.append(name)
        elif there != data and _digest(data) != noted.get(name):
            kept[name] = _lay_beside(folder, name, data)
        noted[name] = _digest(data)
    _write(folder / NOTE, json.dumps(noted, indent=1).encode())
    return Layout(written=tuple(written), kept=kept)


def _is_source(folder: Path) -> bool:
    return folder.is_dir() and folder.samefile(source_folder())


def _lay_beside(folder: Path, name: str, data: bytes) -> str:
    """Write a newer file where it overwrites nothing, and return its path in the folder."""
    for number in count(1):
        place = folder / (f"new-{number}" if number > 1 else "new") / name
        if not place.exists():
            _write(place, data)
        if place.read_bytes() == data:
            return place.relative_to(folder).as_posix()
    raise AssertionError("count has no end")


def _write(place: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.part")
    part.write_bytes(data)
    part.replace(place)


def _read_note(folder: Path) -> dict[str, str]:
    """Return the digests of the files that were laid out here; none if nobody knows."""
    try:
        noted = json.loads((folder / NOTE).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
