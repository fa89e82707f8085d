"""What the requests of a server are answered with."""

import pytest

from rpclab.cli.send.server_requests import CHOICES, Choice, Rules, read_choice
from rpclab.messages import Request

ROOTS, PING = Request("roots/list", None, "a"), Request("ping", None, 7)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('result {"roots":[]}', '{"jsonrpc":"2.0","result":{"roots":[]},"id":7}'),
        ("  result null ", '{"jsonrpc":"2.0","result":null,"id":7}'),
        ("error", '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":7}'),
        ("error 7", '{"jsonrpc":"2.0","error":{"code":7,"message":"Error"},"id":7}'),
        ("error 5 I am busy", '{"jsonrpc":"2.0","error":{"code":5,"message":"I am busy"},"id":7}'),
        ("silence", None),
    ],
)  # fmt: skip
def test_a_choice_is_read_as_it_is_typed(text, line):
    assert read_choice(text).reply([PING], as_batch=False) == line


@pytest.mark.parametrize("text", ["", "resul {}", "result", "result {", "silence now", "{}"])
def test_any_other_text_is_not_a_choice(text):
    with pytest.raises(ValueError, match=r"is not (JSON|one of)"):
        read_choice(text)


@pytest.mark.parametrize("text", CHOICES)
def test_what_the_menu_offers_can_be_read(text):
    assert isinstance(read_choice(text), Choice)


def test_the_usual_codes_have_their_usual_messages():
    assert read_choice("error -32602").error.message == "Invalid params"


def test_requests_that_came_as_a_batch_are_answered_as_a_batch():
    line = read_choice("result 1").reply([ROOTS, PING], as_batch=True)
    assert line == '[{"jsonrpc":"2.0","result":1,"id":"a"},{"jsonrpc":"2.0","result":1,"id":7}]'


def test_a_rule_is_a_method_and_a_result():
    rules = Rules(['roots/list={"roots":[1]}', "ping=error -32000 busy"], "core")
    assert rules.choose([ROOTS]).result == {"roots": [1]}
    assert rules.choose([PING]).error.code == -32000


def test_a_star_is_every_other_method():
    rules = Rules(["*=silence", "ping={}"], "mcp")
    assert rules.choose([Request("sampling/createMessage", None, 1)]).is_silence
    assert rules.choose([ROOTS]).result == {"roots": []}


def test_without_a_rule_there_is_no_choice():
    assert Rules([], "core").choose([PING]) is None


def test_a_profile_has_usual_answers_and_a_given_rule_goes_first():
    assert Rules([], "mcp").choose([ROOTS]).result == {"roots": []}
    assert Rules(["roots/list=1"], "mcp").choose([ROOTS]).result == 1
    assert Rules([], "lsp").choose([Request("client/registerCapability", {}, 1)]).result is None


@pytest.mark.parametrize(
    ("params", "result"), [({"items": [{}, {}]}, [None, None]), ({"items": 5}, []), (None, [])]
)
def test_an_editor_without_settings_answers_null_for_each_item(params, result):
    asked = Request("workspace/configuration", params, 1)
    assert Rules([], "lsp").choose([asked]).result == result


def test_one_choice_must_hold_for_the_whole_batch():
    assert Rules(["ping=1"], "core").choose([PING, ROOTS]) is None
    assert Rules(["*=1"], "core").choose([PING, ROOTS]).result == 1


@pytest.mark.parametrize("text", ["ping", "=1", "ping={", "ping="])
def test_a_text_that_is_no_rule_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match="--answer "):
        Rules([text], "core")
