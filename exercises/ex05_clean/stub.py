"""Exercise 5: remove what is not part of a message."""


def clean_lines(lines: list[bytes]) -> list[bytes]:
    """Return the payloads in all the lines of one stream."""
    # TODO (about four lines): the mark of the first line, white space, blank lines.
    raise NotImplementedError
