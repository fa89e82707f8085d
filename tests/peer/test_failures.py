"""What the caller of a call without a reply is told."""

import pytest

from rpclab.peer import CallTimeout, PeerGone, ServerGone, Stray

NULL_ID = Stray("an error that names no call", '{"error":{"code":-32700,"message":"too long"}}')
DROPPED = Stray("Parse error: a line of more than 100 bytes was dropped", "")


def test_a_timeout_says_what_came_and_the_end_of_stderr():
    error = CallTimeout("no reply to 'm' in time (3 s)", [NULL_ID, DROPPED], None, "on port 80\n")
    assert str(error) == (
        "no reply to 'm' in time (3 s); what came and settles no call:\n"
        '  an error that names no call: {"error":{"code":-32700,"message":"too long"}}\n'
        "  Parse error: a line of more than 100 bytes was dropped\n"
        "the end of its stderr:\n"
        "on port 80"
    )
    assert error.reason == "no reply to 'm' in time (3 s)"
    assert (error.strays, error.status) == ((NULL_ID, DROPPED), None)
    assert error.stderr_tail == "on port 80\n"


def test_a_timeout_says_that_the_server_has_ended():
    error = CallTimeout("no reply to 'm' in time (3 s)", status=3)
    assert str(error) == "no reply to 'm' in time (3 s); the server has ended with exit status 3"


def test_a_peer_that_is_gone_says_what_it_had_said():
    error = PeerGone(strays=[NULL_ID])
    assert str(error).startswith("the stream from the peer has ended; what came")
    assert (error.strays, error.status, error.stderr_tail) == ((NULL_ID,), None, "")


@pytest.mark.parametrize(
    ("status", "how"), [(None, "closed its stdout"), (-9, "ended with exit status -9")]
)
def test_a_server_that_is_gone_says_how_it_ended(status, how):
    error = ServerGone(status, "")
    assert str(error) == f"the server {how}"
    assert error.status == status


def test_the_text_is_bounded_and_moves_no_cursor():
    error = ServerGone(1, "x" * 100_000 + "\n\x1b[2J\tbusy\n")
    assert len(str(error)) < 2200
    assert str(error).endswith("x\n\\x1b[2J\\tbusy")
    assert len(error.stderr_tail) > 100_000


def test_each_can_be_caught_as_pythons_own_kind():
    assert issubclass(CallTimeout, TimeoutError)
    assert issubclass(PeerGone, ConnectionError)
    assert issubclass(ServerGone, PeerGone)
