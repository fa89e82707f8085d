"""What exercise 31 must keep."""

from rpclab.course import expect_conformance

Command = list[str] | str


def check_it_answers(command: Command) -> None:
    """It starts, and a request is answered with its own id."""
    expect_conformance(command, "4.id-echoed", "5.id-same", "5.single-object")


def check_requests(command: Command) -> None:
    """Anything that is not a valid request is refused."""
    expect_conformance(command, "4.object", "4.jsonrpc", "4.method", "4.id", "4.2.structured")


def check_notifications(command: Command) -> None:
    """A notification is never answered."""
    expect_conformance(command, "4.1.no-id", "4.1.no-reply-on-error")


def check_params(command: Command) -> None:
    """Params are taken by position and by name."""
    expect_conformance(command, "4.2.by-position", "4.2.by-name", "4.params-omitted")


def check_errors(command: Command) -> None:
    """Each failure has its code, and the next line is read as if nothing had happened."""
    expect_conformance(
        command, "json.no-trailing-comma", "5.1.method", "5.1.internal", "newline.goes-on"
    )
