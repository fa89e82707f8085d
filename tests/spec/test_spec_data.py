"""The data of the spec explorer: clauses, rulings and profiles agree.

This file also holds a second opinion: a small server that shares no code with
rpclab. It reads a row's ``given`` and works out what must come back, so that each
example in the data is checked by something other than rpclab.
"""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import rpclab

SPEC = Path(rpclab.__file__).parent / "spec"
ROOT = SPEC.parent.parent


def table(name):
    return tomllib.loads((SPEC / f"{name}.toml").read_text(encoding="utf-8"))


CLAUSES = table("clauses")["clause"]
SOURCES = {source["id"]: source for source in table("clauses")["source"]}
RULINGS = table("rulings")["ruling"]
PROFILES = {profile["id"]: profile for profile in table("profiles")["profile"]}

FIELDS = [
    "id",
    "section",
    "source",
    "title",
    "level",
    "actor",
    "profiles",
    "says",
    "form",
    "given",
    "keeps",
    "keeps_why",
    "breaks",
    "breaks_why",
    "notebook",
    "exercise",
    "exercise_none",
    "cases",
    "untestable",
    "specimen",
]
EXTRAS = {"revisions", "given_bytes", "keeps_bytes", "breaks_bytes", "no_specimen"}
LEVELS = {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"}
ACTORS = {"client", "server", "sender", "receiver", "both"}
FORMS = {"lines", "frames", "http", "events"}
MUSTS = {"MUST", "MUST NOT"}
REVISIONS = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
NOTEBOOKS = [
    "00_start_here",
    "01_messages",
    "02_lines",
    "03_requests",
    "04_errors",
    "05_dispatch",
    "06_batches",
    "07_notifications",
    "08_cancel",
    "09_processes",
    "10_other_wires",
    "11_in_the_wild",
    "12_spec_explorer",
    "13_your_server",
]
RULING_FIELDS = [
    "id",
    "point",
    "origin",
    "actor",
    "reading",
    "default",
    "others",
    "clauses",
    "why",
    "example",
    "profiles",
    "switch",
    "reports",
]

# Rows of section 4 of the design, in its order. "invalid UTF-8; a lone surrogate
# escape" holds two points, so two rulings.
DESIGN = [
    "id-null",
    "id-fraction",
    "id-large",
    "id-wrong-type",
    "invalid-request-id",
    "invalid-request-no-id",
    "params-unstructured",
    "response-to-server",
    "rpc-methods",
    "unknown-members",
    "duplicate-members",
    "not-finite",
    "json-limits",
    "invalid-utf8",
    "lone-surrogate",
    "byte-order-mark",
    "blank-line",
    "crlf",
    "line-limit",
    "last-line",
    "unholdable-result",
    "system-exit",
    "loop-end",
    "exception-text",
    "id-in-flight",
    "method-and-result",
    "response-in-batch",
    "content-length-unusable",
    "traceparent",
    "cancelled-call",
]

# Their points, as the design first had them: docs/rulings.md prints them now.
POINTS = [
    "`id: null` in a request",
    "fractional `id`, `1e2`",
    "`id` of 2^53+1, of 2^64",
    "`id` true, `{}`, `[]`",
    "invalid request whose `id` can be read",
    "invalid request without `id`",
    "`params` a string, number, bool, null",
    "a response sent to a server",
    "`rpc.*` methods",
    "unknown members beside the four",
    "duplicate member names",
    "NaN, Infinity, -Infinity",
    "1e400; integers past Python's digit limit; nesting past its depth",
    "invalid UTF-8; a lone surrogate escape",
    "byte order mark",
    "blank line (JSON white space only)",
    "`\\r\\n`",
    "line longer than the limit (default 16 MiB, settable, memory stays bounded)",
    "last line without `\\n` at end of file",
    "result or `data` that JSON cannot hold",
    "handler raises `SystemExit`",
    "`KeyboardInterrupt`, broken pipe",
    "exception text",
    "the same `id` while it is in flight",
    "`method` together with `result` or `error`",
    "a response inside a batch",
    "Content-Length: a header block without a usable length",
    "`traceparent`",
    "a cancelled call",
]


def ids(rows):
    return [row["id"] for row in rows]


# --- a second opinion -------------------------------------------------------------


def constant(text):
    raise ValueError(text)


def read(text):
    """Return the JSON value, or raise ValueError."""
    value = json.loads(text, parse_constant=constant)
    if "1e400" in text:
        raise ValueError(text)
    return value


def is_id(value):
    return value is None or type(value) in {str, int, float}


def is_call(value):
    return (
        type(value) is dict
        and value.get("jsonrpc") == "2.0"
        and type(value.get("method")) is str
        and type(value.get("params", [])) in {list, dict}
        and is_id(value.get("id"))
    )


def is_error_object(value):
    return (
        type(value) is dict and type(value.get("code")) is int and type(value.get("message")) is str
    )


def is_response(value):
    return (
        type(value) is dict
        and "method" not in value
        and value.get("jsonrpc") == "2.0"
        and "id" in value
        and is_id(value["id"])
        and ("result" in value) != ("error" in value)
        and ("error" not in value or is_error_object(value["error"]))
    )


def is_message(text):
    try:
        value = read(text)
    except ValueError:
        return False
    members = value if type(value) is list else [value]
    return bool(members) and all(is_call(m) or is_response(m) for m in members)


def outcome(method, params):
    """Return what the demo method returns: a result, or an error code."""
    match method, params:
        case "echo", _:
            gives = {"result": params}
        case "ping", _:
            gives = {"result": None}
        case "is_empty", _:
            gives = {"result": False}
        case ("subtract", [a, b]) | ("subtract", {"minuend": a, "subtrahend": b}):
            gives = {"result": a - b}
        case ("subtract", _) | ("divide", [str(), _]):
            gives = {"code": -32602}
        case "order", _:
            gives = {"code": 1001}
        case (("divide" | "fail" | "not_a_number"), _):
            gives = {"code": -32603}
        case _:
            gives = {"code": -32601}
    return gives


def wanted(value):
    """Return what must come back for one JSON value: a reply, or None for silence."""
    if type(value) is list:
        if not value:
            return {"code": -32600, "id": None}
        replies = [wanted(member) for member in value if type(member) is not list]
        replies += [{"code": -32600, "id": None} for member in value if type(member) is list]
        return [reply for reply in replies if reply is not None] or None
    if not is_call(value):
        known = value.get("id") if type(value) is dict else None
        return {"code": -32600, "id": known if is_id(known) else None}
    if "id" not in value:
        return None
    return outcome(value["method"], value.get("params", [])) | {"id": value["id"]}


def served(stream):
    """Return the replies that are due for the bytes of a newline stream."""
    replies = []
    for line in stream.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip(b" \t\r"):
            try:
                replies.append(wanted(read(line.decode("utf-8"))))
            except ValueError:
                replies.append({"code": -32700, "id": None})
    return [reply for reply in replies if reply is not None]


def said(value):
    """Return a reply in the form of `wanted`, or None if it is not a response."""
    if type(value) is list:
        members = [said(member) for member in value]
        return members if members and None not in members else None
    if not is_response(value):
        return None
    if "result" in value:
        return {"result": value["result"], "id": value["id"]}
    if "\n" in value["error"]["message"]:
        return None
    return {"code": value["error"]["code"], "id": value["id"]}


def in_any_order(reply):
    members = reply if type(reply) is list else [reply]
    return type(reply) is list, sorted(json.dumps(m, sort_keys=True) for m in members)


def answers(stream, text):
    """Return whether the lines of `text` are the replies that are due for `stream`."""
    try:
        replies = [said(read(line)) for line in text.split("\n") if line]
    except ValueError:
        return False
    return None not in replies and list(map(in_any_order, replies)) == list(
        map(in_any_order, served(stream))
    )


def unframed(text):
    """Return the bodies of Content-Length frames, or None if a frame is broken."""
    data, bodies = text.encode(), []
    while data:
        head, mark, data = data.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)(?:^|\r\n)content-length: (\d+)(?:\r\n|$)", head)
        if not (mark and length and head.isascii() and b"\n" not in head.replace(b"\r\n", b"")):
            return None
        body, data = data[: int(length[1])], data[int(length[1]) :]
        if len(body) < int(length[1]) or not is_message(body.decode("utf-8", "replace")):
            return None
        bodies.append(body.decode())
    return bodies


