"""Exercises: what a learner is told, what is remembered, and what is shown."""

import json
import re
import signal
import threading
from functools import partial

import pytest

from rpclab import course as public
from rpclab import parsing
from rpclab.course import (
    check,
    demand,
    expect,
    hint,
    numbers,
    pick,
    predict,
    reset,
    same,
    sent_lines,
    show_source,
    skip,
    solution,
    specimen,
    task,
    try_line,
)
from rpclab.course import progress as progress_module
from rpclab.course.catalogue import SEED, course, load
from rpclab.course.exercises import run_demands
from rpclab.course.expect import Unmet, show
from rpclab.course.overview import overview
from rpclab.course.predictions import find_difference
from rpclab.course.progress import (
    ANSWERS,
    OFF,
    PROGRESS,
    change_progress,
    parse_progress,
    progress_file,
    read_progress,
    take_notices,
    user_data,
)
from rpclab.course.server_exercises import expect_conformance, read_command
from rpclab.course.specimens import describe_reply
from rpclab.course.time_limit import TooSlow, time_limit


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch):
    monkeypatch.setenv(PROGRESS, OFF)
    monkeypatch.delenv(SEED, raising=False)
    monkeypatch.delenv(ANSWERS, raising=False)
    progress_module.forget()
    yield
    progress_module.forget()


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "deeper" / "progress.json"
    monkeypatch.setenv(PROGRESS, str(path))
    return path


def right(name):
    return getattr(load(name, "solution"), course()[name].answer)


# --- a report ---------------------------------------------------------------------


def test_the_first_demand_that_fails_is_told_as_called_got_and_wanted():
    report = repr(check("ex01_shapes", lambda message: "request"))
    assert "called  <lambda>({'jsonrpc': '2.0', 'method': 'sum'})" in report
    assert "got     'request'" in report
    assert "wanted  'notification'" in report


def test_demands_after_the_first_that_fails_are_not_run():
    report = check("ex01_shapes", lambda message: "request")
    assert [outcome.verdict for outcome in report.outcomes][1:3] == ["broken", "not run yet"]


def test_an_exception_in_an_answer_is_told_without_a_traceback():
    report = repr(check("ex01_shapes", lambda message: message["id"]["x"]))
    assert "got     TypeError: 'int' object is not subscriptable" in report


def test_an_answer_that_ends_python_is_told_too():
    assert "got     SystemExit: 3" in repr(check("ex01_shapes", lambda message: exit_with(3)))


def exit_with(status):
    raise SystemExit(status)


def test_an_answer_that_is_not_written_yet_is_told_so():
    stub = load("ex01_shapes", "stub").name_shape
    assert "Nothing is written yet" in repr(check("ex01_shapes", stub))


def test_an_answer_that_never_ends_is_interrupted(monkeypatch):
    monkeypatch.setattr("rpclab.course.exercises.time_limit", partial(time_limit, 0.05))
    report = repr(check("ex01_shapes", forever))
    assert "got     nothing, in all the time that it had: does it end?" in report


def forever(_):
    while True:
        pass


def test_an_answer_of_no_known_form_is_told_without_a_traceback():
    report = repr(check("ex19_batch", lambda *_: {1}.pop() / 0))
    assert "got     ZeroDivisionError" in report
    assert "ex02_replies: 0 of 5 kept" in repr(check("ex02_replies", 5))
    assert "got     TypeError" in repr(check("ex27_late", lambda *, x: x))


def test_a_check_that_stumbles_over_an_answer_says_what_it_met():
    (outcome,) = run_demands([lambda answer: answer.missing], 5)
    assert "got     AttributeError" in outcome.detail
    assert "wanted  an answer that can be judged" in outcome.detail


def test_an_unknown_exercise_is_a_clear_sentence():
    assert repr(check("ex99", len)).startswith("There is no exercise ex99. There are: ex01_shapes")
    assert not check("ex99", len).kept
    for tell in (hint, reset, skip, solution, task):
        assert tell("ex99") == repr(check("ex99", len))


def test_check_without_an_answer_says_what_to_give():
    sentence = "check needs your answer: check('ex01_shapes', name_shape)"
    assert repr(check("ex01_shapes")) == repr(check("ex01_shapes", 5)) == sentence
    assert repr(check("ex02_replies")) == "check needs your answer: check('ex02_replies', replies)"


