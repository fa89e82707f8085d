"""What people paste: logs, printed values and other encodings, with a message inside."""

import json
import time

import pytest

from rpclab.explain import explain
from rpclab.explain.lsp_trace import read
from rpclab.explain.printed_values import read_printed

MESSAGE = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
VALUE = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def ids(explanation):
    return [mistake.id for mistake in explanation.mistakes]


# --- a message inside other text ----------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"2025-09-11T23:28:52.275Z [srv] [info] from client: ", b" { metadata: undefined }"),
        (b"[DEBUG][2023-03-29 20:33:49] rpc.lua:284\t", b""),
        (b"web_1  | ", b""),
        (b"DEBUG:root:sent ", b""),
        (b"[client] -> ", b"\r"),
        (b"-> ", b"   request"),
        (b"<-- ", b""),
        (b"[1704067200.123] ", b""),
        (b"\x1b]0;~/code\x07", b""),
        (b"\x1b[32m", b"\x1b[0m"),
        (b"$ ", b""),
        (b"echo '", b"' | rpclab serve"),
        (b"'", b"'"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("message", [MESSAGE, b'[{"jsonrpc":"2.0","method":"a"}]'])
def test_a_message_inside_a_line_is_found_and_explained(before, after, message):
    explanation = explain(before + message + after)
    (inside,) = explanation.quoted
    assert (inside.at, inside.data, inside.verdict) == (len(before), message, "kept")
    assert ids(explanation)[-1] == "message-inside"
    assert explanation.verdict == "broken"
    names = [span.name for span in explanation.spans if span.start == inside.at]
    assert names == [inside.spans[0].name]


def test_the_message_in_a_log_line_may_be_broken_itself():
    before = b"2025-09-11 12:00:00 INFO got "
    for line, mistake in [
        (b'{"jsonrpc":"2.0","params":[1,2,]}', "trailing-comma-array"),
        (b'{"jsonrpc":"2.0","params":[1,2', "not-closed"),
        (b'{"jsonrpc":"2.0","method":1}', "method-type"),
    ]:
        (inside,) = explain(before + line).quoted
        assert (inside.at, inside.data, inside.mistake.id) == (len(before), line, mistake)


@pytest.mark.parametrize(
    "line",
    [
        MESSAGE + b" trailing",
        MESSAGE + MESSAGE,
        b"[1," + MESSAGE,
        b'{"jsonrpc":"2.0","method":"a',
        b'{"jsonrpc":"2.0","method":"sum","params":[1,2,],"id":1}',
        b"{oops " + MESSAGE,
        b"[1,2",
        b'INFO config {"debug":true} [1,2]',
        b"hello there",
    ],
)
def test_broken_json_quotes_nothing(line):
    assert explain(line).quoted == ()


def test_each_line_of_a_log_has_its_own_message():
    log = b"INFO a " + MESSAGE + b"\nINFO nothing here\nINFO b " + MESSAGE + b"\n"
    assert [len(line.quoted) for line in explain(log).members] == [1, 0, 1]
    assert explain(log).quoted == ()


def test_a_pretty_printed_message_in_a_log_is_found_over_its_lines():
    before = b"2025-09-11 12:00:00 received:\n"
    pretty = json.dumps(VALUE, indent=2).encode()
    (inside,) = explain(before + pretty + b"\n").quoted
    assert (inside.at, inside.data, inside.shape) == (len(before), pretty, "request")


@pytest.mark.parametrize(
    "line",
    [
        b'{"log":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}\\n","stream":"stdout"}',
        b'{"isLSPMessage":true,"message":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
        b'"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}"',
        b'{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}',
        b"b'" + MESSAGE + b"\\n'",
        b"INFO:root:received b'" + MESSAGE + b"'",
        b'INFO {"level":"debug","payload":' + MESSAGE + b"}",
    ],
)
def test_a_message_inside_json_or_a_string_is_found(line):
    (inside,) = explain(line).quoted
    assert json.loads(inside.data) == VALUE


def test_python_bytes_are_read_with_their_escapes():
    message = {"jsonrpc": "2.0", "method": "say", "params": ['a "quote"', "new\nline", "é"]}
    printed = repr(json.dumps(message, ensure_ascii=False).encode()).encode()
    assert json.loads(explain(printed).quoted[0].data) == message


# --- printed values -----------------------------------------------------------------------

PRINTED = {
    "javascript-object": "{ jsonrpc: '2.0', id: 1, method: 'ping' }",
    "lua-table": '{  id = 1,  jsonrpc = "2.0",  method = "ping" }',
    "emacs-plist": '(:jsonrpc "2.0" :id 1 :method "ping")',
    "python-dict": "{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}",
}


@pytest.mark.parametrize("before", ["", "[DEBUG][2023-03-29 20:33:49] rpc.send ", "info: "])
@pytest.mark.parametrize("language", PRINTED)
def test_a_value_that_another_language_printed_is_read_and_explained(language, before):
    explanation = explain(before + PRINTED[language])
    (inside,) = explanation.quoted
    assert (json.loads(inside.data), inside.at) == (VALUE, len(before))
    assert language in ids(explanation)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': (1, None), 'b': True}", {"a": [1, None], "b": True}),
        ("{ a: [ 1, 2.5 ], 'b-c': \"it's\" }", {"a": [1, 2.5], "b-c": "it's"}),
        ("{ a: 'x' +\n   'y', b: -1e3, c: null }", {"a": "xy", "b": -1000.0, "c": None}),
        ("{ a: undefined, b: [ undefined ], c: Foo { d: 1 } }", {"b": [None], "c": {"d": 1}}),
        ("[ { a: `x` } ]", [{"a": "x"}]),
        ('{ ["a-b"] = vim.NIL, c = { "x", 1 }, d = {} }', {"a-b": None, "c": ["x", 1], "d": {}}),
        ("{ 1, 2, nil, vim.empty_dict() }", [1, 2, None, {}]),
        ('(:a [1 t :json-false] :b (:c nil))', {"a": [1, True, False], "b": {"c": None}}),
        ('(:d ("x"))', {"d": ["x"]}),
        (r"{ a: 'tab\there\x21\u0041\u{1F600}\'' }", {"a": "tab\there!A\U0001f600'"}),
    ],
)  # fmt: skip
def test_a_printed_value_is_read_without_loss(text, value):
    printed = read_printed(text.encode(), 0)
    assert (printed.value, printed.lost, printed.end) == (value, "", len(text.encode()))