def given_bytes(row):
    if "given_bytes" in row:
        return bytes.fromhex(row["given_bytes"])
    return f"{row['given']}\n".encode() if row["given"] else b""


# Rows that this server cannot judge, each with the reason.
NOT_JUDGED = {
    "5.1.server-range": "a busy server: another moment, another answer",
    "json.limits": "another reader's limit",
    "2.both-roles": "the line is a call of the server's own",
    "3.handle-1.0": "both answers are allowed",
    "8.optional": "both answers are allowed",
    "newline.partial-waits": "the stream is still open",
    "newline.bom-later": "a mark in the middle: judged by its own test below",
    "newline.trace-forwarded": "the line is a call of the server's own",
}
SERVER_ROWS = [
    row
    for row in CLAUSES
    if row["source"] in {"jsonrpc", "json", "newline"}
    and row["actor"] in {"server", "receiver", "sender", "both"}
    and given_bytes(row)
    and row["id"] not in NOT_JUDGED
]
CALLER_ROWS = [
    row
    for row in CLAUSES
    if row["form"] == "lines"
    and not given_bytes(row)
    and row["keeps"]
    and row["source"] != "newline"
]


# --- clauses ----------------------------------------------------------------------


@pytest.mark.parametrize("rows", [CLAUSES, RULINGS], ids=["clauses", "rulings"])
def test_no_id_is_used_twice(rows):
    assert [name for name, n in Counter(ids(rows)).items() if n > 1] == []


