"""The format of a case: what is read, and what is refused."""

import tomllib

import pytest

from rpclab.conformance.cases import (
    DEMO_METHODS,
    Choice,
    Pause,
    Payload,
    Raw,
    load_cases,
    load_client_cases,
    read_case,
    read_client_case,
    read_rows,
)
from rpclab.conformance.cases.deliveries import FLOOD_TIMES, Cut, plan, sent_bytes
from rpclab.conformance.cases.server import DELIVERIES, FOLDER
from rpclab.spec import clause, profile

ROW = {
    "id": "a",
    "clause": "6.empty-array",
    "level": "must",
    "about": "Section 6.",
    "send": ["[]"],
    "expect": [],
}
RULED = {k: v for k, v in ROW.items() if k != "expect"} | {
    "ruling": "id-null",
    "readings": {"request": [], "forbidden": "ends"},
}
CLIENT = {
    "id": "a",
    "clause": "4.id-correlates",
    "level": "should",
    "about": "Section 4.",
    "calls": ['{"call":"echo","as":"a"}'],
    "script": [{"read": 1}],
    "expect": [],
}

CASES = load_cases()
CLIENT_CASES = load_client_cases()


# --- what is there ----------------------------------------------------------------


def test_a_case_runs_under_profiles_that_exist():
    for case in CASES + CLIENT_CASES:
        assert case.profiles, case.id
        for name in case.profiles:
            profile(name)


def test_a_case_says_where_the_text_demands_it():
    assert [case.id for case in CASES + CLIENT_CASES if not case.about.endswith(".")] == []


def test_one_case_uses_every_delivery_except_the_one_for_races():
    [chunks] = [case for case in CASES if case.id == "newline.any-chunks"]
    assert {*chunks.delivery, "apart"} == set(DELIVERIES)


# --- the items of send ------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "piece"),
    [
        ("[]", Payload(b"[]")),
        ({"hex": "ff0a"}, Payload(b"\xff\n")),
        ({"repeat": "ab", "times": 2, "before": "<", "after": ">"}, Payload(b"<abab>")),
        ({"repeat": "ab", "times": 2}, Payload(b"abab")),
        ({"raw": "é"}, Raw("é".encode())),
        ({"raw_hex": "0d"}, Raw(b"\r")),
        ({"pause": 0.5}, Pause(0.5)),
    ],
)
def test_an_item_of_send(item, piece):
    assert read_case(ROW | {"send": [item]}).pieces() == (piece,)


def test_the_profiles_of_the_clause_hold_unless_the_case_names_others():
    assert read_case(ROW).profiles == clause("6.empty-array").profiles
    assert read_case(ROW | {"profiles": ["mcp"]}).profiles == ("mcp",)


@pytest.mark.parametrize(
    ("line", "needs"),
    [
        ('{"method":"echo","id":1}', {"echo"}),
        ('[{"method":"sum","id":1},{"method":"update"},7]', {"sum"}),
        ('{"method":"echo"}', set()),
        ('{"method":"nobody","id":1}', set()),
        ('{"method":["echo"],"id":1}', set()),
        ('{"method":"echo","id":1', set()),
        ("[" * 100_000, set()),
    ],
)
def test_a_case_needs_the_methods_that_its_requests_name(line, needs):
    assert read_case(ROW | {"send": [line]}).needs == needs
    assert read_case(ROW | {"send": [line], "needs": ["add"]}).needs == {"add"}


def test_readings_keep_or_break():
    kept, broken = read_case(RULED | {"breaks": ["forbidden"]}).outcomes
    assert (kept.reading, kept.state, kept.keeps) == ("request", "alive", True)
    assert (broken.reading, broken.state, broken.keeps) == ("forbidden", "ends", False)


def test_several_lists_may_be_right():
    row = {k: v for k, v in ROW.items() if k != "expect"} | {"expect_any": [[], ["7"]]}
    assert [outcome.lines for outcome in read_case(row).outcomes] == [(), ("7",)]


