"""The kill matrix: every specimen against every case.

It proves the suite: each specimen is caught by the clause that it breaks, and a
server is accused of no other one; the references are spared, and each case catches
somebody, or it is said why not.
It takes minutes: most of the specimens hang somewhere.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rpclab.conformance.cases import Choice, load_cases, load_client_cases
from rpclab.conformance.cases.client_dialects import spoken
from rpclab.conformance.greetings import greeting as greeting_of
from rpclab.conformance.judging import judge_client_case
from rpclab.conformance.method_probe import find_missing
from rpclab.conformance.run import judge_client, judge_server, run_case
from rpclab.conformance.specimens import base_names, base_source, specimens
from rpclab.conformance.targets.command import ClientCommand, CommandTarget

TESTS = Path(__file__).parents[1] / "conformance"
SPECIMENS = {specimen.id: specimen for specimen in specimens()}
CASES = {"server": load_cases(), "client": load_client_cases()}
SERVE = [sys.executable, "-m", "rpclab", "serve", "--framing"]
PLAIN = [sys.executable, "-I", "-S", str(TESTS / "plain_client.py")]
PEER = [sys.executable, str(TESTS / "conform_client.py")]
CLIENT = [sys.executable, str(TESTS / "rpclab_client.py")]
AT_ONCE = 12  # a specimen mostly waits
DEADLINE = 2.5
ALSO = {
    "mcp": "banner logs-to-stdout silent-on-parse-error answers-failing-notification"
    " unknown-method-as-bad-params pretty-printed-errors end-of-input-ignored progress-unasked"
    " cancel-with-text-id null-for-id late-progress-ends-it",
    "lsp": "null-result-left-out",
    "acp": "banner unknown-method-as-bad-params pretty-printed-errors code-page",
}
"""Specimens of the core that break the same rule where another profile has it."""

NEEDED_BY_NONE = {
    "notification.unholdable-result": "as notification.raises, where the result fails",
    "notification.progress": "as notification.no-result, beside progress that may come",
    "client.call.plain": "every other case rests on it: who fails it can be judged by nothing",
    "client.batch.beside-a-call": "as client.batch.by-id: a single reply between is no error",
}
"""Cases of level must or should that catch no specimen, and why."""


TOLD_APART_FROM_NONE = {
    "batch-one-by-one": (
        {"6.reply-array"},
        "replies that come one by one are neither one array nor sent after all calls",
    ),
    "chunks-decoded-apart": (
        {"newline.undecodable"},
        "it can decode half a character only because it replaces bytes that are not UTF-8",
    ),
}
"""Servers that are accused of another clause, too: which, and why no case can tell."""


def target_of(specimen, profile):
    """Return a server specimen as something to judge."""
    greeting = greeting_of(profile)
    return CommandTarget(specimen.command, specimen.framing, DEADLINE, greeting, startup=10)


def judge(specimen, profile):
    """Return the cases that a specimen breaks, if each is judged without its premises.

    The cases of its clause come first: it may hang later.
    """
    cases = sorted(CASES[specimen.role], key=lambda case: case.clause != specimen.breaks)
    choice = Choice(profile)
    if specimen.role == "client":
        client = ClientCommand(specimen.command, specimen.framing, DEADLINE)
        chosen = [spoken(case, profile) for case in choice.of(cases, specimen.framing)]
        verdicts = [judge_client_case(case, client.run(case)) for case in chosen]
    else:
        target = target_of(specimen, profile)
        chosen = choice.of(cases, specimen.framing)
        missing = find_missing(target, chosen, {}, profile)
        verdicts = [run_case(target, case, missing) for case in chosen]
        target.close()
    return {verdict.case for verdict in verdicts if verdict.found == "broken"}


def accuse(specimen):
    """Return the clauses that a specimen is accused of."""
    choice = Choice(specimen.profile)
    if specimen.role == "client":
        client = ClientCommand(specimen.command, specimen.framing, DEADLINE)
        report = judge_client(client, choice=choice)
    else:
        report = judge_server(target_of(specimen, specimen.profile), choice=choice)
    return {fault.clause for fault in report.faults()}


@pytest.fixture(scope="module")
def matrix():
    """What each specimen breaks, under each profile that it is put through."""
    pairs = [(one.id, one.profile) for one in SPECIMENS.values()]
    pairs += [(id, profile) for profile, ids in ALSO.items() for id in ids.split()]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = pool.map(lambda pair: judge(SPECIMENS[pair[0]], pair[1]), pairs)
        return dict(zip(pairs, found, strict=True))


@pytest.mark.timeout(3600)
def test_every_specimen_is_caught_by_the_cases_that_it_names(matrix):
    spared = {
        one.id: missed
        for one in SPECIMENS.values()
        if (missed := set(one.caught_by) - matrix[one.id, one.profile])
    }
    assert spared == {}


def test_every_case_is_needed_by_a_specimen_or_it_is_said_why_not(matrix):
    catching = set().union(*matrix.values())
    cases = [case for of_one_role in CASES.values() for case in of_one_role]
    idle = {case.id for case in cases if case.level != "free"} - catching
    assert idle <= set(NEEDED_BY_NONE)  # two threads that race catch one of them at times
    assert set(NEEDED_BY_NONE) <= {case.id for case in cases}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("role", ["server", "client"])
def test_each_is_accused_of_the_clause_that_it_breaks_and_of_no_other(role):
    chosen = [one for one in SPECIMENS.values() if one.role == role]
    with ThreadPoolExecutor(AT_ONCE if role == "server" else AT_ONCE // 2) as pool:
        accused = dict(zip([one.id for one in chosen], pool.map(accuse, chosen), strict=True))
    also = {id: clauses for id, (clauses, _) in TOLD_APART_FROM_NONE.items()}
    wanted = {one.id: {one.breaks} | also.get(one.id, set()) for one in chosen}
    assert {id: found for id, found in accused.items() if found != wanted[id]} == {}


HOMES = {
    "mcp_client": ("newline", "mcp"),
    "mcp_server": ("newline", "mcp"),
    "memory_server": ("newline", "lsp"),
    "acp_agent": ("newline", "acp"),
    "header_server": ("content-length", "core"),
    "header_client": ("content-length", "core"),
}
"""The framing and the profile of a base, where they are not newline and core."""


@pytest.mark.parametrize("base", base_names())
def test_each_base_is_spared(base, tmp_path):
    file = tmp_path / f"{base}.py"
    file.write_text(base_source(base))
    command = [sys.executable, "-I", "-S", str(file)]
    framing, profile = HOMES.get(base, ("newline", "core"))
    if base.endswith("_client"):
        report = judge_client(ClientCommand(command, framing), choice=Choice(profile))
    else:
        target = CommandTarget(command, framing, greeting=greeting_of(profile))
        report = judge_server(target, choice=Choice(profile))
    assert [(v.case, v.why, v.came) for v in report.verdicts if v.found == "broken"] == []


@pytest.mark.parametrize("framing", ["newline", "content-length"])
def test_our_server_is_spared(framing):
    report = judge_server(CommandTarget([*SERVE, framing], framing))
    assert [(v.case, v.why, v.came) for v in report.verdicts if v.found == "broken"] == []


@pytest.mark.parametrize("framing", ["newline", "content-length"])
@pytest.mark.parametrize(
    ("command", "profile"),
    [
        (PLAIN, "core"),
        (PLAIN, "lsp"),
        ([*PEER, "lsp"], "core"),
        ([*PEER, "mcp"], "mcp"),
        ([*CLIENT, "lsp"], "lsp"),
        ([*CLIENT, "mcp"], "mcp"),
    ],
    ids=["plain-core", "plain-lsp", "peer-core", "peer-mcp", "client-lsp", "client-mcp"],
)
def test_a_good_client_is_spared(command, profile, framing):
    report = judge_client(ClientCommand(command, framing), choice=Choice(profile))
    assert report.count("not judged") == 0
    assert {v.case for v in report.verdicts if v.found == "broken"} == set()
