"""The process that runs one hand-in. Only ``runner`` starts it.

It reads a job, loads everything that judges, gives up its rights, and runs the
learner's cells one by one; where there is a check, the answer is judged by the
checks of the exercise. What it finds goes to the grader line by line, each with
a seal that only the two can make. A line that begins with ``!`` has no seal: it
is an accusation, sent before the code that caused it can end the process.

What this does not defend against: the answer runs in the process that judges
it. Somebody who knows the interpreter's internals can find the key in memory in
a way that Python does not report, and seal a forged report. Nor is the disk
limited as a whole, only each file. Read a hand-in that looks suspicious.
"""

import ast
import asyncio
import hashlib
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from rpclab.classroom import audit_hook
from rpclab.classroom.privileges import give_up, set_limits
from rpclab.classroom.snapshot import Restore, take_snapshot
from rpclab.course.catalogue import Exercise, course, exercises_folder
from rpclab.course.exercises import CheckReport, run_checks
from rpclab.course.expect import TOO_SLOW
from rpclab.course.time_limit import time_limit
from rpclab.spec import clauses, profiles, rulings

Say = Callable[[dict[str, Any]], None]


class Trial(NamedTuple):
    """An exercise, and two answers known to be wrong and right."""

    row: Exercise
    stub: Any
    solution: Any


NAME: Final = "answer"
"""The module in which a learner's cells run."""

_UNWANTED: Final = frozenset({"antigravity", "ctypes", "idlelib", "test", "this", "turtle"})
"""Not loaded beforehand: loading them has an effect, or they are forbidden."""


def main() -> None:
    """Do the job that stdin describes."""
    job, channel = json.load(sys.stdin.buffer), take_channel()
    write, digest, key = os.write, hashlib.blake2b, bytes.fromhex(job.pop("key"))
    # An encoder of our own: the one that json.dumps uses could be replaced.
    dumps, text, number = json.JSONEncoder().encode, str, [0]

    def say(what: dict[str, Any]) -> None:
        body = dumps([number[0], what]).encode()
        number[0] += 1
        write(channel, digest(body, key=key).hexdigest().encode() + b" " + body + b"\n")

    def accuse(kind: str, event: str) -> None:
        write(channel, b"!" + dumps([kind, text(event)]).encode() + b"\n")

    try:
        trials = prepare(job)
    except OSError as error:
        say({"unable": error.strerror or text(error)})
        return
    restore = take_snapshot()
    audit_hook.install(Path.cwd(), [Path(one) for one in job["closed"]], accuse)
    say({"ready": True})
    run(job, trials, restore, say)
    say({"end": True, "changed": restore()})
    os._exit(0)  # without any exit handlers


def take_channel() -> int:
    """Keep stdout for the report; what a learner's code prints is dropped."""
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return channel


def prepare(job: dict[str, Any]) -> dict[str, Trial]:
    """Load everything that will be used, then give up the rights to do more.

    Afterwards Python's own files may be out of reach: other users cannot read root's home.

    Raises:
        OSError: the rights could not be given up.
    """
    sys.dont_write_bytecode = True
    for source in (cell["source"] for cell in job["cells"]):
        for name in find_imports(source):
            with suppress(Exception):
                importlib.import_module(name)
    clauses(), rulings(), profiles()  # their files are read once
    names = dict.fromkeys(cell["exercise"] for cell in job["cells"] if cell["exercise"])
    trials = {name: make_trial(course()[name]) for name in names}
    for trial in trials.values():
        is_sound(trial)  # what a check imports is loaded now
    give_up(job["uid"])
    os.chdir(job["scratch"])
    set_limits(job["limits"])
    return trials


def find_imports(source: str) -> list[str]:
    r"""Return the modules of Python and rpclab that a cell imports.

    >>> find_imports("import json, mine\nfrom rpclab.codec import decode")
    ['json', 'rpclab.codec']
    """
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    known = (sys.stdlib_module_names | {"rpclab"}) - _UNWANTED
    return [name for name in names if name.partition(".")[0] in known]


def make_trial(row: Exercise) -> Trial:
    """Read stub and solution, without leaving them where a learner's code finds them."""
    answers = []
    for part in ("stub", "solution"):
        path = exercises_folder() / row.name / f"{part}.py"
        module = ModuleType(part)
        module.__file__ = str(path)
        exec(compile(path.read_text("utf-8"), path, "exec"), vars(module))
        answers.append(getattr(module, row.answer))
    return Trial(row, *answers)


def is_sound(trial: Trial) -> bool:
    """Tell whether the checks tell right from wrong: the solution from the stub."""
    right, wrong = run_checks(trial.row, trial.solution), run_checks(trial.row, trial.stub)
    return right.kept and not wrong.kept


def run(job: dict[str, Any], trials: dict[str, Trial], restore: Restore, say: Say) -> None:
    """Run the cells, and judge an answer at each check."""
    space = ModuleType(NAME)
    sys.modules[NAME] = space
    for number, cell in enumerate(job["cells"], 1):
        if cell["exercise"]:
            say({"begins": cell["exercise"], "changed": restore()})
            answer = vars(space).get(cell["answer"])
            say(judge(trials[cell["exercise"]], answer, restore))
        else:
            wrong = run_cell(cell["source"], number, vars(space), job["limits"]["cell"])
            say({"cell": number, "wrong": wrong, "changed": restore()})


def judge(trial: Trial, answer: Any, restore: Restore) -> dict[str, Any]:
    """Judge one answer, and verify that the checks themselves were not changed."""
    outcomes = () if answer is None else run_checks(trial.row, answer).outcomes
    changed = restore()
    return {
        "exercise": trial.row.name,
        "kept": CheckReport(trial.row.name, outcomes).kept_count,
        "slow": any(TOO_SLOW in one.detail for one in outcomes),
        "sound": is_sound(trial),
        "changed": changed + restore(),
    }


def run_cell(source: str, number: int, space: dict[str, Any], seconds: float) -> str:
    """Run one cell, and return the type name of what it raised, or an empty string."""
    try:
        with time_limit(seconds):
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(source, f"<cell {number}>", "exec", flags, dont_inherit=True)
            made = eval(code, space)
            if inspect.iscoroutine(made):
                asyncio.run(made)
    except BaseException as error:  # noqa: BLE001  a cell may raise anything
        return type(error).__name__
    return ""
