"""Exercises whose answer is a server: the conformance lab judges its command.

These checks start real processes, so they take longer than the others. The
course's time limit does not apply to them: the lab has a deadline for each case.
"""

import shlex
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

from rpclab.conformance.cases import Case, Choice, load_cases
from rpclab.conformance.judging import Verdict
from rpclab.conformance.method_probe import find_missing
from rpclab.conformance.reports import readable
from rpclab.conformance.run import run_case
from rpclab.conformance.targets import NEVER_WORKED, preflight
from rpclab.course.expect import SILENCE, Unquoted, demand

if TYPE_CHECKING:
    from rpclab.conformance.targets.command import CommandTarget

_DEADLINE: Final = 2.0
_LONGEST: Final = 200


def expect_conformance(command: list[str] | str, *clauses: str, isolated: bool = False) -> None:
    """Demand that a server keeps every case of these clauses.

    Args:
        command: starts the server.
        clauses: ids, or how they begin: ``"4."`` means a whole section.
        isolated: also the cases that need a process of their own, which is slow.

    Raises:
        Unmet: a case is broken, or the server cannot be started.
        NotImplementedError: there is no command yet.
    """
    from rpclab.conformance.targets.command import CommandTarget  # noqa: PLC0415  no browser has processes

    words = read_command(command)
    cases = _choose(clauses, isolated=isolated)
    judged = 0
    target = CommandTarget(words, deadline=_DEADLINE, startup=_DEADLINE)
    try:
        start = preflight(target)
        alive = start.state not in NEVER_WORKED
        demand(alive, target.name, Unquoted(start.note), "a server that answers")
        missing = find_missing(target, cases, {})
        for case in cases:
            judged += _judge(target, case, missing)
    finally:
        target.close()
    why = ", ".join(sorted(missing))
    demand(judged > 0, target.name, f"nothing could be judged: {why}", "every case kept")


def _choose(clauses: tuple[str, ...], *, isolated: bool) -> list[Case]:
    """Return the core's cases about these clauses, without the free ones."""
    return [
        case
        for case in Choice().of(load_cases(), "newline")
        if case.level != "free"
        and case.clause.startswith(clauses)
        and (isolated or not (case.isolated or case.end))
    ]


def read_command(command: Any) -> list[str]:
    """Return the words of a command.

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
    demand(fits, "command", command, "a command: a list of words, or one string")
    return list(words)


def _judge(target: "CommandTarget", case: Case, missing: Collection[str]) -> bool:
    """Demand one case, and tell whether it was judged at all."""
    found = run_case(target, case, missing)
    if found.found == "broken":
        demand(
            False,
            target.name,
            Unquoted(_describe(found)),
            f"{case.clause}: {_wanted(found.wanted)}",
        )
    return found.found == "kept"


def _describe(found: Verdict) -> str:
    """Say what was broken, with the bytes sent and received, cut short."""
    sent = _cut(", then ".join(readable(found.sent).splitlines()))
    got = _cut(", ".join(map(readable, found.came))) or SILENCE
    return f"{found.case} broken: {found.why} (sent {sent}, got {got})"


def _wanted(lists: Sequence[Sequence[str]]) -> str:
    ways = [_cut(", ".join(lines)) or SILENCE for lines in lists]
    return ", or ".join(ways)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