@pytest.mark.parametrize(
    ("language", "text", "lost"),
    [
        ("javascript-object", "id: 3, result: { a: [ [Object], 'x' ] }", "[Object]"),
        ("javascript-object", "id: 3, result: [ [Array], ... 3 more items ]", "[Array]"),
        ("javascript-object", "id: 3, f: [Function: go]", "[Function: go]"),
        ("javascript-object", "id: 3, f: [Circular *1]", "[Circular *1]"),
        ("javascript-object", "id: 3, f: Map(1) { 'a' => 1 }", "Map(1) { 'a' => 1 }"),
        ("lua-table", 'id = 1, method = "a", f = <function 1>', "<function 1>"),
        ("python-dict", "'id': 3, 'f': <object object at 0x7f>", "<object object at 0x7f>"),
        ("python-dict", "'id': 3, 'f': datetime.date(2020, 1, 1)", "datetime.date(2020, 1, 1)"),
    ],
)
def test_what_a_printer_left_out_is_named_and_not_made_up(language, text, lost):
    begin = {
        "javascript-object": "jsonrpc: '2.0'",
        "lua-table": 'jsonrpc = "2.0"',
        "python-dict": "'jsonrpc': '2.0'",
    }
    explanation = explain(f"{{ {begin[language]}, {text} }}")
    (mistake,) = explanation.mistakes
    assert (mistake.id, explanation.quoted) == (language, ())
    assert f"{lost} is lost" in mistake.fix


def test_a_printed_value_that_was_cut_is_named_by_its_beginning():
    assert ids(explain("{ jsonrpc: '2.0', id: 3, result: {")) == ["javascript-object"]
    assert ids(explain('{ id = 1, method = "a", params = {')) == ["lua-table"]


@pytest.mark.parametrize(
    "text",
    ["{a", "[dotenv@17]", "{ a: }", "{ a = 1; b }", "{ 'a' 1 }", "(:a)", "{1: 2}", "{ a: 9e999 }"],
)
def test_what_no_language_prints_is_not_read(text):
    assert not explain(text).quoted


def test_an_object_of_javascript_over_many_lines_is_one_value():
    text = "{\n  jsonrpc: '2.0',\n  id: 1,\n  method: 'ping'\n}\n"
    explanation = explain(text)
    assert ids(explanation) == ["javascript-object"]
    assert json.loads(explanation.quoted[0].data) == VALUE


def test_a_slip_in_json_is_not_another_language():
    assert ids(explain('{"jsonrpc":"2.0","method":"a",}')) == ["trailing-comma-object"]
    assert ids(explain('{jsonrpc:"2.0",method:"a"}')) == ["unquoted-name"]
    assert ids(explain("{'jsonrpc':'2.0','method':'a'}"))[0] == "single-quotes"


# --- a language client's trace ------------------------------------------------------------

TRACE = """[Trace - 10:20:30 AM] Sending request 'initialize - (0)'.
Params: {
    "processId": 1234
}


[Trace - 10:20:31 AM] Received response 'initialize - (0)' in 5ms.
Result: {}


[Trace - 10:20:31 AM] Sending notification 'exit'.
No parameters provided.
[Trace - 10:20:31 AM] Received response 'x - (7)' in 5ms. Request failed: no such thing (-32601).
"""


