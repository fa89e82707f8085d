"""The exercises themselves: every folder is whole, and no quiz can be guessed."""

import ast
import inspect
import json
import re
import time
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

from rpclab.course import check, sent_lines
from rpclab.course.catalogue import SEED, course, exercises_folder, load
from rpclab.course.exercises import demands
from rpclab.course.progress import ANSWERS, OFF, PROGRESS, forget
from rpclab.course.time_limit import SECONDS
from rpclab.errors import JsonRpcError
from rpclab.messages import Request
from rpclab.peer.call_context import RequestCancelled
from rpclab.rendering import render, render_error, render_result
from rpclab.spec import clauses
from rpclab.transport import write_notification

EXERCISES = list(course())
KINDS = {"function", "prediction", "repair", "line", "design", "client", "server"}
NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
each_exercise = pytest.mark.parametrize("name", EXERCISES)
LINES = [name for name, row in course().items() if row.kind == "line"]
PREDICTIONS = [name for name, row in course().items() if row.kind == "prediction"]
OUT_OF_SCOPE = re.compile(
    r"\b(not asked|next exercise|later notebook|left (for|aside)|not judged|not looked at|"
    r"not given|not compared|no time passes|never come|are not among|affair|any of them|not blank|"
    r"form alone|is for the function|next exercise|are enough)\b"
)
HEDGES = re.compile(
    r"\b(usually|often|mostly|generally|typically|probably|perhaps|maybe|may|might|can|could|"
    r"sometimes|normally|depends|likely|in most cases|if needed|as a rule)\b"
)


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch):
    monkeypatch.setenv(PROGRESS, OFF)
    monkeypatch.delenv(SEED, raising=False)
    monkeypatch.delenv(ANSWERS, raising=False)
    forget()


def answer_of(name, part):
    return getattr(load(name, part), course()[name].answer)


def text_of(name, part):
    return (exercises_folder() / name / part).read_text("utf-8")


# --- stubs, solutions, checks -----------------------------------------------------


@each_exercise
def test_every_stub_fails(name):
    report = check(name, answer_of(name, "stub"))
    assert not report.kept
    assert report.failed


@each_exercise
def test_every_solution_passes_in_a_part_of_its_time(name):
    began = time.process_time()  # a busy machine costs no time of this process
    report = check(name, answer_of(name, "solution"))
    assert report.kept, report
    assert time.process_time() - began < SECONDS / 2


@pytest.mark.parametrize("name", [name for name in EXERCISES if course()[name].numbers])
@pytest.mark.parametrize("seed", ["7", "another", "ü"])
def test_every_solution_passes_with_other_numbers(name, seed, monkeypatch):
    usual = sent_lines(name)
    monkeypatch.setenv(SEED, seed)
    assert sent_lines(name) != usual
    report = check(name, answer_of(name, "solution"))
    assert report.kept, report


@pytest.mark.parametrize("name", PREDICTIONS)
def test_no_prediction_is_right_without_thought(name):
    count = len(sent_lines(name))
    for lazy in (None, "", [], (0, None), '{"jsonrpc":"2.0","result":null,"id":1}'):
        assert not check(name, [lazy] * count).kept


@each_exercise
def test_stub_and_solution_have_the_same_name_and_signature(name):
    stub, solution = answer_of(name, "stub"), answer_of(name, "solution")
    assert callable(stub) == callable(solution) == (course()[name].kind not in NOT_CALLED)
    if callable(stub):
        assert str(inspect.signature(stub)) == str(inspect.signature(solution))
        assert stub.__doc__.splitlines()[0] == solution.__doc__.splitlines()[0]


NOT_CALLED = {"prediction", "line", "server"}


@each_exercise
def test_every_exercise_has_four_to_seven_checks_of_one_sentence_each(name):
    checks = demands(name)
    assert 4 <= len(checks) <= 7
    for demand in checks:
        assert re.fullmatch(r"[A-Z][^.?!\n]*(\.\d[^.?!\n]*)*\.", demand.__doc__), demand.__doc__


# --- what each exercise is there to catch -----------------------------------------


def first_reply_is_mine(messages, id):
    return (messages[0] if messages else None), []


def sum_first_and_ask_later(numbers, cancelled):
    total = sum(numbers)
    if cancelled():
        raise RequestCancelled
    return total


def encode_outside_the_try(call, handler):
    try:
        result = handler(call.method, call.params)
    except JsonRpcError as error:
        return render_error(error, call.id) if isinstance(call, Request) else None
    return render_result(result, call.id) if isinstance(call, Request) else None


