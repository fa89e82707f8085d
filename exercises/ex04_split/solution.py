"""Exercise 4: cut a byte stream into lines."""


def split_lines(rest: bytes, chunk: bytes) -> tuple[list[bytes], bytes]:
    """Return the lines that ``rest + chunk`` completes, and what is left over.

    It is enough to cut bytes: the byte of the newline is never part of another
    character in UTF-8. What follows the last newline is left over, even if that is
    nothing at all.
    """
    *lines, rest = (rest + chunk).split(b"\n")
    return lines, rest