def test_with_the_variable_set_the_solution_is_judged_instead(monkeypatch, file):
    monkeypatch.setenv(ANSWERS, "solution")
    assert check("ex01_shapes", lambda message: "wrong").kept
    hint("ex01_shapes")
    assert not file.exists()


# --- expect, demand, same, show ---------------------------------------------------


def test_true_is_not_one_at_any_depth():
    with pytest.raises(Unmet):
        expect(lambda: True).gives(1)
    assert not same({"id": [True]}, {"id": [1]})
    assert not same({"a": 1}, {"b": 1})
    assert not same((1, 2), (1, 2, 3))


def test_an_expected_exception_is_kept_and_another_is_not():
    expect(int, "x").raises(ValueError)
    with pytest.raises(Unmet, match="wanted  KeyError"):
        expect(int, "x").raises(KeyError)
    with pytest.raises(Unmet, match="got     1"):
        expect(int, "1").raises(ValueError)
    with pytest.raises(NotImplementedError):
        expect(load("ex01_shapes", "stub").name_shape, {}).raises(ValueError)


def test_several_wanted_values_stand_for_a_tuple():
    expect(divmod, 7, 2).gives(3, 1)


def test_what_was_called_is_told_as_it_was_before_the_call():
    with pytest.raises(Unmet, match=r"called  pop\(\[1\]\)"):
        expect(list.pop, [1]).gives(2)


def test_no_address_is_shown():
    assert show([show, lambda: 1, object()]) == "[show, <lambda>, object]"


def test_a_demand_of_any_kind_says_the_same_three_things():
    demand(True, "f()", 1, "2")
    with pytest.raises(Unmet, match=r"called  f\(\)\ngot     1\nwanted  2"):
        demand(False, "f()", 1, "2")


# --- the limit of time ------------------------------------------------------------


@pytest.fixture
def no_alarm():
    """Take away the alarm of the test run itself while a test sets its own."""
    left, every = signal.setitimer(signal.ITIMER_REAL, 0)
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)
    signal.setitimer(signal.ITIMER_REAL, left, every)


def test_a_limit_lets_an_alarm_of_somebody_else_live(no_alarm):
    rang = threading.Event()
    signal.signal(signal.SIGALRM, lambda *_: rang.set())
    signal.setitimer(signal.ITIMER_REAL, 600)
    with time_limit(300):
        pass
    assert 300 < signal.getitimer(signal.ITIMER_REAL)[0] <= 600
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    assert rang.wait(60)


def test_after_a_limit_no_alarm_is_left(no_alarm):
    with time_limit(300):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_a_limit_interrupts_what_catches_every_exception():
    with pytest.raises(TooSlow), time_limit(0.05):
        forever_but_exceptions()


def forever_but_exceptions():
    while True:
        try:
            forever(0)
        except Exception:  # noqa: BLE001  that is the point
            continue


