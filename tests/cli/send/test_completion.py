"""What Tab completes."""

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from rpclab.cli.send.completion import NameCompleter, write_call
from rpclab.cli.send.method_names import KnownNames
from rpclab.cli.send.server_requests import CHOICES

TOOLS = b'{"jsonrpc":"2.0","id":8,"result":{"tools":[{"name":"add"},{"name":"subtract"}]}}'


def completed(text, asked=()):
    """Return the lines that Tab can make of a text, with the cursor at its end."""
    names = KnownNames("core")
    names.add(["tools/call", "tools/list", "echo"])
    names.learn(TOOLS)
    found = NameCompleter(names, asked).get_completions(Document(text), CompleteEvent())
    return [text[: len(text) + one.start_position] + one.text for one in found]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"method":"ec', ['{"method":"echo']),
        ('{"method": "tools/', ['{"method": "tools/call', '{"method": "tools/list']),
        ('{"method":"list', ['{"method":"tools/list']),
        ('{"method":"echo"', []),
        ('{"params":"ec', []),
        ('{"method":"tools/call","params":{"name":"su', None),
        ('{"method":"echo","params":{"name":"su', []),
    ],
)
def test_names_are_completed_inside_their_member(text, lines):
    assert completed(text) == ([f"{text[:-2]}subtract"] if lines is None else lines)


def test_a_word_at_the_beginning_becomes_a_request_with_an_unused_id():
    assert completed("ec") == ['{"jsonrpc":"2.0","id":9,"method":"echo"}']


def test_an_empty_line_offers_every_method():
    assert len(completed("")) == 3


def test_while_the_server_waits_the_answers_are_offered_first():
    assert completed("", ["roots/list"])[:3] == list(CHOICES)
    assert completed("err", ["roots/list"]) == [CHOICES[1]]


def test_a_method_that_is_always_a_notification_gets_no_id():
    assert write_call("notifications/cancelled", 1) == (
        '{"jsonrpc":"2.0","method":"notifications/cancelled"}'
    )
    assert write_call('a"b', 1) == r'{"jsonrpc":"2.0","id":1,"method":"a\"b"}'
