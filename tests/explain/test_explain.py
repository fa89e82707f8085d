"""What an explanation says about lines that are written out here."""

import json
import random
import time

import pytest

from rpclab.errors import ERR_INVALID_REQUEST, ERR_PARSE
from rpclab.explain import explain
from rpclab.explain.findings import FINDINGS
from rpclab.explain.frame_rules import PIECES
from rpclab.explain.members import CALL_CLAUSES, RESPONSE_CLAUSES
from rpclab.explain.mistakes import MISTAKES
from rpclab.explain.protocol_rules import RULES
from rpclab.spec import clause, profiles, ruling

REQUEST = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'
NOTIFICATION = '{"jsonrpc":"2.0","method":"update"}'
SUCCESS = '{"jsonrpc":"2.0","result":19,"id":1}'
ERROR = '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}'


def verdicts(explanation):
    return {finding.clause: finding.verdict for finding in explanation.findings}


def names_at(explanation, text):
    """Return owner, name and path of the span that begins where a text does."""
    at = explanation.data.index(text)
    return next((s.owner, s.name, s.path) for s in explanation.spans if s.start == at)


def code_of(explanation):
    return json.loads(explanation.answer.line)["error"]["code"]


# --- shapes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        (REQUEST, "request"),
        (NOTIFICATION, "notification"),
        (SUCCESS, "success response"),
        (ERROR, "error response"),
        (f"[{REQUEST},{NOTIFICATION}]", "batch"),
        (f"{REQUEST}\n{NOTIFICATION}\n", "several messages"),
    ],
)
def test_a_good_line_has_its_shape_and_breaks_nothing(line, shape):
    explanation = explain(line)
    assert (explanation.shape, explanation.valid, explanation.verdict) == (shape, True, "kept")
    assert explanation.fault is None


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ('{"jsonrpc":"2.0","method":"sum","id":1', "request"),
        ("{'jsonrpc':'2.0','method':'sum'}", "notification"),
        ('{"jsonrpc":"2.0","result":1,}', "success response"),
        ("{jsonrpc:2.0,error:{}}", "error response"),
        ("[1,", "batch"),
        ('{"Method":"sum","id":1}', "request"),
        ('{"jsonrpc":"2.0"}', "request"),
        ('{"a":1}', "no message"),
        ("hello there", "no message"),
        ("7", "no message"),
    ],
)
def test_a_broken_line_has_the_nearest_shape(line, shape):
    explanation = explain(line)
    assert (explanation.shape, explanation.valid) == (shape, False)
    assert explanation.verdict == "broken"


# --- spans ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "span"),
    [
        (b'"method"', ("member", "method", "method")),
        (b"42", ("member", "params", "params[0]")),
        (b",23", ("member", "params", "params")),
        (b'1}', ("member", "id", "id")),
        (b'{', ("json", "opening brace", "")),
        (b',"id"', ("json", "comma", "")),
    ],
)  # fmt: skip
def test_a_byte_has_an_owner_a_name_and_a_path(text, span):
    assert names_at(explain(REQUEST), text) == span


def test_members_of_a_batch_have_paths_of_their_own():
    explanation = explain(f'[{NOTIFICATION},{{"method":{{"x y":[7]}}}}]')
    assert names_at(explanation, b'"update"') == ("member", "method", "[0].method")
    assert names_at(explanation, b"7") == ("member", "method", '[1].method["x y"][0]')


def test_a_span_of_a_member_names_its_clause():
    spans = {span.name: span.clause for span in explain(ERROR).spans if span.owner == "member"}
    assert spans == {"jsonrpc": "5.jsonrpc-exact", "error": "5.error-object", "id": "5.id-same"}


def test_broken_json_has_members_before_and_after_the_fault():
    explanation = explain('{"jsonrpc":"2.0";"method":"sum","id":1}')
    assert [s.name for s in explanation.spans if s.start == explanation.fault] == ["fault"]
    assert names_at(explanation, b'"2.0"') == ("member", "jsonrpc", "jsonrpc")
    assert names_at(explanation, b'"sum"') == ("member", "method", "method")