def test_in_another_thread_there_is_no_limit(no_alarm):
    seen = []

    def work():
        with time_limit(300):
            seen.append(signal.getitimer(signal.ITIMER_REAL)[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert seen == [0]


# --- hints, solution, task --------------------------------------------------------


def test_hints_come_one_at_a_time():
    first, second, third = course()["ex04_split"].hints
    assert hint("ex04_split", 2).startswith("One at a time: hint 1 comes next.")
    assert hint("ex04_split") == first
    assert hint("ex04_split", 1) == first
    assert hint("ex04_split") == second
    assert hint("ex04_split", 3) == third
    assert hint("ex04_split").startswith("You have had all 3 hints")


def test_a_hint_that_is_not_there_is_a_clear_sentence():
    assert hint("ex01_shapes", 4) == "There are 3 hints: give a number from 1 to 3."


def test_the_solution_is_shown_after_success():
    assert "anyway=True" in solution("ex01_shapes")
    check("ex01_shapes", right("ex01_shapes"))
    assert repr(solution("ex01_shapes")).startswith("# ex01_shapes/solution.py\n")
    assert not read_progress().record("ex01_shapes").shown


def test_the_solution_is_shown_on_request_and_that_is_remembered():
    assert "def name_shape" in repr(solution("ex01_shapes", anyway=True))
    check("ex01_shapes", right("ex01_shapes"))
    assert read_progress().record("ex01_shapes").shown
    assert overview().mastered == []


def test_a_task_is_shown_with_the_numbers_of_the_learner(monkeypatch):
    assert '"params":[50,8],"id":"31"' in repr(task("ex02_replies"))
    monkeypatch.setenv(SEED, "another learner")
    shown = task("ex02_replies")._repr_markdown_()
    assert '"params":[50,8]' not in shown
    assert "<a>" not in shown


# --- numbers ----------------------------------------------------------------------


def test_without_a_seed_the_numbers_are_the_usual_ones():
    assert numbers("ex02_replies") == {"a": 50, "b": 8, "id": 31}


def test_a_seed_gives_the_same_numbers_each_time_and_others_to_others(monkeypatch):
    monkeypatch.setenv(SEED, "one")
    one = numbers("ex02_replies")
    assert one == numbers("ex02_replies")
    monkeypatch.setenv(SEED, "two")
    assert one != numbers("ex02_replies")


def test_the_seed_may_be_in_the_progress_file(file):
    change_progress(lambda known: setattr(known, "seed", "one"))
    assert numbers("ex02_replies") != {"a": 50, "b": 8, "id": 31}


# --- predictions ------------------------------------------------------------------


def test_a_prediction_that_fails_does_not_tell_the_answer():
    replies = [...] * 5
    replies[0] = '{"jsonrpc":"2.0","result":42,"id":31}'
    report = repr(check("ex02_replies", replies))
    assert "wanted  another id" in report
    assert '"31"}' not in report.split("got")[1]


def test_predictions_are_compared_by_value():
    predict("ex02_replies", [*[None] * 3, '{ "id":null, "result":0, "jsonrpc":"2.0" }', None], 4)


ONE = {"jsonrpc": "2.0", "result": 1, "id": 1}
BAD = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "?"}, "id": 1}


@pytest.mark.parametrize(
    ("reply", "guess", "wanted"),
    [
        (None, ONE, "silence"),
        (ONE, None, "a reply"),
        ([ONE], ONE, "an array"),
        (ONE, [ONE], "one object, not an array"),
        (ONE, 5, "a response: an object"),
        ([ONE], [ONE, ONE], "another number of responses in the array"),
        ([ONE], [{**ONE, "id": "1"}], "a response with another id in the array"),
        ([ONE], [{**ONE, "result": 2}], "another result"),
        (ONE, {"result": 1, "id": 1}, 'jsonrpc, with exactly "2.0"'),
        (ONE, BAD, "a result, and no error"),
        (BAD, ONE, "an error, and no result"),
        (ONE, {**ONE, "id": 2}, "another id"),
        (ONE, {**ONE, "result": True}, "another result"),
        (ONE, {**ONE, "more": 1}, "no other members"),
        (BAD, {**BAD, "error": {"code": -32601}}, "another code"),
        (BAD, {**BAD, "error": -32600}, ""),
        (BAD, {**BAD, "error": {"code": -32600}}, ""),
        ([ONE, BAD | {"id": 2}], [BAD | {"id": 2}, ONE], ""),
        (None, None, ""),
    ],
)
def test_the_first_difference_is_named(reply, guess, wanted):
    assert find_difference(reply, guess) == wanted


def test_a_prediction_of_another_form_is_told_its_form():
    with pytest.raises(Unmet, match="one entry for each of the 5 lines"):
        pick("ex02_replies", [1], 1)
    with pytest.raises(NotImplementedError):
        pick("ex02_replies", [...] * 5, 1)
    with pytest.raises(Unmet, match="a line of JSON as a string, or None"):
        predict("ex02_replies", ["nothing"] * 5, 1)


# --- find the line ----------------------------------------------------------------


def test_a_line_that_both_answer_alike_exposes_nobody():
    report = repr(check("ex18_by_name", '{"jsonrpc":"2.0","method":"sum","params":[1],"id":1}'))
    assert "both alike" in report
    assert "two different replies" in report


