"""Real programs, judged: the lab accuses each of what it does wrong, and of nothing else.

Here are the programs that are installed in seconds; tests/long/test_truth_long.py has the
others. The files are explained in truth_files.py.
"""

import tomllib

import pytest

from rpclab.conformance.cases import load_cases, load_client_cases
from rpclab.conformance.matrix.environments import CannotInstall
from rpclab.spec import clauses, profile
from tests.conformance.truth_files import (
    HERE,
    Broken,
    Truth,
    find_differences,
    install,
    judge,
    load_truths,
    payloads_fit,
    read_truth,
)

ALL = [*load_truths(quick=True), *load_truths(quick=False)]
CASES = {case.id: case for case in (*load_cases(), *load_client_cases())}
CLAUSES = {clause.id: clause for clause in clauses()}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("truth", load_truths(quick=True), ids=lambda truth: truth.id)
def test_a_program_is_accused_of_what_it_does_wrong_and_of_nothing_else(truth):
    try:
        command = install(truth)
    except CannotInstall as error:
        pytest.skip(f"{truth.name}: {error}")
    assert find_differences(truth, judge(truth, command)) == []


# --- the files themselves ---------------------------------------------------------


def test_ten_programs_or_more_are_checked():
    assert len(ALL) >= 10


@pytest.mark.parametrize("truth", ALL, ids=lambda truth: truth.id)
def test_a_file_pins_its_program_and_proves_each_clause(truth):
    assert profile(truth.profile)
    assert all("==" in one or one.rfind("@") > 0 for one in truth.install)
    assert len({one.clause for one in truth.broken}) == len(truth.broken)
    for one in truth.broken:
        assert one.clause in CLAUSES
        assert {CASES[id].clause for id in one.cases} == {one.clause}
        assert one.sent
        assert one.why


# --- the comparison of a file with a report ---------------------------------------

TRUTH = Truth(
    id="one",
    name="one",
    about="",
    ecosystem="python",
    install=(),
    command=(),
    profile="core",
    framing="newline",
    checked="",
    broken=(Broken(clause="5.reply", cases=("a",), sent="ping", came=("no<...>",), why=""),),
    reached=0.7,
)


def case(id, verdict="broken", clause="5.reply", **more):
    proof = {"sent": "a ping", "came": ["nothing"], "why": "silence"}
    return {"case": id, "clause": clause, "level": "must", "verdict": verdict} | proof | more


@pytest.mark.parametrize(
    ("cases", "differences"),
    [
        ([case("a")], 0),
        ([case("a"), case("b", "kept", "2.json"), case("c", clause="5.reply")], 0),
        ([case("a"), case("b", clause="2.json")], 1),
        ([case("a", "kept")], 1),
        ([case("a", clause="2.json")], 2),
        ([], 1),
        ([case("a", sent="a pong")], 1),
        ([case("a", came=[])], 1),
        ([case("a", came=["nothing", "more"])], 1),
        ([case("a"), case("b", "not judged")], 1),
        ([case("a"), case("b", "not judged", blocked_by="5.reply")], 0),
        ([case("a"), case("b", "not judged", blocked_by="2.json")], 1),
    ],
)
def test_a_report_that_differs_from_the_file_is_told(cases, differences):
    assert len(find_differences(TRUTH, {"cases": cases})) == differences


@pytest.mark.parametrize(
    ("patterns", "payloads", "fits"),
    [
        ((), [], True),
        (("<...>",), [], False),
        (('{"id":<...>}',), ['{"id":7}'], True),
        (('{"id":<...>}',), ['{"id":7},'], False),
        (("[1]",), ["1"], False),
    ],
)
def test_only_the_marked_parts_of_a_payload_may_differ(patterns, payloads, fits):
    assert payloads_fit(patterns, payloads) == fits


def test_an_unknown_field_is_refused(tmp_path):
    path = tmp_path / "one.toml"
    some = sorted(HERE.glob("*.toml"))[0].read_text(encoding="utf-8")
    path.write_text(f"strange = 1\n{some}", encoding="utf-8")
    assert tomllib.loads(path.read_text(encoding="utf-8"))["strange"] == 1
    with pytest.raises(TypeError, match="strange"):
        read_truth(path)
