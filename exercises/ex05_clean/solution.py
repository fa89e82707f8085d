"""Exercise 5: remove what is not part of a message."""

MARK = b"\xef\xbb\xbf"


def clean_lines(lines: list[bytes]) -> list[bytes]:
    """Return the payloads in all the lines of one stream.

    It is enough to name the white space of JSON: without a name, ``strip`` takes a form
    feed too, and a line that is broken would be read. The mark is looked for in the
    first line alone.
    """
    stripped = []
    for number, line in enumerate(lines):
        if number == 0:
            line = line.removeprefix(MARK)
        stripped.append(line.strip(b" \t\r"))
    return [line for line in stripped if line]
