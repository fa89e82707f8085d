"""Which exercises there are, and what is in the folder of each.

An exercise is a folder: ``task.md``, ``stub.py``, ``solution.py`` and
``check.py``, and for some a ``specimen.py``. ``exercises/course.toml`` lists
them all, in the order of the course.
"""

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from rpclab.course.progress import read_progress

SEED: Final = "RPCLAB_SEED"
"""Changes the numbers in the tasks. Without it, the progress file's seed is used."""

_FENCE: Final = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One row of ``course.toml``. Each of ``numbers`` is [usual, least, most]."""

    name: str
    kind: str
    answer: str
    notebook: str
    minutes: int
    clauses: list[str]
    prerequisites: list[str]
    misconception: str
    hints: list[str]
    numbers: Mapping[str, list[int]] = field(default_factory=dict)


@cache
def exercises_folder() -> Path:
    """Find ``exercises/``: beside the notebooks, or in the installed package."""
    here = Path(__file__).resolve().parent
    beside, packed = here.parent.parent / "exercises", here / "exercises"
    return beside if (beside / "course.toml").is_file() else packed


@cache
def course() -> Mapping[str, Exercise]:
    """Return every exercise by its name, in the order of the course."""
    with (exercises_folder() / "course.toml").open("rb") as file:
        rows = (Exercise(**row) for row in tomllib.load(file)["exercise"])
        return {row.name: row for row in rows}


def load(exercise: str, part: str) -> ModuleType:
    """Run one file of an exercise and return it as a module."""
    code = _compile(exercise, part)
    module = ModuleType(f"{exercise}.{part}")
    module.__file__ = code.co_filename
    exec(code, vars(module))
    return module


@cache
def _compile(exercise: str, part: str) -> CodeType:
    path = exercises_folder() / exercise / f"{part}.py"
    return compile(path.read_text("utf-8"), path, "exec")


def seed() -> str:
    """Return the seed of this learner; with an empty one the numbers are the usual ones."""
    return os.environ.get(SEED) or read_progress().seed


def numbers(exercise: str) -> dict[str, int]:
    """Return the numbers of an exercise: the usual ones, or those of the seed.

    >>> numbers("ex02_replies")["a"]
    50
    """
    ranges = course()[exercise].numbers.items()
    return {name: _draw(f"{exercise} {name}", *limits) for name, limits in ranges}


def _draw(what: str, usual: int, least: int, most: int) -> int:
    chosen = seed()
    if not chosen:
        return usual
    digest = hashlib.sha256(f"{chosen} {what}".encode()).digest()
    return least + int.from_bytes(digest) % (most - least + 1)


def read_task(exercise: str) -> str:
    """Return the text of a task, with the numbers of this learner in it."""
    text = _read_text(exercise)
    for name, number in numbers(exercise).items():
        text = text.replace(f"<{name}>", str(number))
    return text


@cache
def _read_text(exercise: str) -> str:
    return (exercises_folder() / exercise / "task.md").read_text("utf-8")


def sent_lines(exercise: str) -> list[str]:
    """Return the lines that a task is about: its first code block.

    >>> sent_lines("ex02_replies")[1]
    '{"jsonrpc":"2.0","method":"update","id":0}'
    """
    block = _FENCE.search(read_task(exercise))
    return block[1].splitlines() if block else []
