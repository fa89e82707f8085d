"""Words and codes that people look up are answered: who made them, where to look."""

import pytest

from rpclab.explain import explain
from rpclab.explain.error_words import clause_of, codes, look_up, words
from rpclab.spec import clause, profiles

LOOKED_UP = [
    ("MCP error -32000: Connection closed", "connection-closed"),
    ("McpError: MCP error -32001: Request timed out", "timed-out"),
    ("Unexpected token 'S', \"STDIO MCP \"... is not valid JSON", "unexpected-token"),
    ("SyntaxError: Unexpected token S in JSON at position 0", "unexpected-token"),
    ("Method not found (-32601)", "error-code"),
    ("Error: Method not found", "error-code"),
    ("spawn npx ENOENT", "spawn-enoent"),
    ("Error: spawn C:\\Program Files\\nodejs\\npx ENOENT", "spawn-enoent"),
    ("Server disconnected", "connection-closed"),
    ("write EPIPE", "broken-pipe"),
    ("BrokenPipeError: [Errno 32] Broken pipe", "broken-pipe"),
    ("Extra data: line 1 column 5 (char 4)", "json-decode-error"),
    ("JSONDecodeError: Expecting value: line 1 column 1 (char 0)", "json-decode-error"),
    ("expected value at line 1 column 1", "serde-error"),
    ("Content modified -32801", "error-code"),
    ("ContentModified", "error-code"),
    ("-32602", "error-code"),
    ("-32800", "error-code"),
    ("-32050", "error-code"),
    ("-32000: Connection closed", "connection-closed"),
    ("2025-09-11 [srv] [error] Server transport closed unexpectedly", "connection-closed"),
    ("Client 1 quit with exit code 1 and signal 0", "connection-closed"),
    ('[warning] Failed to parse message: "Starting server..."', "unexpected-token"),
    ("ModuleNotFoundError: No module named 'mcp'", "module-missing"),
    ("Message header must separate key and value using :", "header-missing"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "id"), LOOKED_UP, ids=[line for line, _ in LOOKED_UP])
def test_the_words_of_an_error_are_looked_up(line, id):
    explanation = explain(line)
    mistake = explanation.mistake
    assert mistake.id == id
    assert mistake.fix.endswith(".")
    assert clause(clause_of(mistake))
    assert explanation.verdict == "broken"


@pytest.mark.parametrize("row", words(), ids=lambda row: row.id)
def test_every_row_of_words_finds_its_own_example(row):
    assert look_up(row.example.encode(), "core").id == row.id
    assert clause(row.clause)
    assert not row.says.endswith(".")


def test_the_two_errors_that_clients_make_say_so():
    for words_of_client in ("MCP error -32000: Connection closed", "-32001: Request timed out"):
        assert "the client made this error itself" in explain(words_of_client).mistake.says


@pytest.mark.parametrize(
    ("profile", "wanted"),
    [
        ("mcp", ["in MCP is Resource not found"]),
        ("lsp", ["in LSP is ServerNotInitialized"]),
        ("core", ["in MCP is", "in LSP is", "in ACP is", "in A2A is"]),
    ],
)
def test_a_code_is_read_by_the_profile_or_else_by_all(profile, wanted):
    says = explain("-32002", profile).mistake.says
    assert [part for part in wanted if part in says] == wanted
    assert says.count(" in ") == len(wanted) or profile != "core"


def test_a_log_line_with_the_words_of_an_error_is_still_a_log_line():
    mistakes = explain("2025-09-11 [error] Server transport closed unexpectedly").mistakes
    assert [mistake.id for mistake in mistakes] == ["connection-closed", "log-line"]


def test_a_trace_below_the_words_does_not_hide_them():
    explanation = explain(
        "McpError: MCP error -32000: Connection closed\n    at x (file:///y.js:1:2)\n"
    )
    assert [mistake.id for mistake in explanation.mistakes] == ["connection-closed", "stack-trace"]


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Connection closed"},"id":1}',
        'INFO got {"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
        "[-32000]",
        "-1",
        "hello",
        "the number -32000 is in the middle of a text that is about something else" * 3,
    ],
)
def test_a_message_is_not_looked_up(line):
    assert not any(clause_of(mistake) for mistake in explain(line).mistakes)


def test_every_code_names_a_profile_and_is_there_once():
    known = {row.id for row in profiles()} - {"core"} | {""}
    assert {row.used_by for row in codes()} <= known
    keys = [(row.code, row.used_by) for row in codes()]
    assert len(keys) == len(set(keys))