def test_the_frame_owns_mark_and_line_end():
    explanation = explain(f"\ufeff{REQUEST}\r\n")
    assert explanation.spans[0][:4] == (0, 3, "frame", "byte order mark")
    assert explanation.spans[-1][2:4] == ("frame", "line end with a carriage return")


def test_every_span_and_finding_names_a_clause_that_exists():
    ids = {template.clause for template in FINDINGS.values()}
    ids |= {rule.clause for rules in RULES.values() for rule in rules}
    ids |= {id for id, _ in PIECES.values()} - {""}
    for id in ids | {*CALL_CLAUSES.values(), *RESPONSE_CLAUSES.values()}:
        assert clause(id)
    for id in {template.ruling for template in FINDINGS.values()} - {""}:
        assert ruling(id)


# --- findings -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "clause", "verdict", "ruling"),
    [
        ('"id":null', "4.id-null-bent", "bent", "id-null"),
        ('"id":1.5', "4.id-fraction-bent", "bent", "id-fraction"),
        ('"id":1e2', "4.id-type", "free", "id-fraction"),
        ('"id":9007199254740993', "json.number-limits", "free", "id-large"),
        ('"id":true', "4.id-type", "broken", "id-wrong-type"),
        ('"params":"x"', "4.2.structured", "broken", "params-unstructured"),
        ('"result":1', "4.method-present", "free", "method-and-result"),
        ('"trace":1', "4.object", "free", "unknown-members"),
        ('"id":1,"id":2', "json.unique-names", "bent", "duplicate-members"),
        ('"params":{"a":1,"\\u0061":2}', "json.unique-names", "bent", "duplicate-members"),
    ],
)
def test_a_point_that_is_open_is_read_by_its_ruling(member, clause, verdict, ruling):
    explanation = explain(f'{{"jsonrpc":"2.0","method":"a",{member}}}')
    assert (clause, verdict, ruling) in {
        (f.clause, f.verdict, f.ruling) for f in explanation.findings
    }


@pytest.mark.parametrize(
    ("code", "clause", "verdict"),
    [
        (-32700, "5.1.code-integer", "kept"),
        (-32050, "5.1.server-range", "kept"),
        (-32300, "5.1.future", "broken"),
        (1001, "5.1.application-space", "kept"),
    ],
)
def test_a_code_belongs_to_a_range(code, clause, verdict):
    line = f'{{"jsonrpc":"2.0","error":{{"code":{code},"message":"m"}},"id":1}}'
    assert verdicts(explain(line))[clause] == verdict


@pytest.mark.parametrize(
    ("line", "clause", "verdict"),
    [
        (ERROR.replace("not", "\\n"), "5.1.message-short", "bent"),
        ('{"jsonrpc":"2.0","result":1,"id":[]}', "5.id-same", "broken"),
        ('{"jsonrpc":"2.0","method":"","id":1}', "4.method-string", "free"),
        ('{"jsonrpc":"2.0","method":"rpc.x","id":1}', "4.rpc-reserved", "free"),
        ('{"jsonrpc":"2.0","id":1}', "5.one-of", "broken"),
        (f"[{SUCCESS}]", "6.array", "kept"),
        (f"{REQUEST}\r\n", "newline.lf-written", "free"),
        (f"\n{REQUEST}\n", "newline.blank-skipped", "free"),
    ],
)  # fmt: skip
def test_a_clause_has_its_verdict(line, clause, verdict):
    assert verdicts(explain(line))[clause] == verdict


def test_a_response_among_calls_is_free():
    explanation = explain(f"[{SUCCESS},{REQUEST}]")
    assert verdicts(explanation.members[0])["6.one-each"] == "free"
    assert explanation.answer.kind == "several"