def test_a_line_that_is_none_is_told_so():
    with pytest.raises(Unmet, match="one line: text or bytes"):
        try_line("ex18_by_name", "a\nb")
    with pytest.raises(Unmet, match="one line: text or bytes"):
        try_line("ex18_by_name", 5)
    with pytest.raises(Unmet, match="at most 1000 bytes"):
        try_line("ex18_by_name", "a" * 1001)
    with pytest.raises(NotImplementedError):
        try_line("ex18_by_name", b"")


def test_a_line_may_be_bytes_that_are_no_text():
    tried = try_line("ex18_by_name", b"\xff")
    tried.reference_gives("error -32700")
    tried.specimen_gives("error -32700")
    with pytest.raises(Unmet, match=r"the reference: .*-32700"):
        tried.reference_gives("a result")


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (None, "silence"),
        (b"[]", "an array of responses"),
        (b'{"result":NaN}', "a result"),
        (b'{"error":{"code":1}}', "error 1"),
        (b"5", "no response"),
    ],
)
def test_replies_have_kinds(reply, word):
    assert describe_reply(reply) == word


def test_one_can_talk_to_a_specimen(capfd):
    assert "no reply" in repr(specimen("ex24_loud").send('{"jsonrpc":"2.0","method":"update"}'))
    assert "(error response)" in repr(specimen("ex24_loud").send(right("ex24_loud")))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", [n for n, row in course().items() if row.kind == "line"])
@pytest.mark.parametrize("line", [b"\xff", b"[" * 900, b"[]", b"5", b'{"id":true}', b"NaN"])
def test_a_specimen_answers_anything(name, line):
    specimen(name).send(line)


# --- judged by the lab ------------------------------------------------------------


def test_a_command_is_words_or_a_string():
    assert read_command("sh 'a b'") == ["sh", "a b"]
    for nothing in ("", []):
        with pytest.raises(NotImplementedError):
            read_command(nothing)
    for wrong in (5, [5]):
        with pytest.raises(Unmet, match="a command: a list of words"):
            read_command(wrong)


def test_a_command_that_cannot_be_started_is_told_so():
    with pytest.raises(Unmet, match="no/such/program"):
        expect_conformance("no/such/program", "5.reply")


def test_a_case_that_is_broken_is_told_with_its_bytes():
    with pytest.raises(Unmet) as caught:
        expect_conformance(right("ex31_your_server"), "7.bad-array-of-one")
    assert "sent [null], got" in str(caught.value)
    assert "wanted  7.bad-array-of-one: " in str(caught.value)


def test_no_cases_at_all_are_no_success():
    with pytest.raises(Unmet, match="nothing could be judged"):
        expect_conformance(right("ex31_your_server"), "9.")


# --- progress ---------------------------------------------------------------------


def test_tries_and_success_are_remembered(file):
    check("ex01_shapes", lambda message: "request")
    record = read_progress().record("ex01_shapes")
    assert (record.tries, record.kept, record.ended) == (1, False, "")
    assert record.failed == "A call without an id is a notification."
    check("ex01_shapes", right("ex01_shapes"))
    check("ex01_shapes", lambda message: "request")
    record = read_progress().record("ex01_shapes")
    assert (record.tries, record.kept) == (3, True)
    assert record.began <= record.ended
    assert [path.name for path in file.parent.iterdir()] == ["progress.json"]


def test_the_file_is_read_again_before_each_change(file):
    check("ex01_shapes", right("ex01_shapes"))
    other = json.loads(file.read_text())
    other["exercises"]["ex02_replies"] = {"tries": 7}
    file.write_text(json.dumps(other))
    hint("ex03_reply")
    assert read_progress().record("ex02_replies").tries == 7
    assert read_progress().record("ex01_shapes").kept


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"version":2}',
        '{"version":1,"seed":"","exercises":{"ex01":{"tries":"1"}}}',
        '{"version":1,"seed":"","exercises":{"ex01":{"more":1}}}',
        "\xff",
    ],
    ids=["half", "array", "version", "type", "field", "bytes"],
)
def test_a_file_that_cannot_be_read_is_set_aside_with_a_sentence(file, text):
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    report = repr(check("ex01_shapes", right("ex01_shapes")))
    assert "was set aside as" in report
    assert "was set aside" not in repr(check("ex01_shapes", right("ex01_shapes")))
    aside = file.with_name("progress.broken-1.json")
    assert aside.read_bytes() == text.encode("latin-1")
    assert read_progress().record("ex01_shapes").kept