def report_without_a_token(params, transport):
    for done, _ in enumerate(params["files"], 1):
        write_notification(transport, "notifications/progress", {"progress": done})
    return {"copied": len(params["files"])}


def take_every_line_for_a_message(reader, writer, request, report):
    writer.write(render(request).encode() + b"\n")
    return json.loads(reader.readline())["result"]


CAUGHT = {
    "ex01_shapes": lambda m: (
        ("request" if m.get("id") is not None else "notification")
        if "method" in m
        else "success"
        if "result" in m
        else "error"
        if "error" in m
        else "invalid"
    ),
    "ex02_replies": ['{"jsonrpc":"2.0","result":42,"id":31}', None, None, None, None],
    "ex03_reply": lambda call, result: (
        {"jsonrpc": "2.0", "result": result, "id": call["id"]} if call.get("id") else None
    ),
    "ex04_split": lambda rest, chunk: ([rest + chunk], b""),
    "ex05_clean": lambda lines: [line.strip() for line in lines if line.strip()],
    "ex07_not_json": "{'jsonrpc':'2.0','method':'echo','id':1}",
    "ex08_fault": lambda value: (
        None if isinstance(value, dict) and value.get("params") else "params"
    ),
    "ex09_readable_id": lambda value: (
        value.get("id")
        if isinstance(value, dict) and isinstance(value.get("id"), str | int | float)
        else None
    ),
    "ex10_refusals": [(-32600, 17), None, (-32600, [17]), (-32700, 17), (-32600, None)],
    "ex11_strange_id": '{"jsonrpc":"2.0","method":"echo","id":"true"}',
    "ex12_make_error": lambda error: (
        {"code": -32602, "message": str(error)}
        if isinstance(error, TypeError)
        else {"code": getattr(error, "code", -32603), "message": str(error)}
    ),
    "ex13_out_of_stock": lambda item, wanted, left: {
        "code": -32000,
        "message": f"{left} of {item} left",
    },
    "ex14_ranges": lambda code: "reserved" if code < 0 else "application",
    "ex15_table": lambda table, method, params: table[method](params),
    "ex17_answer": encode_outside_the_try,
    "ex18_by_name": '{"jsonrpc":"2.0","method":"subtract","params":{"minuend":1},"id":1}',
    "ex19_batch": lambda batch, answer: [r for m in batch if (r := answer(m)) is not None],
    "ex20_batch_replies": [
        None,
        '{"jsonrpc":"2.0","error":{"code":-32600},"id":null}',
        "[]",
        None,
        None,
    ],
    "ex21_match": lambda ids, responses: responses,
    "ex22_progress": report_without_a_token,
    "ex23_listen": first_reply_is_mine,
    "ex24_loud": '{"jsonrpc":"2.0","method":"boom","id":1}',
    "ex25_stop": sum_first_and_ask_later,
    "ex26_orders": [("cancelled", None)] * 5,
    "ex27_late": lambda waiting, given_up, response: (
        "settles" if response["id"] in waiting else "stray"
    ),
    "ex29_ask": take_every_line_for_a_message,
    "ex30_which_clause": ["4.object"] * 5,
}
"""An answer to each exercise by somebody who holds its misconception. Repairs have their stubs."""


def test_each_exercise_has_somebody_to_catch():
    repairs = {name for name in EXERCISES if course()[name].kind in ("repair", "server")}
    assert CAUGHT.keys() | repairs == set(EXERCISES)


@pytest.mark.parametrize("name", CAUGHT)
def test_the_misconception_of_an_exercise_is_caught(name):
    report = check(name, CAUGHT[name])
    assert not report.kept
    detail = next(outcome.detail for outcome in report.outcomes if outcome.detail)
    assert [line.split()[0] for line in detail.splitlines()] == ["called", "got", "wanted"]


# --- the folders ------------------------------------------------------------------


@each_exercise
def test_every_folder_is_whole(name):
    files = {path.name for path in (exercises_folder() / name).glob("*.*")}
    wanted = {"task.md", "stub.py", "solution.py", "check.py"}
    assert files == wanted | ({"specimen.py"} if name in LINES else set())


def test_no_folder_is_an_orphan():
    folders = [path.name for path in sorted(exercises_folder().glob("ex[0-9]*"))]
    assert folders == EXERCISES


@each_exercise
def test_task_and_stub_bear_the_number_of_the_exercise(name):
    number = int(name[2:4])
    assert EXERCISES[number - 1] == name
    title = re.match(rf"# Exercise {number}: (.+)\n", text_of(name, "task.md"))
    assert title
    for part in ("stub", "solution"):
        assert load(name, part).__doc__.startswith(f"Exercise {number}: ")
    assert load(name, "check").__doc__.startswith(f"What exercise {number} must ")