# --- answers --------------------------------------------------------------------------


def test_an_error_that_is_earned_already_is_written_out():
    assert code_of(explain('{"a"')) == ERR_PARSE
    assert code_of(explain('{"jsonrpc":"2.0","method":1,"id":7}')) == ERR_INVALID_REQUEST
    assert json.loads(explain('{"jsonrpc":"2.0","method":1,"id":7}').answer.line)["id"] == 7


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (REQUEST, "response"),
        (NOTIFICATION, "silence"),
        (SUCCESS, "silence"),
        (f"[{NOTIFICATION}]", "silence"),
        (f"[{NOTIFICATION},{SUCCESS}]", "silence"),
        (f"[{REQUEST},1]", "several"),
        ("[1,2]", "error"),
        ("[]", "error"),
        ("", "silence"),
        ("  \n", "silence"),
        (f"{NOTIFICATION}\n{SUCCESS}\n", "silence"),
        (f"{REQUEST}\n{NOTIFICATION}\n", "several"),
        (f"\ufeff{REQUEST}\n", "response"),
    ],
)
def test_what_must_be_answered(line, kind):
    assert explain(line).answer.kind == kind


def test_a_long_batch_is_answered_in_short():
    members = ",".join(REQUEST for _ in range(30))
    assert "and 20 more" in explain(f"[{members}]").answer.says


def test_a_header_on_a_newline_stream_earns_an_error_and_its_body_an_answer():
    explanation = explain(f"Content-Length: {len(REQUEST)}\r\n\r\n{REQUEST}")
    assert explanation.answer.kind == "several"
    assert explanation.answer.says.startswith("2 answers to 2 messages")
    assert explanation.fault == 0


# --- profiles -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "line", "clause"),
    [
        ("mcp", '{"jsonrpc":"2.0","method":"a","id":null}', "mcp.id-not-null"),
        ("lsp", '{"jsonrpc":"2.0","method":"a","id":null}', "lsp.id"),
        ("mcp", '{"jsonrpc":"2.0","method":"a","id":1.5}', "mcp.id-type"),
        ("lsp", '{"jsonrpc":"2.0","method":"a","id":2147483648}', "lsp.integer-range"),
        ("mcp", REQUEST, "mcp.params-object"),
        ("mcp", SUCCESS, "mcp.result-object"),
        ("mcp", f"[{NOTIFICATION}]", "mcp.no-batches"),
        ("lsp", f"[{NOTIFICATION}]", "lsp.no-batches"),
        (
            "mcp",
            '{"jsonrpc":"2.0","method":"a","id":1,"params":{"_meta":'
            '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
            "mcp.request-meta",
        ),
        (
            "mcp",
            '{"jsonrpc":"2.0","method":"a","params":{"_meta":{"progressToken":1.5}},"id":1}',
            "progress.mcp-token-type",
        ),
        (
            "mcp",
            '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"id":7}}',
            "cancel.mcp-notification",
        ),
        (
            "lsp",
            '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":null}}',
            "cancel.lsp-names-the-id",
        ),
        ("lsp", '{"jsonrpc":"2.0","method":"$/progress"}', "progress.lsp-token-type"),
        (
            "acp",
            '{"jsonrpc":"2.0","result":{"protocolVersion":"2025-11-25"},"id":0}',
            "acp.version-integer",
        ),
        ("a2a", '{"jsonrpc":"2.0","method":"message/send","id":1}', "a2a.pascal-case"),
    ],
)
def test_a_protocol_breaks_by_its_own_clause_what_json_rpc_keeps(profile, line, clause):
    assert verdicts(explain(line, profile))[clause] == "broken"
    assert explain(line).verdict != "broken"