def test_every_clause_has_the_same_fields_in_the_same_order():
    for row in CLAUSES:
        assert [field for field in row if field not in EXTRAS] == FIELDS, row["id"]
        assert set(row) - set(FIELDS) <= EXTRAS, row["id"]


def test_every_clause_keeps_to_the_closed_sets():
    for row in CLAUSES:
        assert row["level"] in LEVELS, row["id"]
        assert row["actor"] in ACTORS, row["id"]
        assert row["form"] in FORMS, row["id"]
        assert row["source"] in SOURCES, row["id"]
        assert set(row["profiles"]) <= set(PROFILES), row["id"]
        assert row["profiles"], row["id"]


def test_every_clause_id_is_made_of_words_and_of_its_section():
    for row in CLAUSES:
        assert re.fullmatch(r"[0-9a-z.-]+\.[0-9a-z.-]+", row["id"]), row["id"]
        if row["source"] == "jsonrpc":
            assert row["id"].startswith(f"{row['section']}."), row["id"]


def test_every_source_is_cited():
    assert {row["source"] for row in CLAUSES} == set(SOURCES)


def test_every_section_of_json_rpc_has_a_clause():
    found = {row["section"] for row in CLAUSES if row["source"] == "jsonrpc"}
    assert found == {"1", "2", "3", "4", "4.1", "4.2", "5", "5.1", "6", "7", "8"}


@pytest.mark.parametrize("source", [row["id"] for row in SOURCES.values() if "anchors" in row])
def test_an_anchor_belongs_to_a_section_that_has_a_clause(source):
    sections = {row["section"] for row in CLAUSES if row["source"] == source}
    assert set(SOURCES[source]["anchors"]) <= sections
    if source in {"jsonrpc", "json"}:
        assert set(SOURCES[source]["anchors"]) == sections


def test_the_clauses_of_json_rpc_are_in_the_order_of_its_sections():
    sections = [row["section"] for row in CLAUSES if row["source"] == "jsonrpc"]
    assert sections == sorted(sections)


def test_the_rows_of_a_name_space_stand_together():
    spaces = [row["id"].split(".")[0] for row in CLAUSES]
    runs = [space for i, space in enumerate(spaces) if i == 0 or spaces[i - 1] != space]
    assert [run for run in runs if not run.isdigit()] == list(
        dict.fromkeys(run for run in runs if not run.isdigit())
    )


def test_no_rule_is_told_twice():
    assert [says for says, n in Counter(row["says"] for row in CLAUSES).items() if n > 1] == []


def test_every_rule_is_short_and_a_sentence():
    for row in CLAUSES:
        assert len(row["says"]) <= 240, row["id"]
        assert row["says"].endswith("."), row["id"]
        assert len(row["title"]) <= 40, row["id"]


def test_no_rule_quotes_a_specification():
    quotes = [q for row in CLAUSES for q in re.findall(r'"([^"]{25,})"', row["says"])]
    assert len(quotes) <= 1


@pytest.mark.parametrize("name", ["clauses", "rulings", "profiles"])
def test_no_text_calls_anything_easy(name):
    text = (SPEC / f"{name}.toml").read_text(encoding="utf-8")
    assert re.findall(r"(?i)\b(?:simply|just|obviously)\b", text) == []


