"""From an input that breaks a target to the smallest one that still does."""

import json

from rpclab.codec import encode
from rpclab.conformance.cases import load_cases
from rpclab.conformance.smallest_input import (
    shrink,
    shrink_case,
    shrink_line,
    shrink_value,
    simpler_values,
)
from rpclab.conformance.targets.in_process import judge_handler, judge_respond
from rpclab.demos.demo_server import demo_handler
from rpclab.dispatch import respond


def test_simpler_values_are_tried_from_the_simplest():
    assert next(simpler_values({"a": [1]})) == [1]
    assert list(simpler_values([0, True, None, ""])) == [
        *[0, True, None, ""],
        *[[True, None, ""], [0, None, ""], [0, True, ""], [0, True, None]],
    ]
    assert list(simpler_values("abc")) == ["", "a", "bc"]


def test_a_value_shrinks_to_what_matters():
    value = {"a": [1, {"bad": "x" * 100}], "b": 2}
    assert shrink_value(value, lambda v: "bad" in encode(v)) == {"bad": ""}


def test_lines_are_dropped_before_they_shrink():
    lines = [b'{"ok":1}', b'{"method":"boom","id":1}', b"[]"]
    assert shrink(lines, lambda some: any(b"boom" in line for line in some)) == [b"boom"]


def test_what_is_not_json_shrinks_as_bytes():
    assert shrink_line(b"\xff\xfe{bad\x00", lambda line: b"\x00" in line) == b"\x00"


def naive(line):
    value = json.loads(line)
    if value == []:
        raise ZeroDivisionError
    return respond(line, demo_handler(None)) or b'{"jsonrpc":"2.0","result":1,"id":null}'


def case(name):
    [found] = [case for case in load_cases() if case.id == name]
    return found


def test_a_case_shrinks_to_the_smallest_line_that_breaks_in_the_same_way():
    target = judge_respond(naive)
    [line] = shrink_case(target, case("examples.notification-1"))
    assert json.loads(line) == {"jsonrpc": "2.0", "method": ""}
    assert shrink_case(target, case("examples.empty-array")) == [b"[]"]


def test_there_is_nothing_to_shrink_where_rpclab_does_the_same():
    assert shrink_case(judge_handler(demo_handler), case("examples.empty-array")) is None
    assert shrink_case(judge_handler(demo_handler), case("process.last-line")) is None


def test_shrinking_ends_where_the_tries_end(monkeypatch):
    monkeypatch.setattr("rpclab.conformance.smallest_input.TRIES", 3)
    [line] = shrink_case(judge_respond(naive), case("examples.notification-1"))
    assert len(line) > 20
