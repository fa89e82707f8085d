"""What a client case takes for granted."""

from rpclab.conformance import client_premises
from rpclab.conformance.cases import load_client_cases
from rpclab.conformance.client_premises import PLAIN, PREMISES, plan

CASES = {case.id: case for case in load_client_cases()}
PLAN = plan(CASES.values())


def test_every_premise_is_a_case_that_is_no_free_one():
    assert [id for id, _ in PREMISES if CASES[id].level == "free"] == []


def test_every_case_that_a_row_presumes_exists():
    named = {id for case in CASES.values() for id in case.presumes}
    assert named
    assert named <= CASES.keys()


def test_a_case_comes_after_all_that_it_rests_on():
    places = {case.id: place for place, case in enumerate(PLAN.cases)}
    assert places.keys() == CASES.keys()
    for id, premises in PLAN.premises.items():
        assert all(places[premise] < places[id] for premise in premises), id


def test_no_case_rests_on_its_own_clause():
    for id, premises in PLAN.premises.items():
        assert CASES[id].clause not in {CASES[premise].clause for premise in premises}


def test_every_case_rests_on_a_plain_call_but_those_about_the_form_of_what_is_written():
    clause = CASES[PLAIN].clause
    alone = {id for id, found in PLAN.premises.items() if PLAIN not in found}
    first = {"client.line.no-newline-inside", "client.frame.nothing-between"}
    assert {id for id in alone if CASES[id].clause != clause} == first
    assert all(CASES[id].form for id in first)


def test_each_sign_is_shown_by_a_case_and_none_but_one_by_all():
    for id, sign in PREMISES:
        shown = [case.id for case in CASES.values() if case.id != id and sign(case)]
        assert shown, id
        assert sign is client_premises.always or len(shown) < len(CASES) - 1, id


def test_the_premises_of_one_case():
    assert set(PLAN.premises["client.end.all-pending-fail"]) >= {
        PLAIN,
        "client.reply.out-of-order",
        "client.reply.twice",
        "client.end.in-mid-call",
    }
    assert "client.read.half-a-line" in PLAN.premises["client.read.cut-character"]
    assert "client.line.utf8" in PLAN.premises["client.call.method-as-told"]


def test_a_premise_that_was_not_chosen_does_not_count():
    only = [CASES["client.reply.late"]]
    assert plan(only).premises == {"client.reply.late": ()}