def test_the_notice_of_the_json_rpc_working_group_is_there():
    lines = (SPEC / "clauses.toml").read_text(encoding="utf-8").splitlines()
    head = " ".join(line.strip("# ") for line in lines if line.startswith("#"))
    assert "Copyright (C) 2007-2010 by the JSON-RPC Working Group" in head
    assert "provided that the above copyright notice and this paragraph are included" in head
    assert "this document itself may not be modified in any way" in head


def test_silence_has_a_reason():
    for row in CLAUSES:
        assert row["keeps"] or row["keeps_why"], row["id"]
        assert row["breaks"] or row["breaks_why"], row["id"]


def test_what_keeps_a_clause_does_not_break_it():
    for row in CLAUSES:
        keeps = row["keeps"], row.get("keeps_bytes")
        breaks = row["breaks"], row.get("breaks_bytes")
        assert keeps != breaks or (not row["keeps"] and row["breaks_why"]), row["id"]


def test_bytes_are_hexadecimal():
    for row in CLAUSES:
        for field in EXTRAS - {"revisions", "no_specimen"}:
            assert bytes.fromhex(row.get(field, "00")), row["id"]


def test_every_clause_names_a_section_of_a_notebook():
    for row in CLAUSES:
        notebook, _, anchor = row["notebook"].partition("#")
        assert notebook in NOTEBOOKS, row["id"]
        assert re.fullmatch(r"[a-z0-9-]+", anchor), row["id"]


def test_a_clause_without_an_exercise_says_why():
    for row in CLAUSES:
        assert bool(row["exercise"]) != bool(row["exercise_none"]), row["id"]


def test_a_clause_that_cannot_be_tested_has_no_case():
    for row in CLAUSES:
        assert not (row["untestable"] and row["cases"]), row["id"]


def test_clauses_of_mcp_say_which_revision_has_them():
    for row in CLAUSES:
        if row["source"] == "mcp":
            assert set(row.get("revisions", [])) <= REVISIONS, row["id"]
            assert row.get("revisions"), row["id"]
        else:
            assert "revisions" not in row, row["id"]


# --- the examples, judged -----------------------------------------------------------


@pytest.mark.parametrize("row", SERVER_ROWS, ids=ids(SERVER_ROWS))
def test_what_a_server_writes_keeps_the_clause(row):
    if row["level"] == "MAY":
        assert all(is_message(line) for line in row["keeps"].split("\n") if line)
    else:
        assert answers(given_bytes(row), row["keeps"])


@pytest.mark.parametrize("row", SERVER_ROWS, ids=ids(SERVER_ROWS))
def test_what_breaks_the_clause_is_not_the_reply_that_is_due(row):
    if row["breaks"]:
        assert not answers(given_bytes(row), row["breaks"])


@pytest.mark.parametrize("row", CALLER_ROWS, ids=ids(CALLER_ROWS))
def test_what_a_caller_writes_is_made_of_messages(row):
    assert all(is_message(line) for line in row["keeps"].split("\n"))


# Broken by what they mean, not by how they look.
SOUND_BUT_WRONG = {"4.1.no-id", "4.rpc-reserved", "4.2.names-case", "json.unique-names"}


@pytest.mark.parametrize("row", CALLER_ROWS, ids=ids(CALLER_ROWS))
def test_a_line_that_breaks_json_rpc_or_json_is_no_message(row):
    if row["source"] in {"jsonrpc", "json"} and row["level"] in MUSTS and row["breaks"]:
        sound = is_message(row["breaks"])
        assert sound == (row["id"] in SOUND_BUT_WRONG)


def test_a_line_that_only_bends_json_rpc_is_still_a_message():
    for row in CALLER_ROWS:
        if row["source"] == "jsonrpc" and row["level"] == "SHOULD NOT":
            assert is_message(row["breaks"]), row["id"]


@pytest.mark.parametrize(
    "row",
    [r for r in CLAUSES if r["form"] == "frames"],
    ids=[r["id"] for r in CLAUSES if r["form"] == "frames"],
)
def test_frames_count_their_bytes(row):
    assert unframed(row["keeps"]) is not None
    assert unframed(row["given"]) is not None
    if row["section"] == "Header Part" and row["breaks"]:
        assert unframed(row["breaks"]) is None