# --- what is refused --------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (ROW | {"sent": []}, "there is no field sent"),
        ({k: v for k, v in ROW.items() if k != "about"}, "about is missing"),
        (ROW | {"expect_any": []}, "exactly one of"),
        ({k: v for k, v in ROW.items() if k != "expect"}, "exactly one of"),
        (ROW | {"clause": "9.9"}, "there is no clause '9.9'"),
        (ROW | {"level": "should"}, "level: should, but the clause says must"),
        (ROW | {"ruling": "id-null"}, "ruling and readings go together"),
        (RULED | {"ruling": "nobody"}, "there is no ruling 'nobody'"),
        (RULED | {"readings": {"nobody": []}}, "the ruling has no reading nobody"),
        (RULED | {"breaks": ["nobody"]}, "breaks: there is no reading nobody"),
        (RULED | {"breaks": ["request"], "level": "free"}, "a case of level free breaks nothing"),
        (RULED | {"readings": {"request": "stays"}}, "not 'stays'"),
        (ROW | {"expect": ["{"]}, "Expecting"),
        (ROW | {"expect": 7}, "expect, expect_any or readings"),
        (ROW | {"delivery": ["post"]}, "delivery: there is no post"),
        (
            ROW | {"form": True, "lacks": "", "expect": ["7"]},
            "form: lacks or matches must say what the form is",
        ),
        (ROW | {"framing": "http"}, "framing: there is no http"),
        (ROW | {"end": "boom"}, "end: there is no boom"),
        (ROW | {"send": [{"file": "x"}]}, "send: not an item"),
        (ROW | {"lacks": "("}, "unterminated"),
    ],
)
def test_a_row_that_is_not_a_case_is_refused(row, sentence):
    with pytest.raises((ValueError, LookupError), match=sentence):
        read_case(row)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (CLIENT | {"calls": ['{"shout":"echo"}']}, "calls: no order in"),
        (CLIENT | {"script": [{"jump": 1}]}, "script: there is no step"),
        (CLIENT | {"script": [{}]}, "script: there is no step"),
        (CLIENT | {"wrote": ["{"]}, "Expecting"),
        (CLIENT | {"send": []}, "there is no field send"),
    ],
)
def test_a_row_that_is_not_a_client_case_is_refused(row, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_client_case(row)


def test_a_file_with_a_wrong_row_is_named(tmp_path):
    (tmp_path / "x.toml").write_text('[[case]]\nid = "a"\nabout = ""\n')
    with pytest.raises(ValueError, match=r"x\.toml, case a: clause is missing"):
        read_rows(tmp_path, read_case)


def test_a_wrong_row_that_is_nested_without_end_is_named(tmp_path):
    row = '[[case]]\nid="a"\nclause="6.empty-array"\nlevel="must"\nabout="x."\nsend=[]\n'
    (tmp_path / "x.toml").write_text(f"{row}expect=['{'[' * 100_000}']\n")
    with pytest.raises(ValueError, match=r"x\.toml, case a: "):
        read_rows(tmp_path, read_case)


def test_an_id_that_is_used_twice_is_refused(tmp_path):
    text = (
        '[[case]]\nid="a"\nclause="6.empty-array"\nlevel="must"\nabout="x."\nsend=[]\nexpect=[]\n'
    )
    (tmp_path / "x.toml").write_text(text * 2)
    with pytest.raises(ValueError, match="this id is used twice"):
        read_rows(tmp_path, read_case)


# --- choosing ---------------------------------------------------------------------


def test_a_choice_keeps_to_its_profile_its_framing_and_its_cases():
    everything = Choice().of(CASES, "newline")
    assert {case.id for case in everything} > {"examples.empty-array", "process.last-line"}
    assert "process.last-line" not in [c.id for c in Choice().of(CASES, "content-length")]
    assert "examples.empty-array" not in [c.id for c in Choice("mcp").of(CASES, "newline")]
    only = Choice(only=("process.last-line",)).of(CASES, "newline")
    assert [case.id for case in only] == ["process.last-line"]


def test_every_method_that_a_case_of_the_core_needs_is_one_of_the_demo():
    core = [case for case in CASES if "core" in case.profiles]
    assert {name for case in core for name in case.needs} <= DEMO_METHODS.keys()


def test_every_file_of_cases_is_read():
    files = [tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")]
    assert len(CASES) == sum(len(file["case"]) for file in files)


# --- deliveries -------------------------------------------------------------------

PIECES = (Payload('"é€"'.encode()), Pause(0.1), Raw(b"ab"), Payload(b"[]"))


@pytest.mark.parametrize("delivery", ["whole", "joined", "apart", "bytes", "cut-utf8", "slow"])
@pytest.mark.parametrize(
    ("framing", "stream"),
    [
        ("newline", '"é€"\nab[]\n'),
        ("content-length", 'Content-Length: 7\r\n\r\n"é€"abContent-Length: 2\r\n\r\n[]'),
    ],
)
def test_every_delivery_sends_the_same_bytes(delivery, framing, stream):
    chunks = plan(PIECES, framing, delivery)
    assert sent_bytes(chunks) == stream.encode()
    assert [c.seconds for c in chunks if type(c) is Pause] == [0.1]


def test_what_is_joined_is_one_write():
    assert plan(PIECES, "newline", "joined")[-1] == b"ab[]\n"


def test_a_character_is_cut_before_each_byte_that_continues_it():
    chunks = plan([Payload("é€".encode())], "newline", "cut-utf8")
    assert [c for c in chunks if isinstance(c, bytes)] == [b"\xc3", b"\xa9\xe2", b"\x82", b"\xac\n"]
    assert sum(isinstance(c, Cut) for c in chunks) == 3


def test_byte_by_byte_is_given_up_for_what_is_very_long():
    assert len(plan([Payload(b"a" * 100)], "newline", "bytes")) == 101
    assert len(plan([Payload(b"a" * 5000)], "newline", "bytes")) == 1


def test_a_flood_of_stderr_comes_before_the_case():
    first, second = plan([Payload(b"[]")], "newline", "stderr-flood")
    assert first.count(b"boom") == FLOOD_TIMES
    assert second == b"[]\n"
