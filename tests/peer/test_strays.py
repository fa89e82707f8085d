"""What came and settles no call: what is kept, logged and told."""

from rpclab.peer.pending import LATE, UNCORRELATED, Stray
from rpclab.peer.strays import StrayLog


def test_a_stray_is_kept_as_text_and_logged(caplog):
    log = StrayLog()
    log.add(Stray(UNCORRELATED, {"error": "no"}))
    assert [*log.last] == [Stray(UNCORRELATED, '{"error":"no"}')]
    assert caplog.messages == ['an error that names no call: {"error":"no"}']


def test_a_late_reply_is_kept_but_neither_logged_nor_told(caplog):
    log = StrayLog()
    log.add(Stray(LATE, {"result": 1}))
    assert len(log.last) == 1
    assert not caplog.messages
    assert log.since(0) == ()


def test_only_what_came_since_is_told():
    log = StrayLog()
    log.add(Stray("one", "a"))
    before = log.count
    log.add(Stray("two", "b"))
    assert log.since(before) == (Stray("two", "b"),)
    assert log.since(log.count) == ()


def test_of_many_the_last_few_are_told():
    log = StrayLog()
    for n in range(300):
        log.add(Stray(UNCORRELATED, str(n)))
    assert len(log.last) == 100
    assert [stray.value for stray in log.since(0)] == ["295", "296", "297", "298", "299"]


def test_noise_does_not_push_out_an_error():
    log = StrayLog()
    log.add(Stray(UNCORRELATED, "the reason"))
    log.add(Stray("Parse error: a line of more than 9 bytes was dropped", ""))
    for n in range(50):
        log.add(Stray("Parse error: Expecting value", f"line {n}"))
    values = [stray.value for stray in log.since(0)]
    assert sorted(values) == ["", "line 47", "line 48", "line 49", "the reason"]
