"""What exercise 32 must keep."""

from rpclab.course import expect_conformance

Command = list[str] | str


def check_calls(command: Command) -> None:
    """Requests, notifications and params: section 4."""
    expect_conformance(command, "4.")


def check_responses(command: Command) -> None:
    """Responses and errors: section 5."""
    expect_conformance(command, "5.")


def check_batches(command: Command) -> None:
    """Batches: section 6."""
    expect_conformance(command, "6.")


def check_the_examples(command: Command) -> None:
    """The examples of the specification: section 7."""
    expect_conformance(command, "7.")


def check_json(command: Command) -> None:
    """Text that is JSON, and text that is not."""
    expect_conformance(command, "json.", "2.")


def check_the_stream(command: Command) -> None:
    """The stream, however it is cut, and whatever it holds."""
    expect_conformance(command, "newline.")


def check_the_end(command: Command) -> None:
    """The end of the stream, and a client that has gone."""
    expect_conformance(command, "newline.", isolated=True)
