"""Workers: as many as one likes, and the verdicts are the same, in the same order."""

import json
import sys
import threading
from dataclasses import replace

import pytest

from rpclab.conformance.cases import Choice, load_cases, read_case
from rpclab.conformance.judging import not_judged
from rpclab.conformance.run import Interrupted, judge_server, run_case
from rpclab.conformance.targets import PATIENCE, PATIENT, USUAL
from rpclab.conformance.targets.command import CommandTarget
from rpclab.conformance.targets.in_process import judge_handler
from rpclab.conformance.workers import AGAIN, Attempt, Workers
from rpclab.demos.demo_server import demo_handler

CALL = '{"jsonrpc":"2.0","method":"echo","params":["hi"],"id":1}'
ROW = {
    "id": "a",
    "clause": "5.reply",
    "level": "must",
    "about": "Section 5.",
    "send": [CALL],
    "expect": ['{"jsonrpc":"2.0","result":["hi"],"id":1}'],
}
CASES = [read_case(ROW | {"id": id}) for id in "abcdefgh"]


def found(case, word="kept", *, state="alive", rests_on_time=False):
    verdict = replace(not_judged(case, ""), found=word, state=state)
    return Attempt(verdict, rests_on_time)


def told(tries, cases=CASES, premises=None):
    with Workers(cases, premises or {}, tries) as workers:
        return [(one.case, one.found, one.state) for one in workers.verdicts()]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_verdicts_are_told_in_the_order_of_the_cases(jobs):
    first_waits = threading.Event()

    def attempt(case, _):
        if case.id == "c" and jobs > 1:
            assert first_waits.wait(20)
        if case.id == "e":
            first_waits.set()
        return found(case)

    assert told([attempt] * jobs) == [(id, "kept", "alive") for id in "abcdefgh"]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_case_waits_for_what_it_rests_on_and_is_not_tried_if_that_is_broken(jobs):
    other = [replace(case, clause="6.empty-array") for case in CASES[1:]]
    tried = []

    def attempt(case, _):
        tried.append(case.id)
        return found(case, "broken" if case.id == "a" else "kept")

    verdicts = told([attempt] * jobs, [CASES[0], *other], {"b": ("a",), "c": ("b",), "h": ("d",)})
    assert [found for _, found, _ in verdicts] == ["broken", *["not judged"] * 2, *["kept"] * 5]
    assert sorted(tried) == list("adefgh")


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_verdict_that_rests_on_time_is_repeated_alone_and_with_more_time(jobs):
    running, paces = set(), []

    def attempt(case, pace):
        running.add(case.id)
        if pace != USUAL:
            assert running == {case.id}
            paces.append(pace)
        running.discard(case.id)
        late = case.id in "bf" and pace == USUAL
        return found(case, "broken" if late else "kept", rests_on_time=late)

    assert {found for _, found, _ in told([attempt] * jobs)} == {"kept"}
    assert paces == [AGAIN[0]] * 2


def test_what_is_missing_each_time_is_broken_after_the_last_try():
    paces = []

    def attempt(case, pace):
        paces.append(pace)
        return found(case, "broken", rests_on_time=True)

    assert told([attempt], CASES[:1]) == [("a", "broken", "alive")]
    assert paces == [USUAL, *AGAIN]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_clause_that_is_broken_with_more_time_needs_no_more_proof(jobs):
    paces = {}

    def attempt(case, pace):
        paces.setdefault(case.id, []).append(pace)
        late = case.id != "h"
        return found(case, "broken" if late else "kept", rests_on_time=late)

    verdicts = told([attempt] * jobs)
    assert [found for _, found, _ in verdicts] == ["broken"] * 7 + ["kept"]
    again = [pace for given in paces.values() for pace in given if pace in AGAIN]
    assert again == list(AGAIN)
    assert paces["g"] == paces["h"] == [PATIENT]


def test_wrong_bytes_in_a_repetition_end_it():
    tries = iter([(True, "broken"), (False, "broken"), (False, "kept")])

    def attempt(case, _):
        late, word = next(tries)
        return found(case, word, rests_on_time=late)

    assert told([attempt], CASES[:1]) == [("a", "broken", "alive")]


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_target_that_hangs_again_and_again_is_not_asked_for_the_rest(jobs):
    cases = [read_case(ROW | {"id": str(number)}) for number in range(PATIENCE + 20)]
    tried = []

    def attempt(case, _):
        tried.append(case.id)
        return found(case, "broken", state="hangs", rests_on_time=True)

    verdicts = told([attempt] * jobs, cases)
    hung = PATIENCE - 1  # the first was tried twice
    assert [state for _, _, state in verdicts] == ["hangs"] * hung + ["spent"] * (len(cases) - hung)
    assert len(tried) < PATIENCE + 2 * jobs


# --- real targets -----------------------------------------------------------------

SLOW_ONCE = """
import json, pathlib, sys
been = pathlib.Path({file!r})
for line in sys.stdin:
    call = json.loads(line)
    reply = json.dumps({{"jsonrpc": "2.0", "id": call["id"], "result": {result}}})
    if call["id"] == 1 and not been.exists():
        been.touch()
        {late}
        continue
    print(reply, flush=True)
"""


def slow_once(folder, late="pass", result='call["params"]'):
    text = SLOW_ONCE.format(file=str(folder / "been"), late=late, result=result)
    return CommandTarget([sys.executable, "-I", "-S", "-c", text], deadline=20)


@pytest.mark.parametrize("late", ["pass", "import time; time.sleep(60)"], ids=["lost", "hangs"])
def test_a_reply_that_was_late_once_breaks_nothing(tmp_path, late):
    target = slow_once(tmp_path, late)
    try:
        verdict = run_case(target, replace(read_case(ROW), deadline=1.5))
    finally:
        target.close()
    assert (verdict.found, (tmp_path / "been").exists()) == ("kept", True)


def test_a_wrong_reply_is_believed_at_once(tmp_path):
    target = slow_once(
        tmp_path, "print(reply, flush=True)", 'call["params"] if been.exists() else 7'
    )
    case = read_case(ROW | {"expect": [*ROW["expect"], *ROW["expect"]]})  # so one is missing
    try:
        verdict = run_case(target, case)
    finally:
        target.close()
    assert verdict.found == "broken"
    assert [json.loads(line)["result"] for line in verdict.came] == [7]


@pytest.mark.parametrize("jobs", [1, 3])
def test_ctrl_c_keeps_what_was_judged(jobs):
    def stop(verdict):
        if verdict.case == ids[2]:
            raise KeyboardInterrupt

    ids = [case.id for case in Choice().of(load_cases(), "newline")][:20]
    with pytest.raises(Interrupted) as caught:
        judge_server(
            lambda: judge_handler(demo_handler),
            choice=Choice(only=tuple(ids)),
            after_each=stop,
            jobs=jobs,
        )
    report = caught.value.report
    assert 3 <= len(report.verdicts) < 20
    assert len(report.verdicts) + report.unfinished == 20
    assert not report.keeps_every_must


def test_the_number_of_targets_changes_no_verdict():
    def judged(jobs):
        report = judge_server(lambda: judge_handler(demo_handler), jobs=jobs)
        return [(one.case, one.found, one.reading) for one in report.verdicts]

    assert judged(1) == judged(3)