@pytest.mark.parametrize(("failed", "verdict"), [("true", "free"), ("false", "kept")])
def test_is_error_is_explained_under_mcp_alone(failed, verdict):
    line = f'{{"id":4,"jsonrpc":"2.0","result":{{"content":[],"isError":{failed}}}}}'
    said = [f for f in explain(line, "mcp").findings if f.says.startswith("isError")]
    assert [finding.verdict for finding in said] == [verdict]
    assert not [f for f in explain(line).findings if f.says.startswith("isError")]


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ('{"jsonrpc":"2.0","result":{"tools":[]},"id":1}', "mcp.result-type"),
        ('{"jsonrpc":"2.0","method":"initialize","params":{},"id":0}', "mcp.request-meta"),
    ],
)
def test_what_only_the_newest_revision_asks_for_is_free(line, clause):
    explanation = explain(line, "mcp")
    assert explanation.verdict == "kept"
    assert verdicts(explanation)[clause] == "free"


@pytest.mark.parametrize(
    ("profile", "code", "name"),
    [
        ("lsp", -32800, "RequestCancelled"),
        ("lsp", -32002, "ServerNotInitialized"),
        ("a2a", -32001, "TaskNotFoundError"),
    ],
)
def test_a_code_has_the_meaning_that_the_protocol_gave_it(profile, code, name):
    line = f'{{"jsonrpc":"2.0","error":{{"code":{code},"message":"m"}},"id":1}}'
    assert any(f"code {code} is {name}" in f.says for f in explain(line, profile).findings)
    assert not any(name in finding.says for finding in explain(line).findings)


def test_a_code_that_clients_make_themselves_is_the_servers_own_in_a_message():
    line = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"m"},"id":1}'
    (finding,) = [f for f in explain(line, "mcp").findings if f.clause == "5.1.server-range"]
    assert "range for servers" in finding.says
    assert "A client's own library uses it too, for Request timed out" in finding.says


def test_a_finding_about_the_whole_does_not_point_at_a_member_without_a_name():
    line = '{"jsonrpc":"2.0","":1,"id":2}'
    (finding,) = [f for f in explain(line).findings if f.clause == "4.method-present"]
    assert (finding.start, finding.end) == (0, len(line))


def test_no_sentence_has_backquotes_in_it():
    lines = ['{"jsonrpc":"2.0","method":"a","params":[],"id":null}', '{"jsonrpc":"2.0","id":1.5}']
    for line in lines:
        for profile in profiles():
            said = [finding.says for finding in explain(line, profile.id).findings]
            assert "`" not in "".join(said)


def test_what_a_protocol_refuses_is_answered_with_an_error_and_no_made_up_id():
    explanation = explain('{"jsonrpc":"2.0","method":"a","id":null}', "mcp")
    assert code_of(explanation) == ERR_INVALID_REQUEST
    assert json.loads(explanation.answer.line)["id"] is None


@pytest.mark.parametrize("profile", profiles(), ids=lambda row: row.id)
def test_a_message_of_the_protocols_own_is_kept(profile):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "abc",
    }
    params = {"_meta": meta, "protocolVersion": 1}
    call = {"jsonrpc": "2.0", "method": "Initialize", "params": params, "id": 1}
    assert explain(json.dumps(call), profile.id).verdict == "kept"


def test_a_profile_that_does_not_exist_is_refused_with_a_sentence():
    with pytest.raises(LookupError, match=r"there is no profile 'nope'; the profiles are core"):
        explain("{}", "nope")


@pytest.mark.parametrize("profile", ["mcp", "a2a"])
def test_http_is_a_frame_where_the_protocol_uses_it(profile):
    note = '{"jsonrpc":"2.0","method":"Update"}'
    explanation = explain(f"POST /rpc HTTP/1.1\r\nHost: x\r\n\r\n{note}", profile)
    assert (explanation.shape, explanation.verdict) == ("notification", "kept")


def test_an_event_is_a_frame_where_the_protocol_uses_it():
    explanation = explain(f"event: message\ndata: {ERROR}\n\n: ping\n\n", "a2a")
    assert (explanation.shape, explanation.verdict) == ("error response", "kept")