def test_a_second_broken_file_does_not_replace_the_first(file):
    file.parent.mkdir()
    for _ in range(2):
        file.write_text("{")
        read_progress()
    assert len(list(file.parent.glob("*.broken-*"))) == 2
    assert len(take_notices()) == 2


def test_where_nothing_can_be_written_it_is_kept_in_memory(tmp_path, monkeypatch):
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv(PROGRESS, str(tmp_path / "a file" / "progress.json"))
    report = repr(check("ex01_shapes", right("ex01_shapes")))
    assert "Progress is not saved" in report
    assert read_progress().record("ex01_shapes").kept
    assert "Progress is not saved" not in repr(check("ex02_replies", right("ex02_replies")))
    assert len(overview().done) == 2


def test_a_write_that_fails_leaves_the_old_file_whole(file, monkeypatch):
    check("ex01_shapes", right("ex01_shapes"))
    before = file.read_text()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    assert "No space left" in repr(check("ex02_replies", right("ex02_replies")))
    assert file.read_text() == before
    assert [path.name for path in file.parent.iterdir()] == ["progress.json"]


def test_a_broken_file_that_cannot_be_moved_is_left_alone(file, monkeypatch):
    file.parent.mkdir()
    file.write_text("{")

    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.rename", fail)
    check("ex01_shapes", right("ex01_shapes"))
    assert file.read_text() == "{"


def test_off_is_nowhere(monkeypatch):
    assert progress_file() is None
    check("ex01_shapes", right("ex01_shapes"))
    assert overview().done


def test_without_the_variable_it_is_among_this_users_data(monkeypatch):
    monkeypatch.delenv(PROGRESS)
    assert progress_file() == user_data() / "progress.json"
    assert user_data().name == "rpclab"


def test_an_empty_record_is_a_record():
    assert parse_progress('{"version":1,"seed":"","exercises":{"x":{}}}').record("x").tries == 0


# --- overview ---------------------------------------------------------------------


def test_at_first_nothing_is_done_and_the_first_is_next():
    seen = overview()
    assert seen.next.name == "ex01_shapes"
    assert (seen.done, seen.mastered, seen.minutes[0]) == ([], [], 0)
    assert seen.sentences()[0] == f"Done: 0 of {len(course())} exercises."


def test_what_is_done_or_skipped_is_not_next():
    check("ex01_shapes", right("ex01_shapes"))
    skip("ex02_replies")
    check("ex04_split", lambda *_: 5)
    seen = overview()
    assert [row.state for row in seen.rows[:4]] == ["done", "skipped", "next", "tried"]
    assert seen.next.name == "ex03_reply"
    assert seen.mastered == course()["ex01_shapes"].clauses
    assert seen.minutes[0] == 10


def test_a_check_takes_a_skipped_exercise_up_again():
    skip("ex01_shapes")
    check("ex01_shapes", lambda message: "request")
    assert overview().next.name == "ex01_shapes"


def test_reset_forgets_one_exercise():
    check("ex01_shapes", right("ex01_shapes"))
    check("ex03_reply", right("ex03_reply"))
    assert reset("ex01_shapes") == "ex01_shapes is as if you had never tried it."
    assert [row.exercise.name for row in overview().done] == ["ex03_reply"]
    reset("ex02_replies")


def test_when_all_is_done_nothing_is_next():
    for name in course():
        skip(name)
    assert overview().next is None
    assert "There is nothing left to do." in overview().sentences()


# --- listings ---------------------------------------------------------------------


def test_a_listing_is_the_real_source():
    listing = show_source(parsing.read_message)
    assert "def read_message(value: Json) -> Message:" in repr(listing)
    assert listing._repr_markdown_().startswith("```python\n# rpclab.parsing.read_message\n")
    assert repr(show_source(parsing)).startswith('# rpclab.parsing\n"""JSON value to message')


def test_what_a_notebook_may_call_is_listed():
    assert sorted(public.__all__) == public.__all__
    assert all(hasattr(public, name) for name in public.__all__)
    assert re.match(r'{"jsonrpc"', sent_lines("ex10_refusals")[0])
