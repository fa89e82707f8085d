"""What a worker's report comes to: marks, a verdict in a word, and remarks."""

import signal
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from rpclab.classroom.path_rules import REFUSED, TAMPERED
from rpclab.classroom.privileges import Limits
from rpclab.classroom.runner import Heard
from rpclab.course import strings
from rpclab.course.exercises import demands
from rpclab.course.grading import earn

_MOST: Final = 5
"""How many remarks of one kind are made."""


class Mark(NamedTuple):
    """What an answer keeps, what it earns, and whether it was judged at all."""

    kept: int
    earned: int
    total: int
    judged: bool = True
    told: bool = False

    @property
    def word(self) -> str:
        """Say it in a word."""
        if not self.judged:
            return strings.NOT_JUDGED
        return strings.KEPT if self.kept == self.total else strings.MISSED

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """What counts more: judged here, judged at all, and then the better one."""
        return self.judged and not self.told, self.judged, self.earned

    def __str__(self) -> str:
        """Write the marks, and how they came about if they were not judged here."""
        if not self.judged:
            return strings.NOT_JUDGED
        return f"{self.earned}/{self.total}" + (f" ({strings.TOLD})" if self.told else "")


class Finding(NamedTuple):
    """What one file came to."""

    verdict: str
    marks: Mapping[str, Mark]
    remarks: list[str]


def make_mark(exercise: str, kept: int, *, judged: bool = True, told: bool = False) -> Mark:
    """Make a mark of the demands that are kept.

    >>> str(make_mark("ex04_split", 4)), make_mark("ex04_split", 4).word
    ('4/6', 'missed')
    """
    total = len(demands(exercise))
    return Mark(kept, earn(exercise, kept) if judged else 0, total, judged, told)


def judge_report(heard: Heard, exercises: Collection[str], limits: Limits) -> Finding:
    """Judge what came of a hand-in."""
    marks = {name: make_mark(name, 0, judged=False) for name in exercises}
    refused = [strings.REFUSED.format(event=event) for event in _events(heard, REFUSED)]
    if tampering := list(find_tampering(heard)):
        said = [*_cut(tampering), strings.EARNS_NOTHING, *_cut(refused)]
        return Finding(strings.TAMPERED, marks, said)
    remarks = list(_tell_ending(heard, limits))
    cells: list[str] = []
    for one in heard.said:
        match one:
            case {"begins": str(name)}:
                marks[name] = make_mark(name, 0)  # until more is known
            case {"exercise": str(name), "kept": int(kept), "slow": bool(slow)}:
                marks[name] = make_mark(name, kept)
                remarks += _remark(name, marks[name], slow=slow)
            case {"cell": int(number), "wrong": "TooSlow"}:
                cells.append(strings.STUCK_CELL.format(number=number, seconds=limits.cell))
            case {"cell": int(number), "wrong": str(kind)} if kind:
                cells.append(strings.CELL_RAISED.format(number=number, kind=kind))
    return Finding(_name(heard), marks, [*remarks, *_cut(cells), *_cut(refused)])


def find_tampering(heard: Heard) -> Iterator[str]:
    """Give what a hand-in did to what judges it, in sentences."""
    if heard.forged:
        yield strings.FORGED
    for event in _events(heard, TAMPERED):
        yield strings.DID.format(event=event)
    for said in heard.said:
        if changed := said.get("changed"):
            yield strings.CHANGED.format(names=", ".join(_cut(changed)))
        if not said.get("sound", True):
            yield strings.UNSOUND


def _events(heard: Heard, kind: str) -> list[str]:
    return list(dict.fromkeys(event for one, event in heard.accused if one == kind))


def _cut(sentences: list[str]) -> list[str]:
    more = len(sentences) - _MOST
    return sentences[:_MOST] + ([strings.MORE.format(count=more)] if more > 0 else [])


def _remark(exercise: str, mark: Mark, *, slow: bool) -> Iterator[str]:
    if slow:
        yield strings.STUCK_IN.format(exercise=exercise)
    elif mark.kept < mark.total:
        says = (demands(exercise)[mark.kept].__doc__ or "").strip()
        sentence = strings.FIRST_MISSED if mark.earned == mark.kept else strings.AS_STUB
        yield sentence.format(exercise=exercise, kept=mark.kept, total=mark.total, says=says)


def _name(heard: Heard) -> str:
    """Give the verdict on a hand-in that did not tamper."""
    if heard.hung or heard.status == -_XCPU or any(map(_is_slow, heard.said)):
        return strings.HANGING
    return strings.GRADED if heard.ended else strings.CRASHED


def _is_slow(said: Mapping[str, Any]) -> bool:
    return bool(said.get("slow")) or said.get("wrong") == "TooSlow"


def _tell_ending(heard: Heard, limits: Limits) -> Iterator[str]:
    if heard.hung:
        yield strings.STUCK.format(seconds=limits.seconds)
    elif not heard.ended and heard.status < 0:
        name = str(-heard.status)
        with suppress(ValueError):
            name = signal.Signals(-heard.status).name
        yield strings.KILLED.format(signal=name)
    elif not heard.ended:
        yield strings.ENDED.format(status=heard.status)


_XCPU: Final = getattr(signal, "SIGXCPU", 0) or 1 << 30