def test_pretty_printing_is_no_fault_inside_a_length():
    pretty = json.dumps(json.loads(NOTIFICATION), indent=2)
    assert explain(pretty, "lsp").verdict == "kept"
    assert explain(pretty).verdict == "broken"


# --- several lines --------------------------------------------------------------------


def test_lines_are_explained_one_by_one():
    explanation = explain(f"INFO ready\n{REQUEST}\n")
    assert [member.verdict for member in explanation.members] == ["broken", "kept"]
    assert [member.at for member in explanation.members] == [0, 11]


def test_a_pretty_printed_message_is_shown_whole_and_judged_by_the_line():
    explanation = explain('{\n "jsonrpc": "2.0",\n "method": "update"\n}\n')
    assert explanation.shape == "notification"
    assert len(explanation.members) == 4
    assert names_at(explanation, b'"update"') == ("member", "method", "method")


def test_a_pretty_printed_message_may_have_thousands_of_lines():
    call = json.dumps({"jsonrpc": "2.0", "method": "a", "params": [0] * 3000, "id": 1}, indent=1)
    explanation = explain(call + "\n")
    assert [mistake.id for mistake in explanation.mistakes] == ["pretty-printed"]
    assert explanation.shape == "request"
    assert sum(span.end - span.start for span in explanation.spans) == len(call) + 1


@pytest.mark.parametrize(
    ("escapes", "at"),
    [
        ("\\ud83d", 0),
        ("\\ud83d\\u0041", 0),
        ("\\udc00", 0),
        ("\\ud83d\\ude00\\ude00", 12),
        ("\\ud83d\\ude00", None),
        ("\\ud83dx\\ude00", 0),
        ("\\\\ud83d", None),
    ],
)
def test_half_a_character_is_found_among_whole_ones(escapes, at):
    line = f'{{"jsonrpc":"2.0","method":"a","params":["{escapes}"],"id":1}}'
    found = [m.offset for m in explain(line).mistakes if m.id == "lone-surrogate"]
    assert found == ([] if at is None else [line.index(escapes) + at])


def test_a_message_that_was_cut_off_is_not_pretty_printed():
    explanation = explain(f'{{"jsonrpc":"2.0"\n{REQUEST}\n')
    assert explanation.mistake.id == "not-closed"
    assert [member.valid for member in explanation.members] == [False, True]


def test_what_is_beyond_the_first_thousand_is_judged_too():
    good, bad = f"{NOTIFICATION}\n", "{}\n"
    assert explain(good * 1500).verdict == "kept"
    assert explain(good * 1500 + bad).verdict == "broken"
    assert explain(f"[{','.join([NOTIFICATION] * 1500)}]").verdict == "kept"
    assert explain(f"[{','.join([NOTIFICATION] * 1500)},1]").verdict == "broken"


# --- the whole --------------------------------------------------------------------------


def test_it_becomes_json_that_says_the_same():
    value = json.loads(json.dumps(explain(f"[{REQUEST},1]").to_json()))
    assert value["shape"] == "batch"
    assert value["members"][1]["verdict"] == "broken"
    assert explain(b"\xff").to_json()["base64"] == "/w=="


def test_a_text_is_explained_as_the_bytes_it_is_written_as():
    assert explain(REQUEST) == explain(REQUEST.encode())
    assert explain("\ud800").verdict == "broken"


