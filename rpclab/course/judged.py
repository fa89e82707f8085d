"""Servers in any language: the command is judged by the conformance lab.

These checks start real processes, so they take longer than the others, and
they are not limited in time as those are: the lab has a deadline for a case.
"""

import shlex
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

from rpclab.conformance.cases import Case, Choice, load_cases
from rpclab.conformance.judging import Verdict
from rpclab.conformance.reports import readable
from rpclab.conformance.run import find_missing, run_case
from rpclab.course import strings
from rpclab.course.expect import demand

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import CommandTarget

_DEADLINE: Final = 2.0
_LONGEST: Final = 200


def expect_conformance(command: list[str] | str, *clauses: str, isolated: bool = False) -> None:
    """Demand that a server keeps every case of these clauses.

    Args:
        command: starts the server.
        clauses: ids, or how they begin: ``"4."`` stands for a whole section.
        isolated: also the cases that need a process of their own, which is slow.

    Raises:
        Unmet: a case is broken, or the server cannot be started.
        NotImplementedError: there is no command yet.
    """
    from rpclab.conformance.targets.command import CommandTarget  # noqa: PLC0415  no browser has processes

    words = read_command(command)
    cases = _choose(clauses, isolated=isolated)
    judged = 0
    target = CommandTarget(words, deadline=_DEADLINE)
    try:
        missing = find_missing(target, cases, {})
        for case in cases:
            judged += _judge(target, case, missing)
    finally:
        target.close()
    why = ", ".join(sorted(missing))
    demand(judged > 0, target.name, strings.NOTHING_JUDGED.format(why=why), strings.CONFORMS)


def _choose(clauses: tuple[str, ...], *, isolated: bool) -> list[Case]:
    """Give the cases of the core that are about these clauses, and not free."""
    return [
        case
        for case in Choice().of(load_cases(), "newline")
        if case.level != "free"
        and case.clause.startswith(clauses)
        and (isolated or not (case.isolated or case.end))
    ]


def read_command(command: Any) -> list[str]:
    """Give the words of a command.

    >>> read_command("python3 'my server.py'")
    ['python3', 'my server.py']

    Raises:
        Unmet: it is neither a list of words nor a string.
        NotImplementedError: it is empty.
    """
    if command in ("", [], ()):
        raise NotImplementedError
    words = shlex.split(command) if isinstance(command, str) else command
    fits = isinstance(words, list | tuple) and all(isinstance(word, str) for word in words)
    demand(fits, "command", command, strings.A_COMMAND)
    return list(words)


def _judge(target: "CommandTarget", case: Case, missing: Collection[str]) -> bool:
    """Demand one case, and tell whether it was judged at all."""
    found = run_case(target, case, missing)
    if found.found == "broken":
        demand(False, target.name, _Words(_tell(found)), f"{case.clause}: {_wanted(found.wanted)}")
    return found.found == "kept"


class _Words(str):
    """Text that is shown without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def _tell(found: Verdict) -> str:
    """Say what was broken, and the bytes of it, cut short."""
    return strings.FIRST_BROKEN.format(
        case=found.case,
        why=found.why,
        sent=_cut(strings.THEN.join(readable(found.sent).splitlines())),
        got=_cut(", ".join(map(readable, found.came))) or strings.SILENCE,
    )


def _wanted(lists: Sequence[Sequence[str]]) -> str:
    ways = [_cut(", ".join(lines)) or strings.SILENCE for lines in lists]
    return strings.OR.join(ways)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
