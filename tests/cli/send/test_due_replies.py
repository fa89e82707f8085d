"""Which replies are due, and what each reply answers."""

import pytest

from rpclab.cli.send.due_replies import DueReplies
from rpclab.errors import FramingError
from rpclab.peer.pending import DUPLICATE, LATE, OTHER_TYPE, UNCORRELATED, UNKNOWN

SUM = b'{"jsonrpc":"2.0","method":"sum","id":1}'
ECHO = b'{"jsonrpc":"2.0","method":"echo","id":2}'
BATCH = b"[%s,%s]" % (SUM, ECHO)
NOTIFICATION = b'{"jsonrpc":"2.0","method":"update"}'
NULL_ERROR = b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}'


def reply(id):
    return f'{{"jsonrpc":"2.0","result":0,"id":{id}}}'.encode()


def due_after(*lines):
    replies = DueReplies()
    for line in lines:
        replies.sent(line)
    return replies


def names(due):
    return [str(one) for one in due]


@pytest.mark.parametrize(
    ("line", "due"),
    [
        (SUM, ["sum (id 1)"]),
        (b'{"jsonrpc":"2.0","method":"sum","id":"a"}', ["sum (id a)"]),
        (b'{"jsonrpc":"2.0","method":"sum","id":null}', ["sum (id null)"]),
        (b"{", ["the broken line"]),
        (b'{"jsonrpc":"1.0","method":"sum","id":7}', ["the broken line"]),
        (b"[]", ["the broken line"]),
        (b"[%s,1,%s]" % (SUM, NOTIFICATION), ["sum (id 1)", "the broken line"]),
        (NOTIFICATION, []),
        (b"[%s]" % NOTIFICATION, []),
        (reply(1), []),
    ],
    ids=repr,
)
def test_what_is_due_for_a_line(line, due):
    assert names(due_after(line).open) == due


def test_replies_are_matched_by_id_in_any_order():
    replies = due_after(SUM, ECHO)
    assert names(replies.received(reply(2)).settled) == ["echo (id 2)"]
    assert names(replies.received(reply(1)).settled) == ["sum (id 1)"]
    assert replies.open == []


def test_a_number_is_matched_by_its_value():
    assert names(due_after(SUM).received(reply("1.0")).settled) == ["sum (id 1)"]


def test_an_id_that_was_sent_twice_is_answered_twice_the_oldest_first():
    replies = due_after(SUM, b'{"jsonrpc":"2.0","method":"again","id":1}')
    assert names(replies.received(reply(1)).settled) == ["sum (id 1)"]
    assert names(replies.received(reply(1)).settled) == ["again (id 1)"]


def test_a_request_with_the_id_null_gets_the_success_response_with_it():
    replies = due_after(b"{", b'{"jsonrpc":"2.0","method":"sum","id":null}')
    assert names(replies.received(reply("null")).settled) == ["sum (id null)"]
    assert names(replies.open) == ["the broken line"]


def test_an_error_without_an_id_answers_the_oldest_broken_line():
    replies = due_after(SUM, b"{", b"}")
    assert names(replies.received(NULL_ERROR).settled) == ["the broken line"]
    assert names(replies.open) == ["sum (id 1)", "the broken line"]


def test_an_error_with_the_id_of_a_broken_line_answers_that_line():
    line = b'{"jsonrpc":"1.0","method":"sum","id":7}'
    error = NULL_ERROR.replace(b"null", b"7")
    assert names(due_after(b"{", line).received(error).settled) == ["the broken line"]


def test_one_error_without_an_id_answers_a_whole_batch():
    replies = due_after(BATCH)
    assert names(replies.received(NULL_ERROR).settled) == ["sum (id 1)", "echo (id 2)"]


def test_an_error_without_an_id_does_not_answer_half_a_batch():
    replies = due_after(BATCH, b'{"jsonrpc":"2.0","method":"more","id":3}')
    replies.received(reply(1))
    assert replies.received(NULL_ERROR).strays == [UNCORRELATED]


def test_an_error_without_an_id_answers_a_call_if_there_is_only_one():
    assert names(due_after(SUM).received(NULL_ERROR).settled) == ["sum (id 1)"]
    assert due_after(SUM, ECHO).received(NULL_ERROR).strays == [UNCORRELATED]


def test_a_batch_is_answered_member_by_member():
    replies = due_after(b"[%s,1,%s]" % (SUM, ECHO))
    heard = replies.received(b"[%s,%s]" % (NULL_ERROR, reply(2)))
    assert names(heard.settled) == ["the broken line", "echo (id 2)"]
    assert names(replies.open) == ["sum (id 1)"]


def test_a_batch_may_be_answered_in_pieces():
    replies = due_after(BATCH)
    replies.received(reply(2))
    assert names(replies.open) == ["sum (id 1)"]


def test_a_reply_that_answers_nothing_has_a_reason():
    replies = due_after(SUM)
    assert replies.received(reply('"1"')).strays == [OTHER_TYPE]
    assert replies.received(reply(5)).strays == [UNKNOWN]
    replies.received(reply(1))
    assert replies.received(reply(1)).strays == [DUPLICATE]
    assert replies.received(NULL_ERROR).strays == [UNCORRELATED]


def test_a_reply_that_was_given_up_is_late_and_then_a_duplicate():
    replies = DueReplies()
    due = replies.sent(SUM)
    assert replies.give_up(due) == due
    assert replies.give_up(due) == []
    assert replies.received(reply(1)).strays == [LATE]
    assert replies.received(reply(1)).strays == [DUPLICATE]


def test_a_reply_that_came_is_not_given_up():
    replies = DueReplies()
    due = replies.sent(BATCH)
    replies.received(reply(1))
    assert names(replies.give_up(due)) == ["echo (id 2)"]


def test_a_request_of_the_server_is_to_be_answered_also_with_an_id_of_ours():
    heard = due_after(SUM).received(b'{"jsonrpc":"2.0","method":"ping","id":1}')
    assert [call.method for call in heard.requests] == ["ping"]
    assert not heard.is_batch


def test_requests_of_the_server_may_come_as_a_batch():
    heard = DueReplies().received(BATCH)
    assert ([call.id for call in heard.requests], heard.is_batch) == ([1, 2], True)


@pytest.mark.parametrize("payload", [b"banner", NOTIFICATION, b"[]", b"7", FramingError("lost")])
def test_what_is_neither_a_reply_nor_a_request_changes_nothing(payload):
    replies = due_after(SUM)
    heard = replies.received(payload)
    assert (heard.settled, heard.strays, heard.requests) == ([], [], [])
    assert names(replies.open) == ["sum (id 1)"]


def test_what_has_ended_is_remembered_only_for_a_while():
    replies = DueReplies()
    for id in range(1001):
        replies.sent(SUM.replace(b'"id":1', b'"id":%d' % id))
        replies.received(reply(id))
    assert replies.received(reply(0)).strays == [UNKNOWN]
    assert replies.received(reply(1000)).strays == [DUPLICATE]


def test_a_large_batch_is_matched_at_once():
    replies = DueReplies()
    size = 20_000
    due = replies.sent(b"[%s]" % b",".join(SUM[:-2] + b"%d}" % id for id in range(size)))
    heard = replies.received(b"[%s]" % b",".join(map(reply, reversed(range(1, size)))))
    assert (len(heard.settled), replies.give_up(due)) == (size - 1, due[:1])