@each_exercise
def test_every_task_says_what_is_out_of_scope(name):
    assert OUT_OF_SCOPE.search(text_of(name, "task.md")), name


@each_exercise
def test_every_stub_has_a_todo_and_no_solution_has_one(name):
    assert "TODO" in text_of(name, "stub.py")
    assert "TODO" not in text_of(name, "solution.py")


@each_exercise
def test_every_solution_says_why_it_is_enough(name):
    assert re.search(
        r"\benough\b|\bwill do\b|\bhas to be\b|\breason\b", text_of(name, "solution.py")
    )


@each_exercise
def test_the_prose_uses_no_word_that_makes_a_learner_feel_slow(name):
    row = course()[name]
    texts = [text_of(name, part) for part in ("task.md", "stub.py", "solution.py", "check.py")]
    text = " ".join([*texts, *row.hints, row.misconception]).lower()
    assert not re.search(r"\b(simply|just|obviously|easy|trivial)\b", text)


@pytest.mark.parametrize("name", LINES)
def test_a_specimen_says_its_defect_in_one_sentence(name):
    assert re.fullmatch(r"[A-Z][^.\n]*\.", load(name, "specimen").__doc__)


# --- the catalogue ----------------------------------------------------------------


@each_exercise
def test_every_row_is_whole(name):
    row = course()[name]
    assert row.kind in KINDS
    assert 5 <= row.minutes <= 60
    assert row.clauses
    assert re.fullmatch(r"[A-Z].*\.", row.misconception)
    assert all(least <= usual <= most for usual, least, most in row.numbers.values())


def test_every_kind_is_there():
    assert {row.kind for row in course().values()} == KINDS


@each_exercise
def test_three_hints_go_from_a_question_to_nearly_the_answer(name):
    question, pointer, answer = course()[name].hints
    assert question.endswith("?")
    assert not pointer.endswith("?")
    assert not answer.endswith("?")


def test_prerequisites_come_before():
    for name in EXERCISES:
        before = EXERCISES[: EXERCISES.index(name)]
        assert set(course()[name].prerequisites) <= set(before), name


def test_exercises_stand_in_the_order_of_the_notebooks():
    books = [row.notebook for row in course().values()]
    assert all(one <= other for one, other in pairwise(books))


@each_exercise
def test_every_number_of_a_task_is_used_in_it(name):
    text = text_of(name, "task.md")
    assert set(re.findall(r"<([a-z]+)>", text)) == set(course()[name].numbers)


def test_clauses_and_exercises_name_each_other():
    owners = {}
    for name, row in course().items():
        for id in row.clauses:
            owners.setdefault(id, name)
    assert {row.id: row.exercise for row in clauses() if row.exercise} == owners


# --- no quiz can be guessed -------------------------------------------------------


def find_predictions():
    """Yield the answers and the right one of every prediction cell."""
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                yield from _predictions_in("".join(cell["source"]), path.stem)


def _predictions_in(source, where):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Prediction":
            given = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            yield where, given["answers"], given["right"]


QUIZ = list(find_predictions())


def test_predictions_are_found_in_every_notebook_that_asks_for_one():
    asking = {path.stem for path in NOTEBOOKS if "Prediction(" in path.read_text("utf-8")}
    assert asking
    assert {where for where, _, _ in QUIZ} == asking


def test_the_right_answer_is_no_longer_than_the_others():
    longer = [
        len(right) - mean(len(other) for other in answers if other != right)
        for _, answers, right in QUIZ
    ]
    assert -4 <= mean(longer) <= 0.5
    longest = [right for _, answers, right in QUIZ if right == max(answers, key=len)]
    assert len(longest) / len(QUIZ) <= 0.45


def test_no_right_answer_sticks_out():
    for where, answers, right in QUIZ:
        others = [len(other) for other in answers if other != right]
        assert min(others) / 2 - 3 <= len(right) <= 1.5 * max(others) + 3, (where, right)


def test_the_right_answer_has_no_usual_place():
    places = [answers.index(right) / (len(answers) - 1) for _, answers, right in QUIZ]
    assert 0.35 <= mean(places) <= 0.65
    for place in (0, 0.5, 1):
        assert places.count(place) / len(places) <= 0.5


def test_the_right_answer_is_no_more_hedged_than_the_others():
    hedged = [bool(HEDGES.search(right.lower())) for _, _, right in QUIZ]
    others = [
        bool(HEDGES.search(other.lower()))
        for _, answers, right in QUIZ
        for other in answers
        if other != right
    ]
    assert mean(hedged) <= mean(others) + 0.05