def test_http_examples_have_a_head_and_a_body_that_is_a_message():
    for row in CLAUSES:
        for text in (row["given"], row["keeps"]) if row["form"] == "http" else ():
            head, _, body = text.partition("\n\n")
            if text:
                assert re.match(r"[A-Z]+ /\w+ HTTP/1\.1\n|HTTP/1\.1 \d{3} ", head), row["id"]
            if text == row["keeps"] and "Content-Type: application/json" in head:
                assert is_message(body), row["id"]


def test_event_streams_carry_messages():
    for row in CLAUSES:
        for field in ("given", "keeps"):
            text = row[field]
            if row["form"] == "events":
                events = text.split("\n\n")
            elif "text/event-stream" in text.partition("\n\n")[0] and text.startswith("HTTP"):
                events = text.partition("\n\n")[2].split("\n\n")
            else:
                continue
            for event in events:
                data = "\n".join(
                    line[6:] for line in event.split("\n") if line.startswith("data: ")
                )
                assert not data or is_message(data), row["id"]


def test_a_mark_in_the_middle_is_refused_by_the_second_opinion_too():
    (row,) = [row for row in CLAUSES if row["id"] == "newline.bom-later"]
    assert answers(given_bytes(row), row["keeps"])


# --- rulings and profiles -----------------------------------------------------------


def test_every_ruling_has_the_same_fields():
    for row in RULINGS:
        assert [field for field in row if field != "example_bytes"] == RULING_FIELDS, row["id"]
        assert row["origin"] in {"design", "field"}, row["id"]
        assert row["actor"] in ACTORS, row["id"]
        assert row["point"], row["id"]
        assert row["default"].endswith("."), row["id"]
        assert row["why"].endswith("."), row["id"]


def test_every_row_of_the_design_has_a_ruling():
    assert [row["id"] for row in RULINGS if row["origin"] == "design"] == DESIGN


def test_the_points_are_those_of_the_design():
    found = dict.fromkeys(row["point"] for row in RULINGS if row["origin"] == "design")
    assert list(found) == POINTS


def test_the_design_page_leads_to_the_rulings_and_has_no_table_of_them():
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    assert "(rulings.md)" in text
    assert "| point |" not in text


def test_the_clauses_of_every_ruling_exist():
    known = set(ids(CLAUSES))
    for row in RULINGS:
        assert row["clauses"], row["id"]
        assert set(row["clauses"]) <= known, row["id"]


def readings(ruling):
    return [ruling["reading"], *(other["reading"] for other in ruling["others"])]


def test_the_readings_of_a_ruling_are_a_closed_set_of_names():
    for row in RULINGS:
        assert row["others"], row["id"]
        assert len(set(readings(row))) == len(readings(row)), row["id"]
        for other in row["others"]:
            assert list(other) == ["reading", "does", "who"], row["id"]
        assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in readings(row)), row["id"]


def test_every_report_that_a_ruling_names_has_the_form_of_one():
    for row in RULINGS:
        assert all(re.fullmatch(r"J\d{3}", report) for report in row["reports"]), row["id"]
        assert row["reports"] == sorted(set(row["reports"])), row["id"]


def test_the_profiles_are_the_five_that_the_course_teaches():
    assert list(PROFILES) == ["core", "mcp", "lsp", "acp", "a2a"]
    for profile in PROFILES.values():
        assert profile["framing"] in {"newline", "content-length", "http"}
        assert profile["extends"] == ("" if profile["id"] == "core" else "core")
        assert set(profile["sources"]) <= set(SOURCES)
        assert set(profile["revisions"]) <= set(profile["sources"])


def test_core_takes_every_default():
    assert PROFILES["core"]["readings"] == {}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_reading_of_a_profile_is_one_that_its_ruling_knows(profile):
    by_id = {row["id"]: row for row in RULINGS}
    for ruling, reading in PROFILES[profile]["readings"].items():
        assert reading in readings(by_id[ruling])
        assert reading != by_id[ruling]["reading"], "a profile names only what differs"


def test_rulings_and_profiles_tell_the_same_readings():
    told = {(r["id"], p, name) for r in RULINGS for p, name in r["profiles"].items()}
    kept = {(r, p, name) for p in PROFILES for r, name in PROFILES[p]["readings"].items()}
    assert told == kept


def test_every_profile_binds_a_clause_of_its_own():
    assert all(any(row["profiles"] == [p] for row in CLAUSES) for p in ["mcp", "lsp", "acp", "a2a"])
