"""One line sent to a server in this process, and everything that came back."""

import logging
import subprocess
import sys

import pytest

from rpclab import demos
from rpclab.demos.console import Console, name_shape, read_codes

REQUEST = '{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'
NOTIFICATION = '{"jsonrpc":"2.0","method":"update"}'
NINETEEN = '{"jsonrpc":"2.0","result":19,"id":1}'


# --- the name of a shape ----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        (REQUEST, "request"),
        ('{"jsonrpc":"2.0","method":"echo","id":null}', "request"),
        (NOTIFICATION, "notification"),
        (NINETEEN, "success response"),
        ('{"jsonrpc":"2.0","error":{"code":1,"message":"no"},"id":1}', "error response"),
        (f"[{REQUEST}]", "batch"),
        ("[1]", "batch"),
        ("[]", "no valid message"),
        ("{}", "no valid message"),
        ("1", "no valid message"),
        ('{"jsonrpc":"2.0","error":"broken","id":1}', "no valid message"),
        ('{"jsonrpc"', "not JSON"),
        ("", "not JSON"),
        (b"\xff", "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_line_has_the_name_of_its_shape(line, shape):
    assert name_shape(line) == shape


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        (NINETEEN, []),
        ('{"jsonrpc":"2.0","error":{"code":-32601,"message":"?"},"id":1}', [-32601]),
        (
            '[{"jsonrpc":"2.0","error":{"code":-32600,"message":"?"},"id":null},'
            f'{NINETEEN},{{"jsonrpc":"2.0","error":{{"code":7,"message":"?"}},"id":2}}]',
            [-32600, 7],
        ),
    ],
)
def test_the_codes_of_a_reply_are_given_in_order(line, codes):
    assert read_codes(line) == codes


# --- an exchange ------------------------------------------------------------------


def test_a_request_is_shown_with_its_reply():
    assert str(Console().send(REQUEST)) == (
        f"-> {REQUEST}   (request)\n<- {NINETEEN}   (success response)"
    )


def test_silence_is_shown_as_silence():
    assert str(Console().send(NOTIFICATION)) == f"-> {NOTIFICATION}   (notification)\n<- no reply"


def test_an_error_is_shown_with_its_code():
    assert str(Console().send("{")).endswith('"id":null}   (error response, -32700)')


def test_a_batch_is_shown_with_each_of_its_codes():
    assert str(Console().send("[1,2]")).endswith("   (batch, -32600, -32600)")


def test_progress_is_shown_before_the_response():
    exchange = Console().send(
        '{"jsonrpc":"2.0","method":"slow","params":{"seconds":0,"steps":2},"id":1}'
    )
    assert exchange.received == (
        '{"jsonrpc":"2.0","method":"progress","params":{"done":1,"total":2}}',
        '{"jsonrpc":"2.0","method":"progress","params":{"done":2,"total":2}}',
        '{"jsonrpc":"2.0","result":{"steps":2},"id":1}',
    )


def test_what_the_server_logs_is_shown_and_not_printed(capfd):
    exchange = Console().send('{"jsonrpc":"2.0","method":"boom","id":1}')
    assert exchange.log == ("the handler of 'boom' failed: ValueError('boom')",)
    assert capfd.readouterr() == ("", "")


def test_the_log_stands_under_the_reply():
    exchange = Console().send('{"jsonrpc":"2.0","method":"boom","id":1}')
    assert str(exchange).splitlines()[-1] == (
        "   server's log: the handler of 'boom' failed: ValueError('boom')"
    )


def test_what_is_logged_without_an_exception_is_its_message_alone():
    def handler(method, params):
        logging.getLogger("rpclab.mine").warning("take care")

    exchange = Console(handler).send(REQUEST)
    assert exchange.log == ("take care",)


def test_the_log_goes_its_old_way_afterwards(caplog):
    Console().send('{"jsonrpc":"2.0","method":"boom","id":1}')
    logging.getLogger("rpclab").warning("after")
    assert caplog.messages == ["after"]


def test_a_notebook_shows_what_print_shows():
    exchange = Console().send(REQUEST)
    assert repr(exchange) == str(exchange)


def test_an_exchange_knows_the_shape_of_what_was_sent():
    assert Console().send("[1]").shape == "batch"


def test_an_exchange_cannot_be_changed():
    exchange = Console().send(REQUEST)
    with pytest.raises(AttributeError):
        exchange.sent = "other"


# --- a console --------------------------------------------------------------------


def test_the_transcript_holds_every_exchange_in_order():
    console = Console()
    first, second = console.send(REQUEST), console.send(NOTIFICATION)
    assert console.transcript == [first, second]


def test_a_reply_is_not_shown_twice():
    console = Console()
    console.send(REQUEST)
    assert console.send(NOTIFICATION).received == ()


def test_a_handler_of_ones_own_is_asked():
    console = Console(lambda method, params: [method, params])
    assert console.send(REQUEST).received == (
        '{"jsonrpc":"2.0","result":["subtract",[42,23]],"id":1}',
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "\ud800",
        "\ufeff{}",
        b"\xff\xfe",
        "{\n}",
        "a\x1b[2J",
        "[" * 100_000,
        b"\xef\xbb\xbf",
    ],
    ids=ascii,
)
def test_no_line_is_a_traceback_for_a_learner(line):
    assert str(Console().send(line)).startswith("-> ")


def test_bytes_that_are_no_text_are_shown_escaped():
    assert Console().send(b"\xff").sent == "\\xff"


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), GeneratorExit()], ids=type)
def test_a_handler_that_wants_to_end_everything_ends_nothing(error):
    def handler(method, params):
        raise error

    console = Console(handler)
    console.send(REQUEST)
    assert console.send("{").received != ()


# --- the package ------------------------------------------------------------------


def test_every_public_name_is_there():
    assert all(hasattr(demos, name) for name in demos.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        demos.nope  # noqa: B018  the access is the test


def test_the_demo_server_needs_no_event_loop():
    program = "import sys; from rpclab.demos import demo_handler; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "rpclab.demos.demo_server" in loaded
    assert not {"asyncio", "subprocess", "rpclab.peer"} & set(loaded)
