"""The process that runs one hand-in. ``sandbox`` starts it; nobody else does.

It reads a job, loads all that judges, gives up its rights, and runs the
learner's cells one by one; where a check stands, the answer is judged by the
checks of this package. What it finds goes to the grader line by line, each with
a seal that only the two can make. A line that begins with ``!`` has none: it is
an accusation, sent before the code that earned it can end the process.

What this does not defend against: the answer runs in the process that judges
it. Somebody who knows the interpreter from inside can find the key in memory by
a way that Python does not report, and seal a report of their own. Nor is the
disk limited as a whole, only each file. Read what a suspicious hand-in holds.
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
from rpclab.classroom.snapshot import Pristine
from rpclab.course.catalogue import Exercise, course, exercises_folder
from rpclab.course.exercises import run_checks
from rpclab.course.grading import count_kept
from rpclab.course.report import Report
from rpclab.course.strings import TOO_SLOW
from rpclab.course.time_limit import time_limit
from rpclab.spec import clauses, profiles, rulings

Say = Callable[[dict[str, Any]], None]


class Trial(NamedTuple):
    """An exercise, and two answers of which it is known what they are worth."""

    row: Exercise
    stub: Any
    solution: Any


NAME: Final = "answer"
"""The module that a learner's cells are run in."""

_UNWANTED: Final = frozenset({"antigravity", "ctypes", "idlelib", "test", "this", "turtle"})
"""Not loaded beforehand: they do something when they are loaded, or are forbidden."""


def main() -> None:
    """Do the job that stands on stdin."""
    job, channel = json.load(sys.stdin.buffer), take_channel()
    write, digest, key = os.write, hashlib.blake2b, bytes.fromhex(job.pop("key"))
    dumps, text, number = json.dumps, str, [0]

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
    state = Pristine()
    audit_hook.put_in(Path.cwd(), [Path(one) for one in job["closed"]], accuse)
    say({"ready": True})
    run(job, trials, state, say)
    say({"end": True, "changed": state.put_back()})
    os._exit(0)  # nothing that was left to be done at the end is done


def take_channel() -> int:
    """Keep stdout for the report; what a learner's code prints goes nowhere."""
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return channel


def prepare(job: dict[str, Any]) -> dict[str, Trial]:
    """Load all that will be used, then give up the rights to do more.

    Afterwards the files of Python may be out of reach: root's home is closed to others.

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
        is_sound(trial)  # what a check loads, it loads now
    give_up(job["uid"])
    os.chdir(job["scratch"])
    set_limits(job["limits"])
    return trials


def find_imports(source: str) -> list[str]:
    r"""Give the modules of Python and rpclab that a cell imports.

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
    """Read stub and solution, without leaving them where they can be asked for."""
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


def run(job: dict[str, Any], trials: dict[str, Trial], state: Pristine, say: Say) -> None:
    """Run the cells, and judge an answer wherever there is a check."""
    space = ModuleType(NAME)
    sys.modules[NAME] = space
    for number, cell in enumerate(job["cells"], 1):
        if cell["exercise"]:
            say({"begins": cell["exercise"], "changed": state.put_back()})
            answer = vars(space).get(cell["answer"])
            say(judge(trials[cell["exercise"]], answer, state))
        else:
            wrong = run_cell(cell["source"], number, vars(space), job["limits"]["cell"])
            say({"cell": number, "wrong": wrong, "changed": state.put_back()})


def judge(trial: Trial, answer: Any, state: Pristine) -> dict[str, Any]:
    """Judge one answer, and see that what judged it is still what it was."""
    outcomes = () if answer is None else run_checks(trial.row, answer).outcomes
    changed = state.put_back()
    return {
        "exercise": trial.row.name,
        "kept": count_kept(Report(trial.row.name, outcomes)),
        "slow": any(TOO_SLOW in one.detail for one in outcomes),
        "sound": is_sound(trial),
        "changed": changed + state.put_back(),
    }


def run_cell(source: str, number: int, space: dict[str, Any], seconds: float) -> str:
    """Run one cell, and give the kind of what it raised: nothing, if all went well."""
    try:
        with time_limit(seconds):
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(source, f"<cell {number}>", "exec", flags, dont_inherit=True)
            made = eval(code, space)
            if inspect.iscoroutine(made):
                asyncio.run(made)
    except BaseException as error:  # noqa: BLE001  whatever a learner's cell raises
        return type(error).__name__
    return ""


if __name__ == "__main__":
    main()
