"""The commands ``rpclab conform`` and ``rpclab conform-client``."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from rpclab.cli import look, strings
from rpclab.cli.judging import Wanted, judge_and_report, refuse
from rpclab.conformance.cases import Case, Choice, load_cases, load_client_cases
from rpclab.conformance.judging import Report, Verdict
from rpclab.conformance.reports import readable
from rpclab.conformance.run import GREETINGS, judge_client, judge_server, renamed_case
from rpclab.conformance.smallest_input import shrink_case
from rpclab.conformance.targets.command import ClientCommand, CommandTarget
from rpclab.spec import profile

_MOST_SHRUNK: Final = 10


def choose_framing(profile_id: str, framing: str) -> str:
    """Give the framing that was asked for, or else the profile's.

    >>> choose_framing("lsp", ""), choose_framing("core", "")
    ('content-length', 'newline')

    Raises:
        LookupError: there is no such profile.
    """
    usual = profile(profile_id).framing
    return framing or (usual if usual in ("newline", "content-length") else "newline")


def read_names(pairs: Sequence[str]) -> dict[str, str]:
    """Read what ``--methods`` was given.

    >>> read_names(["echo=its/echo"])
    {'echo': 'its/echo'}

    Raises:
        ValueError: a pair is none.
    """
    split = [pair.partition("=") for pair in pairs]
    for name, _, theirs in split:
        if not (name and theirs):
            raise ValueError(strings.CONFORM_NO_PAIR)
    return {name: theirs for name, _, theirs in split}


def conform(command: Sequence[str], wanted: Wanted) -> int:
    """Judge a server, and give the exit status."""
    cases, choice = load_cases(), Choice(wanted.profile, wanted.cases)
    reports: list[Report] = []

    def make() -> CommandTarget:
        greeting = GREETINGS.get(wanted.profile, ())
        return CommandTarget(command, wanted.framing, wanted.deadline, greeting)

    def judge(after_each: Callable[[Verdict], object]) -> Report:
        found = judge_server(make(), cases, choice, wanted.names, after_each)
        reports.append(found)
        return found

    chosen = choice.of(cases, wanted.framing)
    status = judge_and_report(len(chosen), judge, wanted, [case.id for case in cases])
    if wanted.shrink and reports:
        _show_shrunk(make, reports[0], chosen, wanted)
    return status


def _show_shrunk(
    make: Callable[[], CommandTarget], report: Report, cases: Sequence[Case], wanted: Wanted
) -> None:
    broken = {verdict.case for verdict in report.verdicts if verdict.found == "broken"}
    for case in [case for case in cases if case.id in broken][:_MOST_SHRUNK]:
        target = make()
        try:
            lines = shrink_case(target, renamed_case(case, wanted.names))
        finally:
            target.close()
        if lines:
            shown = "\n".join(readable(line) for line in lines)
            look.show_note(strings.CONFORM_SHRUNK.format(case=case.id, lines=shown))


def conform_client(command: Sequence[str], wanted: Wanted) -> int:
    """Judge a client, and give the exit status."""
    cases, choice = load_client_cases(), Choice(wanted.profile, wanted.cases)

    def judge(after_each: Callable[[Verdict], object]) -> Report:
        client = ClientCommand(command, wanted.framing, wanted.deadline)
        return judge_client(client, cases, choice, after_each)

    chosen = choice.of(cases, wanted.framing)
    return judge_and_report(len(chosen), judge, wanted, [case.id for case in cases])


def judge_command(
    judge: Callable[[Sequence[str], Wanted], int],
    command: Sequence[str],
    profile: str,
    framing: str,
    names: Sequence[str],
    **rest: Any,
) -> int:
    """Judge a command; what was asked for wrongly gets a sentence."""
    if not command:
        return refuse(strings.CONFORM_NO_COMMAND)
    try:
        framing = choose_framing(profile, framing)
        wanted = Wanted(profile=profile, framing=framing, names=read_names(names), **rest)
    except (LookupError, ValueError) as error:
        return refuse(str(error.args[0]))
    try:
        return judge(command, wanted)
    except KeyboardInterrupt:
        look.show_note(strings.INTERRUPTED)
        return 130