GENERATOR = random.Random(3)
LONG = {
    "one string": b'{"jsonrpc":"2.0","method":"a","params":["' + b"x" * 10**6 + b'"]}',
    "a million digits": b'{"jsonrpc":"2.0","method":"a","params":[' + b"1" * 10**6 + b"]}",
    "200,000 tokens": b'{"jsonrpc":"2.0","method":"a","params":[' + b"1," * 10**5 + b"1]}",
    "a million brackets": b"[" * 10**6,
    "garbage": GENERATOR.randbytes(10**6),
    "garbage in one line": GENERATOR.randbytes(10**6).replace(b"\n", b""),
    "text": b"word 'and' \"quotes\" " * 50_000,
    "quotes": b'"\\' * 500_000,
    "members": b"{" + b'"a":1,' * 160_000 + b'"a":1}',
    "a batch": b"[" + b",".join([NOTIFICATION.encode()] * 25_000) + b"]",
    "scalars": b"[" + b"1," * 499_000 + b"1]",
    "lines": NOTIFICATION.encode() + b"\n" + b"1\n" * 400_000,
    "headers": b"Content-Length: 1\r\n" * 50_000,
    "comments": b"[" + b"/*" * 500_000,
}


@pytest.mark.parametrize("name", LONG)
def test_a_megabyte_is_explained_in_time(name):
    start = time.process_time()
    explanation = explain(LONG[name])
    assert time.process_time() - start < 5  # 2 s, with room for a slower machine
    assert explanation.spans[-1].end == len(LONG[name])


def test_members_after_a_very_long_one_have_spans():
    line = b'{"jsonrpc":"2.0","params":[[%b1],{"x":"]"}],"method":"a","id":1}' % (b"1," * 200_000)
    explanation = explain(line)
    assert names_at(explanation, b'"method"') == ("member", "method", "method")
    ends = [0, *(span.end for span in explanation.spans)]
    assert [span.start for span in explanation.spans] == ends[:-1]
    assert explanation.verdict == "kept"


def test_no_sentence_calls_anything_easy():
    sentences = [template.says for template in FINDINGS.values()]
    sentences += [part for advice in MISTAKES.values() for part in (advice.says, advice.fix)]
    sentences += [rule.broken for rules in RULES.values() for rule in rules]
    for sentence in sentences:
        assert not {"simply", "just", "obviously"} & set(sentence.lower().split())


def test_core_has_no_rules_of_a_protocol():
    assert not [f for f in explain(REQUEST).findings if f.clause.startswith(("mcp", "lsp"))]


# --- revisions of a protocol --------------------------------------------------------

OLD_HANDSHAKE = (
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
)
PLAIN_RESULT = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}'
BATCH = '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'


@pytest.mark.parametrize(
    ("profile", "line", "clause", "verdict"),
    [
        ("mcp", OLD_HANDSHAKE, "mcp.request-meta", None),
        ("mcp@2026-07-28", OLD_HANDSHAKE, "mcp.request-meta", "broken"),
        ("mcp", PLAIN_RESULT, "mcp.result-type", "free"),
        ("mcp@2025-06-18", PLAIN_RESULT, "mcp.result-type", None),
        ("mcp@2026-07-28", PLAIN_RESULT, "mcp.result-type", "broken"),
        ("mcp@2025-03-26", BATCH, "6.array", "kept"),
        ("mcp@2025-06-18", BATCH, "mcp.no-batches", "broken"),
    ],
)
def test_a_clause_is_judged_in_the_revisions_that_have_it(profile, line, clause, verdict):
    it = explain(line, profile)
    assert it.profile == profile
    assert {f.verdict for f in it.findings if f.clause == clause} == {verdict} - {None}


def test_a_message_is_judged_by_the_revision_that_it_names():
    reply = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"%s"}}'
    verdicts = {
        version: [
            f.verdict
            for f in explain(reply % version, "mcp").findings
            if f.clause == "mcp.result-type"
        ]
        for version in ("2024-11-05", "2026-07-28", "1999-01-01")
    }
    assert verdicts == {"2024-11-05": [], "2026-07-28": ["broken"], "1999-01-01": ["free"]}


def test_a_revision_that_does_not_exist_is_refused():
    with pytest.raises(LookupError, match="the revisions are 2024-11-05"):
        explain("[]", "mcp@2020-01-01")