def test_a_trace_is_turned_into_the_messages_that_it_stands_for():
    error = {"code": -32601, "message": "no such thing"}
    assert read(TRACE.encode()).messages == [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"processId": 1234}},
        {"jsonrpc": "2.0", "id": 0, "result": {}},
        {"jsonrpc": "2.0", "method": "exit"},
        {"jsonrpc": "2.0", "id": 7, "error": error},
    ]


@pytest.mark.parametrize("profile", ["core", "lsp"])
def test_a_trace_is_explained_message_by_message(profile):
    explanation = explain(TRACE, profile)
    shapes = [message.shape for message in explanation.quoted]
    assert shapes == ["request", "success response", "notification", "error response"]
    assert "lsp-trace" in ids(explanation)


def test_an_entry_whose_value_is_cut_off_is_left_out():
    assert read(b"[Trace - 1] Sending request 'a - (1)'.\nParams: {\n") is None
    assert read(b"[Trace - 1] Sending something") is None


# --- encodings ----------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_utf_16_is_read_over_all_its_lines(encoding, end):
    explanation = explain(
        (MESSAGE.decode() + end).encode(encoding) * (1 if "-" not in encoding else 2)
    )
    assert ids(explanation)[0] == "utf-16"
    assert explanation.quoted[0].data.strip().startswith(MESSAGE)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gbk", "{\"jsonrpc\":\"2.0\",\"method\":\"服务器启动\"}"),
        ("cp932", "{\"jsonrpc\":\"2.0\",\"method\":\"サーバー\"}"),
        ("cp866", "{\"jsonrpc\":\"2.0\",\"method\":\"ошибка\"}"),
        ("cp850", "{\"jsonrpc\":\"2.0\",\"method\":\"exécutable\"}"),
    ],
)  # fmt: skip
def test_a_message_in_a_code_page_is_named_and_read(encoding, text):
    explanation = explain(text.encode(encoding))
    assert ids(explanation) == ["code-page"]
    assert explanation.quoted[0].data == text.encode()
    assert explanation.quoted[0].verdict == "kept"


@pytest.mark.parametrize(
    ("encoding", "text", "id"),
    [
        ("gbk", "'npx' 不是内部或外部命令\uff0c也不是可运行的程序", "shell-error"),
        ("gbk", "[信息] 服务器启动", "log-line"),
        ("gbk", "服务器启动", "plain-text"),
        ("cp932", "サーバーを起動しました", "plain-text"),
        ("cp866", "не является внутренней или внешней командой", "plain-text"),
        ("cp949", "'npx'은(는) 내부 또는 외부 명령", "shell-error"),
    ],
)
def test_noise_in_a_code_page_is_noise_first(encoding, text, id):
    explanation = explain(text.encode(encoding))
    assert ids(explanation) == [id, "code-page"]
    assert explanation.quoted[0].data == text.encode()


# --- the whole ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"INFO " + b"{" * 500_000,
        b"INFO " + b'{"jsonrpc":' * 50_000,
        b"INFO " + b"[{'a':" * 100_000,
        b"INFO " + b"[" * 900 + b"]" * 900,
        b"INFO " + b"[" * 11 + b"'a', 1," * 13_000 + b"]" * 11,
        b"INFO " + b'{"id":{"method":' * 40_000 + b"\x1b[0m",
        b'INFO {"payload":{"jsonrpc":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{\\"jsonrpc\\":\\"\\\\ud800\\"}',
        b'{"log":"{\\"jsonrpc\\":\\"\\\\ud800\\", \\"\\ud800\\":1}"}',
        b"[Trace - 1] Sending request 'a - (" + b"9" * 9000 + b")'.",
        b"[Trace - 1] Sending request 'a - (1)'.\nParams: " + b"[" * 900 + b"]" * 900,
        b"{ jsonrpc: '2.0', id: " + b"9" * 9000 + b" }",
        b"{ jsonrpc: '2.0', id: " + b"{ a: " * 500 + b"}" * 501,
        b"{ a: " + b"'x' + " * 100_000,
        b"{ a = {" + b"1, " * 200_000,
        b"(:a " * 100_000,
        b"[Trace - 1] Sending request 'a - (1)'.\nParams: [" + b"[" * 300_000,
        b"[Trace - 1] Sending request 'a - (1)'.\nParams: {}\n" * 10_000,
        "找不到文件".encode("gbk") * 100_000,
        '{"jsonrpc":"2.0","method":"a"}\n'.encode("utf-16-le") * 15_000,
        b"[a" * 300_000,
        b"x" * 500_000 + b" | " + MESSAGE,
    ],
    ids=range(22),
)
def test_pasted_text_of_any_size_is_explained_in_time(line):
    start = time.process_time()
    explanation = explain(line)
    assert time.process_time() - start < 10  # 2 s, with room for a slower machine
    assert explanation.verdict == "broken"
